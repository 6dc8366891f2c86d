//! Where a report is written: a folder of its own, or a site with others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::name_checks::list;
use crate::cli::workspaces::{OpenedWorkspace, or_current_folder};
use crate::cli::{CommandResult, Failure};
use crate::render::site::{self, RESERVED, SiteReport};
use crate::render::summary::{self, Summary};
use crate::render::{RenderError, RenderOptions};
use crate::write::{self, FolderSize, ReportFolder, WriteError};
use input::discover::REPORT_MARK;
use text::{Slugs, bytes, count};

/// The folder of a report where none is given.
pub(super) const REPORT: &str = "report";

/// The size in bytes from which on a site counts as large: GitHub Pages takes 1 GB.
const LARGE: u64 = 500_000_000;

/// The flags that put a report into a site.
#[derive(Debug, Args)]
#[command(next_help_heading = "One report of a site")]
pub(super) struct IntoArgs {
    /// Put the report into this folder of reports: it is added, or replaces the one of its name;
    /// the landing page and `latest/` are made anew
    #[arg(long = "into", value_name = "SITE", conflicts_with_all = ["output", "target"])]
    pub(super) site: Option<PathBuf>,

    /// The name of the report's folder in the site; that of the workspace when not given
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl IntoArgs {
    /// Refuses a name that no report can have, and a site where none can be chosen. `folders` is the
    /// number of folders that are read by themselves. A text may be about a report in a site.
    pub(super) fn check(&self, folders: usize, is_text: bool) -> CommandResult<()> {
        let Some(name) = &self.name else {
            if self.site.is_some() && folders > 1 {
                return Err(no_common_name());
            }
            return Ok(());
        };
        if self.site.is_none() && !is_text {
            let failure = Failure::usage("`--name` is for a report in a site");
            return Err(failure.help("add `--into SITE`"));
        }
        if name.trim().is_empty() {
            return Err(Failure::usage("`--name` is empty")
                .help("give a name such as `--name pr-12`, or leave it out"));
        }
        if RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name.trim())) {
            let failure = Failure::usage(format!("`--name`: no report can be called `{name}`"));
            return Err(failure.help("a site keeps that name for itself"));
        }
        Ok(())
    }

    /// The name of the report in a site; `None` outside of one.
    pub(super) fn name(&self, opened: &[OpenedWorkspace]) -> CommandResult<Option<String>> {
        match (&self.name, opened) {
            (Some(name), _) => Ok(Some(slug(name))),
            (None, _) if self.site.is_none() => Ok(None),
            (None, [only]) => Ok(Some(slug(&only.workspace.name))),
            (None, _) => Err(no_common_name()),
        }
    }

    /// The report `name` of the site; without a site `output`, else a folder beside the workspaces.
    pub(super) fn destination(
        &self,
        name: Option<&str>,
        output: Option<&Path>,
        opened: &[OpenedWorkspace],
        inputs: &Inputs<'_>,
    ) -> CommandResult<Destination> {
        if let (Some(root), Some(name)) = (&self.site, name) {
            return Ok(Destination::Site { root: root.clone(), name: name.to_owned() });
        }
        if let Some(output) = output {
            let is_page = output.extension().is_some_and(|ending| ending == "html");
            if is_page && !output.is_dir() {
                let shown = output.display();
                let failure = Failure::usage(format!("a report is a folder, and `{shown}` a page"));
                return Err(failure.help(format!("for one page: `--one-file {shown}`")));
            }
            return Ok(Destination::Folder(output.to_path_buf()));
        }
        // A report in the workspace would be in the way of whoever commits the workspace.
        let here = Path::new(".").canonicalize().unwrap_or_default();
        let levels = opened.iter().filter_map(|opened| opened.levels_above(&here)).max();
        let mut target: PathBuf = std::iter::repeat_n("..", levels.unwrap_or(0)).collect();
        target.push(REPORT);
        inputs.refuse_in(&target)?;
        Ok(Destination::Folder(target))
    }
}

fn no_common_name() -> Failure {
    Failure::usage("several workspaces have no name in common")
        .help("say what the report is called in the site: `--name NAME`")
}

fn slug(name: &str) -> String {
    let mut slugs = Slugs::default();
    // A workspace called `latest` must not take the place of the copy of the newest report.
    RESERVED.iter().for_each(|known| drop(slugs.give(known)));
    slugs.give(name)
}

pub(super) enum Destination {
    Folder(PathBuf),
    Site { root: PathBuf, name: String },
}

impl Destination {
    pub(super) fn target(&self) -> PathBuf {
        match self {
            Self::Folder(target) => target.clone(),
            Self::Site { root, name } => root.join(name),
        }
    }

    pub(super) fn begin(&self, options: &RenderOptions) -> CommandResult<ReportFolder> {
        match self {
            Self::Folder(target) if target.is_file() => Err(Failure::nothing(format!(
                "`{}` is a file, and a report is a folder",
                target.display()
            ))
            .help("give another place, such as `-o new-report`")),
            Self::Folder(target) => Ok(ReportFolder::begin(target)?),
            Self::Site { root, name } => {
                let paths = site::paths(options);
                let site = write::ReportSite::open(root);
                site.and_then(|site| site.begin(name, &paths))
                    .map_err(|error| site_failure(error, root, &paths))
            }
        }
    }

    /// Puts the report in its place. Returns its size, and remarks on what else was done.
    pub(super) fn finish(
        &self,
        folder: ReportFolder,
        options: &RenderOptions,
    ) -> CommandResult<(FolderSize, Vec<String>)> {
        let mut remarks = Vec::new();
        let (written, size) = match self {
            Self::Folder(target) => (folder.finish()?, write::size(target)),
            Self::Site { root, name } => {
                let mut site = write::ReportSite::open(root)?;
                let written = replace_in_site(&mut site, name, folder, options)?;
                remarks = write_above(&mut site, options, |_| true)?;
                let size = write::size(root);
                let files = count(size.files, "file");
                remarks.push(format!("the site is {} in {files}", bytes(size.bytes)));
                (written, size)
            }
        };
        if size.bytes >= LARGE {
            let warning = "that is much: GitHub Pages takes 1 GB; remove old reports or publish fewer \
                           outputs (`--outputs failed`)";
            remarks.push(warning.to_owned());
        }
        Ok((written, remarks))
    }
}

fn replace_in_site(
    site: &mut write::ReportSite,
    name: &str,
    folder: ReportFolder,
    options: &RenderOptions,
) -> CommandResult<FolderSize> {
    // The landing page must not link pages that the new report no longer has.
    let kept = folder.hashes();
    if let Ok(summary) = summary_of(site, name)
        && summary.pages().any(|page| !kept.contains_key(page))
    {
        write_above(site, options, |linked| linked != name)?;
    }
    let written = site.place(name, folder)?;
    site.copy_latest(name)?;
    Ok(written)
}

fn summary_of(site: &write::ReportSite, name: &str) -> Result<Summary, String> {
    let path = format!("{name}/{}", summary::FILE);
    let bytes = site.read(&path, summary::MAX_BYTES);
    let summary = bytes.and_then(|bytes| Summary::read(&bytes));
    summary.map_err(|reason| format!("cannot read `{path}`: {reason}"))
}

/// Writes the files above the linked reports. Returns the folders missing from the landing page,
/// and why.
fn write_above(
    site: &mut write::ReportSite,
    options: &RenderOptions,
    is_linked: impl Fn(&str) -> bool,
) -> CommandResult<Vec<String>> {
    let mut names = site.reports()?;
    names.retain(|name| is_linked(name));
    let (mut reports, mut left_out) = (Vec::new(), Vec::new());
    for name in &names {
        match summary_of(site, name) {
            Ok(summary) => reports.push(SiteReport { name: name.clone(), summary }),
            Err(reason) => left_out.push(format!("`{name}` is not on the landing page: {reason}")),
        }
    }
    for name in site.foreign_folders()? {
        left_out.push(format!("`{name}` is not on the landing page: evalbook did not write it"));
    }
    let pages = site::pages(&reports, options);
    site.write(&pages.map_err(|error| unfilled(&error))?, names)?;
    Ok(left_out)
}

/// A page of `folder` that failed to render; the lines that quote the template stay separate.
pub(super) fn render_failure(error: &RenderError, folder: &ReportFolder) -> Failure {
    match folder.failure() {
        // It has the full path.
        Some(error) => Failure::from(error),
        None => unfilled(error),
    }
}

pub(super) fn unfilled(error: &RenderError) -> Failure {
    let text = error.to_string();
    let mut lines = text.lines();
    let failure = Failure::nothing(lines.next().unwrap_or_default());
    lines.fold(failure, Failure::help)
}

/// A failure to put files above the reports of a site; they are made again once the obstacle is
/// gone.
fn site_failure(error: WriteError, root: &Path, paths: &[String]) -> Failure {
    let names = paths.iter().map(|path| path.split('/').next().unwrap_or_default());
    let names = names.filter(|name| root.join(name).exists()).collect::<BTreeSet<&str>>();
    let names = list(names);
    match &error {
        WriteError::State { .. } => Failure::from(error).help("restore that file").help(format!(
            "or move it away together with {names}: they are made again from the reports on disk"
        )),
        WriteError::NotOurs { path: place, .. } if paths.iter().any(|path| place.ends_with(path)) => {
            Failure::from(error).help(format!(
                "where {names} came from evalbook, all of it can go: it is made again from the reports"
            ))
        }
        _ => Failure::from(error),
    }
}

pub(super) struct Inputs<'a> {
    paths: Vec<&'a Path>,
    called: &'static str,
}

impl<'a> Inputs<'a> {
    pub(super) fn new(paths: &'a [PathBuf], called: &'static str) -> Self {
        Self { paths: or_current_folder(paths), called }
    }

    pub(super) fn with(mut self, path: Option<&'a Path>) -> Self {
        self.paths.extend(path);
        self
    }

    /// The first input for which `is_bad` holds against `target`, with links resolved.
    fn find(&self, target: &Path, is_bad: fn(&Path, &Path) -> bool) -> Option<&'a Path> {
        // A link into the workspace is a way to replace it as well.
        let target = target.canonicalize().ok()?;
        let mut paths = self.paths.iter().copied();
        paths.find(|path| path.canonicalize().is_ok_and(|path| is_bad(&path, &target)))
    }

    pub(super) fn refuse_in(&self, target: &Path) -> CommandResult<()> {
        let Some(input) = self.find(target, |input, target| input.starts_with(target)) else {
            return Ok(());
        };
        if input.join(REPORT_MARK).is_file() {
            let failure = Failure::usage(format!("`{}` is an earlier report", input.display()));
            return Err(failure.help("give the workspace that it was built from"));
        }
        let (target, input, called) = (target.display(), input.display(), self.called);
        let message = format!("`{target}` is one of {called} or holds one: `{input}`");
        Err(Failure::usage(message)
            .help("a report replaces the whole folder: write it elsewhere, such as `-o report`"))
    }

    /// Refuses to turn any input into a site: files in a site are not inputs.
    pub(super) fn refuse_site(&self, site: &Path) -> CommandResult<()> {
        if self.find(site, |input, site| input == site).is_none() {
            return Ok(());
        }
        let message = format!("`{}` is one of {}", site.display(), self.called);
        Err(Failure::usage(message).help("name another folder for the site, such as `--into site`"))
    }

    /// Refuses to replace a non-empty `file` that is an input or lies in one, or a skill.
    pub(super) fn refuse_file(&self, file: &Path) -> CommandResult<()> {
        if !file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
            return Ok(());
        }
        if file.file_name().is_some_and(|name| name == "SKILL.md") {
            let failure = Failure::usage(format!("`{}` is a skill", file.display()));
            return Err(failure.help("write to a new file, or to one elsewhere"));
        }
        let Some(input) = self.find(file, |input, file| file.starts_with(input)) else {
            return Ok(());
        };
        let (file, input) = (file.display(), input.display());
        Err(Failure::usage(format!("`{file}` would be replaced, and `{input}` is read"))
            .help("write to a new file, or to one elsewhere"))
    }
}
