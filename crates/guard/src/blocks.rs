//! Secrets of Kubernetes in YAML: all that their `data` and `stringData` hold.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::scan::{among, leading, trailing};
use crate::secret::Secret;
use crate::value::is_placeholder;

/// Adds the values of every document of the text that is a Secret.
pub(super) fn find_kubernetes_secrets(text: &[u8], secrets: &mut Vec<Secret>) {
    // `kind: Secret` is rare, so that few texts are split.
    if memmem::find(text, b"Secret").is_none() {
        return;
    }
    let mut start = 0;
    while start < text.len() {
        let end = memmem::find(&text[start..], b"\n---").map_or(text.len(), |at| start + at);
        let document = &text[start..end];
        if document.split(|byte| *byte == b'\n').any(is_kind) {
            for range in values(document) {
                let range = start + range.start..start + range.end;
                secrets.push(Secret::new(range, &Arc::from(KUBERNETES), 1));
            }
        }
        start = end + 1;
    }
}

pub(super) const KUBERNETES: &str = "kubernetes secret";

fn is_kind(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let kind = line.strip_prefix(b"kind:").map(<[u8]>::trim_ascii);
    kind.is_some_and(|kind| matches!(kind, b"Secret" | b"\"Secret\"" | b"'Secret'"))
}

/// The values in the lines below `data:` and `stringData:`, as far as they are indented.
fn values(document: &[u8]) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    // How far the head of a block is indented, and the names in it.
    let (mut head, mut names) = (None, None);
    let mut start = 0;
    for line in document.split(|byte| *byte == b'\n') {
        let indent = leading(line, among(b" -"));
        let is_blank = line.trim_ascii().is_empty();
        if head.is_some_and(|head| indent <= head) && !is_blank {
            head = None;
        }
        if matches!(line.trim_ascii(), b"data:" | b"stringData:") {
            (head, names) = (Some(indent), None);
        } else if head.is_some() && !is_blank {
            let names = *names.get_or_insert(indent);
            // Deeper lines belong to a text of several lines.
            let colon = memchr::memchr(b':', line).filter(|_| indent <= names);
            let after_name = colon.map_or(0, |colon| colon + 1);
            let skipped = after_name + leading(&line[after_name..], among(b" \t\"'"));
            let end = line.len() - trailing(&line[skipped..], among(b" \t\r\"'"));
            if end > skipped + 1 && !is_placeholder(&line[skipped..end]) {
                values.push(start + skipped..start + end);
            }
        }
        start += line.len() + 1;
    }
    values
}
