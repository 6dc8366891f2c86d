//! `publish-manifest.json`: every file of a workspace in the report, and what was removed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use crate::render::context::Part;
use crate::render::data::ordered_json::{Json, list, object};
use crate::write::Sink;

pub(crate) const FILE: &str = "publish-manifest.json";
/// Increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// A sink that records which files of the workspaces went into it.
pub(crate) struct Recorder<'s> {
    sink: &'s dyn Sink,
    sources: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

impl<'s> Recorder<'s> {
    pub(crate) fn new(sink: &'s dyn Sink) -> Self {
        Self { sink, sources: Mutex::default() }
    }

    pub(crate) fn manifest(&self, parts: &[Part<'_>]) -> Vec<u8> {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let mut lines = Vec::new();
        for (path, sources) in sources.iter() {
            // What a page wanted to store and could not is a problem elsewhere.
            let Some((bytes, blake3)) = self.sink.stored(path) else { continue };
            let file = object([
                ("path", path.as_str().into()),
                ("bytes", bytes.into()),
                ("blake3", blake3.into()),
                ("sources", json!(sources).into()),
            ]);
            lines.push(file.line());
        }
        let head = object([
            ("generator", "evalbook".into()),
            ("schema_version", SCHEMA_VERSION.into()),
            ("workspaces", list(parts, workspace)),
        ]);
        // One line per file.
        let head = head.line();
        let head = head.strip_suffix('}').unwrap_or(&head);
        format!("{head},\"files\":[\n{}\n]}}\n", lines.join(",\n")).into_bytes()
    }
}

fn workspace<'p>(part: &'p Part<'_>) -> Json<'p> {
    let redaction = &part.workspace.redaction;
    object([
        ("name", (&*part.workspace.name).into()),
        // Whether secrets were looked for, and how many of each kind were replaced.
        ("redacted", redaction.is_on.into()),
        ("secrets", json!(redaction.secrets).into()),
        // How many machine paths were made relative.
        ("folders", redaction.folders.into()),
        // Outputs that cannot be scanned.
        ("not_scanned", json!(redaction.unscanned).into()),
        // Outputs that the user excluded.
        ("not_published", json!(redaction.withheld).into()),
        // Outputs with secrets that cannot be replaced.
        ("unsafe_outputs", json!(redaction.unsafe_outputs).into()),
    ])
}

impl Sink for Recorder<'_> {
    fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.sink.put(path, bytes)
    }

    fn store(
        &self,
        content: &mut dyn Read,
        address: &dyn Fn(&str) -> String,
    ) -> io::Result<String> {
        self.sink.store(content, address)
    }

    fn stored(&self, path: &str) -> Option<(u64, String)> {
        self.sink.stored(path)
    }

    fn note(&self, source: &str, path: &str) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.entry(path.to_owned()).or_default().insert(source.to_owned());
    }
}
