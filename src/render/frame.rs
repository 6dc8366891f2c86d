//! What every page has: its title, the ways that lead on from it, where its assets lie.

use serde::Serialize;

use crate::render::addresses;

/// A link with its text.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Link {
    /// Relative address.
    pub(super) href: String,
    /// Text.
    pub(super) text: String,
}

/// A link to one of the pages that stand beside each other.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct PageLink {
    /// Relative address.
    pub(super) href: String,
    /// Text.
    pub(super) text: String,
    /// Whether it leads to the page it stands on.
    pub(super) is_current: bool,
}

/// What every page has.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Frame {
    /// Title of the page.
    pub(super) title: String,
    /// The way from the overview to the page.
    pub(super) crumbs: Vec<Link>,
    /// The pages of the workspace that stand beside each other; none outside of a workspace.
    pub(super) pages: Vec<PageLink>,
    /// Whether it shows a document of the report by the browser's own means.
    pub(super) has_document: bool,
    /// Whether it has a frame on a clean copy of an output.
    pub(super) has_frame: bool,
    /// Relative way to the folder of assets, with a slash at its end.
    pub(super) assets: String,
    /// Relative way to the folder of the workspace's pages, with a slash at its end; empty beside
    /// the overview.
    pub(super) root: String,
    /// The name of the workspace, under which its pages keep what they keep; empty outside of one.
    pub(super) workspace: String,
    /// Relative address of the feed of what the page tells; empty where it has none.
    pub(super) feed: String,
    /// The page before this one among its like; no address where it is the first.
    pub(super) previous: Link,
    /// The page after this one.
    pub(super) next: Link,
}

impl Frame {
    /// That of the page at `path`, outside of a workspace; `crumbs` are addresses with texts.
    pub(super) fn of(path: &str, title: &str, crumbs: &[(String, &str)]) -> Self {
        let crumbs = crumbs
            .iter()
            .map(|(to, text)| Link { href: addresses::link(path, to), text: (*text).to_owned() })
            .collect();
        Self {
            title: title.to_owned(),
            crumbs,
            pages: Vec::new(),
            assets: addresses::link(path, "assets/style.css").replace("style.css", ""),
            ..Self::default()
        }
    }
}
