//! The second wall: whatever is written is looked through for secrets that were found while reading.
//! Pages pass through a sink, texts through the console.
//!
//! The guard has replaced them before anything was read. One that comes this far is a fault of
//! evalbook, which is named and does no harm.

use std::collections::BTreeSet;
use std::io::{self, Cursor, Read};
use std::sync::{Mutex, PoisonError};

use crate::cli::workspaces::OpenedWorkspace;
use crate::write::Sink;
use guard::LastLook;

pub(super) struct CheckedSink<'s> {
    sink: &'s dyn Sink,
    look: LastLook,
    /// Pages and files in which a secret had to be replaced.
    faults: Mutex<BTreeSet<String>>,
}

impl<'s> CheckedSink<'s> {
    pub(super) fn new(sink: &'s dyn Sink, opened: &[OpenedWorkspace]) -> Self {
        let look = LastLook::new(opened.iter().map(|opened| &opened.source));
        Self { sink, look, faults: Mutex::default() }
    }

    /// A sentence for each page and file in which a secret had to be replaced.
    pub(super) fn faults(self) -> Vec<String> {
        let faults = self.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
        faults.iter().map(|path| fault(path)).collect()
    }

    fn record(&self, path: &str) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.insert(path.to_owned());
    }
}

/// What to say after a secret came as far as the file at `path`.
pub(super) fn fault(path: &str) -> String {
    format!(
        "a secret was about to be written to `{path}` and was replaced: this is a fault of \
         evalbook, please report it without the secret"
    )
}

impl Sink for CheckedSink<'_> {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.look.replaced_in(bytes) {
            Some(clean) => {
                self.record(path);
                self.sink.put(path, &clean)
            }
            None => self.sink.put(path, bytes),
        }
    }

    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        // Without any secret a large file need not be held in memory.
        if self.look.is_blind() {
            return self.sink.store(content, address);
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        let clean = self.look.replaced_in(&bytes);
        let was_clean = clean.is_none();
        let path = self.sink.store(&mut Cursor::new(clean.unwrap_or(bytes)), address)?;
        if !was_clean {
            self.record(&path);
        }
        Ok(path)
    }

    fn stored(&self, path: &str) -> Option<(u64, String)> {
        self.sink.stored(path)
    }

    fn note(&self, source: &str, path: &str) {
        self.sink.note(source, path);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::CheckedSink;
    use crate::cli::console::{ColorWhen, Console};
    use crate::write::{MemorySink, Sink};
    use guard::{Guard, Guarded, LastLook};
    use input::files::{Memory, Source};
    use input::settings::SecretRules;

    fn source(text: &str) -> Guarded {
        let memory = Memory::new([("a.log", text)]);
        let mut guard = Guard::new(memory.list(&|_| false), &[], &SecretRules::default());
        guard.scan(&memory, &|_| true);
        Guarded::new(Arc::new(memory), guard)
    }

    #[test]
    fn a_secret_that_comes_this_far_is_replaced_and_named() {
        let secret = format!("ghp_{}", "k8Qz4LmW2xTr9VbN6yHc".repeat(2));
        let secret = &secret[..40];
        let source = source(&format!("token {secret}"));
        let pages = MemorySink::default();
        let checked = CheckedSink {
            sink: &pages,
            look: LastLook::new([&source]),
            faults: Default::default(),
        };
        checked.put("index.html", b"<p>nothing</p>").unwrap();
        checked.put("case.html", format!("<p>{secret}</p>").as_bytes()).unwrap();
        let stored =
            checked.store(&mut secret.as_bytes(), &|hash| format!("files/{hash}")).unwrap();
        let faults = checked.faults();
        assert!(faults.iter().any(|fault| fault.contains("`case.html`")), "{faults:?}");
        assert!(faults.iter().any(|fault| fault.contains(&stored)), "{faults:?}");
        assert_eq!(faults.len(), 2);
        let pages = pages.into_pages();
        assert_eq!(pages["case.html"], b"<p>[redacted: github token]</p>");
        assert_eq!(pages["index.html"], b"<p>nothing</p>");
        assert_eq!(pages[&stored], b"[redacted: github token]");

        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("comment.md");
        let mut console = Console::new(ColorWhen::Never);
        console.hide(LastLook::new([&source]));
        console.put(&format!("says {secret}"), Some(&text)).unwrap();
        assert_eq!(input::files::text(&text).unwrap(), "says [redacted: github token]");
    }
}
