//! Joins parts of one workspace: folders of files, or reports made on other machines.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::cli::name_checks::list;
use crate::cli::workspaces::{self, OpenedWorkspaces, WorkspaceInput};
use crate::cli::{CommandResult, Failure};
use crate::discover::names;
use crate::files::{Disk, FileConflict, JoinedSource, Source};
use crate::guard::FoundInFile;
use crate::model::{Code, Problem};
use crate::part::{Carry, PartArchive, PartError};
use crate::pipeline::SourceNotes;
use crate::settings::Settings;
use crate::text::natural_order;

#[derive(Debug, Args)]
pub(super) struct PartsArgs {
    /// The folders are parts of one workspace: their files are joined into one
    #[arg(long, help_heading = "Parts of a workspace")]
    merge: bool,

    #[command(flatten)]
    named: NameArgs,
}

/// What the whole is called.
#[derive(Debug, Args)]
pub(super) struct NameArgs {
    /// What the folder of the whole is called; as the parts are when not given
    #[arg(long = "workspace-name", value_name = "NAME", help_heading = "Parts of a workspace")]
    workspace_name: Option<String>,
}

pub(super) fn open(
    args: &PartsArgs,
    paths: &[PathBuf],
    flags: &Settings,
) -> CommandResult<OpenedWorkspaces> {
    match (args.merge, &args.named.workspace_name) {
        (true, _) => folders(&args.named, paths, flags),
        (false, None) => workspaces::open(paths, flags),
        (false, Some(_)) => {
            Err(Failure::usage("`--workspace-name` names the whole that parts make")
                .help("add `--merge`"))
        }
    }
}

struct PartInput {
    shown: String,
    name: Option<String>,
    disk: Disk,
    source: Box<dyn Source>,
    earlier: BTreeMap<String, FoundInFile>,
}

fn folders(
    args: &NameArgs,
    paths: &[PathBuf],
    flags: &Settings,
) -> CommandResult<OpenedWorkspaces> {
    if paths.is_empty() {
        return Err(Failure::usage("`--merge` needs the folders of the parts"));
    }
    let (mut parts, mut roots) = (Vec::new(), Vec::new());
    for (path, shown) in paths.iter().zip(short_names(paths)?) {
        let (disk, name, part_roots) = workspaces::open_disk(path)?;
        roots.extend(part_roots);
        let source = Box::new(disk.clone());
        parts.push(PartInput { shown, name, disk, source, earlier: BTreeMap::new() });
    }
    joined(args, parts, roots, (SourceNotes::default(), Vec::new()), flags)
}

/// Joins reports that were made with `--part`: each its folder, or its `report.json`.
pub(super) fn reports(
    args: &NameArgs,
    paths: &[PathBuf],
    flags: &Settings,
) -> CommandResult<OpenedWorkspaces> {
    let report_of =
        |path: &PathBuf| match path.file_name().is_some_and(|name| name == "report.json") {
            true => path.parent().map(|parent| parent.join("")).unwrap_or_default(),
            false => path.clone(),
        };
    let folders: Vec<PathBuf> = paths.iter().map(report_of).collect();
    let shown = short_names(&folders)?;
    let mut parts = Vec::new();
    let mut notes = SourceNotes::default();
    let mut missing = Vec::new();
    for (path, shown) in folders.iter().zip(shown) {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let disk = Disk::open(path).map_err(|error| {
            Failure::io("open the report", path, &error)
                .help("give the folders of reports made with `evalbook build --part`")
        })?;
        let archive = PartArchive::open(disk.clone()).map_err(|error| {
            let message = format!("cannot read the part `{}`: {error}", path.display());
            Failure::nothing(message).help(match error {
                PartError::NoPart => "make it with `evalbook build --part`",
                _ => "make it again, copy it again, or leave it out",
            })
        })?;
        let files = archive.missing();
        missing.extend(files.into_iter().map(|file| (file.to_owned(), shown.clone())));
        notes.withheld.extend(archive.withheld());
        let name = Some(archive.name.clone());
        let earlier = archive.earlier.clone();
        parts.push(PartInput { shown, name, disk, source: Box::new(archive), earlier });
    }
    joined(args, parts, Vec::new(), (notes, missing), flags)
}

pub(super) fn carry(opening: &OpenedWorkspaces) -> CommandResult<Carry<'_>> {
    let ([name], [first, ..]) = (&opening.names[..], &opening.opened[..]) else {
        return Err(Failure::usage("`--part` is for the report of one folder")
            .help("make a report of each, or join parts of one with `--merge`"));
    };
    let asked = opening.opened.iter().flat_map(|opened| {
        let withheld = &opened.workspace.redaction.withheld;
        withheld.iter().map(|path| opened.path(path))
    });
    let source = (&first.disk as &dyn Source, name.as_str());
    Ok(Carry::new(source, first.disk.guard(), asked.collect(), &opening.left_out))
}

fn joined(
    args: &NameArgs,
    mut parts: Vec<PartInput>,
    roots: Vec<String>,
    (mut notes, missing): (SourceNotes, Vec<(String, String)>),
    flags: &Settings,
) -> CommandResult<OpenedWorkspaces> {
    parts.sort_by(|a, b| natural_order(&a.shown, &b.shown).then_with(|| a.shown.cmp(&b.shown)));
    let name =
        args.workspace_name.clone().or_else(|| parts.iter().find_map(|part| part.name.clone()));
    let name = name.unwrap_or_else(|| "workspace".to_owned());
    for (path, conflicts) in parts.iter_mut().flat_map(|part| std::mem::take(&mut part.earlier)) {
        notes.earlier.entry(path).or_insert(conflicts);
    }
    let disks = parts.iter().map(|part| part.disk.clone()).collect();
    let sources = parts.into_iter().map(|part| (part.shown, part.source)).collect();
    let joined = JoinedSource::new(sources, &names::is_never_entered);
    notes.problems.extend(joined.disagreements().iter().map(problem));
    for (path, part) in missing.iter().filter(|(path, _)| joined.open(path).is_err()) {
        let message = format!("its content is missing in the part `{part}`");
        let problem = Problem::new(Code::PartIncomplete, path, message).assuming("named, not read");
        let help = "copy the part again, with its folders `files` and `part`";
        notes.problems.push(problem.help(help));
    }
    let (source, shown) = (Arc::new(joined), name.clone());
    let mut opening = OpenedWorkspaces::default();
    workspaces::read(
        WorkspaceInput { source, disks, name, shown, roots, notes },
        flags,
        &mut opening,
    )?;
    opening.pinned()
}

fn problem(conflict: &FileConflict) -> Problem {
    let others = list(&conflict.others);
    let message = match conflict.are_files {
        true => format!("the file differs between the parts `{}` and {others}", conflict.taken),
        false => {
            format!("not the same kind of thing in the parts `{}` and {others}", conflict.taken)
        }
    };
    Problem::new(Code::PartsContradict, &conflict.path, message)
        .assuming(format!("taken from `{}`", conflict.taken))
        .help("give it to one part only, make it the same in all, or leave it out")
}

/// The short name of each of `paths`: without the folders that all share.
fn short_names(paths: &[PathBuf]) -> CommandResult<Vec<String>> {
    let names_of = |path: &PathBuf| {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let names = real.components().filter(|name| matches!(name, Component::Normal(_)));
        names.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let mut part_names: Vec<Vec<String>> = paths.iter().map(names_of).collect();
    while part_names.iter().all(|names| names.len() > 1 && names[0] == part_names[0][0])
        && !part_names.is_empty()
    {
        part_names.iter_mut().for_each(|names| drop(names.remove(0)));
    }
    let shown: Vec<String> = part_names.iter().map(|names| names.join("/")).collect();
    let mut sorted = shown.clone();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Failure::usage(format!("the part `{}` is given twice", pair[0]))),
        None => Ok(shown),
    }
}
