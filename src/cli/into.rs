//! Where a report goes: a folder of its own, or a site that holds others beside it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::named::list;
use crate::cli::workspaces::Opened;
use crate::cli::{Failure, Outcome};
use crate::render::site::{self, LATEST, RESERVED, Report, SERIES, Series};
use crate::render::summary::{self, Summary};
use crate::render::{Look, RenderError};
use crate::settings::Settings;
use crate::text::{Slugs, bytes, count};
use crate::write::{self, Folder, LockedSite, Size, WriteError};

/// From this size on a site is told to be large: GitHub Pages takes 1 GB.
const LARGE: u64 = 500_000_000;

/// The flags that put a report into a site.
#[derive(Debug, Args)]
#[command(next_help_heading = "One report of a site")]
pub(super) struct IntoArgs {
    /// Put the report into this folder of reports: it is added, or replaces the one of its name;
    /// the landing page, `latest/` and the feed are made anew
    #[arg(long = "into", value_name = "SITE", conflicts_with_all = ["output", "target"])]
    pub(super) site: Option<PathBuf>,

    /// The name of the report's folder in the site; that of the workspace when not given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl IntoArgs {
    /// The name of the report's folder in a site; `None` where it goes into none. A text for
    /// elsewhere may be about a report in a site.
    pub(super) fn name(&self, opened: &[Opened], is_text: bool) -> Outcome<Option<String>> {
        match (&self.name, opened) {
            (None, _) if self.site.is_none() => Ok(None),
            (Some(_), _) if self.site.is_none() && !is_text => {
                Err(Failure::usage("`--name` is for a report in a site").help("add `--into SITE`"))
            }
            (Some(name), _) if name.trim().is_empty() => Err(Failure::usage("`--name` is empty")
                .help("give a name such as `--name pr-12`, or leave it out")),
            (Some(name), _) if is_reserved(name) => {
                let failure = Failure::usage(format!("`--name`: no report can be called `{name}`"));
                Err(failure.help("a site keeps that name for itself"))
            }
            (Some(name), _) => Ok(Some(slug(name))),
            (None, [only]) => Ok(Some(slug(&only.workspace.name))),
            (None, _) => {
                let failure = Failure::usage("several workspaces have no name in common");
                Err(failure.help("say what the report is called in the site: `--name NAME`"))
            }
        }
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|known| known.eq_ignore_ascii_case(name.trim()))
}

fn slug(name: &str) -> String {
    let mut slugs = Slugs::default();
    RESERVED.iter().for_each(|known| drop(slugs.give(known)));
    slugs.give(name)
}

pub(super) fn refuse_keep(into: &IntoArgs, flags: &Settings) -> Outcome<()> {
    match flags.keep.is_some() && into.site.is_none() {
        true => Err(Failure::usage("`--keep` is for a site of reports").help("add `--into SITE`")),
        false => Ok(()),
    }
}

pub(super) enum Place {
    Folder(PathBuf),
    Site { root: PathBuf, site: write::Site, name: String, keep: Option<usize> },
}

impl Place {
    pub(super) fn site(root: &Path, name: String, opened: &[Opened]) -> Outcome<Self> {
        let site = write::Site::open(root, LATEST).map_err(refused)?;
        let keep = opened.iter().find_map(|opened| opened.settings.keep);
        Ok(Self::Site { root: root.to_path_buf(), site, name, keep })
    }

    pub(super) fn target(&self) -> PathBuf {
        match self {
            Self::Folder(target) => target.clone(),
            Self::Site { root, name, .. } => root.join(name),
        }
    }

    pub(super) fn begin(&self, look: &Look) -> Outcome<Folder> {
        match self {
            Self::Folder(target) => Folder::begin(target).map_err(refused),
            Self::Site { root, site, name, .. } => {
                let paths = site::paths(look);
                site.begin(name, &paths).map_err(|error| of_site(error, root, &paths))
            }
        }
    }

    pub(super) fn finish(&self, folder: Folder, look: &Look) -> Outcome<(Size, Vec<String>)> {
        let mut remarks = Vec::new();
        let (written, root) = match self {
            Self::Folder(target) => (folder.finish().map_err(refused)?, target),
            Self::Site { root, site, name, keep } => {
                let mut locked = site.hold().map_err(refused)?;
                unlink_lost(&mut locked, name, &folder, look)?;
                let written = locked.place(name, folder).map_err(refused)?;
                locked.copy_latest(name).map_err(refused)?;
                let surplus = locked.surplus(keep.unwrap_or(usize::MAX)).map_err(refused)?;
                let goes = |name: &str| {
                    surplus.iter().any(|(report, kept)| report == name && kept.is_none())
                };
                let lines = write_above(&mut locked, look, |name| !goes(name))?;
                // Only what no page links to any more is removed.
                let removed = surplus.into_iter().map(|(name, kept)| removed(&locked, &name, kept));
                remarks.extend(removed);
                remarks.extend(lines);
                (written, root)
            }
        };
        remarks.extend(sizes(write::size(root), matches!(self, Self::Site { .. })));
        Ok((written, remarks))
    }
}

/// Takes the report `name` off the pages above it if they link to pages that `folder`, which is to
/// replace it, does not have.
fn unlink_lost(
    locked: &mut LockedSite<'_>,
    name: &str,
    folder: &Folder,
    look: &Look,
) -> Outcome<()> {
    let Ok(summary) = summary_of(locked, name) else { return Ok(()) };
    let contents = folder.contents();
    if summary.pages().any(|page| !contents.contains_key(page)) {
        write_above(locked, look, |linked| linked != name)?;
    }
    Ok(())
}

/// Removes a report that is one too many, unless it is to stay; what became of it.
fn removed(locked: &LockedSite<'_>, name: &str, kept: Option<WriteError>) -> String {
    match kept.or_else(|| locked.remove(name).err()) {
        None => format!("removed the report `{name}`, as `keep` says"),
        Some(reason) => format!("left the report `{name}` where it is: {reason}"),
    }
}

fn summary_of(locked: &LockedSite<'_>, name: &str) -> Result<Summary, String> {
    let path = format!("{name}/{}", summary::FILE);
    let bytes = locked.read(&path, summary::MAX_BYTES);
    let summary = bytes.and_then(|bytes| Summary::read(&bytes));
    summary.map_err(|reason| format!("cannot read `{path}`: {reason}"))
}

/// Writes what stands above the reports, which are those that `is_linked` accepts; which folders are
/// not on the landing page, and why.
fn write_above(
    locked: &mut LockedSite<'_>,
    look: &Look,
    is_linked: impl Fn(&str) -> bool,
) -> Outcome<Vec<String>> {
    let mut names = locked.reports().map_err(refused)?;
    names.retain(|name| is_linked(name));
    let (mut reports, mut left_out) = (Vec::new(), Vec::new());
    for name in &names {
        match summary_of(locked, name) {
            Ok(summary) => reports.push(Report { name: name.clone(), summary }),
            Err(reason) => left_out.push((name.clone(), reason)),
        }
    }
    for name in locked.strangers().map_err(refused)? {
        left_out.push((name, "evalbook did not write it".to_owned()));
    }
    let earlier = locked.read(SERIES, summary::MAX_BYTES).unwrap_or_default();
    let files =
        site::pages(&reports, Series::read(&earlier), look).map_err(|error| unfilled(&error))?;
    locked.write(&files, names).map_err(refused)?;
    let remark = |(name, reason)| format!("`{name}` is not on the landing page: {reason}");
    Ok(left_out.into_iter().map(remark).collect())
}

/// How large a site of several reports is, and what to do where that is much. The size of a report
/// alone stands in the line that sums it up.
fn sizes(size: Size, is_site: bool) -> Vec<String> {
    let line = || format!("the site is {} in {}", bytes(size.bytes), count(size.files, "file"));
    let warning = "that is much: GitHub Pages takes 1 GB; keep fewer reports (`--keep N`) or publish \
                   fewer outputs (`--outputs failed`)";
    let warning = (size.bytes >= LARGE).then(|| warning.to_owned());
    [is_site.then(line), warning].into_iter().flatten().collect()
}

/// What a page of `folder` failed at; the lines that show the place in a template stay lines.
pub(super) fn unrendered(error: &RenderError, folder: &Folder) -> Failure {
    match folder.failure() {
        // It knows the whole path.
        Some(error) => refused(error),
        None => unfilled(error),
    }
}

fn unfilled(error: &RenderError) -> Failure {
    let text = error.to_string();
    let mut lines = text.lines();
    let failure = Failure::nothing(lines.next().unwrap_or_default());
    lines.fold(failure, Failure::help)
}

/// What cannot be put above the reports of a site is made again, once it is out of the way.
fn of_site(error: WriteError, root: &Path, paths: &[String]) -> Failure {
    let names = paths.iter().map(|path| path.split('/').next().unwrap_or_default());
    let names: BTreeSet<&str> = names.filter(|name| root.join(name).exists()).collect();
    let names = list(names.into_iter());
    match error {
        WriteError::State { .. } => {
            Failure::nothing(error.to_string()).help("restore that file").help(format!(
                "or move it away together with {names}: they are made again from the reports on disk"
            ))
        }
        WriteError::NotOurs(ref place) if paths.iter().any(|path| place.ends_with(path)) => {
            refused(error).help(format!(
                "where {names} came from evalbook, all of it can go: it is made again from the reports"
            ))
        }
        error => refused(error),
    }
}

fn refused(error: WriteError) -> Failure {
    let failure = Failure::from(&error);
    match error {
        WriteError::Foreign { folder, path } => failure
            .help(format!(
                "nothing was changed; move `{}` away if it is not needed",
                path.display()
            ))
            .help(format!(
                "or give another place: a folder such as `-o {}`, or `--into SITE --name NAME`",
                folder.join("report").display()
            )),
        WriteError::Site(folder) => {
            failure.help(format!("put a report into it with `--into {}`", folder.display()))
        }
        WriteError::NotOurs(_) => failure.help("nothing was changed; move it away"),
        WriteError::Report(_) => failure.help("give a folder above it, or a new one"),
        WriteError::State { .. } | WriteError::Taken(_) | WriteError::Io { .. } => failure,
    }
}
