//! All integration tests in one binary, so that what they share is compiled and linked once.
//!
//! `tests/run` says which of them run at which speed; `tests/README.md` says what is where.

#![allow(clippy::disallowed_methods, reason = "tests prepare folders and look at what was written")]

mod browser;
mod in_process;
mod program;
mod support;
