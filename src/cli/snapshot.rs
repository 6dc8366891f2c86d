//! `evalbook snapshot`: copies the skill into the workspace as its next version.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;

use crate::cli::{CommandResult, Console, Failure, init};
use crate::discover::names;
use crate::files::{self, Disk, Source, on_disk};
use crate::model::Iteration;
use crate::pipeline::{self, Input};
use crate::scaffold::version::{self, Copied, HistoryFile, RecordedVersion, VersionError};
use crate::settings::Settings;
use crate::text::{bytes, count, printable};
use crate::write::{self, StagedFolder};

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

pub(super) fn run(args: &SnapshotArgs, console: &mut Console) -> CommandResult {
    let timestamp = timestamp()?;
    let folder = init::open_skill(&args.skill)?;
    let workspace = init::workspace_of(args.workspace.as_deref(), &args.skill, &folder);
    let copied = copied(args, &folder, &workspace)?;
    let _lock = write::lock(&workspace).map_err(init::refused_write)?;
    let path = workspace.join("history.json");
    let before = files::regular(&path, u64::MAX)
        .map_err(|error| unchanged(&path, &VersionError::new(files::reason(&error))))?;
    let text = version::text(before.as_deref().unwrap_or_default());
    let ledger = text.and_then(HistoryFile::read).map_err(|error| unchanged(&path, &error))?;
    let scores = scores(&workspace);
    let score =
        |name: &str| scores.iter().find(|(known, _)| known == name).map(|(_, score)| *score);
    let mut recorded = RecordedVersion::new(ledger.next(&init::names_in(&workspace)?));
    recorded.timestamp = timestamp;
    recorded.description.clone_from(&args.message);
    recorded.git_hash = commit(folder.root(), &copied.files);
    recorded.average_score = score(recorded.name()).map(version::rounded);
    let target = workspace.join(recorded.name());
    copy(&folder, &copied, &target)?;
    let after = ledger.with(&recorded, &score);
    record(&path, before.as_deref(), &after).map_err(|failure| {
        match write::take_back(&target) {
            Ok(()) => failure,
            Err(error) => failure
                .help(format!("`{}` was made and is not recorded; {error}", target.display())),
        }
    })?;
    console.result(&result_text(&workspace, &recorded, &copied))
}

fn copied(args: &SnapshotArgs, folder: &Disk, workspace: &Path) -> CommandResult<Copied> {
    let skill = args.skill.display();
    let inside = workspace.canonicalize().unwrap_or_default();
    if inside == folder.root() {
        let message = format!("`{skill}` is given as the skill and as the workspace");
        return Err(Failure::usage(message)
            .help("give another folder as the workspace, or none for the one beside the skill"));
    }
    let inside = inside.strip_prefix(folder.root()).ok();
    let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/"));
    let entries = folder.list(&names::is_never_entered);
    version::copied(&entries, inside.as_deref()).map_err(|error| {
        let failure = Failure::nothing(format!("cannot copy `{skill}`: {error}"));
        error.help.into_iter().fold(failure, Failure::help)
    })
}

fn copy(folder: &Disk, copied: &Copied, target: &Path) -> CommandResult<()> {
    let fresh = StagedFolder::begin(target).map_err(init::refused_write)?;
    for path in &copied.files {
        let failed = |error| Failure::io("copy", &folder.locate(path), &error);
        let file = folder.file(path).map_err(failed)?;
        fresh.copy(&Path::new("skill").join(on_disk(path)), file).map_err(init::refused_write)?;
    }
    fresh.place().map_err(init::refused_write)
}

/// The history is on disk when this returns, unless somebody else changed it meanwhile.
fn record(path: &Path, before: Option<&[u8]>, after: &str) -> CommandResult<()> {
    if write::replace(path, before, after.as_bytes()).map_err(init::refused_write)? {
        return Ok(());
    }
    let message = format!("`{}` was changed by another program meanwhile", path.display());
    Err(Failure::nothing(message).help("run the command again; nothing was changed"))
}

fn unchanged(path: &Path, error: &VersionError) -> Failure {
    let place = error.place.map(|place| format!(":{}:{}", place.line, place.column));
    let place = place.unwrap_or_default();
    Failure::nothing(format!("cannot add a version to `{}{place}`: {error}", path.display()))
        .help("mend it, or move it away to begin another; nothing was changed")
}

fn scores(workspace: &Path) -> Vec<(String, f64)> {
    let Ok(disk) = Disk::open(workspace) else { return Vec::new() };
    let flags = Settings::default();
    let input = Input::new(Arc::new(disk), "workspace", &flags);
    let loaded = pipeline::load(input).unwrap_or_default();
    let scored = |iteration: &Iteration| Some((iteration.name.clone(), iteration.average_score()?));
    let iterations = loaded.workspaces.iter().flat_map(|read| &read.workspace.iterations);
    iterations.filter_map(scored).collect()
}

/// Now, unless `SOURCE_DATE_EPOCH` is set.
pub(super) fn timestamp() -> CommandResult<String> {
    let Some(value) = std::env::var_os("SOURCE_DATE_EPOCH") else {
        return Ok(seconds(Timestamp::now()));
    };
    let parsed = value.to_str().and_then(|text| text.parse().ok());
    let stamp = parsed.and_then(|seconds| Timestamp::from_second(seconds).ok());
    stamp
        .map(seconds)
        .ok_or_else(|| Failure::usage("`SOURCE_DATE_EPOCH` is not a number of seconds since 1970"))
}

fn seconds(stamp: Timestamp) -> String {
    stamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn result_text(workspace: &Path, recorded: &RecordedVersion, copied: &Copied) -> String {
    let target = workspace.join(recorded.name()).join("skill");
    let (files, size) = (count(copied.files.len(), "file"), bytes(copied.bytes));
    let mut lines = vec![format!("made {}/ with {files}, {size}", target.display())];
    let left_out = copied.left_out.iter();
    lines.extend(left_out.map(|(path, reason)| format!("left out `{path}`: {reason}")));
    let commit = match &recorded.git_hash {
        Some(hash) => format!("of commit {hash}"),
        None => "without a commit".to_owned(),
    };
    let history = workspace.join("history.json");
    lines.push(format!("recorded {} in {}, {commit}", recorded.name(), history.display()));
    lines.iter().map(|line| printable(line) + "\n").collect()
}

// Only `ls-tree` and `hash-object --no-filters` look at files: they run no hook, filter or monitor
// from a repository's settings, and compare exactly the bytes that are copied.

/// The commit in which exactly `files` have their present content; `None` if one is not committed.
fn commit(folder: &Path, files: &[String]) -> Option<String> {
    // Relative paths would start at the top of the repository.
    let root = folder.to_str()?;
    let paths: String = files.iter().map(|path| format!("{root}/{path}\n")).collect();
    if paths.contains('\r') || paths.matches('\n').count() != files.len() {
        return None;
    }
    let head = ask(folder, &["rev-parse", "--verify", "--short=12", "HEAD"], "")?;
    let head = head.trim().to_owned();
    let tree = ask(folder, &["ls-tree", "-r", "-z", &head], "")?;
    let ids = ask(folder, &["hash-object", "--no-filters", "--stdin-paths"], &paths)?;
    let ids: Vec<&str> = ids.lines().collect();
    let at_hand: BTreeMap<&str, &str> =
        files.iter().map(String::as_str).zip(ids.iter().copied()).collect();
    // Without links and nested repositories.
    let lines = tree.split('\0').filter(|line| line.starts_with("100"));
    let lines = lines.filter_map(|line| line.split_once('\t'));
    let committed = lines.filter_map(|(head, path)| Some((path, head.rsplit_once(' ')?.1)));
    let is_same = ids.len() == files.len() && committed.collect::<BTreeMap<_, _>>() == at_hand;
    is_same.then_some(head)
}

fn ask(folder: &Path, args: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    let mut child = command
        .args(["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"])
        .args(args)
        .current_dir(folder)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut pipe = child.stdin.take()?;
    let input = input.to_owned();
    // Written while the output is read, so that neither side waits for the other.
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let is_written = writer.join().is_ok_and(|written| written.is_ok()) || !output.status.success();
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && is_written).then_some(text)
}
