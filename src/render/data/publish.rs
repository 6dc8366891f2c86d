//! `publish-manifest.json`: every file of a workspace that the report holds, and what was taken
//! out before.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use crate::render::context::Part;
use crate::write::Sink;

/// The file's name.
pub(crate) const FILE: &str = "publish-manifest.json";

/// Version of the JSON object; it grows when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// A sink that keeps in mind which files of the workspaces went into it.
pub(crate) struct Recorder<'s> {
    sink: &'s dyn Sink,
    sources: Mutex<BTreeMap<String, BTreeSet<String>>>,
}

impl<'s> Recorder<'s> {
    /// Everything goes on to `sink`.
    pub(crate) fn new(sink: &'s dyn Sink) -> Self {
        Self { sink, sources: Mutex::default() }
    }

    /// Where each file of the workspaces was put.
    pub(crate) fn by_source(&self) -> BTreeMap<String, Vec<String>> {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, sources) in sources.iter() {
            for source in sources {
                found.entry(source.clone()).or_default().push(path.clone());
            }
        }
        found
    }

    /// The manifest of all that was noted.
    pub(crate) fn manifest(&self, parts: &[Part<'_>]) -> Vec<u8> {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let file = |(path, sources): (&String, &BTreeSet<String>)| {
            let (bytes, blake3) = self.sink.stored(path)?;
            Some(FileJson { path: path.clone(), bytes, blake3, sources: sources.clone() })
        };
        let manifest = ManifestJson {
            generator: "evalbook",
            schema_version: SCHEMA_VERSION,
            workspaces: parts.iter().map(WorkspaceJson::of).collect(),
        };
        // The structs hold only texts and whole numbers, which always serialize.
        let head = serde_json::to_string(&manifest).unwrap_or_default();
        let head = head.strip_suffix('}').unwrap_or(&head);
        let files = sources.iter().filter_map(file);
        let lines: Vec<String> =
            files.map(|it| serde_json::to_string(&it).unwrap_or_default()).collect();
        format!("{head},\"files\":[\n{}\n]}}\n", lines.join(",\n")).into_bytes()
    }
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

/// What stands before the files, each of which has a line of its own.
#[derive(Serialize)]
struct ManifestJson<'p> {
    generator: &'static str,
    schema_version: u32,
    workspaces: Vec<WorkspaceJson<'p>>,
}

#[derive(Serialize)]
struct FileJson {
    path: String,
    bytes: u64,
    blake3: String,
    sources: BTreeSet<String>,
}

#[derive(Serialize)]
struct WorkspaceJson<'p> {
    name: &'p str,
    /// Whether secrets were looked for.
    redacted: bool,
    /// How many of each kind were replaced.
    secrets: &'p BTreeMap<&'static str, usize>,
    /// How many folders of a machine were made relative.
    folders: usize,
    /// Outputs that no scanner can look into.
    not_scanned: &'p [String],
    /// Outputs that the user keeps out.
    not_published: &'p BTreeSet<String>,
    /// Outputs that hold secrets which cannot be replaced.
    unsafe_outputs: &'p BTreeSet<String>,
}

impl<'p> WorkspaceJson<'p> {
    fn of(part: &'p Part<'_>) -> Self {
        let redaction = &part.workspace.redaction;
        Self {
            name: &part.workspace.name,
            redacted: redaction.is_on,
            secrets: &redaction.secrets,
            folders: redaction.folders,
            not_scanned: &redaction.unscanned,
            not_published: &redaction.withheld,
            unsafe_outputs: &redaction.unsafe_outputs,
        }
    }
}
