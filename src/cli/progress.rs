//! How many pages are written, as one line of a terminal.

use std::env::{var, var_os};
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often the line is written during one report, at most.
const STEPS: usize = 50;

/// A line that is rewritten; on anything but a terminal that can do that there is none.
pub(super) struct Progress {
    is_shown: bool,
    done: AtomicUsize,
}

impl Progress {
    pub(super) fn new(is_quiet: bool) -> Self {
        let is_dumb = var_os("TERM").is_some_and(|term| term == "dumb");
        // The log of a runner keeps every line that is rewritten.
        let is_ci = var("CI").is_ok_and(|ci| !ci.is_empty() && ci != "false");
        let is_shown = !is_quiet && !is_dumb && !is_ci && stderr().is_terminal();
        Self { is_shown, done: AtomicUsize::new(0) }
    }

    /// One more of `pages` is written.
    pub(super) fn step(&self, pages: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let [before, now] = [done - 1, done].map(|done| done * STEPS / pages.max(1));
        if now > before {
            self.write(&format!("{done}/{pages} pages"));
        }
    }

    pub(super) fn clear(&self) {
        self.write("");
    }

    fn write(&self, line: &str) {
        if self.is_shown {
            // A report is not worth less where nobody can be told how far it is.
            let _ = write!(stderr(), "\r\u{1b}[2K{line}");
        }
    }
}
