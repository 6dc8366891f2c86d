//! One build of the report that is served, in a folder of the program's own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::analyze::Analysis;
use crate::cli::serve::ServeArgs;
use crate::cli::serve::desk::Place;
use crate::cli::settings::summed_up;
use crate::cli::workspaces::{self, Opened};
use crate::cli::{Failure, Outcome, build, into, look};
use crate::discover::names;
use crate::files::Disk;
use crate::render;
use crate::serve::{Homes, Site, Stage};
use crate::settings::Settings;
use crate::text::count;
use crate::write::{Folder, MemorySink, Temporary, WriteError};

const HOME_DIGITS: usize = 32;

pub(super) struct Builder<'a> {
    args: &'a ServeArgs,
    flags: Settings,
    scratch: Temporary,
}

pub(super) struct Built {
    pub(super) site: Site,
    pub(super) places: BTreeMap<String, Place>,
    pub(super) summary: String,
}

impl<'a> Builder<'a> {
    pub(super) fn new(args: &'a ServeArgs, roots: &[PathBuf]) -> Outcome<Self> {
        let place = std::env::temp_dir();
        let real = place.canonicalize().unwrap_or_else(|_| place.clone());
        if roots.iter().any(|root| real.starts_with(root)) {
            let place = place.display();
            return Err(Failure::usage(format!(
                "the folder for temporary files, `{place}`, lies in a workspace"
            ))
            .help("name one elsewhere in the variable `TMPDIR`"));
        }
        let scratch = Temporary::new(&place).map_err(unwritten)?;
        Ok(Self { args, flags: args.settings.settings()?, scratch })
    }

    /// Builds the report anew; what `stage` shows that people read now is there before the rest.
    /// The report of the build before stays until the one after.
    pub(super) fn build(&self, number: u64, stage: Option<&Stage>) -> Outcome<Built> {
        let opening = workspaces::open(&self.args.workspaces, &self.flags)?;
        let opened = opening.checked()?.labelled()?.opened;
        let settings = opened.iter().map(|opened| &opened.settings);
        let look = render::Look { is_served: true, ..look::from_flags(&self.args.look, settings)? };
        let analyses: Vec<Analysis> = opened.iter().map(Opened::analysis).collect();
        let parts = build::parts_of(&opened, &analyses);
        if let Some(stage) = stage {
            let first = MemorySink::default();
            // What cannot be rendered now is named when the whole report is.
            if render::pages(&parts, &look, &stage.recent_pages(), &first).is_ok() {
                stage.show_first(first.into_pages());
            }
        }
        let target = self.scratch.path().join(name(number));
        let folder = Folder::begin(&target).map_err(unwritten)?;
        let pages = render::report(&parts, &look, None, &folder, &|_| ())
            .map_err(|error| into::unrendered(&error, &folder))?;
        let contents = folder.contents();
        folder.finish().map_err(unwritten)?;
        if let Some(old) = number.checked_sub(2) {
            self.scratch.remove(&name(old));
        }
        let places = render::reviewed(&parts).into_iter();
        let places =
            places.map(|found| (found.place.clone(), place(&opened[found.part], found))).collect();
        let homes = render::folders(&parts).into_iter();
        let homes: Homes =
            homes.zip(&opened).map(|(folder, workspace)| (folder, home(workspace))).collect();
        let disk = Disk::open(&target).map_err(|error| Failure::io("read", &target, &error))?;
        let summary = summed_up(format!("built {}", count(pages, "page")), &self.flags);
        Ok(Built { site: Site::new(disk, contents, homes), places, summary })
    }
}

fn name(number: u64) -> String {
    format!("report-{number}")
}

fn place(opened: &Opened, reviewed: render::Reviewed) -> Place {
    let file = opened.locate(&reviewed.file);
    let folder = opened.locate(names::folder(&reviewed.file));
    let shown = opened.path(&reviewed.file);
    Place {
        source: Arc::clone(opened.disk.inner()),
        path: opened.disk.guard().in_source(&shown).to_owned(),
        root: opened.locate(""),
        folder,
        file,
        shown,
        names: reviewed.names,
        guard: Arc::clone(opened.disk.guard()),
        folds: reviewed.folds,
    }
}

/// What tells the workspace from all others on this machine, whatever they are called: a browser keeps
/// words under it that are not saved yet.
fn home(opened: &Opened) -> String {
    let folder = opened.locate("");
    let folder = folder.canonicalize().unwrap_or(folder);
    let hash = blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex();
    hash[..HOME_DIGITS].to_owned()
}

fn unwritten(error: WriteError) -> Failure {
    Failure::nothing(error.to_string())
}
