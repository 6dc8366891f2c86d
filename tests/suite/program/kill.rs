//! `kill -9` at random moments: `feedback.json` and `history.json` are always whole, and nothing is
//! lost of what was acknowledged. `EVALBOOK_KILLS=100` does as many as asked; moments come from a
//! fixed seed.

#![allow(clippy::disallowed_methods, reason = "tests prepare folders and look at what was written")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::support;
use crate::support::served::Served;
use crate::support::{Workspace, evalbook, grading};
use serde_json::{Value, json};

/// Kills of each command unless more are asked for.
const KILLS: usize = 12;

/// Runs that are commented on.
const CASES: usize = 8;

fn kills() -> usize {
    std::env::var("EVALBOOK_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS)
}

/// Moments from a seed; xorshift is random enough to choose them.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
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
    let mut moments = Moments(0x9E37_79B9_7F4A_7C15);
    let (mut saved, mut acknowledged) = (BTreeMap::new(), 0);
    for kill in 0..kills() {
        let mut served = Served::start(&place.path(), &[]);
        let wait = Duration::from_micros(moments.next(150_000));
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
    let mut moments = Moments(0x2545_F491_4F6C_DD1D);
    let start = || {
        let mut command = evalbook(&place.elsewhere());
        command.args(["snapshot", "../workspace", "made"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let (mut recorded, mut ended, mut whole) = (0, 0, Duration::ZERO);
    for kill in 0..kills() {
        // How long one takes depends on the machine, and on the copies that are there already.
        if kill % 10 == 0 {
            let clock = std::time::Instant::now();
            assert!(start().wait().expect("an end").success());
            whole = clock.elapsed();
            recorded += 1;
        }
        let mut child = start();
        let most = u64::try_from(whole.as_micros()).expect("a short time") * 5 / 4;
        std::thread::sleep(Duration::from_micros(moments.next(most.max(1))));
        let _ = child.kill();
        let is_done = child.wait().expect("an end").success();
        ended += usize::from(is_done);
        let now = document(&history).map_or(0, |it| it["versions"].as_array().map_or(0, Vec::len));
        // A version that the one before left is recorded as well.
        assert!(now >= recorded + usize::from(is_done) && now <= recorded + 2, "{recorded}, {now}");
        recorded = now;
        whole_copies(&place);
    }
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
