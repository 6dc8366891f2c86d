//! Rules of the source and what holds without running the program.

mod architecture;
mod bounds;
mod documents;
mod json_properties;
mod memory;
mod pipelines;
mod python_tools;
mod recorded;
mod statistics;
mod words;
