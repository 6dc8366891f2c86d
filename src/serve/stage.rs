//! What is shown at the moment, and news of it for open pages.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::serve::http;
use crate::serve::site::Site;

#[derive(Debug)]
pub struct Stage {
    shown: Mutex<Shown>,
    changed: Condvar,
    recent: Mutex<Vec<String>>,
}

/// So many pages that were read last are made first when something changes.
const MOST_RECENT: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) number: u64,
    pub(super) site: Arc<Site>,
    /// Why the one after it could not be made.
    pub(super) failure: Option<String>,
}

impl Stage {
    pub fn new(site: Site) -> Self {
        let shown = Shown { number: 0, site: Arc::new(site), failure: None };
        Self { shown: Mutex::new(shown), changed: Condvar::new(), recent: Mutex::default() }
    }

    pub fn show(&self, site: Site) {
        self.change(|shown| {
            shown.site = Arc::new(site);
            shown.failure = None;
        });
    }

    pub fn show_first(&self, newer: BTreeMap<String, Vec<u8>>) {
        self.change(|shown| shown.site = Arc::new(shown.site.with_newer(newer)));
    }

    pub fn recent_pages(&self) -> Vec<String> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn note_page(&self, path: &str) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|page| page != path);
        recent.push(path.to_owned());
        if recent.len() > MOST_RECENT {
            recent.remove(0);
        }
    }

    /// Goes on showing the same report and says why there is no other.
    pub fn fail(&self, reason: &str) {
        self.change(|shown| shown.failure = Some(reason.to_owned()));
    }

    fn change(&self, change: impl FnOnce(&mut Shown)) {
        let mut shown = self.lock();
        change(&mut shown);
        shown.number += 1;
        self.changed.notify_all();
    }

    pub(super) fn site(&self) -> Arc<Site> {
        Arc::clone(&self.lock().site)
    }

    pub(super) fn look(&self) -> Shown {
        self.lock().clone()
    }

    /// Waits until something else than `number` is shown, or for `time`; tells which.
    pub(super) fn wait(&self, number: u64, time: Duration) -> bool {
        let waited =
            self.changed.wait_timeout_while(self.lock(), time, |state| state.number == number);
        waited.unwrap_or_else(PoisonError::into_inner).0.number != number
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often it is looked who is gone: seats are few, and a page left gives up its own at once.
const BEAT: Duration = Duration::from_secs(1);

/// After so many beats without news a sign of life is sent, for what stands between.
const QUIET: u32 = 15;

/// Sends news of `page`, shown in `version`, until the reader is gone, as server-sent events: `changed`
/// when it should be loaded again, `failed` with the reason when a later report could not be made,
/// `fine` when that is over.
pub(super) fn send_news(
    mut stream: &TcpStream,
    stage: &Stage,
    page: &str,
    version: &str,
) -> io::Result<()> {
    http::begin_events(stream)?;
    stage.note_page(page);
    let mut last = String::new();
    loop {
        let shown = stage.look();
        let event = event(&shown, page, version);
        let text = if event == last { ":\n\n" } else { &event };
        stream.write_all(text.as_bytes())?;
        last = event;
        let mut beats = 0;
        while beats < QUIET && !stage.wait(shown.number, BEAT) {
            if is_gone(stream) {
                return Ok(());
            }
            beats += 1;
        }
    }
}

/// Whether the reader has closed its side; it has nothing more to say otherwise.
fn is_gone(stream: &TcpStream) -> bool {
    let peek = || {
        stream.set_nonblocking(true)?;
        let peeked = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        peeked
    };
    match peek() {
        Ok(length) => length == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

fn event(shown: &Shown, page: &str, version: &str) -> String {
    let (name, data) = match (&shown.failure, shown.site.version(page)) {
        (Some(reason), _) => ("failed", reason.as_str()),
        (None, Some(current)) if current == version => ("fine", ""),
        (None, _) => ("changed", ""),
    };
    // As JSON it is one line, whatever it holds.
    format!("event: {name}\ndata: {}\n\n", serde_json::Value::from(data))
}
