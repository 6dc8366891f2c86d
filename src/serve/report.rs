//! The files of one report by address, the report shown at the moment, and events about it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::page_policy::{SERVED_FILE, SERVED_OUTPUT, SERVED_PAGE, SERVED_PDF};
use crate::serve::http::{self, MediaKind, Reply, Status};
use formats::picture::media_type;
use input::files::{Disk, Source};

const OUTPUTS: &str = "files/";

/// The placeholder in a page for the version that is served.
const VERSION_PLACEHOLDER: &str = " data-served=\"\"";
const DIGITS: usize = 16;

/// The identifier of each workspace, by the folder of its pages; that is empty for a single
/// workspace.
pub type WorkspaceIds = BTreeMap<String, String>;

#[derive(Clone, Debug)]
pub struct ServedReport {
    folder: Arc<Disk>,
    /// The hash of each file.
    files: Arc<BTreeMap<String, String>>,
    newer: Arc<BTreeMap<String, Vec<u8>>>,
    homes: WorkspaceIds,
    /// The version of the assets that all pages load.
    assets: String,
}

impl ServedReport {
    pub fn new(folder: Disk, files: BTreeMap<String, String>, homes: WorkspaceIds) -> Self {
        let loaded = files.iter().filter(|(path, _)| path.starts_with("assets/"));
        let hashes: String = loaded.map(|(_, hash)| hash.as_str()).collect();
        let assets = blake3::hash(hashes.as_bytes()).to_hex().to_string();
        let (folder, files) = (Arc::new(folder), Arc::new(files));
        Self { folder, files, newer: Arc::default(), homes, assets }
    }

    /// A version that changes with a page and its assets; `None` if there is no such page.
    pub(super) fn version(&self, page: &str) -> Option<String> {
        let hash = match self.newer.get(page) {
            Some(bytes) => blake3::hash(bytes).to_hex().to_string(),
            None => self.files.get(page)?.clone(),
        };
        Some(format!("{:.DIGITS$}{:.DIGITS$}", hash, self.assets))
    }

    pub(super) fn reply(&self, path: &str) -> Option<io::Result<Reply>> {
        let version = self.version(path)?;
        let kind = kind(path);
        Some(match (kind.policy, self.newer.get(path)) {
            (SERVED_PAGE, _) => self.page(path, &version, kind),
            (_, Some(newer)) => Ok(Reply::bytes(Status::OK, kind, newer.clone())),
            (_, None) => self.folder.file(path).map(|file| Reply::file(kind, file)),
        })
    }

    fn page(&self, path: &str, version: &str, kind: MediaKind) -> io::Result<Reply> {
        let bytes = match self.newer.get(path) {
            Some(newer) => newer.clone(),
            None => self.folder.read(path, u64::MAX)?,
        };
        let text = String::from_utf8_lossy(&bytes);
        // Scripts ask with the version whether the page is current, and keep drafts by workspace.
        let homes: Vec<_> =
            self.homes.iter().map(|(folder, home)| format!("{home}:{folder}")).collect();
        let filled = format!(" data-served=\"{version}\" data-homes=\"{}\"", homes.join(" "));
        let text = text.replacen(VERSION_PLACEHOLDER, &filled, 1);
        Ok(Reply::bytes(Status::OK, kind, text.into_bytes()))
    }
}

/// The media type and policy of a path. An output is never a script or style sheet, whatever its
/// name.
fn kind(path: &str) -> MediaKind {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let is_output = path.starts_with(OUTPUTS);
    let media = match extension {
        "html" => "text/html; charset=utf-8",
        "css" if !is_output => "text/css; charset=utf-8",
        "js" if !is_output => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "pdf" => "application/pdf",
        "docx" | "pptx" | "xlsx" | "zip" | "bin" => "application/octet-stream",
        _ => media_type(extension).unwrap_or("text/plain; charset=utf-8"),
    };
    let policy = match extension {
        "html" if !is_output => SERVED_PAGE,
        "pdf" => SERVED_PDF,
        _ if is_output => SERVED_OUTPUT,
        _ => SERVED_FILE,
    };
    MediaKind { media, policy }
}

#[derive(Debug)]
pub struct LiveReport {
    shown: Mutex<ShownReport>,
    changed: Condvar,
    recent: Mutex<Vec<String>>,
}

/// How many recently read pages are made first after a change.
const RECENT_PAGES: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct ShownReport {
    pub(super) number: u64,
    pub(super) report: Arc<ServedReport>,
    /// Why the next report could not be made.
    pub(super) failure: Option<String>,
}

impl LiveReport {
    pub fn new(report: ServedReport) -> Self {
        let shown = ShownReport { number: 0, report: Arc::new(report), failure: None };
        Self { shown: Mutex::new(shown), changed: Condvar::new(), recent: Mutex::default() }
    }

    pub fn show(&self, report: ServedReport) {
        self.change(|shown| {
            shown.report = Arc::new(report);
            shown.failure = None;
        });
    }

    pub fn show_first(&self, newer: BTreeMap<String, Vec<u8>>) {
        self.change(|shown| {
            let report = ServedReport { newer: Arc::new(newer), ..(*shown.report).clone() };
            shown.report = Arc::new(report);
        });
    }

    pub fn recent_pages(&self) -> Vec<String> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn note_page(&self, path: &str) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|page| page != path);
        recent.push(path.to_owned());
        if recent.len() > RECENT_PAGES {
            recent.remove(0);
        }
    }

    /// Keeps showing the same report, with the reason why there is no newer one.
    pub fn fail(&self, reason: &str) {
        self.change(|shown| shown.failure = Some(reason.to_owned()));
    }

    fn change(&self, change: impl FnOnce(&mut ShownReport)) {
        let mut shown = self.lock();
        change(&mut shown);
        shown.number += 1;
        self.changed.notify_all();
    }

    pub(super) fn report(&self) -> Arc<ServedReport> {
        Arc::clone(&self.lock().report)
    }

    /// Waits until another number than `number` is shown, at most for `time`; returns whether it
    /// is.
    pub(super) fn wait(&self, number: u64, time: Duration) -> bool {
        let waited =
            self.changed.wait_timeout_while(self.lock(), time, |state| state.number == number);
        waited.unwrap_or_else(PoisonError::into_inner).0.number != number
    }

    fn lock(&self) -> MutexGuard<'_, ShownReport> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Interval of checks for closed connections: slots are few, and a closed page should release its
/// slot at once.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// After this many checks without news, a comment keeps the connection open through proxies.
const QUIET_CHECKS: u32 = 15;

/// Sends server-sent events about `page`, shown in `version`, until the reader is gone: `changed`
/// when it should be reloaded, `failed` with the reason when a later report could not be made,
/// `fine` when that is over.
pub(super) fn send_events(
    mut stream: &TcpStream,
    live: &LiveReport,
    page: &str,
    version: &str,
) -> io::Result<()> {
    http::begin_events(stream)?;
    live.note_page(page);
    let mut last = String::new();
    loop {
        let shown = live.lock().clone();
        let event = event(&shown, page, version);
        let text = if event == last { ":\n\n" } else { &event };
        stream.write_all(text.as_bytes())?;
        last = event;
        let mut checks = 0;
        while checks < QUIET_CHECKS && !live.wait(shown.number, CHECK_INTERVAL) {
            if is_gone(stream) {
                return Ok(());
            }
            checks += 1;
        }
    }
}

/// Whether the reader has closed its side; it never sends anything else.
fn is_gone(stream: &TcpStream) -> bool {
    match peek(stream) {
        Ok(length) => length == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

/// The number of bytes that wait to be read.
fn peek(stream: &TcpStream) -> io::Result<usize> {
    stream.set_nonblocking(true)?;
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    peeked
}

fn event(shown: &ShownReport, page: &str, version: &str) -> String {
    let (name, data) = match (&shown.failure, shown.report.version(page)) {
        (Some(reason), _) => ("failed", reason.as_str()),
        (None, Some(current)) if current == version => ("fine", ""),
        (None, _) => ("changed", ""),
    };
    // JSON keeps it on one line, whatever it contains.
    format!("event: {name}\ndata: {}\n\n", serde_json::Value::from(data))
}

#[cfg(test)]
mod tests {
    use super::{SERVED_FILE, SERVED_OUTPUT, SERVED_PAGE, SERVED_PDF, kind};

    #[test]
    fn an_output_does_nothing_whatever_it_is_called() {
        assert_eq!(kind("cases/a.html").policy, SERVED_PAGE);
        assert_eq!(kind("files/0a.html").policy, SERVED_OUTPUT);
        assert_eq!(kind("files/0a.svg").policy, SERVED_OUTPUT);
        assert_eq!(kind("files/0a.pdf").policy, SERVED_PDF);
        assert_eq!(kind("assets/report.js").policy, SERVED_FILE);
        assert_eq!(kind("assets/report.js").media, "text/javascript; charset=utf-8");
        for path in ["files/0a.js", "files/0a.css", "files/0a.mjs", "files/0a"] {
            assert_eq!(kind(path).media, "text/plain; charset=utf-8", "{path}");
        }
    }
}
