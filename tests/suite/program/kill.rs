//! `kill -9` at random moments: reports, `feedback.json` and `history.json` are always whole, nothing is
//! lost of what was acknowledged, and the next command removes what was left. `EVALBOOK_KILLS=100` does as many as asked; moments come from a
//! fixed seed.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::writing::{leftovers, write};
use crate::support;
use crate::support::served::Served;
use crate::support::{Workspace, evalbook, grading, hashes, name_of, read_text, site};
use serde_json::{Value, json};

/// Kills of each command unless more are asked for.
const KILLS: usize = 8;

/// Runs that are commented on.
const CASES: usize = 8;

/// How many are asked for.
pub(super) fn asked(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Numbers from a seed; xorshift is random enough to choose.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("a small number")
    }

    pub(super) fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn kills() -> usize {
    asked("EVALBOOK_KILLS", KILLS)
}

fn document(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("half-written: {error}: {text}")),
    )
}

fn feedback(place: &Workspace) -> BTreeMap<String, String> {
    let document = document(&place.path().join("iteration-1/feedback.json"));
    let document = document.unwrap_or_else(|| json!({ "reviews": [] }));
    let reviews = document["reviews"].as_array().expect("a list").iter();
    let text = |review: &Value, key: &str| review[key].as_str().expect("a text").to_owned();
    reviews.map(|review| (text(review, "run_id"), text(review, "feedback"))).collect()
}

#[test]
fn a_server_that_is_killed_loses_nothing_that_it_called_saved() {
    let place = (0..CASES).fold(Workspace::new(), |place, at| {
        let path = format!("iteration-1/case-{at}/with_skill/run-1/grading.json");
        place.file(&path, grading(&[("it works", true, "seen")]))
    });
    let mut moments = Random(0x9E37_79B9_7F4A_7C15);
    let (mut saved, mut acknowledged) = (BTreeMap::new(), 0);
    for kill in 0..kills() {
        let mut served = Served::start(&place.path(), &[]);
        let wait = Duration::from_micros(moments.below(150_000) as u64);
        let (printed, killed) = said_until_killed(&mut served, wait, &saved, kill);
        acknowledged += printed.len();
        saved.extend(printed);
        let found = feedback(&place);
        for (run, words) in &saved {
            let later = killed.as_ref().filter(|(other, _)| other == run).map(|(_, words)| words);
            let now = found.get(run);
            assert!(now == Some(words) || (now.is_some() && now == later), "{run}: {now:?}");
        }
        saved = found;
    }
    assert!(acknowledged > 0, "something was saved");
    println!("{} kills of serve: {acknowledged} comments acknowledged, all there", kills());
}

type Comment = (String, String);

/// Hands in comments until the server is killed after `wait`: those acknowledged, and the one that
/// was on its way.
fn said_until_killed(
    served: &mut Served,
    wait: Duration,
    saved: &BTreeMap<String, String>,
    kill: usize,
) -> (Vec<Comment>, Option<Comment>) {
    let id = served.child().id();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(wait);
        let killed = std::process::Command::new("kill").args(["-9", &id.to_string()]).status();
        assert!(killed.is_ok_and(|status| status.success()), "our own child");
    });
    let mut now = saved.clone();
    let (mut printed, mut on_its_way) = (Vec::new(), None);
    for number in 0.. {
        let at = number % CASES;
        let run = format!("case-{at}-with_skill-run-1");
        let before = now.get(&run).cloned().unwrap_or_default();
        let words = format!("kill {kill}, comment {number} {}", "long ".repeat(200));
        let page = format!("iterations/iteration-1/case-{at}/with_skill-1.html");
        let answer = served.try_say(&page, &before, &words);
        if !answer.is_some_and(|answer| answer.status == 200 && answer.body.contains("true")) {
            on_its_way = Some((run, words));
            break;
        }
        now.insert(run.clone(), words.clone());
        printed.push((run, words));
    }
    killer.join().expect("it was killed");
    let _ = served.child().wait();
    (printed, on_its_way)
}

#[test]
fn a_snapshot_that_is_killed_leaves_a_whole_history() {
    let place = Workspace::new().file("SKILL.md", "# a skill\n");
    let place = (0..40).fold(place, |place, at| place.file(&format!("files/{at}.md"), "text"));
    let history = place.elsewhere().join("made/history.json");
    let mut moments = Random(0x2545_F491_4F6C_DD1D);
    let edits = std::cell::Cell::new(0);
    let start = || {
        // A skill that is unchanged gets no version.
        edits.set(edits.get() + 1);
        std::fs::write(place.path().join("SKILL.md"), format!("# skill {}\n", edits.get()))
            .expect("an edit");
        let mut command = evalbook(&place.elsewhere());
        command.args(["snapshot", "../workspace", "made"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let (mut recorded, mut ended, mut whole) = (0, 0, Duration::ZERO);
    for kill in 0..kills() {
        // How long one takes depends on the machine, and on the copies that are there already.
        if kill % 10 == 0 {
            let clock = Instant::now();
            assert!(start().wait().expect("an end").success());
            whole = clock.elapsed();
            recorded += 1;
        }
        let mut child = start();
        let most = usize::try_from(whole.as_micros()).expect("a short time") * 5 / 4;
        std::thread::sleep(Duration::from_micros(moments.below(most.max(1)) as u64));
        let _ = child.kill();
        let is_done = child.wait().expect("an end").success();
        ended += usize::from(is_done);
        let now = document(&history).map_or(0, |it| it["versions"].as_array().map_or(0, Vec::len));
        // Versions that killed ones left are recorded as well, and each start leaves at most one.
        let least = recorded + usize::from(is_done);
        assert!((least..=edits.get()).contains(&now), "{recorded}, {now}");
        recorded = now;
        whole_copies(&place);
    }
    assert!(start().wait().expect("an end").success());
    let names = support::children(history.parent().expect("a folder")).into_iter();
    let left = names.map(|path| support::name_of(&path)).find(|name| name.starts_with('.'));
    assert_eq!(left, None, "what was left is gone with the next");
    println!("{} kills of snapshot: {ended} came too late, {recorded} versions recorded", kills());
}

/// Every folder of a version holds the whole skill.
fn whole_copies(place: &Workspace) {
    let made = place.elsewhere().join("made");
    if !made.is_dir() {
        return;
    }
    let versions = support::folders(&made).into_iter();
    let named = versions.filter(|folder| support::name_of(folder).starts_with('v'));
    for folder in named {
        assert_eq!(support::files(&folder).len(), 41, "{}", folder.display());
    }
}

/// A command that is begun again and again.
struct Command<'w> {
    place: &'w Workspace,
    args: Vec<String>,
    /// How long it takes.
    whole: Duration,
}

impl<'w> Command<'w> {
    fn new(place: &'w Workspace, args: &[&str]) -> Self {
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let mut command = Self { place, args, whole: Duration::ZERO };
        let clock = Instant::now();
        assert!(command.start().wait().expect("an end").success());
        command.whole = clock.elapsed();
        command
    }

    fn start(&self) -> std::process::Child {
        let mut command = evalbook(&self.place.elsewhere());
        command.args(&self.args).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the program starts")
    }

    /// Begins it and kills it at a random moment.
    fn kill(&self, random: &mut Random) {
        let most = usize::try_from(self.whole.as_micros()).expect("a short time") * 5 / 4;
        let mut child = self.start();
        std::thread::sleep(Duration::from_micros(random.below(most) as u64));
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Two workspaces whose reports differ in pages, in folders `one` and `two` beside a third.
fn pair() -> Workspace {
    let place = Workspace::new();
    for (name, iterations) in [("one", 1), ("two", 3)] {
        for iteration in 1..=iterations {
            for case in 0..12 {
                let path = format!("{name}/iteration-{iteration}/case-{case}/with_skill");
                let folder = place.elsewhere().join(path);
                write(&folder.join("grading.json"), grading(&[("works", case > 3, "seen")]));
                write(&folder.join("outputs/answer.md"), format!("# {case}\n").repeat(2000));
            }
        }
    }
    place
}

#[test]
#[cfg(unix)]
fn a_killed_build_leaves_the_old_or_the_new_report_and_nothing_else() {
    let place = pair();
    let builds = ["one", "two"].map(|name| Command::new(&place, &["build", name, "-o", "out/r"]));
    let report = place.elsewhere().join("out/r");
    let wholes = ["one", "two"].map(|name| {
        place.run(["build", name, "-o", "out/r"]).assert_code(0);
        hashes(&report)
    });
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut left, kills) = (0, kills());
    for number in 0..kills {
        builds[number % 2].kill(&mut random);
        let found = hashes(&report);
        assert!(wholes.contains(&found), "kill {number}: neither report is whole");
        left += leftovers(&place.elsewhere().join("out")).len();
    }
    place.run(["build", "one", "-o", "out/r"]);
    assert_eq!(hashes(&report), wholes[0]);
    assert_eq!(support::children(&place.elsewhere().join("out")), [report]);
    println!("{kills} kills of `build -o`: left over after each in sum {left}, at the end none");
}

/// Addresses on the landing page of the site at which nothing is.
fn dead_links(root: &Path) -> Vec<String> {
    let page = support::html::tags(&read_text(root.join("index.html")));
    let links = page.iter().filter_map(|tag| tag.get("href"));
    let files = links.map(|link| link.split('#').next().unwrap_or_default().to_owned());
    files.filter(|link| !link.is_empty() && !root.join(link).exists()).collect()
}

#[test]
#[cfg(unix)]
fn a_killed_build_into_a_site_leaves_whole_reports_and_no_dead_link() {
    let place = pair();
    let root = place.elsewhere().join("site");
    let commands: Vec<Command<'_>> = [("one", "a"), ("two", "b"), ("two", "a"), ("one", "c")]
        .map(|(workspace, name)| {
            let args = ["build", workspace, "--into", "site", "--name", name];
            Command::new(&place, &args)
        })
        .into();
    let report = |name: &str, workspace: &str| {
        let args = ["build", workspace, "--into", "whole", "--name", name];
        place.run(args).assert_code(0);
        hashes(&place.elsewhere().join("whole").join(name))
    };
    let mut wholes = BTreeMap::new();
    for name in ["a", "b", "c"] {
        wholes.insert(name.to_owned(), ["one", "two"].map(|workspace| report(name, workspace)));
    }
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let kills = kills();
    for number in 0..kills {
        random.of(&commands).kill(&mut random);
        for folder in support::folders(&root) {
            if let Some(whole) = wholes.get(&name_of(&folder)) {
                let name = name_of(&folder);
                assert!(whole.contains(&hashes(&folder)), "kill {number}: `{name}` is not whole");
            }
        }
        assert_eq!(dead_links(&root), Vec::<String>::new(), "kill {number}");
    }
    place.run(["build", "one", "--into", "site", "--name", "c"]).assert_code(0);
    assert_eq!(leftovers(&root), Vec::<String>::new());
    site::assert_sound(&root);
    println!("{kills} kills of `build --into`: no dead link, nothing left");
}

#[test]
#[cfg(unix)]
fn what_killed_servers_left_is_gone_with_the_next() {
    let place = Workspace::good();
    let temporary = place.elsewhere().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let serve = || {
        let mut command = evalbook(&place.elsewhere());
        command.args(["serve", "../workspace"]).env("TMPDIR", &temporary);
        Served::of(command)
    };
    let folder = place.path().join("iteration-1");
    for _ in 0..3 {
        let mut served = serve();
        assert_eq!(leftovers(&temporary).len(), 1);
        // As one that was killed while it saved.
        write(&folder.join(".evalbook-next"), "half a comm");
        served.child().kill().expect("our own child");
        served.child().wait().expect("an end");
    }
    let (one, other) = (serve(), serve());
    assert_eq!(leftovers(&temporary).len(), 2, "both are at work");
    assert_eq!(leftovers(&folder), Vec::<String>::new());
    drop((one, other));
}
