//! What every page has: its title, the ways that lead on from it, where its assets lie.

use serde::Serialize;

use crate::render::context::addresses;

/// A link with its text.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Link {
    pub(crate) href: String,
    pub(crate) text: String,
}

/// A link to one of the pages that stand beside each other.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct PageLink {
    pub(crate) href: String,
    pub(crate) text: String,
    /// Whether it leads to the page it stands on.
    pub(crate) is_current: bool,
}

/// What every page has.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The way from the overview to the page.
    pub(crate) crumbs: Vec<Link>,
    /// The pages of the workspace that stand beside each other; none outside of a workspace.
    pub(crate) pages: Vec<PageLink>,
    /// Whether it shows a document of the report by the browser's own means.
    pub(crate) has_document: bool,
    /// Whether it has a frame on a clean copy of an output.
    pub(crate) has_frame: bool,
    /// Relative way to the folder of assets, with a slash at its end.
    pub(crate) assets: String,
    /// Relative way to the folder of the workspace's pages, with a slash at its end; empty beside
    /// the overview.
    pub(crate) root: String,
    /// The name of the workspace, under which its pages keep what they keep; empty outside of one.
    pub(crate) workspace: String,
    /// Relative address of the feed of what the page tells; empty where it has none.
    pub(crate) feed: String,
    /// The page before this one among its like; no address where it is the first.
    pub(crate) previous: Link,
    pub(crate) next: Link,
}

impl Frame {
    /// That of the page at `path`, outside of a workspace; `crumbs` are addresses with texts.
    pub(crate) fn of(path: &str, title: &str, crumbs: &[(String, &str)]) -> Self {
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
