//! Too little to tell anything from: a dash or a sentence with the reason, never a 0 that stands for
//! nothing, never a crash, never a sentence that sounds sure.

use crate::support::{Workspace, html, read_text, words};
use serde_json::{Value, json};

struct Report {
    data: Value,
    /// Every text of the overview.
    shown: String,
    /// The whole in Markdown.
    markdown: String,
}

/// The report of these runs, as in [`Workspace::runs`].
fn report(runs: &str) -> Report {
    Report::new(&Workspace::new().runs(runs))
}
impl Report {
    fn new(workspace: &Workspace) -> Self {
        let folder = workspace.build();
        let read = |name: &str| read_text(folder.join(name));
        let data = serde_json::from_str(&read("report.json")).expect("JSON");
        let shown = html::accessible_texts(&read("index.html")).join("\n");
        Self { data, shown, markdown: read("report.md") }
    }

    /// The first configuration of the first iteration.
    fn configuration(&self) -> &Value {
        &self.data["workspaces"][0]["iterations"][0]["configurations"][0]
    }

    /// The changes of the newest iteration.
    fn changes(&self) -> Vec<Value> {
        let iterations = self.data["workspaces"][0]["iterations"].as_array().expect("a list");
        let changes = &iterations.last().expect("an iteration")["changes"];
        changes.as_array().expect("a list").clone()
    }

    /// That the overview says the text at `key`, and that nothing on it is a settled verdict.
    fn says(&self, key: &str, values: &[(&str, &str)]) {
        assert!(words::says(&self.shown, key, values), "{key} {values:?}: {}", self.shown);
        let is_settled =
            |change: &Value| change["verdict"] == "better" || change["verdict"] == "worse";
        assert!(!self.changes().iter().any(is_settled), "{:?}", self.changes());
        assert!(!self.shown.contains("NaN") && !self.shown.contains("inf "), "{}", self.shown);
    }
}

/// So many names of candidates.
fn variants(number: usize) -> String {
    (0..number).map(|at| format!("variant-{at:02}")).collect::<Vec<_>>().join(",")
}

#[test]
fn a_hundred_configurations_have_one_baseline() {
    let report = report(&format!("iteration-1/x,y/baseline,{} +-", variants(99)));
    assert_eq!(report.changes().len(), 99);
    assert!(report.changes().iter().all(|change| change["verdict"] == "about the same"));
    report.says("headline.no_difference", &[]);
}

#[test]
fn one_of_many_candidates_is_not_settled_by_what_chance_finds_among_them() {
    let of = |candidates: usize| {
        let (cases, all) = ("iteration-1/a,b,c,d,e,f", variants(candidates));
        report(&format!("{cases}/baseline,{all} +---\n {cases}/variant-00 +++-"))
    };
    for (candidates, verdict, adjusted) in [(1, "better", 0.03125), (20, "probably better", 0.625)]
    {
        let change = of(candidates).changes().swap_remove(0);
        assert_eq!(change["verdict"], verdict);
        assert_eq!(change["gain"]["p"], 0.03125);
        assert_eq!(change["gain"]["adjusted_p"], adjusted);
    }
    let two = of(2);
    two.says("verdict.probably_better", &[]);
    two.says("verdict.rivals", &[("n", "2")]);
    assert_eq!(two.changes()[0]["gain"]["at_once"], json!(2));
}

#[test]
fn a_verdict_from_single_runs_says_so_wherever_it_stands() {
    let place = Workspace::new()
        .runs("iteration-1/a,b/with_skill/run-1 ++\n iteration-1/a,b/without_skill/run-1 --");
    let single = Report::new(&place);
    single.says("verdict.single", &[]);
    let one = words::raw("verdict.single");
    assert!(single.markdown.contains(one), "{}", single.markdown);
    place.run(["benchmark", "../workspace/iteration-1"]);
    let benchmark = place.path().join("iteration-1/benchmark.md");
    let benchmark = read_text(benchmark);
    let cases = [("cases", &*words::count(2, "case"))];
    assert!(words::says(&benchmark, "overview.one_run_each", &cases), "{benchmark}");
    let twice = place.runs("iteration-1/a/with_skill,without_skill/run-2 +");
    let some = [("n", "1"), ("cases", &words::count(2, "case"))];
    Report::new(&twice).says("verdict.some_single", &some);
}

#[test]
fn few_cases_have_one_range_on_every_page() {
    let place = Workspace::new().runs(
        "iteration-1/a,c/with_skill ++++\n iteration-1/b,d/with_skill +++-
         iteration-1/a,c/without_skill ++--\n iteration-1/b,d/without_skill +---",
    );
    let report = Report::new(&place);
    let level = &report.configuration()["level"];
    let percent = |end: &str| format!("{:.0} %", level[end].as_f64().expect("a rate") * 100.0);
    let range = [("low", &*percent("low")), ("high", &*percent("high"))];
    let range = words::text("configurations.range_of", &range);
    let history = place.elsewhere().join("report/history.html");
    let history = read_text(history);
    let history = html::accessible_texts(&history).join("\n");
    assert!(history.contains(&range), "{range}: {history}");
}

#[test]
fn what_would_settle_an_open_comparison_is_named() {
    let some = report(
        "iteration-1/a,b,c/with_skill +++--
         iteration-1/a,c/without_skill +----\n iteration-1/b/without_skill ++---",
    );
    let more = ["verdict.more_runs", "verdict.more_cases"];
    let is_named = |key: &&str| words::says(&some.shown, key, &[]);
    assert!(more.iter().any(is_named), "{}", some.shown);
    // Two cases that moved a little, both ways: nobody would add a hundred others.
    let open = report(
        "iteration-1/a/with_skill +++++\n iteration-1/a,b/without_skill ++++-
         iteration-1/b/with_skill +++--",
    );
    open.says("verdict.stays_open", &[]);
}

#[test]
fn rates_and_their_difference_are_each_rounded_once() {
    // 94.6 and 97.4 % are 2.8 points apart, and need not add up as they are read.
    let [ours, theirs] = [13, 27].map(|failed| "-".repeat(failed) + &"+".repeat(500 - failed));
    let report =
        report(&format!("iteration-1/a/with_skill {ours}\n iteration-1/a/without_skill {theirs}"));
    let [rate, baseline_rate] =
        [("97 %", "487/500"), ("95 %", "473/500")].map(|(percent, counts)| {
            words::text("rate.whole", &[("percent", percent), ("counts", counts)])
        });
    report.says("overview.sentence", &[("rate", &rate), ("baseline_rate", &baseline_rate)]);
    assert!(report.shown.contains("+3 "), "{}", report.shown);
    assert!(!report.shown.contains("+2.8"), "{}", report.shown);
}
