//! The command line of evalbook; see the library for the pipeline.

use std::process::ExitCode;

fn main() -> ExitCode {
    evalbook::run(std::env::args_os())
}
