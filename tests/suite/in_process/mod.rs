//! Rules of the source and what holds without running the program.

mod architecture;
mod dependencies;
mod documents;
mod fuzz;
mod pipelines;
mod words;
