//! One text for a pull request: what it says of what changed, and what is refused.

use crate::support::{Workspace, examples, grading, read_text, words};

/// What the hidden first line begins with.
const MARKER: &str = "<!-- evalbook:";

#[test]
fn every_example_says_the_verdict_first() {
    for example in examples() {
        let workspace = Workspace::new().with(&example);
        let args = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
        let ran = workspace.run(args.into_iter().chain(["--url", "https://me.example/report/"]));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let second = ran.stdout.lines().nth(1).expect("a verdict");
        let keys =
            ["verdict.better", "verdict.probably_better", "verdict.unclear", "headline.repaired"];
        let mut texts = keys.into_iter().map(words::raw);
        // Up to its first figure.
        let word = texts.find(|text| {
            let word = text.split('{').next().unwrap_or_default();
            second.contains(&format!(": {word}"))
        });
        assert!(second.starts_with("### ") && word.is_some(), "{second}");
        assert!(!workspace.elsewhere().join("report").exists());
    }
}

/// Two iterations of one case, whose expectation passes as told.
fn two(first: bool, second: bool) -> Workspace {
    let of = |passed| grading(&[("The sum is right", passed, "row 7 says 4711")]);
    Workspace::new()
        .file("iteration-1/sum/with_skill/grading.json", of(first))
        .file("iteration-2/sum/with_skill/grading.json", of(second))
}

const PULL_REQUEST: [&str; 6] =
    ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];

#[test]
fn nothing_is_written_where_nothing_changed() {
    let workspace = two(true, true);
    let ran = workspace.run(PULL_REQUEST.into_iter().chain(["--changes-only"]));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let ran = workspace.run(PULL_REQUEST.into_iter().chain(["--changes-only", "-o", "c.md"]));
    assert_eq!(ran.code, Some(0));
    assert_eq!(std::fs::read(workspace.elsewhere().join("c.md")).expect("a file"), b"");
    let ran = workspace.run(PULL_REQUEST);
    let none = words::raw("pull_request.nothing");
    let counter = format!("0 {}", words::raw("questions.lost"));
    assert!(ran.stdout.contains(none) && ran.stdout.contains(&counter), "{}", ran.stdout);
    let one = Workspace::good().run(PULL_REQUEST.into_iter().chain(["--changes-only"]));
    assert!(one.stdout.starts_with(MARKER), "a first iteration is a change: {one:?}");
}

#[test]
fn a_gate_that_fails_and_another_verdict_are_changes() {
    let quiet = |workspace: &Workspace, more: &[&str]| {
        let flags = ["--changes-only"].iter().chain(more).copied();
        workspace.run(PULL_REQUEST.into_iter().chain(flags))
    };
    let tokens = |tokens: usize| format!("{{\"total_tokens\": {tokens}}}");
    let dearer = two(true, true)
        .file("iteration-1/sum/with_skill/timing.json", tokens(100))
        .file("iteration-2/sum/with_skill/timing.json", tokens(900));
    assert_eq!(quiet(&dearer, &[]).stdout, "");
    let ran = quiet(&dearer, &["--max-token-increase", "20%"]).assert_code(1);
    let failed = format!("- **{}** max-token-increase", words::raw("gate.failed"));
    assert!(ran.stdout.contains(&failed), "{}", ran.stdout);
    let of = |passed| grading(&[("The sum is right", passed, "row 7 says 4711")]);
    let caught_up = (0..2).fold(Workspace::new(), |place, at| {
        let case = |iteration, side| format!("iteration-{iteration}/case-{at}/{side}/grading.json");
        place
            .file(&case(1, "with_skill"), of(true))
            .file(&case(1, "without_skill"), of(false))
            .file(&case(2, "with_skill"), of(true))
            .file(&case(2, "without_skill"), of(true))
    });
    assert!(quiet(&caught_up, &[]).stdout.starts_with(MARKER));
}

#[test]
fn nothing_is_newer_than_a_verdict_that_is_not_there() {
    let text = |place: Workspace| {
        let wanted = ["--format", "markdown", "--for", "pull-request"];
        let ran = place.run(["build", "../workspace"].iter().chain(&wanted)).assert_code(0);
        ran.stdout
    };
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/x.txt", "x");
    let printed = text(ungraded);
    assert!(words::says(&printed, "state.not_graded", &[]), "{printed}");
    assert!(!words::says(&printed, "overview.newer", &[]), "{printed}");
    let printed = text(two(true, true).file("iteration-3/a/with_skill/outputs/x.txt", "x"));
    assert!(printed.lines().take(5).any(|line| line.contains("iteration-3")), "{printed}");
}

#[test]
fn a_loss_stands_with_its_evidence_and_the_gate() {
    let workspace = two(true, false);
    let args = PULL_REQUEST.into_iter().chain(["--changes-only", "--fail-on", "loss"]);
    let ran = workspace.run(args).assert_code(1);
    let text = ran.stdout;
    assert!(text.starts_with("<!-- evalbook:workspace -->\n> [!CAUTION]\n> **"), "{text}");
    let failed = format!("> - **{}** fail-on loss", words::raw("gate.failed"));
    let heading = text.find("\n### ▽ workspace: ");
    assert!(text.find(&failed).is_some_and(|at| Some(at) < heading), "{text}");
    let lost = "- **The sum is right** (sum, 1/1 → 0/1). row 7 says 4711\n";
    assert!(text.contains(lost), "{text}");
}

#[test]
fn losses_with_one_evidence_are_one_line_with_their_number() {
    let of = |passed: bool, evidence: &str| {
        grading(&[("The sum is right", passed, evidence), ("The unit is there", passed, evidence)])
    };
    let gone = "reference.md was not read";
    let mut place = Workspace::new();
    for (case, evidence) in [("sum", gone), ("tax", gone), ("tip", gone), ("toll", "row 7")] {
        let file = |at: usize| format!("iteration-{at}/{case}/with_skill/grading.json");
        place = place.file(&file(1), of(true, "fine")).file(&file(2), of(false, evidence));
    }
    let text = place.run(PULL_REQUEST).assert_code(0).stdout;
    let (open, folded) = text.split_once("<details>").expect("a fold");
    assert_eq!((open.matches(gone).count(), folded.matches(gone).count()), (1, 6), "{text}");
    assert!(open.contains(&words::count(6, "check")), "{text}");
    assert!(open.contains(&words::count(2, "reason")), "{text}");
    let base = place.run([
        "compare",
        "../workspace#iteration-1",
        "../workspace",
        "--gate",
        "--format",
        "markdown",
    ]);
    assert!(base.stdout.starts_with("> [!CAUTION]\n"), "{base:?}");
    for question in ["questions.helps", "questions.changed"] {
        assert_eq!(base.stdout.matches(words::raw(question)).count(), 1, "{question}: {base:?}");
    }
}

#[test]
fn a_loss_leads_to_its_expectation_in_the_published_report() {
    const SITE: &str = "https://me.example/report/";
    let workspace = two(true, false);
    let text = workspace.run(PULL_REQUEST.into_iter().chain(["--url", SITE])).stdout;
    let (_, link) = text.split_once("** ([sum](").expect("a loss with a link");
    let (link, _) = link.split_once(')').expect("an end");
    let (page, anchor) = link.strip_prefix(SITE).and_then(|it| it.split_once('#')).expect(link);
    let page = read_text(workspace.build().join(page));
    assert!(page.contains(&format!("id=\"{anchor}\"")), "{link}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let workspace = Workspace::good();
    let refused = [
        &["--for", "pull-request"][..],
        &["--format", "markdown"],
        &["--format", "markdown", "--for", "pull-request", "--url", "javascript:alert(1)"],
        &["--format", "markdown", "--for", "pull-request", "--url", "https://a.example/) [x](y"],
        &["--format", "markdown", "--for", "pull-request", "--open"],
        &["--changes-only"],
    ];
    for flags in refused {
        let ran = workspace.run(["build", "../workspace"].iter().chain(flags));
        assert_eq!(ran.code, Some(2), "{flags:?}: {ran:?}");
    }
}
