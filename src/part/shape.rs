//! The lines of the list: a head, one for each entry, and an end that says that none is missing.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::files::{Entry, EntryKind, LinkTarget, Withheld};
use crate::guard::FoundInFile;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Head {
    pub(super) generator: String,
    pub(super) part_version: u32,
    /// The name of the folder that was read.
    pub(super) name: String,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) entries: usize,
}

/// A file or folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Line<'l> {
    pub(super) path: Cow<'l, str>,
    pub(super) kind: KindJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) odd_name: bool,
    /// Why it could not be looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// Its content, where that is a short text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<Cow<'l, str>>,
    /// Where its content lies, below the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
    /// Why it came without its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) without: Option<Without>,
    /// What the guard found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<FoundInFile>,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What an entry is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum KindJson {
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
pub(super) enum Without {
    /// The user keeps it out of the report.
    Asked,
    /// It holds secrets that cannot be replaced in it.
    Unsafe,
    /// It takes no part, by the settings or as a piece of an earlier report.
    LeftOut,
    /// It could not be read.
    Unread,
}

impl Without {
    /// The reason that a guard gives.
    pub(super) fn new(withheld: Withheld) -> Self {
        match withheld {
            Withheld::Asked => Self::Asked,
            Withheld::Unsafe => Self::Unsafe,
        }
    }
}

impl<'l> Line<'l> {
    /// The line of `entry`, without its content.
    pub(super) fn new(entry: &'l Entry) -> Self {
        let reason = match &entry.kind {
            EntryKind::Unreadable(reason) => Some(reason.clone()),
            _ => None,
        };
        Self {
            path: Cow::Borrowed(&entry.path),
            kind: KindJson::new(&entry.kind),
            bytes: (entry.kind == EntryKind::File).then_some(entry.bytes),
            odd_name: entry.odd_name,
            reason,
            ..Self::default()
        }
    }

    pub(super) fn entry(&self) -> Entry {
        let kind = match self.kind {
            KindJson::File => EntryKind::File,
            KindJson::Folder => EntryKind::Folder,
            KindJson::Skipped => EntryKind::Skipped,
            KindJson::LinkInside => EntryKind::Link(LinkTarget::Inside),
            KindJson::LinkOutside => EntryKind::Link(LinkTarget::Outside),
            KindJson::LinkNowhere => EntryKind::Link(LinkTarget::Nowhere),
            KindJson::Special => EntryKind::Special,
            KindJson::Unreadable => EntryKind::Unreadable(self.reason.clone().unwrap_or_default()),
        };
        let (path, bytes) = (self.path.clone().into_owned(), self.bytes.unwrap_or(0));
        Entry { path, kind, bytes, odd_name: self.odd_name }
    }
}

impl KindJson {
    fn new(kind: &EntryKind) -> Self {
        match kind {
            EntryKind::File => Self::File,
            EntryKind::Folder => Self::Folder,
            EntryKind::Skipped => Self::Skipped,
            EntryKind::Link(LinkTarget::Inside) => Self::LinkInside,
            EntryKind::Link(LinkTarget::Outside) => Self::LinkOutside,
            EntryKind::Link(LinkTarget::Nowhere) => Self::LinkNowhere,
            EntryKind::Special => Self::Special,
            EntryKind::Unreadable(_) => Self::Unreadable,
        }
    }
}
