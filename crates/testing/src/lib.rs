//! What the tests of several crates share: tables of samples, gradings written as verdicts, archives, made-up secrets.

pub mod archive;
pub mod gradings;
pub mod secrets;
pub mod table;
