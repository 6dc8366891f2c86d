//! Rules of the source and what holds without running the program.

mod architecture;
mod dependencies;
mod documents;
mod pipelines;
mod words;
