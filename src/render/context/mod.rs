//! What every part of a report needs: words, addresses, escaping, bounds, the frame of a page.

pub(crate) mod addresses;
pub(crate) mod assets;
pub(crate) mod bounds;
pub(crate) mod escape;
pub(crate) mod frame;
pub mod language;
pub(crate) mod number;
pub(crate) mod pages;
pub(crate) mod script;
pub(crate) mod templates;
pub mod theme;
pub(crate) mod view;
pub(crate) mod xml;
