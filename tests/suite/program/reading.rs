//! What is read is what lies in the workspace, and what is shown was looked through: against real
//! links, FIFOs, odd names, and writers and swaps at the same time. `EVALBOOK_SWAPS=200` does as
//! many builds under swaps as asked.

#![cfg(unix)]
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::support;
use crate::support::waiting::{TIMEOUT, wait_until};
use crate::support::{CommandOutput, Workspace, evalbook, grading};

/// Builds under swaps unless more are asked for.
const SWAPS: usize = 20;

/// Builds while files grow.
const GROWING: usize = 8;

/// What lies outside of the workspace.
const OUTSIDE: &str = "words of a file outside";

const RUN: &str = "iteration-1/good-case/with_skill/run-1";

/// Runs the program beside the workspace; what hangs is ended.
fn run(place: &Workspace, args: &[&str]) -> CommandOutput {
    let output = |name: &str| place.elsewhere().join(name);
    let open = |name: &str| fs::File::create(output(name)).expect("a file for what is printed");
    let mut command = evalbook(&place.elsewhere());
    command.args(args).stdout(open("stdout")).stderr(open("stderr"));
    let mut child = command.spawn().expect("the program starts");
    let mut code = None;
    let has_ended = wait_until(|| {
        code = child.try_wait().expect("a process");
        code.is_some()
    });
    if !has_ended {
        child.kill().expect("ended");
        panic!("{args:?} hangs for {TIMEOUT:?}");
    }
    let text = |name: &str| fs::read_to_string(output(name)).expect("what was printed");
    CommandOutput {
        code: code.and_then(|it| it.code()),
        stdout: text("stdout"),
        stderr: text("stderr"),
    }
}

fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(made.success(), "{}", path.display());
}

/// Puts a file there, whatever was there before.
fn put(path: &Path, content: &str) {
    let _ = fs::remove_file(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, content).expect("a written file");
}

/// The files of the folder that hold `part`.
fn with_part(folder: &Path, part: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(part.len()).any(|it| it == part.as_bytes());
    let found = support::tree(folder).into_iter().filter(|(_, bytes)| holds(bytes));
    found.map(|(path, _)| path).collect()
}

/// A workspace beside a folder `outside`.
fn beside_outside() -> (Workspace, PathBuf) {
    let place = Workspace::good();
    let outside = place.elsewhere().join("outside");
    put(&outside.join("a.txt"), OUTSIDE);
    put(&outside.join("grading.json"), &grading(&[(OUTSIDE, true, OUTSIDE)]));
    (place, outside)
}

/// A file with an odd name is not the file whose name is spelled as the odd one is shown.
#[test]
fn a_name_spelled_as_another_is_shown_is_no_way_out() {
    let (place, outside) = beside_outside();
    let outputs = place.path().join(RUN).join("outputs");
    let odd = |name: &[u8]| outputs.join(OsStr::from_bytes(name));
    put(&odd(b"p\xff.txt"), "words of the odd file");
    symlink(outside.join("a.txt"), outputs.join("p\\xFF.txt")).expect("a link");
    put(&odd(b"d\xff/a.txt"), "words in the odd folder");
    symlink(&outside, outputs.join("d\\xFF")).expect("a link");
    put(&odd(b"q\xff.txt"), "words of the first");
    put(&outputs.join("q\\xFF.txt"), "words of the second");
    run(&place, &["build", "../workspace", "-o", "report"]).assert_code(0);
    let report = place.elsewhere().join("report");
    assert_eq!(with_part(&report, OUTSIDE), [""; 0]);
    let words = ["of the odd file", "in the odd folder", "of the first", "of the second"];
    for words in words {
        let words = format!("words {words}");
        assert!(!with_part(&report, &words).is_empty(), "{words}");
    }
}

#[test]
fn what_stands_in_the_place_of_settings_is_an_error_and_never_waited_for() {
    type Make = fn(&Path);
    let make: [(&str, Make); 5] = [
        ("a FIFO", fifo),
        ("a link out", |path| symlink("/etc/passwd", path).expect("a link")),
        ("a link inside", |path| symlink("iteration-1/a.toml", path).expect("a link")),
        ("a folder", |path| fs::create_dir(path).expect("a folder")),
        ("too large", |path| put(path, &format!("#{}", "x".repeat(1024 * 1024)))),
    ];
    for (what, make) in make {
        let place = Workspace::good().file("iteration-1/a.toml", "title = \"a\"\n");
        make(&place.path().join("evalbook.toml"));
        for args in [&["build", "../workspace", "-o", "report"][..], &["check", "../workspace"]] {
            let ran = run(&place, args);
            assert_eq!(ran.code, Some(3), "{what}: {ran:?}");
            assert!(ran.stderr.contains("cannot read `evalbook.toml`: it "), "{what}: {ran:?}");
        }
        assert!(!place.elsewhere().join("report").exists(), "{what}");
    }
}

#[test]
fn settings_without_permission_are_an_error() {
    if support::permissions_do_not_bind() {
        eprintln!("skipped: permissions do not bind this user");
        return;
    }
    let place = Workspace::good().file("evalbook.toml", "title = \"a\"\n");
    support::set_mode(&place.path().join("evalbook.toml"), 0o000);
    let ran = run(&place, &["check", "../workspace"]).assert_code(3);
    assert!(ran.stderr.contains("`evalbook.toml`: permission denied"), "{ran:?}");
}

#[test]
fn settings_beside_a_report_are_read_likewise() {
    let place = Workspace::good();
    let report = place.build();
    fifo(&report.join("evalbook.toml"));
    let ran = run(&place, &["compare", "report/report.json", "report/report.json"]).assert_code(3);
    assert!(
        ran.stderr.contains("cannot read `evalbook.toml`: it is not a regular file"),
        "{ran:?}"
    );
}

#[test]
fn a_report_that_the_user_names_may_be_a_link() {
    let place = Workspace::good();
    place.build();
    symlink("report/report.json", place.elsewhere().join("main.json")).expect("a link");
    run(&place, &["compare", "main.json", "../workspace"]).assert_code(0);
}

#[test]
fn a_workspace_cannot_turn_the_guard_off() {
    let place = Workspace::good().file("evalbook.toml", "title = \"a\"\nredact = false\n");
    for flags in [&[][..], &["--no-redact"]] {
        let ran = run(&place, &[&["build", "../workspace", "-o", "report"], flags].concat())
            .assert_code(2);
        assert!(ran.stderr.contains("evalbook.toml:2:1: "), "{ran:?}");
        assert!(ran.stderr.contains("--no-redact"), "{ran:?}");
    }
}

#[test]
fn every_command_says_when_the_guard_is_off() {
    let place = Workspace::good();
    let report = place.build();
    let report = report.to_str().expect("a path");
    let commands: [&[&str]; 7] = [
        &["build", "../workspace", "-o", "report"],
        &["build", "../workspace", "--format", "markdown", "--for", "pull-request"],
        &["check", "../workspace"],
        &["check", "../workspace", "--format", "json"],
        &["brief", "../workspace"],
        &["benchmark", "../workspace", "-o", "benchmark.json"],
        &["compare", report, "../workspace"],
    ];
    for args in commands {
        let args = match args[0] {
            "compare" => vec!["compare", "report/report.json", "../workspace"],
            _ => args.to_vec(),
        };
        for (flags, wanted) in [(&[][..], false), (&["--no-redact"], true)] {
            let ran = run(&place, &[&args[..], flags].concat());
            assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
            let says = ran.stderr.contains("--no-redact") || ran.stdout.contains("--no-redact");
            assert_eq!(says, wanted, "{args:?} {flags:?}: {ran:?}");
        }
    }
}

/// FIFOs and links in the place of files that commands read by their names.
#[test]
fn nothing_that_is_read_by_name_is_waited_for_or_followed() {
    let (place, outside) = beside_outside();
    let elsewhere = place.elsewhere();
    let skill = elsewhere.join("skill");
    put(&skill.join("SKILL.md"), "---\nname: s\ndescription: d\n---\n");
    fs::create_dir_all(skill.join("evals")).expect("a folder");
    fs::create_dir_all(elsewhere.join("made")).expect("a folder");
    fs::create_dir_all(elsewhere.join("other")).expect("a folder");
    fifo(&elsewhere.join("other/evalbook-manifest.json"));
    run(&place, &["build", "../workspace", "-o", "other"]).assert_code(3);
    for name in ["one", "two"] {
        run(&place, &["build", "../workspace", "--into", "site", "--name", name]).assert_code(0);
    }
    let table: [(&str, &[&str], i32); 6] = [
        ("made/history.json", &["snapshot", "skill", "made"], 3),
        ("skill/evals/evals.json", &["init", "skill", "-o", "fresh"], 3),
        ("site/one/summary.json", &["build", "../workspace", "--into", "site", "--name", "two"], 0),
        ("site/evalbook-site.json", &["build", "../workspace", "--into", "site", "--name", "x"], 3),
        ("../workspace/iteration-1/benchmark.json", &["benchmark", "../workspace"], 3),
        ("../workspace/iteration-1/feedback.json", &["check", "../workspace"], 0),
    ];
    for (path, args, code) in table {
        let path = elsewhere.join(path);
        for what in ["a FIFO", "a link"] {
            let _ = fs::remove_file(&path);
            match what {
                "a FIFO" => fifo(&path),
                _ => symlink(outside.join("grading.json"), &path).expect("a link"),
            }
            let ran = run(&place, args);
            assert_eq!(ran.code, Some(code), "{what} at {}: {ran:?}", path.display());
            assert!(!ran.stdout.contains(OUTSIDE), "{what} at {}: {ran:?}", path.display());
        }
        fs::remove_file(&path).expect("removed");
    }
    for made in ["site", "fresh", "made"] {
        let made = elsewhere.join(made);
        let leaked = if made.exists() { with_part(&made, OUTSIDE) } else { Vec::new() };
        assert_eq!(leaked, [""; 0], "{}", made.display());
    }
}

/// Does `meanwhile` again and again while builds go on, which must end with 0 or 1.
fn builds_while(
    place: &Workspace,
    builds: usize,
    meanwhile: &(dyn Fn() + Sync),
    look: &dyn Fn(&Path),
) {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                meanwhile();
            }
        });
        let built = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for _ in 0..builds {
                let ran = run(place, &["build", "../workspace", "-o", "report"]);
                assert!(matches!(ran.code, Some(0 | 1)), "{ran:?}");
                look(&place.elsewhere().join("report"));
            }
        }));
        is_over.store(true, Ordering::Relaxed);
        built.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

/// Files and a folder of a workspace that become links, FIFOs and files again.
struct Swaps {
    files: Vec<(PathBuf, String)>,
    folder: PathBuf,
    outside: PathBuf,
    /// A FIFO, and where names are made that then take the place of others.
    stage: PathBuf,
    count: AtomicUsize,
}

impl Swaps {
    fn of(place: &Workspace, outside: PathBuf) -> Self {
        let stage = place.elsewhere().join("stage");
        fs::create_dir(&stage).expect("a folder");
        fifo(&stage.join("fifo"));
        let run = place.path().join(RUN);
        let mut files: Vec<(PathBuf, String)> = (0..6)
            .map(|at| (run.join(format!("outputs/{at}.txt")), format!("words of output {at}")))
            .collect();
        let verdicts = grading(&[("a", true, "words of the grader")]);
        files.push((run.join("grading.json"), verdicts));
        files.iter().for_each(|(path, content)| put(path, content));
        let folder = run.join("outputs/sub");
        put(&folder.join("a.txt"), "words in the folder");
        Self { files, folder, outside, stage, count: AtomicUsize::new(0) }
    }

    /// One more swap: each file in turn becomes a link, a file, a FIFO, a file.
    fn next(&self) {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let (path, content) = &self.files[count % self.files.len()];
        let fresh = self.stage.join("fresh");
        match count / self.files.len() % 4 {
            0 => symlink(self.outside.join("a.txt"), &fresh).expect("a link"),
            2 => fs::hard_link(self.stage.join("fifo"), &fresh).expect("a FIFO"),
            _ => fs::write(&fresh, content).expect("a file"),
        }
        fs::rename(&fresh, path).expect("swapped");
        if count.is_multiple_of(5) {
            let aside = self.stage.join("aside");
            fs::rename(&self.folder, &aside).expect("put aside");
            symlink(&self.outside, &self.folder).expect("a link");
            std::thread::sleep(Duration::from_micros(500));
            fs::remove_file(&self.folder).expect("removed");
            fs::rename(&aside, &self.folder).expect("put back");
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn swaps_for_links_and_fifos_leak_nothing_and_hang_nothing() {
    let builds = std::env::var("EVALBOOK_SWAPS").ok().and_then(|text| text.parse().ok());
    let builds = builds.unwrap_or(SWAPS);
    let (place, outside) = beside_outside();
    let swaps = Swaps::of(&place, outside);
    builds_while(&place, builds, &|| swaps.next(), &|report| {
        assert_eq!(with_part(report, OUTSIDE), [""; 0]);
    });
    let swaps = swaps.count.load(Ordering::Relaxed);
    assert!(swaps > builds, "{swaps}");
    println!("{builds} builds, {swaps} swaps: nothing leaked, nothing hung");
}

/// A shape of secret that no other file holds as a whole.
fn secret(at: usize) -> String {
    let letters = b"k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeXoKqM";
    let drawn: String = (0..36).map(|it| letters[(at + it * 7) % letters.len()] as char).collect();
    format!("ghp_{drawn}")
}

#[test]
fn a_secret_that_is_appended_meanwhile_is_not_published() {
    let place = Workspace::good();
    let run = place.path().join(RUN);
    let large = "words of the workspace\n".repeat(5_000);
    let files = [
        ("outputs/a.txt", "a\n"),
        ("outputs/large.txt", &large),
        ("outputs/p.png", "\u{89}PNG\r\n\0\0"),
        ("transcript.md", "# a\n"),
    ];
    let files = files.map(|(path, content)| {
        put(&run.join(path), content);
        (run.join(path), content.len() as u64)
    });
    let count = AtomicUsize::new(0);
    let append = || {
        let at = count.fetch_add(1, Ordering::Relaxed);
        for (path, length) in &files {
            let mut file = fs::File::options().append(true).open(path).expect("a file");
            // Every now and then all secrets are gone again, as when a file is begun anew.
            if at.is_multiple_of(97) {
                file.set_len(*length).expect("cut");
            }
            writeln!(file, "{}key {}", "x".repeat(at % 13), secret(at)).expect("appended");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    builds_while(&place, GROWING, &append, &|report| {
        for at in 0..40 {
            assert_eq!(with_part(report, &secret(at)), [""; 0]);
        }
    });
    assert!(count.load(Ordering::Relaxed) > GROWING);
}
