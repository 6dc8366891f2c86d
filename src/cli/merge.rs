//! `--merge`: folders that parallel jobs wrote, each with a part of the files of one workspace, are
//! read as one. `--side`: so are results of other tools that have one side per folder.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::name_checks::list;
use crate::cli::workspaces::{self, InputFolder, OpenedWorkspaces};
use crate::cli::{CommandResult, Failure};
use input::files::{Conflict, Disk, JoinedSource, NamedSource, Source};
use input::model::{Code, Problem};
use input::names;
use input::settings::Settings;
use text::{count, natural_order};
use workspace::pipeline::Input;

const HEADING: &str = "One workspace from several folders";

/// The folders that a command reads.
#[derive(Debug, Args)]
pub(super) struct FoldersArgs {
    /// Folders to read; the current folder when none is given
    pub(super) workspaces: Vec<PathBuf>,

    /// Read the folders as one workspace: each has a part of its files, written by a job of its own
    #[arg(long, help_heading = HEADING)]
    merge: bool,

    /// Exit with 3 unless there are exactly N folders: without one of them the numbers would be wrong
    #[arg(long, value_name = "N", requires = "merge", help_heading = HEADING)]
    expect: Option<usize>,

    /// What the joined folder is called; as the first one when not given
    #[arg(long, value_name = "NAME", requires = "merge", help_heading = HEADING)]
    workspace_name: Option<String>,

    /// Read the results of another tool in FOLDER as the side NAME, such as `with_skill=A`; once
    /// for each side
    #[arg(
        long = "side",
        value_name = "NAME=FOLDER",
        value_parser = parse_side,
        conflicts_with_all = ["merge", "workspaces"],
        help_heading = HEADING
    )]
    sides: Vec<SideFolder>,
}

/// A folder with the results of one side.
#[derive(Clone, Debug)]
struct SideFolder {
    name: String,
    folder: PathBuf,
}

fn parse_side(text: &str) -> Result<SideFolder, String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok(SideFolder { name: name.to_owned(), folder: PathBuf::from(folder) })
        }
        _ => Err("write a side and its folder, such as `with_skill=results-1`".to_owned()),
    }
}

impl FoldersArgs {
    /// Reads the folders: each by itself, or with `--merge` all as one.
    pub(super) fn open(&self, flags: &Settings) -> CommandResult<OpenedWorkspaces> {
        if self.merge {
            self.check_count()?;
            open_joined(&self.workspaces, self.workspace_name.as_deref(), flags)
        } else if !self.sides.is_empty() {
            open_sides(&self.sides, flags)
        } else {
            workspaces::open(&self.workspaces, flags)
        }
    }

    /// Every folder that is read.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let sides = self.sides.iter().map(|side| side.folder.clone());
        self.workspaces.iter().cloned().chain(sides).collect()
    }

    /// How many folders are read each by itself.
    pub(super) fn read_apart(&self) -> usize {
        if self.merge { 1 } else { self.workspaces.len() }
    }

    fn check_count(&self) -> CommandResult<()> {
        // A pattern of the shell that matches too little goes unnoticed otherwise.
        let given = self.workspaces.len();
        if given == 0 {
            return Err(Failure::usage("`--merge` needs the folders to join"));
        }
        match self.expect {
            Some(expected) if given != expected => {
                let given = count(given, "folder");
                Err(Failure::nothing(format!("{given} to join, and `--expect` says {expected}"))
                    .help("a job may have failed, or its folder was not fetched"))
            }
            _ => Ok(()),
        }
    }
}

/// A folder to join, by the name that problems give it.
struct NamedFolder {
    name: String,
    folder: InputFolder,
}

fn open_joined(
    paths: &[PathBuf],
    workspace_name: Option<&str>,
    flags: &Settings,
) -> CommandResult<OpenedWorkspaces> {
    let mut folders = Vec::new();
    for (path, name) in paths.iter().zip(short_names(paths)?) {
        folders.push(NamedFolder { name, folder: InputFolder::open(path)? });
    }
    // By name, so that the order of the arguments changes nothing.
    folders.sort_by(|a, b| natural_order(&a.name, &b.name).then_with(|| a.name.cmp(&b.name)));

    let first_name = folders.first().map_or("", |first| &first.folder.name).to_owned();
    let name = workspace_name.unwrap_or(&first_name);
    let mut parts = JoinedParts::default();
    for NamedFolder { name, folder } in folders {
        let source = Box::new(folder.disk.clone());
        parts.add(NamedSource { name, source }, folder);
    }
    parts.open(name, flags, Vec::new(), |_| true)
}

/// Folders that are opened as one.
#[derive(Default)]
struct JoinedParts {
    sources: Vec<NamedSource>,
    disks: Vec<Disk>,
    roots: Vec<String>,
}

impl JoinedParts {
    fn add(&mut self, source: NamedSource, folder: InputFolder) {
        self.sources.push(source);
        self.disks.push(folder.disk);
        self.roots.extend(folder.roots);
    }

    /// Reads them as the folder `name`. Conflicts that pass `counts` are problems.
    fn open(
        self,
        name: &str,
        flags: &Settings,
        mut problems: Vec<Problem>,
        counts: fn(&Conflict) -> bool,
    ) -> CommandResult<OpenedWorkspaces> {
        let joined = JoinedSource::new(self.sources, &names::is_never_entered);
        let conflicts = joined.conflicts().iter().filter(|conflict| counts(conflict));
        problems.extend(conflicts.map(problem));
        let (source, roots) = (Arc::new(joined), self.roots);
        let mut opened = OpenedWorkspaces::default();
        opened.read(
            Input { source, name, path: name, roots, flags, problems, needs_plans: false },
            self.disks,
        )?;
        opened.check_pinned()?;
        Ok(opened)
    }
}

/// Reads each folder as one side of the same cases.
fn open_sides(sides: &[SideFolder], flags: &Settings) -> CommandResult<OpenedWorkspaces> {
    let (mut parts, mut problems) = (JoinedParts::default(), Vec::new());
    let mut name = common_folder(sides);
    for SideFolder { name: side, folder: path } in sides {
        let folder = InputFolder::open(path)?;
        let entries = folder.disk.list(&names::is_never_entered);
        let disk: Arc<dyn Source> = Arc::new(folder.disk.clone());
        let adapted = adapters::adapt(&disk, &entries, Some(side), &[], &|_| false, &mut problems);
        let Some(adapted) = adapted else {
            let message = format!("`{}` holds no results of another tool", path.display());
            return Err(Failure::nothing(message).help(
                "`--side` is for tools that have one side per folder; give a workspace without it",
            ));
        };
        if name.is_empty() {
            name.clone_from(&folder.name);
        }
        parts.add(NamedSource { name: side.clone(), source: adapted.source }, folder);
    }
    // A case may be described by one side alone.
    parts.open(&name, flags, problems, |found| !found.path.ends_with("/eval_metadata.json"))
}

fn problem(conflict: &Conflict) -> Problem {
    let Conflict { path, taken, others } = conflict;
    let message = format!("not the same in the folders `{taken}` and {}", list(others));
    Problem::new(Code::FoldersContradict, path, message)
        .assuming(format!("taken from `{taken}`"))
        .help("let only one job write it, make it the same in all, or leave it out")
}

/// The name of the folder around all sides, which is no side's own; empty if there is none.
fn common_folder(sides: &[SideFolder]) -> String {
    let mut all = sides.iter().map(|side| real_names(&side.folder));
    let mut common = all.next().unwrap_or_default();
    for names in all {
        let same = common.iter().zip(&names).take_while(|(a, b)| a == b).count();
        common.truncate(same);
    }
    common.pop().unwrap_or_default()
}

/// The real path of each folder without what all have in common: a report is to name no folder of
/// this machine.
fn short_names(paths: &[PathBuf]) -> CommandResult<Vec<String>> {
    let mut all: Vec<Vec<String>> = paths.iter().map(|path| real_names(path)).collect();
    while all.iter().all(|names| names.len() > 1 && names[0] == all[0][0]) {
        for names in &mut all {
            names.remove(0);
        }
    }
    let short: Vec<String> = all.iter().map(|names| names.join("/")).collect();
    for (index, name) in short.iter().enumerate() {
        if short[..index].contains(name) {
            return Err(Failure::usage(format!("the folder `{name}` is given twice")));
        }
    }
    Ok(short)
}

/// The names on the way to `path`, with links resolved.
fn real_names(path: &Path) -> Vec<String> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let names = real.components().filter(|part| matches!(part, Component::Normal(_)));
    names.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect()
}
