//! The files of one report by their addresses; what is shown at the moment, and news of it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::files::{Disk, Source};
use crate::serve::http::{self, MediaKind, NOTHING, Reply, Status};

/// The policy of our pages: as in the pages themselves, and they may ask for news and hand in.
const PAGE: &str = "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; \
    connect-src 'self'; object-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The policy of outputs: they are looked at, in a page of ours or alone, and do nothing.
const OUTPUT: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// The policy of a PDF: the browser's own viewer does not start under more.
const DOCUMENT: &str = "frame-ancestors 'self'";

const OUTPUTS: &str = "files/";

/// What a page leaves open for the version that is served.
const OPEN: &str = " data-served=\"\"";
const DIGITS: usize = 16;

/// What identifies each workspace, by the folder of its pages; empty where there is one.
pub type WorkspaceIds = BTreeMap<String, String>;

#[derive(Clone, Debug)]
pub struct ServedSite {
    folder: Arc<Disk>,
    /// The hash of each file.
    files: Arc<BTreeMap<String, String>>,
    newer: Arc<BTreeMap<String, Vec<u8>>>,
    homes: WorkspaceIds,
    /// The version of what all pages load.
    assets: String,
}

impl ServedSite {
    pub fn new(folder: Disk, files: BTreeMap<String, String>, homes: WorkspaceIds) -> Self {
        let loaded = files.iter().filter(|(path, _)| path.starts_with("assets/"));
        let all: String = loaded.map(|(_, hash)| hash.as_str()).collect();
        let assets = blake3::hash(all.as_bytes()).to_hex().to_string();
        let (folder, files) = (Arc::new(folder), Arc::new(files));
        Self { folder, files, newer: Arc::default(), homes, assets }
    }

    /// Changes with a page and with what it loads; `None` where there is no such page.
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
            (PAGE, _) => self.page(path, &version, kind),
            (_, Some(newer)) => Ok(Reply::bytes(Status::FINE, kind, newer.clone())),
            (_, None) => self.folder.file(path).map(|file| Reply::file(kind, file)),
        })
    }

    fn page(&self, path: &str, version: &str, kind: MediaKind) -> io::Result<Reply> {
        let bytes = match self.newer.get(path) {
            Some(newer) => newer.clone(),
            None => self.folder.read(path, u64::MAX)?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let homes: Vec<_> =
            self.homes.iter().map(|(folder, home)| format!("{home}:{folder}")).collect();
        let filled = format!(" data-served=\"{version}\" data-homes=\"{}\"", homes.join(" "));
        let text = text.replacen(OPEN, &filled, 1);
        Ok(Reply::bytes(Status::FINE, kind, text.into_bytes()))
    }
}

/// What is served as what. An output is never a script or style sheet, whatever it is called.
fn kind(path: &str) -> MediaKind {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let is_output = path.starts_with(OUTPUTS);
    let media = match extension {
        "html" => "text/html; charset=utf-8",
        "css" if !is_output => "text/css; charset=utf-8",
        "js" if !is_output => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "ico" => "image/x-icon",
        "pdf" => "application/pdf",
        "docx" | "pptx" | "xlsx" | "zip" | "bin" => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    };
    let policy = match extension {
        "html" if !is_output => PAGE,
        "pdf" => DOCUMENT,
        _ if is_output => OUTPUT,
        _ => NOTHING,
    };
    MediaKind { media, policy }
}

#[derive(Debug)]
pub struct LiveReport {
    shown: Mutex<ShownReport>,
    changed: Condvar,
    recent: Mutex<Vec<String>>,
}

/// So many pages that were read last are made first when something changes.
const MOST_RECENT: usize = 6;

#[derive(Clone, Debug)]
pub(super) struct ShownReport {
    pub(super) number: u64,
    pub(super) site: Arc<ServedSite>,
    /// Why the one after it could not be made.
    pub(super) failure: Option<String>,
}

impl LiveReport {
    pub fn new(site: ServedSite) -> Self {
        let shown = ShownReport { number: 0, site: Arc::new(site), failure: None };
        Self { shown: Mutex::new(shown), changed: Condvar::new(), recent: Mutex::default() }
    }

    pub fn show(&self, site: ServedSite) {
        self.change(|shown| {
            shown.site = Arc::new(site);
            shown.failure = None;
        });
    }

    pub fn show_first(&self, newer: BTreeMap<String, Vec<u8>>) {
        self.change(|shown| {
            let site = ServedSite { newer: Arc::new(newer), ..(*shown.site).clone() };
            shown.site = Arc::new(site);
        });
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

    fn change(&self, change: impl FnOnce(&mut ShownReport)) {
        let mut shown = self.lock();
        change(&mut shown);
        shown.number += 1;
        self.changed.notify_all();
    }

    pub(super) fn site(&self) -> Arc<ServedSite> {
        Arc::clone(&self.lock().site)
    }

    /// Waits until something else than `number` is shown, or for `time`; whether it is.
    pub(super) fn wait(&self, number: u64, time: Duration) -> bool {
        let waited =
            self.changed.wait_timeout_while(self.lock(), time, |state| state.number == number);
        waited.unwrap_or_else(PoisonError::into_inner).0.number != number
    }

    fn lock(&self) -> MutexGuard<'_, ShownReport> {
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
        let mut beats = 0;
        while beats < QUIET && !live.wait(shown.number, BEAT) {
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

fn event(shown: &ShownReport, page: &str, version: &str) -> String {
    let (name, data) = match (&shown.failure, shown.site.version(page)) {
        (Some(reason), _) => ("failed", reason.as_str()),
        (None, Some(current)) if current == version => ("fine", ""),
        (None, _) => ("changed", ""),
    };
    // As JSON it is one line, whatever it holds.
    format!("event: {name}\ndata: {}\n\n", serde_json::Value::from(data))
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENT, NOTHING, OUTPUT, PAGE, kind};

    #[test]
    fn an_output_does_nothing_whatever_it_is_called() {
        assert_eq!(kind("cases/a.html").policy, PAGE);
        assert_eq!(kind("files/0a.html").policy, OUTPUT);
        assert_eq!(kind("files/0a.svg").policy, OUTPUT);
        assert_eq!(kind("files/0a.pdf").policy, DOCUMENT);
        assert_eq!(kind("assets/report.js").policy, NOTHING);
        assert_eq!(kind("assets/report.js").media, "text/javascript; charset=utf-8");
        for path in ["files/0a.js", "files/0a.css", "files/0a.mjs", "files/0a"] {
            assert_eq!(kind(path).media, "text/plain; charset=utf-8", "{path}");
        }
    }
}
