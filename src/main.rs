//! The command line of evalbook; see the library for the pipeline.

use std::process::ExitCode;

// Pages are made of millions of short texts: a build takes a third less time than with the allocator
// of the system, and far less in a static program.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    evalbook::run(std::env::args_os())
}
