//! `evalbook snapshot`: copy the skill into the workspace as its next version.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use crate::cli::{Console, Failure, Outcome, exit, git, skill};
use crate::discover::names;
use crate::files::{self, Disk, Source, on_disk};
use crate::model::Iteration;
use crate::pipeline;
use crate::scaffold::version::{self, Copied, Ledger, Recorded, VersionError};
use crate::text::{bytes, count, printable};
use crate::write::{self, Fresh};

/// Copy the skill into the workspace as its next version
///
/// The copy stands in `vN/skill`, and `history.json` says when it was made and of which commit,
/// where everything in it is committed. Both appear at once; what the history says besides is
/// kept. Symbolic links are not followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook snapshot skills/pdf\n  \
                        evalbook snapshot skills/pdf pdf-workspace -m \"shorter description\"\n\n\
                        The time is that of `SOURCE_DATE_EPOCH` where it is set.")]
pub(super) struct SnapshotArgs {
    /// Folder of the skill
    skill: PathBuf,

    /// Folder of the workspace; `<skill>-workspace` beside the skill when none is given
    workspace: Option<PathBuf>,

    /// What this version is about
    #[arg(short, long = "message", value_name = "TEXT", default_value = "")]
    message: String,
}

pub(super) fn run(args: &SnapshotArgs, console: &mut Console) -> Outcome {
    let timestamp = timestamp()?;
    let folder = skill::open(&args.skill)?;
    let workspace = skill::workspace(args.workspace.as_deref(), &args.skill, &folder);
    let copied = copied(args, &folder, &workspace)?;
    let _lock = write::lock(&workspace).map_err(skill::refused)?;
    let path = workspace.join("history.json");
    let before = history(&path)?;
    let text = version::text(before.as_deref().unwrap_or_default());
    let ledger = text.and_then(Ledger::read).map_err(|error| unchanged(&path, &error))?;
    let scores = scores(&workspace);
    let score =
        |name: &str| scores.iter().find(|(known, _)| known == name).map(|(_, score)| *score);
    let mut recorded = Recorded::new(ledger.next(&skill::names(&workspace)?));
    recorded.timestamp = timestamp;
    recorded.description.clone_from(&args.message);
    recorded.git_hash = git::commit(folder.root(), &copied.files);
    recorded.average_score = score(recorded.name()).map(version::rounded);
    let target = workspace.join(recorded.name());
    copy(&folder, &copied, &target)?;
    let after = ledger.with(&recorded, &score);
    record(&path, before.as_deref(), &after).map_err(|failure| taken_back(&target, failure))?;
    console.result(&result_text(&workspace, &recorded, &copied))?;
    Ok(exit::FINE)
}

fn copied(args: &SnapshotArgs, folder: &Disk, workspace: &Path) -> Result<Copied, Failure> {
    let entries = folder.list(&names::is_never_entered);
    let inside = workspace.canonicalize().ok();
    if inside.as_deref() == Some(folder.root()) {
        let skill = args.skill.display();
        return Err(Failure::usage(format!(
            "`{skill}` is given as the skill and as the workspace"
        ))
        .help("give another folder as the workspace, or none for the one beside the skill"));
    }
    let inside = inside.as_deref().and_then(|path| path.strip_prefix(folder.root()).ok());
    let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/"));
    version::copied(&entries, inside.as_deref()).map_err(|error| {
        let failure = Failure::nothing(format!("cannot copy `{}`: {error}", args.skill.display()));
        match error {
            VersionError::NoSkill => failure.help("give the folder of the skill"),
            VersionError::TooMuch(..) => failure.help("keep what is large outside the skill"),
            VersionError::Odd(..) | VersionError::History(..) => failure,
        }
    })
}

/// The folder of the version appears as a whole.
fn copy(folder: &Disk, copied: &Copied, target: &Path) -> Result<(), Failure> {
    let fresh = Fresh::begin(target).map_err(skill::refused)?;
    for path in &copied.files {
        let file = folder.file(path).map_err(|error| {
            let reason = files::reason(&error);
            Failure::nothing(format!("cannot copy `{}`: {reason}", folder.locate(path).display()))
        })?;
        fresh.copy(&Path::new("skill").join(on_disk(path)), file).map_err(skill::refused)?;
    }
    fresh.place().map_err(skill::refused)
}

/// The history is on the disk when this returns, unless somebody else changed it meanwhile.
fn record(path: &Path, before: Option<&[u8]>, after: &str) -> Result<(), Failure> {
    let is_placed = write::replace(path, before, after.as_bytes()).map_err(skill::refused)?;
    let changed = || {
        Failure::nothing(format!("`{}` was changed by another program meanwhile", path.display()))
            .help("run the command again; nothing was changed")
    };
    is_placed.then_some(()).ok_or_else(changed)
}

/// A version that is not recorded is not kept.
fn taken_back(target: &Path, failure: Failure) -> Failure {
    match write::take_back(target) {
        Ok(()) => failure,
        Err(error) => {
            failure.help(format!("`{}` was made and is not recorded; {error}", target.display()))
        }
    }
}

fn history(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let refused = |error| VersionError::History(None, files::reason(&error));
    files::regular(path, u64::MAX).map_err(|error| unchanged(path, &refused(error)))
}

fn unchanged(path: &Path, error: &VersionError) -> Failure {
    let place = match error {
        VersionError::History(Some(place), _) => format!(":{}:{}", place.line, place.column),
        _ => String::new(),
    };
    Failure::nothing(format!("cannot add a version to `{}{place}`: {error}", path.display()))
        .help("mend it, or move it away to begin another; nothing was changed")
}

/// Mean scores by version, of what is graded in the workspace.
fn scores(workspace: &Path) -> Vec<(String, f64)> {
    let loaded = Disk::open(workspace)
        .ok()
        .and_then(|disk| pipeline::load(&disk, "workspace", "workspace", &[]).ok());
    let read = loaded.into_iter().flat_map(|loaded| loaded.workspaces);
    let scored = |iteration: &Iteration| Some((iteration.name.clone(), iteration.average_score()?));
    read.flat_map(|read| read.workspace.iterations.iter().filter_map(scored).collect::<Vec<_>>())
        .collect()
}

/// Now, unless `SOURCE_DATE_EPOCH` says another time.
pub(super) fn timestamp() -> Result<String, Failure> {
    let Some(given) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(seconds(Timestamp::now()));
    };
    let parsed = given.to_str().and_then(|given| given.parse().ok());
    let stamp = parsed.and_then(|seconds| Timestamp::from_second(seconds).ok());
    stamp
        .map(seconds)
        .ok_or_else(|| Failure::usage("`SOURCE_DATE_EPOCH` is not a number of seconds since 1970"))
}

fn seconds(stamp: Timestamp) -> String {
    stamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn result_text(workspace: &Path, recorded: &Recorded, copied: &Copied) -> String {
    let target = workspace.join(recorded.name()).join("skill");
    let (files, size) = (count(copied.files.len(), "file"), bytes(copied.bytes));
    let mut lines = vec![format!("made {}/ with {files}, {size}", target.display())];
    let left_out = copied.left_out.iter();
    lines.extend(left_out.map(|(path, reason)| format!("left out `{path}`: {reason}")));
    let commit = recorded
        .git_hash
        .as_deref()
        .map_or_else(|| "without a commit".to_owned(), |hash| format!("of commit {hash}"));
    let history = workspace.join("history.json");
    lines.push(format!("recorded {} in {}, {commit}", recorded.name(), history.display()));
    lines.iter().map(|line| printable(line) + "\n").collect()
}
