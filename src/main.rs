//! The command line of evalbook.
fn main() {}
