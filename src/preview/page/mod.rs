//! HTML: a clean copy for a frame, and its text and structure.
//!
//! Entry points: [`copy`], a document of its own for a frame without scripts, and [`outline()`],
//! the structure as part of a page. Both read the same tolerant tokens and rewrite every element
//! from a list, well nested. So a browser finds nothing else in the copy. Text of the data is only
//! where it can be read as nothing but text. No written element changes how the rest is parsed.

mod body;
mod document;
mod outline;
mod picture;
mod rules;
mod sheet;
mod token;

#[cfg(test)]
pub(super) mod tests;

pub(super) use crate::preview::page::body::LeftOut;
pub(super) use crate::preview::page::document::{SafeCopy, copy};
pub(super) use crate::preview::page::outline::write as outline;
