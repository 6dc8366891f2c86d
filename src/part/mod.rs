//! Part: what one machine read, in a form that another can join with the parts of others. [`INDEX`] has a
//! line for each file and folder as the guard shows them; what is no short text lies in the report once,
//! under the hash of its content. [`Carry`] writes it; [`Archive`] is such a folder as a source.

mod archive;
mod carry;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::files::{Entry, EntryKind, LinkTarget};
use crate::guard::FoundInFile;

pub use crate::part::archive::{Archive, PartError};
pub use crate::part::carry::Carry;

pub const FOLDER: &str = "part";
pub const INDEX: &str = "part/index.jsonl";

/// Version of the list; it grows when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

// The lines of the list: a head, one for each entry, and an end that says that none is missing.

#[derive(Debug, Serialize, Deserialize)]
struct Head {
    generator: String,
    part_version: u32,
    name: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct End {
    entries: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Line<'l> {
    path: Cow<'l, str>,
    kind: KindJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    odd_name: bool,
    /// Why it could not be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'l, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    without: Option<Without>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<FoundInFile>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindJson {
    #[default]
    File,
    Folder,
    Skipped,
    LinkInside,
    LinkOutside,
    LinkNowhere,
    Special,
    Unreadable,
}

/// Why a file comes without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Without {
    Asked,
    Unsafe,
    /// It takes no part, by the settings or as a piece of an earlier report.
    LeftOut,
    Unread,
}

impl<'l> Line<'l> {
    /// The line of `entry`, without its content.
    fn new(entry: &'l Entry) -> Self {
        let reason = match &entry.kind {
            EntryKind::Unreadable(reason) => Some(reason.clone()),
            _ => None,
        };
        let known = KINDS.into_iter().find(|(_, kind)| *kind == entry.kind);
        Self {
            path: Cow::Borrowed(&entry.path),
            kind: known.map_or(KindJson::Unreadable, |(kind, _)| kind),
            bytes: (entry.kind == EntryKind::File).then_some(entry.bytes),
            odd_name: entry.odd_name,
            reason,
            ..Self::default()
        }
    }

    fn entry(&self) -> Entry {
        let unreadable = || EntryKind::Unreadable(self.reason.clone().unwrap_or_default());
        let known = KINDS.into_iter().find(|(kind, _)| *kind == self.kind);
        let kind = known.map_or_else(unreadable, |(_, kind)| kind);
        let (path, bytes) = (self.path.clone().into_owned(), self.bytes.unwrap_or(0));
        Entry { path, kind, bytes, odd_name: self.odd_name }
    }
}

/// What stands for each kind but an unreadable one, of which the reason is written too.
const KINDS: [(KindJson, EntryKind); 7] = [
    (KindJson::File, EntryKind::File),
    (KindJson::Folder, EntryKind::Folder),
    (KindJson::Skipped, EntryKind::Skipped),
    (KindJson::LinkInside, EntryKind::Link(LinkTarget::Inside)),
    (KindJson::LinkOutside, EntryKind::Link(LinkTarget::Outside)),
    (KindJson::LinkNowhere, EntryKind::Link(LinkTarget::Nowhere)),
    (KindJson::Special, EntryKind::Special),
];
