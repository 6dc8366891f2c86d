//! `evalbook snapshot`: copies the skill into the workspace as its next version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::git::ask;
use crate::cli::name_checks::{refuse_slip, workspace_of};
use crate::cli::skill_workspace::{
    evaluated, names_in, open_skill, refused_write, round_of, skill_digest,
};
use crate::cli::{CommandResult, Console, Failure, clock};
use crate::scaffold::history_file::{HistoryError, HistoryFile, RecordedVersion, rounded};
use crate::scaffold::iteration;
use crate::scaffold::skill_copy::{SkillCopy, plan_copy};
use crate::write::{self, StagedFolder};
use input::files::{self, Disk, EntryKind, FilePlace, Source, on_disk};
use input::model::{Iteration, Place};
use input::names;
use text::{bytes, count, printable};

/// Copy the skill into the workspace as its next version
///
/// The copy is in `vN/skill`. `history.json` says when it was made, which iteration it is for, and of
/// which commit it is, where everything in it is committed. It is for the newest iteration while
/// nothing ran in that, or where exactly this skill ran in it, else for the next: make it before you run. What the history says besides is
/// kept. A skill that is unchanged since the newest version gets no new one. A version that a killed
/// command did not record is recorded by the next one. Symbolic links are not followed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook snapshot skills/pdf\n  \
                        evalbook snapshot skills/pdf pdf-workspace --message \"shorter description\"\n\n\
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

/// Refuses a workspace in the place of the skill, and a message in the place of a workspace.
fn refuse_misplaced(args: &SnapshotArgs) -> CommandResult<()> {
    let [is_skill, is_workspace] = [Some(&args.skill), args.workspace.as_ref()]
        .map(|folder| folder.is_some_and(|folder| folder.join("SKILL.md").is_file()));
    if let Some(other) = args.workspace.as_ref().filter(|_| is_workspace && !is_skill) {
        let [skill, workspace] = [other, &args.skill].map(|folder| folder.display());
        let failure = Failure::usage(format!("`{skill}` is the skill, and `{workspace}` is not"));
        return Err(failure.help(format!("type `evalbook snapshot {skill} {workspace}`")));
    }
    if let Some(text) = &args.workspace
        && text.to_string_lossy().contains(' ')
        && !text.exists()
    {
        let failure = Failure::usage(format!("`{}` is no workspace", text.display()));
        return Err(
            failure.help("a message goes behind `-m`; for a new workspace, make its folder first")
        );
    }
    Ok(())
}

pub(super) fn run(args: &SnapshotArgs, console: &mut Console) -> CommandResult {
    let timestamp = clock::timestamp()?;
    let skill = open_skill(&args.skill)?;
    refuse_misplaced(args)?;
    refuse_slip(args.workspace.as_deref(), &args.skill)?;
    let workspace = workspace_of(args.workspace.as_deref(), &args.skill);
    // Nothing is locked for a skill that cannot be copied.
    let copy = plan(args, &skill, &workspace)?;
    let _lock = write::lock(&workspace).map_err(refused_write)?;

    let path = workspace.join("history.json");
    let file = Disk::open(&workspace)
        .and_then(|disk| disk.place("history.json"))
        .map_err(|error| not_recorded(&path, None, &files::reason(&error)))?;
    let before =
        file.read(u64::MAX).map_err(|error| not_recorded(&path, None, &files::reason(&error)))?;
    let history = HistoryFile::read(before.as_deref().unwrap_or_default())
        .map_err(|HistoryError { place, message }| not_recorded(&path, place, &message))?;
    let taken = names_in(&workspace)?;
    let evaluated = evaluated(&workspace);
    let mut versions = lost_versions(&workspace, &history, &taken);
    for version in &versions {
        console.remark(&format!("recorded {}, which was made and not recorded", version.name()));
    }
    let same = same_version(&skill, &copy, &workspace, &taken);
    if let Some(name) = &same
        && versions.is_empty()
    {
        return console.result(&format!("{name} is this skill already; made no new version\n"));
    }
    let mut version = RecordedVersion::new(history.next_number(&taken));
    version.timestamp = Some(timestamp);
    version.description.clone_from(&args.message);
    version.git_hash = commit(skill.root(), &copy.files);
    version.iteration = iteration_of_next_version(&taken, &evaluated, skill_digest(&skill));
    version.average_score = average_score(&evaluated, version.name()).map(rounded);
    versions.push(version.clone());

    let target = workspace.join(version.name());
    write_copy(&skill, &copy, &target)?;
    let after = with_versions(before.as_deref(), &versions, &evaluated)
        .map_err(|HistoryError { place, message }| not_recorded(&path, place, &message))?;
    // A copy that no history names would be taken for the next version.
    record(&file, before.as_deref(), &after).map_err(|failure| {
        match write::take_back(&target) {
            Ok(()) => failure,
            Err(error) => failure
                .help(format!("`{}` was made and is not recorded; {error}", target.display())),
        }
    })?;
    console.result(&result_text(&workspace, &version, &copy))
}

/// The newest version that was kept, if the skill is the same as it: a copy more would say that there
/// was an edit.
fn same_version(
    skill: &Disk,
    copy: &SkillCopy,
    workspace: &Path,
    taken: &[String],
) -> Option<String> {
    let versions = taken.iter().filter(|name| {
        names::version_number(name).is_some()
            && workspace.join(name).join("skill/SKILL.md").is_file()
    });
    let newest = versions.max_by_key(|name| names::version_number(name))?;
    let other = Disk::open(&workspace.join(newest).join("skill")).ok()?;
    let mut files: Vec<String> = Vec::new();
    for entry in other.list(&names::is_never_entered) {
        if entry.kind == EntryKind::File {
            files.push(entry.path);
        }
    }
    files.sort();
    let mut copied = copy.files.clone();
    copied.sort();
    let is_same = files == copied
        && files.iter().all(|path| {
            let [mine, kept] = [skill, &other].map(|disk| disk.read(path, u64::MAX).ok());
            mine.is_some() && mine == kept
        });
    if is_same { Some(newest.clone()) } else { None }
}

/// The versions of which an earlier command, killed before it could, recorded nothing.
fn lost_versions(
    workspace: &Path,
    history: &HistoryFile<'_>,
    taken: &[String],
) -> Vec<RecordedVersion> {
    let mut versions: Vec<RecordedVersion> =
        history.unrecorded(taken).into_iter().map(RecordedVersion::new).collect();
    // A folder `v3` may also be an iteration, or what somebody keeps under this name.
    versions.retain(|version| workspace.join(version.name()).join("skill/SKILL.md").is_file());
    versions
}

/// The text of the history `before` with these versions.
fn with_versions(
    before: Option<&[u8]>,
    versions: &[RecordedVersion],
    evaluated: &[Iteration],
) -> Result<String, HistoryError> {
    let mut text = String::new();
    let mut bytes = before.unwrap_or_default();
    for version in versions {
        let history = HistoryFile::read(bytes)?;
        text = history.with(version, &|name| average_score(evaluated, name));
        bytes = text.as_bytes();
    }
    Ok(text)
}

/// The iteration that the next version is for: the newest one while nothing ran in it, or where the skill is
/// the one that ran, else the next. `None` where the versions themselves are run, as in the scored dialect.
fn iteration_of_next_version(
    taken: &[String],
    evaluated: &[Iteration],
    skill: Option<String>,
) -> Option<String> {
    let ran: Vec<&Iteration> =
        evaluated.iter().filter(|iteration| iteration.runs().next().is_some()).collect();
    if ran.iter().any(|iteration| names::version_number(&iteration.name).is_some()) {
        return None;
    }
    if let Some(round) = skill.and_then(|skill| round_of(evaluated, &skill))
        && ran.last().is_some_and(|newest| newest.name == round.name)
    {
        return Some(round.name.clone());
    }
    if let Some(newest) = iteration::newest_name(taken)
        && !evaluated.iter().any(|found| found.name == *newest && found.runs().next().is_some())
    {
        return Some(newest.clone());
    }
    Some(iteration::next_name(taken))
}

/// What is copied of the skill.
fn plan(args: &SnapshotArgs, skill: &Disk, workspace: &Path) -> CommandResult<SkillCopy> {
    let shown = args.skill.display();
    let workspace = workspace.canonicalize().unwrap_or_default();
    if workspace == skill.root() {
        let message = format!("`{shown}` is given as the skill and as the workspace");
        return Err(Failure::usage(message)
            .help("give another folder as the workspace, or none for the one beside the skill"));
    }
    // Some keep the workspace in the skill, as `evals-workspace`.
    let inside = workspace.strip_prefix(skill.root()).ok();
    let inside = inside.map(|path| path.to_string_lossy().replace('\\', "/"));
    let entries = skill.list(&names::is_never_entered);
    plan_copy(&entries, inside.as_deref()).map_err(|error| {
        let failure = Failure::nothing(format!("cannot copy `{shown}`: {error}"));
        error.help.into_iter().fold(failure, Failure::help)
    })
}

fn write_copy(skill: &Disk, copy: &SkillCopy, target: &Path) -> CommandResult<()> {
    let staged = StagedFolder::begin(target).map_err(refused_write)?;
    for path in &copy.files {
        let file =
            skill.file(path).map_err(|error| Failure::io("copy", &skill.locate(path), &error))?;
        staged.copy(&Path::new("skill").join(on_disk(path)), file).map_err(refused_write)?;
    }
    staged.place().map_err(refused_write)
}

/// The history is on disk when this returns, unless somebody else changed it meanwhile.
fn record(file: &FilePlace, before: Option<&[u8]>, after: &str) -> CommandResult<()> {
    if write::replace(file, before, after.as_bytes()).map_err(refused_write)? {
        return Ok(());
    }
    let message = format!("`{}` was changed by another program meanwhile", file.shown.display());
    Err(Failure::nothing(message).help("run the command again; nothing was changed"))
}

fn not_recorded(path: &Path, place: Option<Place>, reason: &str) -> Failure {
    let path = path.display();
    let place = place.map(|place| format!(":{}:{}", place.line, place.column)).unwrap_or_default();
    Failure::nothing(format!("cannot add a version to `{path}{place}`: {reason}"))
        .help("mend it, or move it away to begin another; nothing was changed")
}

fn average_score(evaluated: &[Iteration], name: &str) -> Option<f64> {
    evaluated.iter().find(|iteration| iteration.name == name)?.average_score()
}

fn result_text(workspace: &Path, version: &RecordedVersion, copy: &SkillCopy) -> String {
    let target = workspace.join(version.name()).join("skill");
    let (files, size) = (count(copy.files.len(), "file"), bytes(copy.bytes));
    let mut lines = vec![format!("made {}/ with {files}, {size}", target.display())];
    for (path, reason) in &copy.left_out {
        lines.push(format!("left out `{path}`: {reason}"));
    }
    let commit = match &version.git_hash {
        Some(hash) => format!("of commit {hash}"),
        None => "without a commit".to_owned(),
    };
    let history = workspace.join("history.json");
    let iteration = match &version.iteration {
        Some(name) => format!(", for {name}"),
        None => String::new(),
    };
    let name = version.name();
    lines.push(format!("recorded {name} in {}, {commit}{iteration}", history.display()));
    lines.iter().map(|line| printable(line) + "\n").collect()
}

// Only `ls-tree` and `hash-object --no-filters` look at files: they run no hook, filter or monitor
// from a repository's settings, and compare exactly the bytes that are copied.

/// The commit in which exactly `files` have their present content; `None` if one is not committed.
fn commit(folder: &Path, files: &[String]) -> Option<String> {
    // Relative paths would start at the top of the repository.
    let root = folder.to_str()?;
    let paths: String = files.iter().map(|path| format!("{root}/{path}\n")).collect();
    // Git reads one path a line.
    if paths.contains('\r') || paths.matches('\n').count() != files.len() {
        return None;
    }
    let head = ask(folder, &["rev-parse", "--verify", "--short=12", "HEAD"], "")?;
    let head = head.trim().to_owned();
    let tree = ask(folder, &["ls-tree", "-r", "-z", &head], "")?;
    let ids = ask(folder, &["hash-object", "--no-filters", "--stdin-paths"], &paths)?;
    if ids.lines().count() != files.len() {
        return None;
    }
    let present: BTreeMap<&str, &str> = files.iter().map(String::as_str).zip(ids.lines()).collect();
    let mut committed = BTreeMap::new();
    for line in tree.split('\0') {
        // `100644 blob ID`, a tab and the path; links and nested repositories have another mode.
        if line.starts_with("100")
            && let Some((object, path)) = line.split_once('\t')
            && let Some((_, id)) = object.rsplit_once(' ')
        {
            committed.insert(path, id);
        }
    }
    if committed == present { Some(head) } else { None }
}
