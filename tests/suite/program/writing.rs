//! What commands write replaces only what evalbook wrote. `EVALBOOK_TREES=1000` does as many random
//! trees as asked; what is chosen comes from a fixed seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::kill::{Random, asked};
use crate::support;
use crate::support::{Workspace, hashes, name_of, read_text};

/// Random trees unless more are asked for.
const TREES: usize = 48;

pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, content).expect("a written file");
}

/// Names in `folder` that only commands at work use.
pub(super) fn leftovers(folder: &Path) -> Vec<String> {
    let names = support::children(folder).into_iter().map(|path| name_of(&path));
    names.filter(|name| name.starts_with(".evalbook") || name.starts_with(".tmp")).collect()
}

/// Refused with the code `code`, with all of `words` in the message, and nothing changed below.
fn assert_refused(place: &Workspace, args: &[&str], code: i32, words: &[&str]) {
    let root = place.elsewhere();
    let root = root.parent().expect("the place");
    let before = hashes(root);
    let ran = place.run(args);
    assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
    for word in words {
        assert!(ran.stderr.contains(word), "{args:?}: no `{word}` in {ran:?}");
    }
    assert_eq!(hashes(root), before, "{args:?}");
    assert_eq!(leftovers(&place.elsewhere()), Vec::<String>::new(), "{args:?}");
}

const BUILD: [&str; 4] = ["build", "../workspace", "-o", "report"];

#[test]
fn what_somebody_put_into_a_report_or_changed_there_keeps_it_from_being_replaced() {
    for path in [".git/HEAD", "notes.md", "index.html", "assets/mine.css", "feedback.json"] {
        let place = Workspace::good();
        let report = place.build();
        write(&report.join(path), "mine");
        assert_refused(&place, &BUILD, 3, &["`report`", path.split('/').next().unwrap(), "--into"]);
    }
    let place = Workspace::good();
    let empty = place.build().join("my-drafts");
    std::fs::create_dir(&empty).unwrap();
    assert_refused(&place, &BUILD, 3, &["my-drafts"]);
    assert!(empty.is_dir());
}

#[test]
fn a_folder_of_others_and_a_manifest_that_says_nothing_are_no_report() {
    for manifest in ["none", "", "{}", "{\"files\":", "{\"files\":{}}", "[]", "\0"] {
        let place = Workspace::good();
        write(&place.elsewhere().join("docs/guide.md"), "mine");
        if manifest != "none" {
            write(&place.elsewhere().join("docs/evalbook-manifest.json"), manifest);
        }
        assert_refused(&place, &["build", "../workspace", "-o", "docs"], 3, &["`docs`"]);
        assert_refused(&place, &["build", "../workspace", "--into", ".", "--name", "docs"], 3, &[]);
    }
}

#[test]
fn what_systems_drop_and_what_is_missing_is_no_reason_to_refuse() {
    let place = Workspace::good();
    let whole = hashes(&place.build());
    let report = place.elsewhere().join("report");
    for litter in [".DS_Store", "assets/Thumbs.db", "desktop.ini"] {
        write(&report.join(litter), "x");
    }
    std::fs::remove_file(report.join("index.html")).unwrap();
    assert_eq!(hashes(&place.build()), whole);
    std::fs::remove_dir_all(&report).unwrap();
    write(&report.join(".DS_Store"), "x");
    assert_eq!(hashes(&place.build()), whole);
}

#[test]
fn a_folder_that_holds_the_input_is_not_replaced() {
    let place = Workspace::good();
    let out = place.elsewhere().join("out");
    support::copy(&place.path(), &out.join("ws"));
    write(&out.join("evalbook-manifest.json"), "{\"files\":{}}");
    for args in [
        &["build", "out/ws", "-o", "out"][..],
        &["build", "out/ws", "-o", "out/ws"],
        &["build", "--merge", "out/ws", "../workspace", "-o", "./out/"],
        &["build", "../workspace", "--theme", "out", "-o", "out"],
        &["build", "out/ws", "--into", ".", "--name", "out"],
    ] {
        assert_refused(&place, args, 2, &["out"]);
    }
    std::fs::rename(&out, place.elsewhere().join("report")).unwrap();
    assert_refused(&place, &["build", "report/ws"], 2, &["report"]);
    // Nothing of it is read before.
    let evil = place.elsewhere().join("report/ws/evalbook.toml");
    std::fs::write(evil, "no = settings\n").unwrap();
    assert_refused(&place, &["build", "report/ws"], 2, &["one of the workspaces"]);
}

#[test]
fn no_workspace_becomes_a_site() {
    let place = Workspace::good();
    let args = ["build", "../workspace", "--into", "../workspace"];
    assert_refused(&place, &args, 2, &["one of the workspaces"]);
}

#[test]
fn a_report_in_the_workspace_replaces_no_input() {
    let place = Workspace::good();
    let inside = ["build", "../workspace", "-o", "../workspace/report"];
    for _ in 0..2 {
        place.run(inside).assert_code(0);
    }
    let run = "../workspace/iteration-1/good-case";
    assert_refused(&place, &["build", "../workspace", "-o", run], 3, &["good-case"]);
    let text = ["build", "../workspace", "--format", "markdown", "--for", "pull-request", "-o"];
    let comment = [&text[..], &["../workspace/comment.md"]].concat();
    for _ in 0..2 {
        assert_eq!(place.run(&comment).code, Some(0), "a comment of ours is replaced");
    }
    let files = support::files(&place.path().join("iteration-1"));
    let grading = files.iter().find(|file| name_of(file) == "grading.json").expect("a grading");
    let over = [&text[..], &[grading.to_str().unwrap()]].concat();
    assert_refused(&place, &over, 2, &["grading.json"]);
    let report = "../workspace/report/report.json";
    let compare = ["compare", report, "../workspace", "-o", report];
    assert_refused(&place, &compare, 2, &["report.json"]);
}

#[test]
#[cfg(unix)]
fn a_report_goes_to_where_a_link_leads() {
    let place = Workspace::good();
    let whole = hashes(&place.build());
    let here = place.elsewhere();
    std::fs::create_dir_all(here.join("disk/empty")).unwrap();
    std::os::unix::fs::symlink("disk/empty", here.join("link")).unwrap();
    for _ in 0..2 {
        place.run(["build", "../workspace", "-o", "link"]).assert_code(0);
        assert!(here.join("link").is_symlink());
        assert_eq!(hashes(&here.join("disk/empty")), whole);
        assert_eq!(support::children(&here.join("disk")).len(), 1);
    }
    write(&here.join("disk/empty/mine"), "mine");
    assert_refused(&place, &["build", "../workspace", "-o", "link"], 3, &["link/mine"]);
    std::os::unix::fs::symlink("nowhere", here.join("dangling")).unwrap();
    assert_refused(&place, &["build", "../workspace", "-o", "dangling"], 3, &["`dangling`"]);
    // A text, too.
    let real = here.join("real.md");
    write(&real, "");
    std::os::unix::fs::symlink("real.md", here.join("link.md")).unwrap();
    let text = ["build", "../workspace", "--format", "markdown", "--for", "pull-request", "-o"];
    place.run([&text[..], &["link.md"]].concat()).assert_code(0);
    assert!(here.join("link.md").is_symlink() && real.metadata().unwrap().len() > 0);
    place.run([&text[..], &["/dev/null"]].concat()).assert_code(0);
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
}

/// A folder at which something is mounted until this is dropped.
#[cfg(target_os = "linux")]
struct Mounted(PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    /// `None` where this is not permitted.
    fn new(folder: &Path, args: &[&str]) -> Option<Self> {
        std::fs::create_dir_all(folder).expect("a folder");
        let mut command = std::process::Command::new("mount");
        let done = command.args(args).arg(folder).stderr(Stdio::null()).status();
        match done.is_ok_and(|status| status.success()) {
            true => Some(Self(folder.to_path_buf())),
            false => {
                println!("skipped: nothing can be mounted here");
                None
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_mount_point_is_filled() {
    let place = Workspace::good();
    let whole = hashes(&place.build());
    let bound = place.elsewhere().join("bound");
    std::fs::create_dir(&bound).unwrap();
    let kinds = [&["-t", "tmpfs", "tmpfs"][..], &["--bind", bound.to_str().unwrap()]];
    for (number, args) in kinds.into_iter().enumerate() {
        let name = format!("mount-{number}");
        let Some(mounted) = Mounted::new(&place.elsewhere().join(&name), args) else { return };
        let build = ["build", "../workspace", "-o", &name];
        place.run(build).assert_code(0);
        assert_eq!(hashes(&mounted.0), whole);
        // A file of another report goes, and so does what a killed build left.
        place.run(["build", "../workspace", "-o", &name, "--export", "junit"]).assert_code(0);
        assert_ne!(hashes(&mounted.0), whole);
        write(&mounted.0.join(".evalbook-new-aB3xY9/report/index.html"), "x");
        write(&mounted.0.join(".evalbook-new-aB3xY9/lock"), "evalbook\n");
        place.run(build).assert_code(0);
        assert_eq!(hashes(&mounted.0), whole);
        let folders = support::folders(&mounted.0);
        assert!(folders.iter().all(|it| !support::children(it).is_empty()), "{folders:?}");
        write(&mounted.0.join("mine"), "mine");
        assert_refused(&place, &build, 3, &["mine"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_names_the_file_as_the_user_would() {
    let place =
        Workspace::good().file("iteration-1/good-case/with_skill/run-1/outputs/a.bin", [7; 90_000]);
    let Some(_mounted) =
        Mounted::new(&place.elsewhere().join("small"), &["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
    else {
        return;
    };
    for args in [
        &["build", "../workspace", "-o", "small"][..],
        &["build", "../workspace", "-o", "small/report"],
        &["build", "../workspace", "--into", "small/site", "--name", "a"],
        &["theme", "--eject", "small/theme"],
        &["man", "-o", "small/man"],
        &["benchmark", "../workspace", "-o", "small/figures"],
        &["build", "../workspace", "--into", "small/site", "--name", "a"],
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, Some(3), "{args:?}: {ran:?}");
        let line = ran.stderr.lines().next().unwrap_or_default();
        assert!(line.contains("cannot write `small"), "{line}");
        assert!(line.contains("the disk is full") && !line.contains(".evalbook-"), "{line}");
    }
}

#[test]
fn figures_that_others_wrote_or_changed_are_not_overwritten() {
    let benchmark = ["benchmark", "../workspace/iteration-1"];
    let place = Workspace::good();
    let page = place.path().join("iteration-1/benchmark.md");
    write(&page, "my own words on this round\n");
    assert_refused(&place, &benchmark, 3, &["benchmark.md"]);
    std::fs::remove_file(&page).unwrap();
    place.run(benchmark).assert_code(0);
    let ours = read_text(&page);
    for foreign in ["my own words\n", &format!("{ours}my own words\n"), &ours.replace('#', "##")] {
        std::fs::write(&page, foreign).unwrap();
        assert_refused(&place, &benchmark, 3, &["benchmark.md", "--force"]);
    }
    place.run(benchmark.iter().chain(&["--force"])).assert_code(0);
    assert_eq!(read_text(&page), ours);
    place.run(benchmark).assert_code(0);
}

#[test]
#[cfg(unix)]
fn a_report_named_like_a_scheme_is_linked_as_a_folder() {
    let place = Workspace::good();
    let into = |name: &str| place.run(["build", "../workspace", "--into", "site", "--name", name]);
    assert_eq!(into("a").code, Some(0));
    let root = place.elsewhere().join("site");
    for name in ["http:", "javascript:x", "a b?c#d%41"] {
        support::copy(&root.join("a"), &root.join(name));
    }
    assert_eq!(into("a").code, Some(0));
    let page = read_text(root.join("index.html"));
    let tags = support::html::tags(&page);
    let links: Vec<&str> = tags.iter().filter_map(|tag| tag.get("href")).collect();
    for start in ["./http:/", "./javascript:x/", "a%20b%3Fc%23d%2541/"] {
        assert!(links.contains(&format!("{start}index.html").as_str()), "{start}: {links:?}");
    }
    let is_scheme = |link: &&&str| link.starts_with("http:") || link.starts_with("javascript:");
    assert_eq!(links.iter().find(is_scheme), None);
}

/// A tree of folders, some of them reports or sites, and files of others in it.
struct Tree {
    place: Workspace,
    /// Every folder below `elsewhere`, relative to it.
    folders: Vec<String>,
    /// What others wrote.
    foreign: BTreeMap<PathBuf, Vec<u8>>,
}

const FOLDERS: &str = "report docs .git latest assets iteration-1 v0 outputs a .evalbook";

const FILES: &str = "index.html evalbook-manifest.json evalbook-site.json notes.txt HEAD benchmark.json \
    benchmark.md history.json base.html report.css summary.json CNAME grading.json";

const CONTENTS: [&str; 6] = [
    "mine",
    "{}",
    "{\"generator\":\"evalbook\",\"schema_version\":1,\"files\":{}}",
    "{\"evalbook\":{}}",
    "{\"reports\":[],\"files\":{}",
    "<!-- evalbook 0123456789abcdef -->\n",
];

impl Tree {
    fn new(random: &mut Random, made: &Path) -> Self {
        let place = Workspace::good().file("SKILL.md", "# a skill\n");
        let evals =
            r#"{"skill_name": "s", "evals": [{"id": 1, "prompt": "p", "expectations": ["x"]}]}"#;
        write(&place.path().join("evals/evals.json"), evals);
        let mut folders = vec![".".to_owned()];
        for _ in 0..3 + random.below(5) {
            let folder = format!(
                "{}/{}",
                random.of(&folders),
                random.of(&FOLDERS.split(' ').collect::<Vec<_>>())
            );
            // Some are reports or sites as evalbook wrote them.
            match random.below(4) {
                0 => support::copy(&made.join("report"), &place.elsewhere().join(&folder)),
                1 => support::copy(&made.join("site"), &place.elsewhere().join(&folder)),
                _ => std::fs::create_dir_all(place.elsewhere().join(&folder)).expect("a folder"),
            }
            folders.push(folder);
        }
        let mut foreign = BTreeMap::new();
        for _ in 0..random.below(7) {
            let folder = place.elsewhere().join(random.of(&folders));
            let file = folder.join(random.of(&FILES.split(' ').collect::<Vec<_>>()));
            let content = *random.of(&CONTENTS);
            // Nobody can tell a file of ours from a copy of its bytes.
            if !file.is_dir() && std::fs::read(&file).ok().as_deref() != Some(content.as_bytes()) {
                write(&file, content);
                foreign.insert(file, content.as_bytes().to_vec());
            }
        }
        Self { place, folders, foreign }
    }
}

#[test]
fn a_file_of_others_survives_every_command_that_writes() {
    let made = Workspace::good();
    made.build();
    for name in ["a", "report"] {
        made.run(["build", "../workspace", "--into", "site", "--name", name]).assert_code(0);
    }
    let made = made.elsewhere();
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let mut codes: BTreeMap<Option<i32>, usize> = BTreeMap::new();
    for number in 0..asked("EVALBOOK_TREES", TREES) {
        let Tree { place, folders, foreign } = Tree::new(&mut random, &made);
        let target = random.of(&folders).clone();
        let name = *random.of(&FOLDERS.split(' ').collect::<Vec<_>>());
        let args: Vec<&str> = match random.below(10) {
            0 | 1 => vec!["build", "../workspace", "-o", &target],
            2 => vec!["build", "../workspace", "--into", &target, "--name", name],
            3 => vec!["build", "../workspace", "--into", &target],
            4 => vec!["build", "--merge", "../workspace", "-o", &target],
            5 => vec!["benchmark", "../workspace", "-o", &target],
            6 => vec!["theme", "--eject", &target],
            7 => vec!["init", "../workspace", "-o", &target],
            8 => vec!["snapshot", "../workspace", &target],
            _ => vec!["build", &target, "-o", &target],
        };
        let ran = place.run(&args);
        *codes.entry(ran.code).or_default() += 1;
        for (file, content) in &foreign {
            // `snapshot` adds its line to a history, whoever began it.
            let is_history = args[0] == "snapshot" && name_of(file) == "history.json";
            let now = std::fs::read(file).ok();
            assert!(
                is_history || now.as_ref() == Some(content),
                "tree {number}: {args:?} changed {}: {ran:?}",
                file.display()
            );
        }
        for folder in &folders {
            if let Ok(folder) = place.elsewhere().join(folder).canonicalize() {
                assert_eq!(leftovers(&folder).iter().find(|it| *it != ".evalbook"), None);
            }
        }
    }
    println!("exit codes: {codes:?}");
    assert!(codes.get(&Some(0)) > Some(&0) && codes.get(&Some(3)) > Some(&0), "{codes:?}");
}
