//! Same input, same bytes: a report does not depend on the machine, its clock, its cores, its
//! language, or on where the workspace lies.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::support;
use crate::support::{CommandOutput, Workspace, assert_same, evalbook, examples, name_of, project};

/// Environments that must not show.
const MACHINES: [[(&str, &str); 4]; 2] = [
    [("RAYON_NUM_THREADS", "1"), ("TZ", "UTC"), ("LANG", "C"), ("LC_ALL", "C")],
    [
        ("RAYON_NUM_THREADS", "4"),
        ("TZ", "Asia/Kathmandu"),
        ("LANG", "tr_TR.UTF-8"),
        ("LC_ALL", "tr_TR.UTF-8"),
    ],
];

#[test]
fn every_example_gives_the_same_bytes_everywhere() {
    for example in examples() {
        let reports = MACHINES.map(|machine| {
            let place = tempfile::tempdir().expect("a temporary folder");
            build(&example, place.path(), &machine)
        });
        assert_same(&name_of(&example), &reports[0], &reports[1]);
    }
}

#[test]
fn a_workspace_gives_the_same_bytes_wherever_it_lies_and_however_it_is_named() {
    let workspace = Workspace::new().with(&project().join("examples/skill-creator"));
    let deep = workspace.elsewhere().join("a b/ü/workspace");
    support::copy(&workspace.path(), &deep);
    change_times(&deep);
    let at = |folder: &Path, path: &Path| report(folder, path, &workspace.elsewhere());
    let first = at(&workspace.elsewhere(), Path::new("../workspace"));
    for (folder, path) in [
        (workspace.elsewhere(), deep.as_path()),
        (workspace.elsewhere(), Path::new("a b/ü/workspace/")),
        (workspace.elsewhere().join("a b"), Path::new("./ü/../ü/workspace")),
        (deep.clone(), Path::new(".")),
    ] {
        assert_same(&path.display().to_string(), &first, &at(&folder, path));
    }
}

#[test]
fn no_file_of_a_report_holds_a_path_of_the_machine() {
    for example in examples() {
        let workspace = Workspace::new().with(&example);
        let report = report(&workspace.elsewhere(), &workspace.path(), &workspace.elsewhere());
        let project = project();
        let elsewhere = workspace.elsewhere();
        let place = elsewhere.parent().expect("a temporary folder");
        for path in [project.as_path(), place] {
            let path = path.to_string_lossy();
            let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&*path);
            let found: Vec<&String> =
                report.iter().filter(|(_, bytes)| holds(bytes)).map(|(name, _)| name).collect();
            assert!(found.is_empty(), "`{path}` in {found:?}");
        }
    }
}

#[test]
fn check_prints_the_same_everywhere() {
    for example in examples() {
        for format in ["text", "json"] {
            let printed = MACHINES.iter().map(|machine| {
                let mut command = evalbook(&project());
                command.envs(machine.iter().copied());
                let ran =
                    CommandOutput::of(command.args(["check", "--format", format]).arg(&example));
                ran.stdout
            });
            let printed: Vec<String> = printed.collect();
            assert_eq!(printed[0], printed[1], "{}", example.display());
        }
    }
}

/// The files of a report of `workspace`, built below `place` as on this machine.
fn build(workspace: &Path, place: &Path, machine: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let mut command = evalbook(place);
    command.envs(machine.iter().copied());
    CommandOutput::of(command.arg("build").arg(workspace).args(["-o", "report"])).assert_code(0);
    support::tree(&place.join("report"))
}

/// The files of a report built in `folder` of the workspace at `path`, written below `place`.
fn report(folder: &Path, path: &Path, place: &Path) -> BTreeMap<String, Vec<u8>> {
    let place = tempfile::tempdir_in(place).expect("a temporary folder");
    let target = place.path().join("report");
    CommandOutput::of(evalbook(folder).arg("build").arg(path).arg("-o").arg(&target))
        .assert_code(0);
    support::tree(&target)
}

/// Gives every file below `folder` another time, each its own.
fn change_times(folder: &Path) {
    for (index, file) in support::files(folder).iter().enumerate() {
        let file = std::fs::File::options().write(true).open(file).expect("a writable file");
        let seconds = 1_000_000_000 + 86_400 * index as u64;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        file.set_modified(time).expect("a changed time");
    }
}
