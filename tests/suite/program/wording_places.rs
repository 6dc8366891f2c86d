//! The places of `wording`: workspaces and commands made to bring certain sentences out.

use super::wording::Place;
use crate::support::Workspace;

/// Too little to tell anything from, and what else bears on a verdict: a name, and runs.
pub(super) const LITTLE: &[(&str, &str)] = &[
    ("one case", "iteration-1/a/with_skill ++++\n iteration-1/a/without_skill ----"),
    ("one configuration", "iteration-1/a/with_skill +-"),
    ("names of no role", "iteration-1/a/x +-\n iteration-1/a/y ++"),
    ("an ungraded baseline", "iteration-1/a/x +\n iteration-1/a/baseline ?"),
    (
        "cases of unlike size",
        "iteration-1/a,b,c,d/with_skill ++
         iteration-1/a,b,c,d/without_skill --
         iteration-1/g/with_skill ++------------------
         iteration-1/g/without_skill ++++++++++++++++++++",
    ),
    ("all alike", "iteration-1/a,b,c/with_skill,without_skill ++"),
    ("nothing graded", "iteration-1/a/with_skill,old_skill ??"),
    ("other cases", "iteration-1/a/with_skill ++\n iteration-1/b/without_skill --"),
    (
        "two candidates",
        "iteration-1/a,b,c,d,e,f/without_skill +---
             iteration-1/a,b,c,d,e,f/variant-a +++-
             iteration-1/a,b,c,d,e,f/variant-b +---",
    ),
    (
        "runs and cases left out",
        "iteration-1/a,b,c,d/without_skill ++--
             iteration-1/a,b/with_skill/run-1 ++--
             iteration-1/c,d/with_skill/run-1 ????
             iteration-1/a/with_skill/run-2 ?",
    ),
    (
        "many candidates",
        "iteration-1/a,b/without_skill +-
             iteration-1/a,b/un_read ?
             iteration-1/a,b/variant-a,variant-b,variant-c,variant-d,variant-e,variant-f ++",
    ),
    (
        "other statements",
        "iteration-1/a/with_skill one:++\n iteration-2/a/with_skill two:++
             iteration-2/b/with_skill ++",
    ),
    (
        "few cases alike",
        "iteration-1/a,b,c,d,e/with_skill ++++\n iteration-1/a,b,c,d,e/without_skill +++-",
    ),
    (
        "some single runs",
        "iteration-1/a,b/with_skill,without_skill/run-1 ++
             iteration-1/a/with_skill,without_skill/run-2 +-",
    ),
    (
        "runs that broke off",
        "iteration-1/a,b/with_skill/run-1 ++ 60
             iteration-1/a,b/with_skill/run-2 ? 2
             iteration-1/a,b/without_skill/run-1 +- 60",
    ),
    (
        "a dear case",
        "iteration-1/a,b,c,d,e,f/with_skill + 60 1000
             iteration-1/g/with_skill + 60 900000
             iteration-1/a,b,c,d,e,f,g/without_skill - 60 1000",
    ),
    (
        "one case with costs",
        "iteration-1/a/with_skill + 60 3000
             iteration-1/a/without_skill - 60 1000
             iteration-1/b,c,d,e/with_skill/run-1 +
             iteration-1/b/with_skill/run-2 +
             iteration-1/b,c,d,e/without_skill -",
    ),
    (
        "two runs far apart",
        "iteration-1/a,b,c,d,e,f,g/with_skill/run-1 + 60 1000
             iteration-1/a,c,d,e,f,g/with_skill/run-2 + 60 1000
             iteration-1/b/with_skill/run-2 + 60 9000
             iteration-1/a,b,c,d,e,f,g/without_skill - 60 1000",
    ),
    (
        "three near cases",
        "iteration-1/a,b,c/with_skill +++++
             iteration-1/a,c/without_skill ++++-\n iteration-1/b/without_skill +++--",
    ),
    (
        "still failing",
        "iteration-1/a/with_skill +-\n iteration-1/a/without_skill --
             iteration-2/a/with_skill --\n iteration-2/a/without_skill +-",
    ),
    (
        "failing in part",
        "iteration-1,iteration-2/a/with_skill/run-1 +-\n iteration-1,iteration-2/a/with_skill/run-2 --",
    ),
    (
        "cases on one side",
        "iteration-1/a,b,c/with_skill ++\n iteration-1/a,b,d/without_skill +-
             iteration-2/a,b,e/with_skill +-\n iteration-2/a,b,c/without_skill --",
    ),
    (
        "a flaky side",
        "iteration-1/a/without_skill +
             iteration-1/a/with_skill/run-1 +\n iteration-1/a/with_skill/run-2,run-3 -",
    ),
    (
        "seven iterations",
        "iteration-1,iteration-2/a,b,c/with_skill +--- 10 1000
             iteration-3,iteration-4/a,b,c/with_skill ++-- 20 2000
             iteration-5,iteration-6/a,b,c/with_skill +++- 20 2000
             iteration-7/a,b,c/with_skill ++++ 30 3000",
    ),
];

/// A comparison of two iterations, to be followed by rules.
pub(super) const COMPARE: &str = "compare ../workspace/iteration-1 ../workspace/iteration-2";

/// Every rule that compares.
pub(super) const RULES: &str = "--fail-on regression-strict,worse,settled-worse";

/// Six cases that lost a check.
pub(super) const WORSE: &str = "iteration-1/a,b,c,d,e,f/with_skill +++- 10 1000
    iteration-2/a,b,c,d,e,f/with_skill ++-- 12 1200";

/// Rules that fail or cannot be checked: a name, runs, and flags of a build or a comparison.
pub(super) const GATES: &[(&str, &str, &[&str])] = &[
    (
        "six losses",
        WORSE,
        &[
            COMPARE,
            "compare RULES --min-pass-rate 75.1% --max-time-increase 19.9% --max-token-increase 199",
            "compare --format markdown --fail-on regression-strict",
            "build --gate",
        ],
    ),
    (
        "six gains",
        "iteration-1/a,b,c,d,e,f/with_skill ++-- 12 1200
         iteration-2/a,b,c,d,e,f/with_skill +++- 10 1000",
        &["compare RULES --min-pass-rate 75% --max-time-increase 20% --max-token-increase 20%"],
    ),
    (
        "lost verdicts",
        "iteration-1/a,b/with_skill ++--\n iteration-2/a,b/with_skill ?+--",
        &["build RULES"],
    ),
    (
        "lost verdicts of a baseline",
        "iteration-1/a,b/without_skill ++\n iteration-1/a/with_skill +?
         iteration-1/b/with_skill ++",
        &["build RULES"],
    ),
    (
        "a lost case",
        "iteration-1/a,b/with_skill ++--\n iteration-2/a/with_skill +++-
         iteration-2/b/with_skill ????",
        &["build RULES"],
    ),
    (
        "a lost case of a baseline",
        "iteration-1/a,b/without_skill ++\n iteration-1/a/with_skill ??
         iteration-1/b/with_skill ++",
        &["build RULES"],
    ),
    (
        "no case in common",
        "iteration-1/a,b/with_skill ++\n iteration-2/c,d/with_skill ++ 10 1000",
        &["compare --fail-on regression-strict --max-time-increase 20%"],
    ),
    (
        "no costs",
        "iteration-1,iteration-2/a,b/with_skill ++",
        &["compare --max-time-increase 20% --max-token-increase 5"],
    ),
    (
        "one case fell",
        "iteration-1/a/with_skill ++++\n iteration-2/a/with_skill ----",
        &["build RULES"],
    ),
    (
        "four cases leaning",
        "iteration-1/a,b,c,d/with_skill ++++\n iteration-2/a,b,c/with_skill +++-
         iteration-2/d/with_skill ++--",
        &["build RULES"],
    ),
    (
        "a run that broke off",
        "iteration-1,iteration-2/a,b/with_skill/run-1 +++-\n iteration-2/a/with_skill/run-2 ?",
        &["compare --min-pass-rate 75%"],
    ),
    (
        "a newer iteration without verdicts",
        "iteration-1,iteration-2/a,b/with_skill,without_skill ++
         iteration-3/a,b/with_skill,without_skill ??",
        &["build RULES"],
    ),
    (
        "a newer iteration of the baseline",
        "iteration-1/a,b/with_skill,without_skill ++\n iteration-2/a,b/without_skill ++",
        &["build RULES"],
    ),
    (
        "an unread candidate",
        "iteration-1/a,b,c,d,e,f/without_skill +---\n iteration-1/a,b,c,d,e,f/with_skill_v2 +++-
         iteration-1/a,b,c,d,e,f/with_skill ????",
        &["build ../workspace -o r --fail-on worse"],
    ),
    (
        "other candidates",
        "iteration-1/a,b,c,d,e,f/arm_a +++-\n iteration-1/a,b,c,d,e,f/arm_b ++++
         iteration-2/a,b,c,d,e,f/arm_a +++-\n iteration-2/a,b,c,d,e,f/arm_b +---",
        &["compare --fail-on worse"],
    ),
];

/// Rules that the workspace itself holds: known issues and a least gain.
pub(super) fn gates_of_files() -> Vec<Place> {
    let known = |case: &str| {
        format!(
            "[gate]\nfail_on = 'regression-strict'\n[[known_issues]]\ncase = '{case}'\n\
             expectation = 'check 2'\nreason = 'late'\nexpires = 2026-12-31\n"
        )
    };
    let improved = |gate: &str| {
        Workspace::new()
            .runs(
                "iteration-1/a,b,c,d,e,f/old_skill +--- 10 1000
             iteration-1/a,b,c,d,e,f/with_skill ++++ 40 6000",
            )
            .file("evalbook.toml", gate)
    };
    let worse = |path: &str, text: &str| Workspace::new().runs(WORSE).file(path, text);
    let today = "build --gate --as-of 2026-06-01";
    vec![
        Place::new("known losses", worse("evalbook.toml", &known("*")))
            .with(today)
            .with("build --gate --as-of 2027-01-01")
            .with("compare --as-of 2026-06-01"),
        Place::new("an idle known loss", worse("evalbook.toml", &known("z"))).with(today),
        Place::new("a gain", improved("[gate]\nmin_gain = 75\nmax_time_increase = 30\n"))
            .with(today),
        Place::new("too small a gain", improved("gate.min_gain = 80\n")).with(today),
        Place::new("gates of another program", worse("regression_gates.json", "{}")).with(COMPARE),
    ]
}

/// Files by path with their content.
pub(super) type Files = &'static [(&'static str, &'static str)];

/// Files beside runs, by the name of the place: recorded, judged, commented and counted otherwise.
pub(super) const BESIDE: &[(&str, &str, Files)] = &[
    ("a benchmark alone", "", &[("benchmark.json", LISTED)]),
    (
        "a benchmark beside runs",
        "iteration-1/a/with_skill +-\n iteration-1/a/without_skill --",
        &[("iteration-1/benchmark.json", LISTED)],
    ),
    (
        "another model and grader",
        "",
        &[
            ("iteration-1/a/with_skill/grading.json", BY_ANN),
            ("iteration-2/a/with_skill/grading.json", BY_BOB),
            ("iteration-1/a/with_skill/timing.json", r#"{"model": "opus"}"#),
            ("iteration-2/a/with_skill/timing.json", r#"{"model": "haiku"}"#),
        ],
    ),
    (
        "two graders",
        "",
        &[
            ("iteration-1/a/with_skill/run-1/grading.json", BY_ANN),
            ("iteration-1/a/with_skill/run-1/grading-bob.json", BY_BOB),
        ],
    ),
    (
        "blind comparisons",
        "iteration-1/a/with_skill +-",
        &[
            ("iteration-1/a/comparison-1.json", AGAINST),
            ("iteration-1/a/comparison-2.json", SWAPPED),
            ("iteration-1/a/comparison-3.json", r#"{"winner": "tie"}"#),
            ("iteration-1/a/comparison-4.json", r#"{"winner": "B", "reasoning": "clear"}"#),
        ],
    ),
    (
        "comments",
        "iteration-1/a/with_skill/run-1,run-2 -\n iteration-2/a/with_skill/run-1 +",
        &[(
            "iteration-1/feedback.json",
            r#"{"reviews": [{"run_id": "a-with_skill-run-1", "feedback": "No sum."},
                {"run_id": "elsewhere", "feedback": "Lost."},
                {"run_id": "a-with_skill-run-2", "feedback": ""}], "status": "in_progress"}"#,
        )],
    ),
    (
        "scores outside their scale",
        "",
        &[(
            "iteration-1/a/with_skill/run-1/grading.json",
            r#"{"results": [{"criterion": "x", "score": 9, "reasoning": "so it seems"},
                {"criterion": "y", "score": 4, "passed": true, "reasoning": "whole"}]}"#,
        )],
    ),
    (
        "dollars of some",
        "iteration-1/a,b,c/with_skill/run-1,run-2 +\n iteration-1/a,b,c/without_skill/run-1 -",
        &[
            ("iteration-1/a/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/a/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
            ("iteration-1/b/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/b/with_skill/run-2/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/b/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
        ],
    ),
    (
        "dollars of none",
        "iteration-1/a/with_skill/run-1,run-2 +\n iteration-1/a/without_skill/run-1 -",
        &[
            ("iteration-1/a/with_skill/run-1/timing.json", r#"{"cost_usd": 9}"#),
            ("iteration-1/a/without_skill/run-1/timing.json", r#"{"cost_usd": 3}"#),
        ],
    ),
    (
        "prices and outputs kept back",
        "iteration-1/a/with_skill +",
        &[
            ("evalbook.toml", "outputs = 'none'\n[prices.m]\ninput = 3\noutput = 15\n"),
            ("iteration-1/a/with_skill/outputs/a.md", "text"),
            (
                "iteration-1/a/with_skill/timing.json",
                r#"{"model": "m", "input_tokens": 100000, "output_tokens": 20000}"#,
            ),
        ],
    ),
];

/// A benchmark that lists two runs.
pub(super) const LISTED: &str = r#"{"runs": [
    {"eval_id": 1, "configuration": "with_skill",
     "expectations": [{"text": "a", "passed": true, "evidence": "seen"}],
     "result": {"passed": 1, "total": 1, "time_seconds": 70.1, "tokens": 27690}},
    {"eval_id": 1, "configuration": "without_skill",
     "expectations": [{"text": "a", "passed": false, "evidence": "seen"}]}]}"#;

pub(super) const BY_ANN: &str = r#"{"grader": "ann", "expectations": [{"text": "x", "passed": true},
    {"text": "y", "passed": true}, {"text": "z", "passed": false}]}"#;

pub(super) const BY_BOB: &str = r#"{"grader": "bob", "expectations": [{"text": "x", "passed": true},
    {"text": "y", "passed": false}, {"text": "z", "passed": false}]}"#;

pub(super) const AGAINST: &str = r#"{"eval_id": "a", "winner": "A", "reasoning": "clear",
    "mapping": {"A": "v2", "B": "v1"}, "scores": {"order": {"A": 3, "B": 5}},
    "expectation_results": {"A": {"passed": 1, "total": 2}}}"#;

pub(super) const SWAPPED: &str = r#"{"eval_id": "a", "winner": "A", "reasoning": "clear",
    "mapping": {"A": "v1", "B": "v2"}, "scores": {"order": {"A": 4, "B": 4}}}"#;

/// What is done in a home folder: commands; `> path text` writes a file, `- path` removes one, and
/// `~ path old new` changes one.
pub(super) const FAILURES: &str = "
check ws --leave-out a/***
build ws --lang de
build ws --theme nowhere
> theme/language/de.json {}
build ws --theme theme
> theme/language/en.json {
- theme/language/de.json
build ws --theme theme
> theme/pages/case.html x
- theme/language/en.json
build ws --theme theme
theme --eject made-theme
theme --eject made-theme
build ws --order with_skill,gama --label xyz=A
> ws/evalbook.toml titel='x'
check ws
- ws/evalbook.toml
settings ws --title T
brief ws --most 100
compare ws ws --gate
compare ws nowhere
build ws --into site --name a
build ws --into site --name b --keep 1
> site/docs/index.html mine
build ws --into site --name b
> site/b/notes.txt mine
build ws --into site --name b
build ws --into site --name c --keep 1
build ws -o site
build ws --into site --name=
build ws --into site --name latest
> site/index.html mine
build ws --into site --name c
- site/index.html
> site/evalbook-site.json {
build ws --into site --name c
- site/evalbook-site.json
build ws --into site --name c
build ws -o report
build ws --into report
build ws --format markdown --for pull-request --changes-only
~ report/report.json \"schema_version\":1 \"schema_version\":9
compare report/report.json ws
build ws --part -o part
merge ws -o one
build --merge ws -o one --expect 2
build --merge ws ws -o one
build --merge
snapshot pdf made
snapshot pdf pdf
snapshot mine made
> made/history.json {
snapshot pdf made
> pdf/evals/evals.json {\"evals\":[\"p\",null,5,{\"prompt\":\"b\",\"expectations\":[{\"foo\":1},null]}]}
init pdf -o next --dry-run
init pdf -o next
init pdf -o next --configurations ../x
init pdf -o next --configurations a,A
init pdf -o next --configurations run-1
init pdf -o next --configurations con
init pdf -o next --runs 0
init pdf -o next --evals pdf/evals
> pdf/evals/evals.json {\"evals\":[{\"id\":1,\"prompt\":\"a\"},{\"id\":1,\"prompt\":\"b\"}]}
init pdf -o next
> pdf/evals/evals.json {\"evals\":[]}
init pdf -o next
benchmark ws
serve nowhere
serve ws --port x
> odd/evals/grading.json {\"fixtures\":{\"plan\":{\"expected_verdict\":\"APPROVE\"}}}
check odd
> odd/evals/grading.json [{\"run\":\"A/with_skill\",\"has_unverified\":true}]
check odd
";
