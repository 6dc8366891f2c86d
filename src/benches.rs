//! What the benches measure and no command does by itself.

use std::path::Path;

use crate::analyze;
use crate::files::{Disk, Memory, Source};
use crate::guard::Guard;
use crate::pipeline;

/// Reads the workspace in `folder`; each call of what is returned analyzes it. `None` where there is
/// no workspace, or where its settings make no sense.
pub fn analysis(folder: &Path) -> Option<impl Fn()> {
    let disk = Disk::open(folder).ok()?;
    let loaded = pipeline::load(&disk, "workspace", "workspace", &[]).ok()?;
    let read = loaded.workspaces.into_iter().next()?;
    Some(move || drop(analyze::analysis(&read.workspace, &read.settings)))
}

/// Keeps `text` as a file in memory; each call of what is returned searches it for secrets.
pub fn guard(text: String) -> impl Fn() {
    let memory = Memory::new([("a.txt", text)]);
    move || Guard::new(memory.list(&|_| false), &[]).look_through(&memory, &|_| true)
}
