//! Names of files and folders that hold a secret: what they are called in a report.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::Entry;
use crate::guard::rule::Label;
use crate::guard::shapes::Index;

/// Paths in the source by the paths shown, for those that differ.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) to_source: BTreeMap<String, String>,
    pub(super) to_shown: BTreeMap<String, String>,
    pub(super) found: Vec<(String, Label)>,
}

impl Names {
    /// Shows each entry under a path of its own; folders still stand before what they hold.
    pub(super) fn new(entries: &mut [Entry], index: &Index) -> Self {
        let mut names = Self::default();
        let is_odd = |entry: &Entry| entry.path.split('/').any(|name| index.redact(name).is_some());
        if entries.iter().any(is_odd) {
            let mut taken = entries.iter().map(|entry| entry.path.clone()).collect();
            entries.iter().for_each(|entry| names.add(&entry.path, &mut taken, index));
            for entry in entries.iter_mut() {
                if let Some(path) = names.to_shown.get(&entry.path) {
                    entry.path.clone_from(path);
                }
            }
            entries.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        }
        names
    }

    fn add(&mut self, path: &str, taken: &mut BTreeSet<String>, index: &Index) {
        let (mut source, mut out) = (String::new(), String::new());
        for name in path.split('/') {
            let slash = if source.is_empty() { "" } else { "/" };
            source = format!("{source}{slash}{name}");
            if let Some(path) = self.to_shown.get(&source) {
                out.clone_from(path);
                continue;
            }
            let (wanted, labels) = index.redact(name).unwrap_or((name.to_owned(), Vec::new()));
            let own = format!("{out}{slash}{wanted}");
            out = if own == source { own } else { free(&own, taken) };
            self.found.extend(labels.into_iter().map(|label| (out.clone(), label)));
            if out != source {
                taken.insert(out.clone());
                self.to_source.insert(out.clone(), source.clone());
                self.to_shown.insert(source.clone(), out.clone());
            }
        }
    }
}

/// `path`, with a number before its ending where it is taken.
fn free(path: &str, taken: &BTreeSet<String>) -> String {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let dot = path[start..].rfind('.').filter(|at| *at > 0).map_or(path.len(), |at| start + at);
    let numbered = (2_usize..).map(|number| format!("{} {number}{}", &path[..dot], &path[dot..]));
    std::iter::once(path.to_owned())
        .chain(numbered)
        .find(|path| !taken.contains(path))
        .unwrap_or_default()
}
