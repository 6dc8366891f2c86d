//! Digest: what there is to say about a workspace, computed once and without words.

pub(crate) mod reviews;
pub(crate) mod standing;
