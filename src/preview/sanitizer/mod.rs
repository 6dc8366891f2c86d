//! The sanitizer of HTML outputs: a clean copy for a frame, and its text and structure.
//!
//! Entry points: [`copy()`], a document of its own for a frame without scripts, and [`outline()`],
//! the structure as part of a page. Both read the same tolerant tokens and rewrite every element
//! from a list, well nested. So a browser finds nothing else in the copy. Text of the data is only
//! where it can be read as nothing but text. No written element changes how the rest is parsed.
//!
//! Styles stay as they are: the policy of a copy lets no style load anything. Addresses in attributes
//! go, because Firefox fetches a picture before it reads the policy.

mod body;
mod copy;
mod outline;
mod picture;
mod rules;
mod token;

#[cfg(test)]
pub(super) mod tests;

pub(super) use crate::preview::sanitizer::body::{LeftOut, MAX_DEPTH};
pub(super) use crate::preview::sanitizer::copy::{PLAIN, SafeCopy, copy};
pub(super) use crate::preview::sanitizer::outline::write as outline;
