//! Render: what is written, as text and without touching the disk.
//!
//! Every format is a pure function of the model and the analysis. Text from the data reaches a
//! page only through [`escape`] or a serializer.

pub mod benchmark;
pub mod escape;
