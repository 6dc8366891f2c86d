//! Office files: the text and tables that a reader would see.
//!
//! Macros, links, fields and external data are ignored. Only the parts named here are unpacked,
//! each up to a limit.

mod docx;
mod slides;
mod workbook;
mod xml;

pub use docx::read as document;
pub use slides::read as slides;
pub use workbook::{Sheet, read as workbook};
