//! How a text is read: what it is, and whether a name precedes it.

/// What a text is, which decides what is a secret in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Text,
    /// A file of settings: what is given to the name of a password is one.
    Settings,
    /// The value of a field for ids: only shapes that no id has.
    Id,
    /// Not a text: only what is known by its shape, wherever it begins.
    Bytes,
}

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) kind: Kind,
    /// The length of the name in front of the value that is searched; 0 if there is none.
    pub(super) head: usize,
}
