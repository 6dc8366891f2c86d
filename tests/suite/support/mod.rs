//! What the integration tests share: workspaces in temporary folders, the program, folders as maps.
//!
//! - [`Workspace`] writes files into a fresh folder, with a folder beside it to run the program in.
//! - [`evalbook`] and [`Workspace::run`] run the program and capture what it prints.
//! - [`tree`] and [`hashes`] read a folder as a map, to compare it with another.
//! - [`words`] finds sentences by their key.
//! - [`html`] scans pages, [`site`] checks a whole report, [`chromium`] opens it in a browser, from
//!   disk or from a [`server`].

pub(crate) mod chromium;
pub(crate) mod firefox;
pub(crate) mod forge;
pub(crate) mod hostile;
pub(crate) mod html;
pub(crate) mod pipeline;
pub(crate) mod runs;
pub(crate) mod schema;
pub(crate) mod served;
pub(crate) mod server;
pub(crate) mod site;
pub(crate) mod waiting;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// What the grader said of the good case; a page that shows it shows that run.
pub(crate) const GOOD_EVIDENCE: &str = "the total in the last row is 4711";

/// A workspace in a temporary folder, with an empty folder beside it to run the program in.
pub(crate) struct Workspace {
    place: TempDir,
}

impl Workspace {
    /// An empty workspace.
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().expect("a temporary folder");
        for name in ["workspace", "elsewhere"] {
            std::fs::create_dir(place.path().join(name)).expect("a fresh folder");
        }
        Self { place }
    }

    /// A workspace that holds one case, graded and without any problem.
    pub(crate) fn good() -> Self {
        Self::new().with(&project().join("tests/good-case"))
    }

    /// The same workspace with everything in `folder` copied into it.
    pub(crate) fn with(self, folder: &Path) -> Self {
        copy(folder, &self.path());
        self
    }

    /// The same workspace with one more file.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let file = self.path().join(path);
        let folder = file.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder for the file");
        std::fs::write(&file, content).expect("a written file");
        self
    }

    /// The same workspace with one more empty folder.
    pub(crate) fn folder(self, path: &str) -> Self {
        std::fs::create_dir_all(self.path().join(path)).expect("a folder");
        self
    }

    /// The workspace's folder.
    pub(crate) fn path(&self) -> PathBuf {
        self.place.path().join("workspace")
    }

    /// The folder the program runs in; the workspace is `../workspace` from there.
    pub(crate) fn elsewhere(&self) -> PathBuf {
        self.place.path().join("elsewhere")
    }

    /// Runs the program beside the workspace.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> CommandOutput {
        CommandOutput::of(evalbook(&self.elsewhere()).args(args))
    }

    /// What `check --format json` says of the workspace.
    pub(crate) fn check(&self) -> Value {
        let ran = self.run(["check", "../workspace", "--format", "json"]);
        assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
        ran.json()
    }

    /// Builds the report and gives its folder.
    pub(crate) fn build(&self) -> PathBuf {
        self.run(["build", "../workspace", "-o", "report"]).assert_code(0);
        self.elsewhere().join("report")
    }
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    /// The exit code; none when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
}

impl CommandOutput {
    /// Runs `command` to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// The same, if the program ended with this exit code.
    #[track_caller]
    pub(crate) fn assert_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The program under test. `tests/run` names the one that is shipped; Cargo's own is built with the
/// features that dev-dependencies turn on in libraries of the program, so faults may hide in it.
pub(crate) fn program() -> PathBuf {
    let built = std::env::var_os("EVALBOOK_PROGRAM");
    built.map_or_else(|| env!("CARGO_BIN_EXE_evalbook").into(), PathBuf::from)
}

/// The folder of the program under test, for a `PATH`.
pub(crate) fn program_folder() -> PathBuf {
    program().parent().expect("a folder").to_owned()
}

/// The program, about to run in `folder`, without color and on no terminal.
pub(crate) fn evalbook(folder: &Path) -> Command {
    quiet_environment(Command::new(program()), folder)
}

/// `command`, about to run in `folder` with an environment that changes nothing of the output.
pub(crate) fn quiet_environment(mut command: Command, folder: &Path) -> Command {
    command.current_dir(folder).stdin(std::process::Stdio::null()).env("NO_COLOR", "1");
    for name in ["CLICOLOR_FORCE", "COLUMNS", "SOURCE_DATE_EPOCH"] {
        command.env_remove(name);
    }
    command
}

/// What git prints in `folder`, without the end of the line.
pub(crate) fn git(folder: &Path, args: &[&str]) -> String {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
    let mut command = quiet_environment(Command::new("git"), folder);
    let ran = CommandOutput::of(command.args(who).args(args));
    assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    ran.stdout.trim().to_owned()
}

/// The text of a file.
#[track_caller]
pub(crate) fn read_text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The JSON in a file.
#[track_caller]
pub(crate) fn read_json(path: impl AsRef<Path>) -> Value {
    let text = read_text(path);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The project's folder.
pub(crate) fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The report of `workspace`, built once for all tests: read it, change nothing in it.
///
/// Each test may run in a process of its own, so the reports lie on disk. Their folder is named
/// after the program and the workspace's content: another program or content makes another report.
pub(crate) fn shared_report(workspace: &Path) -> PathBuf {
    let program = std::fs::metadata(program()).expect("the program");
    let mut key = blake3::Hasher::new();
    key.update(format!("{:?} {}", program.modified().ok(), program.len()).as_bytes());
    for (path, bytes) in tree(workspace) {
        key.update(format!("{path} {} ", bytes.len()).as_bytes()).update(&bytes);
    }
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reports");
    let folder = kept.join(&key.finalize().to_hex()[..24]);
    if !folder.is_dir() {
        std::fs::create_dir_all(&kept).expect("a folder for the reports");
        let place = tempfile::tempdir_in(&kept).expect("a temporary folder");
        let mut command = evalbook(place.path());
        let ran = CommandOutput::of(command.arg("build").arg(workspace).args(["-o", "report"]));
        assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
        // Another test may have been faster; its report is as good.
        let moved = std::fs::rename(place.path(), &folder);
        assert!(moved.is_ok() || folder.is_dir(), "{moved:?}");
    }
    folder.join("report")
}

/// The workspaces in `examples/`, by name: its folders but those that hold pipelines of a forge.
pub(crate) fn examples() -> Vec<PathBuf> {
    let mut found = folders(&project().join("examples"));
    found.retain(|folder| !holds_pipelines(folder));
    assert!(!found.is_empty(), "`examples/` holds workspaces");
    found
}

/// Whether YAML files lie directly in `folder`; none do in a workspace.
fn holds_pipelines(folder: &Path) -> bool {
    children(folder).iter().any(|path| path.extension().is_some_and(|ending| ending == "yml"))
}

/// The folders directly in `folder`, by name.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = children(folder);
    found.retain(|path| path.is_dir());
    found
}

/// The last name of `path` as text.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("a path with a name");
    name.to_string_lossy().into_owned()
}

/// Everything directly in `folder`, by name.
pub(crate) fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    found.sort();
    found
}

/// Every file below `folder` by its relative path, with `/` between names.
pub(crate) fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    files(folder)
        .into_iter()
        .map(|file| {
            let bytes = std::fs::read(&file).expect("a readable file");
            (relative(&file, folder), bytes)
        })
        .collect()
}

/// Every file below `folder` by its relative path, with the hash of its content.
pub(crate) fn hashes(folder: &Path) -> BTreeMap<String, String> {
    tree(folder)
        .into_iter()
        .map(|(path, bytes)| (path, blake3::hash(&bytes).to_hex().to_string()))
        .collect()
}

/// Every file below `folder`; links are not followed.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.expect("a readable entry"))
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

/// Copies what lies in `from` into the folder `to`; links are not followed.
pub(crate) fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("a file below the folder"));
        let folder = target.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("a folder for the copy");
        std::fs::copy(&file, &target).expect("a copied file");
    }
}

fn relative(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).expect("a path below the folder");
    let names: Vec<_> = below.iter().map(OsStr::to_string_lossy).collect();
    names.join("/")
}

/// A grading document of `(text, passed, evidence)`.
pub(crate) fn grading(expectations: &[(&str, bool, &str)]) -> String {
    let expectations: Vec<Value> = expectations
        .iter()
        .map(|(text, passed, evidence)| {
            serde_json::json!({ "text": text, "passed": passed, "evidence": evidence })
        })
        .collect();
    serde_json::json!({ "expectations": expectations }).to_string()
}

/// Whether a folder that may not be written to can be written to all the same, as root can.
#[cfg(unix)]
pub(crate) fn permissions_do_not_bind() -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set_mode(folder.path(), 0o555);
    let written = std::fs::write(folder.path().join("file"), "").is_ok();
    set_mode(folder.path(), 0o755);
    written
}

/// Sets the permissions of `path`.
#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("changed permissions");
}

/// The address of a folder on disk, with `/` at its end.
pub(crate) fn address(folder: &Path) -> String {
    let folder = folder.canonicalize().expect("a folder on disk");
    let path = folder.to_str().expect("a path in UTF-8");
    assert!(!path.contains(['%', '#', '?', ' ']), "`{path}` needs no escapes in an address");
    format!("file://{path}/")
}

/// Holds two reports against each other, file by file.
pub(crate) fn assert_same(
    what: &str,
    a: &BTreeMap<String, Vec<u8>>,
    b: &BTreeMap<String, Vec<u8>>,
) {
    let names = |report: &BTreeMap<String, Vec<u8>>| report.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(a), names(b), "{what}: other files");
    // The manifest repeats every other difference, so it comes last.
    let (manifest, pages): (Vec<_>, Vec<_>) =
        a.iter().partition(|(path, _)| *path == "evalbook-manifest.json");
    for (path, bytes) in pages.into_iter().chain(manifest) {
        if let Some(difference) = first_difference(bytes, &b[path]) {
            panic!("{what}: `{path}` differs: {difference}");
        }
    }
}

/// The first line that differs, of both.
fn first_difference(a: &[u8], b: &[u8]) -> Option<String> {
    if a == b {
        return None;
    }
    let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
    let short = |line: Option<&str>| line.map(|line| line.chars().take(300).collect::<String>());
    let mut lines = (a.lines(), b.lines());
    loop {
        match (lines.0.next(), lines.1.next()) {
            (None, None) => return Some("in their line ends".to_owned()),
            (one, other) if one == other => {}
            (one, other) => return Some(format!("{:?} and {:?}", short(one), short(other))),
        }
    }
}
