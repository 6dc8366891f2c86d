//! A secret that was found in a text, and the mark that takes its place.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The name of a kind of secret in marks, problems and counts, such as `github token`.
pub(super) type Label = Arc<str>;

/// Labels of folders of the machine, which are made relative. They are not secrets.
const HOME: &str = "home folder";
pub(super) const WORKSPACE: &str = "workspace folder";

/// Ranks after those of all rules: a token within a run of letters and digits, and a folder of the machine.
pub(super) const TOKEN_RANK: usize = usize::MAX - 1;
pub(super) const FOLDER_RANK: usize = usize::MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Secret {
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    pub(super) label: Label,
    /// The lower, the more specific is the label. The most specific one names the mark.
    pub(super) rank: usize,
    /// What a reader sees there.
    pub(super) value: Vec<u8>,
}

impl Secret {
    pub(super) fn new(range: Range<usize>, label: &Label, rank: usize) -> Self {
        Self { range, label: Arc::clone(label), rank, value: Vec::new() }
    }
}

/// Whether the label is that of a folder of the machine, not of a secret.
pub(super) fn is_folder(label: &str) -> bool {
    matches!(label, HOME | WORKSPACE)
}

/// Plain ASCII without quotes, so that it is text in every format.
pub(super) fn mark(label: &str) -> Cow<'static, str> {
    match label {
        HOME => "~".into(),
        WORKSPACE => ".".into(),
        label => format!("[redacted: {label}]").into(),
    }
}

/// `text` with marks for `secrets`, which are in order and without overlap.
pub(super) fn marked(text: &str, secrets: &[Secret]) -> String {
    let mut shown = text.to_owned();
    for secret in secrets.iter().rev() {
        shown.replace_range(secret.range.clone(), &mark(&secret.label));
    }
    shown
}

/// Sorts secrets by place and joins those that overlap.
pub(super) fn join_overlaps(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.sort_by_key(|secret| (secret.range.start, secret.range.end, secret.rank));
    let mut joined: Vec<Secret> = Vec::with_capacity(secrets.len());
    for secret in secrets {
        match joined.last_mut() {
            Some(last) if secret.range.start < last.range.end => {
                if secret.range.end > last.range.end {
                    last.range.end = secret.range.end;
                    last.value.clear();
                }
                if secret.rank < last.rank {
                    (last.label, last.rank) = (secret.label, secret.rank);
                }
            }
            _ => joined.push(secret),
        }
    }
    joined
}
