//! HTML: a clean copy that a frame may show, and its text and structure.
//!
//! Entry points: [`copy`], a document of its own for a frame without scripts, and [`outline()`], the
//! structure as part of a page. Both read the same tolerant tokens and write every element anew
//! from a list, well nested, so that what a browser makes of the copy holds nothing else: no text
//! of the data stands where it could be read as anything but text, and no element is written
//! that changes how what follows is read.

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
