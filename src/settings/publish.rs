//! What of a workspace is published.

/// Which outputs of runs are shown and stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outputs {
    /// None.
    None,
    /// Those of runs with an expectation that did not pass.
    Failed,
    /// All.
    #[default]
    All,
}

impl Outputs {
    /// Every choice with its word.
    pub const ALL: [(&'static str, Self); 3] =
        [("none", Self::None), ("failed", Self::Failed), ("all", Self::All)];

    /// The choice of that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, outputs)| outputs)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Failed => "failed",
            Self::All => "all",
        }
    }
}

/// Whether search engines may list the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Robots {
    /// They may.
    #[default]
    Index,
    /// Every page asks them not to.
    Noindex,
}

impl Robots {
    /// Every choice with its word.
    pub const ALL: [(&'static str, Self); 2] = [("index", Self::Index), ("noindex", Self::Noindex)];

    /// The choice of that word.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, robots)| robots)
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Noindex => "noindex",
        }
    }
}

/// The longest address of a published report, in bytes.
const MAX_ADDRESS: usize = 500;

/// The folder that `address` means, ending in `/`; `None` where it is no plain address of the web.
pub(super) fn folder_address(address: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"<>()[]{}\"'`|\\^?#".contains(&byte);
    let host = ["https://", "http://"].iter().find_map(|start| address.strip_prefix(start))?;
    let is_host = host.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !is_host || !address.bytes().all(is_plain) || address.len() > MAX_ADDRESS {
        return None;
    }
    Some(format!("{}/", address.trim_end_matches("index.html").trim_end_matches('/')))
}
