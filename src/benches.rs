//! What the benches measure and no command does by itself.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::analyze;
use crate::files::{Disk, Memory, Source};
use crate::guard::Guard;
use crate::pipeline;
use crate::render::{self, Look, Part};
use crate::settings::Settings;
use crate::write::Sink;

/// How long each stage of a build takes on the workspace in `folder`, in their order; pages are
/// rendered into nothing. `None` where there is no workspace, or where its settings make no sense.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn stages(folder: &Path) -> Option<[(&'static str, Duration); 4]> {
    let disk = Disk::open(folder).ok()?;
    let mut last = Instant::now();
    let mut lap = move || std::mem::replace(&mut last, Instant::now()).elapsed();
    let name = ("workspace", "workspace");
    let (flags, notes) = (Settings::default(), pipeline::SourceNotes::default());
    let (loaded, guarded) = pipeline::load_guarded(disk, name, &flags, &[], notes).ok()?;
    let read = loaded.workspaces.into_iter().next()?;
    let reading = lap();
    let analysis = analyze::analysis(&read.workspace, &read.settings);
    let analyzing = lap();
    let part = Part::new(&read.workspace, &analysis, (&guarded, &read.prefix), &read.settings);
    let comparing = lap();
    render::report(&[part], &Look::default(), None, &Nothing, &|_| ()).ok()?;
    let rendering = lap();
    Some([
        ("read and guard", reading),
        ("analyze", analyzing),
        ("compare checks", comparing),
        ("compare outputs and render", rendering),
    ])
}

/// Where pages go that nobody keeps.
struct Nothing;

impl Sink for Nothing {
    fn put(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps `text` as a file in memory; each call of what is returned searches it for secrets.
pub fn guard(text: String) -> impl Fn() {
    let memory = Memory::new([("a.txt", text)]);
    move || Guard::new(memory.list(&|_| false), &[]).look_through(&memory, &|_| true)
}
