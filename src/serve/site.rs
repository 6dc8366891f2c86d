//! The files of one report, by their addresses.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::files::{Disk, Source};
use crate::serve::http::{Kind, NOTHING, Reply, Status};

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

/// What tells each workspace from all others, by the folder of its pages; empty where there is one.
pub type Homes = BTreeMap<String, String>;

#[derive(Clone, Debug)]
pub struct Site {
    folder: Arc<Disk>,
    /// Bytes and hash of each file.
    files: Arc<BTreeMap<String, (u64, String)>>,
    newer: Arc<BTreeMap<String, Vec<u8>>>,
    homes: Homes,
    /// The version of what all pages load.
    assets: String,
}

impl Site {
    pub fn new(folder: Disk, files: BTreeMap<String, (u64, String)>, homes: Homes) -> Self {
        let loaded = files.iter().filter(|(path, _)| path.starts_with("assets/"));
        let all: String = loaded.map(|(_, (_, hash))| hash.as_str()).collect();
        let assets = blake3::hash(all.as_bytes()).to_hex().to_string();
        let (folder, files) = (Arc::new(folder), Arc::new(files));
        Self { folder, files, newer: Arc::default(), homes, assets }
    }

    pub(super) fn with_newer(&self, newer: BTreeMap<String, Vec<u8>>) -> Self {
        Self { newer: Arc::new(newer), ..self.clone() }
    }

    /// What tells a page from itself in another report; `None` where there is no such page.
    pub(super) fn version(&self, page: &str) -> Option<String> {
        let hash = match self.newer.get(page) {
            Some(bytes) => blake3::hash(bytes).to_hex().to_string(),
            None => self.files.get(page)?.1.clone(),
        };
        Some(format!("{:.DIGITS$}{:.DIGITS$}", hash, self.assets))
    }

    pub(super) fn reply(&self, path: &str) -> Option<io::Result<Reply>> {
        let version = self.version(path)?;
        let kind = kind(path);
        Some(match (kind.policy, self.newer.get(path)) {
            (PAGE, _) => self.page(path, &version, kind),
            (_, Some(newer)) => Ok(Reply::bytes(Status::FINE, kind, newer.clone())),
            (_, None) => self.file(path, kind),
        })
    }

    fn page(&self, path: &str, version: &str, kind: Kind) -> io::Result<Reply> {
        let bytes = match self.newer.get(path) {
            Some(newer) => newer.clone(),
            None => self.folder.read(path, self.files[path].0)?,
        };
        let text = String::from_utf8_lossy(&bytes);
        let homes: Vec<_> =
            self.homes.iter().map(|(folder, it)| format!("{it}:{folder}")).collect();
        let filled = format!(" data-served=\"{version}\" data-homes=\"{}\"", homes.join(" "));
        let text = text.replacen(OPEN, &filled, 1);
        Ok(Reply::bytes(Status::FINE, kind, text.into_bytes()))
    }

    fn file(&self, path: &str, kind: Kind) -> io::Result<Reply> {
        Ok(Reply::file(kind, self.files[path].0, Box::new(self.folder.file(path)?)))
    }
}

/// What is served as what. An output is never a script or style sheet, whatever it is called.
fn kind(path: &str) -> Kind {
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
    Kind { media, policy }
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
