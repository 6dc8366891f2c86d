//! One text for a pull request: never larger than its budget, whatever the data holds, and nothing
//! of the data acts in it.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use crate::support::{Workspace, examples, grading};
use evalbook::analyze;
use evalbook::files::Memory;
use evalbook::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace as Model};
use evalbook::render::Part;
use evalbook::render::language::Language;
use evalbook::render::pull_request::{self, MARKER, Target, Wanted};
use evalbook::settings::Settings;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// Where the report is published; a link to anything else came from the data.
const URL: &str = "https://me.example/report/";

/// Everything that would act on a forge.
const HOSTILE: &str = "x](https://evil.example) ![i](https://evil.example/i.png) <img src=x> \
     @octocat org/repo#3 #12 GH-4 https://evil.example www.evil.example a@b.example |a| `c` \
     ```` $x$ $$y$$ [ ] [^1] ~~s~~ <!-- --> --> </details></summary> **b** <https://evil.example>";

/// What begins a line and would be a block there.
const LINES: &str = "\n```\n# heading\n- [x] task\n1. item\n> quote\n===\n---\n    code\n[^1]: note\n\
     [r]: https://evil.example\n<details>\n|a|b|\n|-|-|\n";

fn run(number: u32, verdicts: &[(String, bool, Option<String>)]) -> Run {
    let expectation = |(text, passed, evidence): &(String, bool, Option<String>)| Expectation {
        text: text.clone(),
        outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
        evidence: evidence.clone(),
        ..Expectation::default()
    };
    let expectations = verdicts.iter().map(expectation).collect();
    Run {
        configuration: format!("with_skill {HOSTILE}"),
        number,
        gradings: vec![Grading { expectations, ..Grading::default() }],
        ..Run::default()
    }
}

/// Two iterations of `cases` cases with `runs` runs each; every one of the `statements` of a case
/// passes in the first and fails in the second, with an evidence of so many bytes in the first run.
fn regressed(cases: usize, runs: u32, statements: usize, evidence: usize) -> Model {
    let said = format!("{HOSTILE}{LINES}");
    let said = said.repeat(evidence / said.len() + 1);
    let iteration = |passed: bool| {
        let of_run = |number: u32| {
            let verdict = |at: usize| {
                let evidence = (!passed && number == 1).then(|| said[..evidence].to_owned());
                (format!("statement {at} {HOSTILE}{LINES}"), passed, evidence)
            };
            run(number, &(0..statements).map(verdict).collect::<Vec<_>>())
        };
        let case = |at: usize| Case {
            name: format!("case {at} {HOSTILE}"),
            runs: (1..=runs).map(of_run).collect(),
            ..Case::default()
        };
        Iteration {
            name: format!("iteration {} {HOSTILE}", if passed { 1 } else { 2 }),
            configurations: vec![format!("with_skill {HOSTILE}")],
            cases: (0..cases).map(case).collect(),
            ..Iteration::default()
        }
    };
    Model {
        name: format!("workspace {HOSTILE}"),
        skill: Some(format!("skill {HOSTILE}{LINES}")),
        iterations: vec![iteration(true), iteration(false)],
        ..Model::default()
    }
}

/// The texts of `workspace` for budgets of so many bytes.
fn texts(workspace: &Model, budgets: &[usize], target: Target) -> Vec<String> {
    let settings = Settings::default();
    let analysis = analyze::analysis(workspace, &settings);
    let source = Memory::new::<&str, &str>([]);
    let parts =
        [Part { workspace, analysis: &analysis, source: &source, prefix: "", settings: &settings }];
    let text = |budget: &usize| {
        let wanted = Wanted { target, budget: *budget, url: Some(URL), gates: &[] };
        pull_request::markdown(&parts, wanted, &Language::default())
    };
    budgets.iter().map(text).collect()
}

/// What in `text` acts and is not ours, as a forge would render it.
fn active(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let ours = ["<details>", "</details>", "<summary>Details</summary>", "<span>", "</span>"];
    let is_ours = |html: &str| {
        ours.contains(&html) || html.starts_with(MARKER) && html.matches("-->").count() == 1
    };
    let (mut found, mut seen) = (Vec::new(), String::new());
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Text(part) => seen.push_str(&part),
            Event::SoftBreak | Event::End(_) => seen.push('\n'),
            Event::Html(html) | Event::InlineHtml(html) if is_ours(html.trim()) => {}
            Event::Start(Tag::Link { dest_url, .. }) if dest_url.starts_with(URL) => {}
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Strong) => {}
            Event::Start(Tag::List(None) | Tag::Item | Tag::BlockQuote(None)) => {}
            Event::Start(Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell) => {}
            Event::Start(Tag::HtmlBlock) => {}
            Event::Code(code) if &*code == "evalbook build" => {}
            other => found.push(format!("{other:?}")),
        }
    }
    found.extend(references(&seen));
    found
}

/// What a forge makes links of in plain text.
fn references(seen: &str) -> Vec<String> {
    let acts = |at: usize| {
        let rest = &seen[at..];
        let next = rest.chars().nth(1).is_some_and(char::is_alphanumeric);
        let lower = rest.get(..4).map(str::to_ascii_lowercase);
        (rest.starts_with(['@', '#']) && next)
            || rest.starts_with("://")
            || lower.as_deref() == Some("www.")
            || lower.is_some_and(|it| it.starts_with("gh-") && it.ends_with(char::is_numeric))
    };
    let places = seen.char_indices().map(|(at, _)| at).filter(|at| acts(*at));
    places.map(|at| format!("a reference: {:.20}", &seen[at..])).collect()
}

/// Headings with counts, rows of cases, listed expectations, quoted lines.
fn rungs(text: &str) -> [usize; 4] {
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    [lines("Since "), lines("| [case"), lines("- [case"), lines("  > ")]
}

#[test]
fn two_thousand_losses_with_long_evidence_fit_every_budget() {
    let workspace = regressed(500, 5, 4, 100_000);
    let budgets = [60_000, 20_000, 8_000, 4_000, 2_500, 1_000, 100, 0];
    let texts = texts(&workspace, &budgets, Target::PullRequest);
    let found: Vec<[usize; 4]> = texts.iter().map(|text| rungs(text)).collect();
    for (text, budget) in texts.iter().zip(budgets) {
        assert!(text.len() <= budget, "{} of {budget}", text.len());
        assert_eq!(active(text), [""; 0], "{budget}");
        if budget < 1_000 {
            continue;
        }
        assert!(text.starts_with(MARKER) && text.contains("**Worse"), "{budget}: {text}");
        assert!(text.contains("Left out for lack of room"), "{budget}: {text}");
        assert!(text.contains(&format!("[Full report]({URL})")), "{budget}: {text}");
    }
    // Evidence goes first, then expectations, cases, counts; what is above never stays alone.
    for rungs in &found {
        let is_there: Vec<bool> = rungs.iter().map(|number| *number > 0).collect();
        assert!(is_there.windows(2).all(|two| two[0] || !two[1]), "{rungs:?}");
    }
    assert!(found[0].iter().all(|number| *number > 0), "{found:?}");
    assert!(texts[0].len() > 50_000, "the room is used: {}", texts[0].len());
    assert!(found.contains(&[0, 0, 0, 0]), "the verdict alone: {found:?}");
}

#[test]
fn a_step_summary_has_more_room() {
    let workspace = regressed(500, 1, 4, 10_000);
    let budget = Target::StepSummary.budget();
    assert_eq!(budget, 1_000 * 1024);
    let text = &texts(&workspace, &[budget], Target::StepSummary)[0];
    assert!(text.len() <= budget && text.len() > 500_000, "{}", text.len());
    assert_eq!(active(text), [""; 0]);
}

#[test]
fn names_of_any_length_leave_a_verdict() {
    let mut workspace = regressed(2, 1, 1, 10);
    let long = "ü".repeat(200_000);
    workspace.skill = Some(long.clone());
    for iteration in &mut workspace.iterations {
        iteration.name.push_str(&long);
        iteration.configurations = vec![long.clone()];
        for case in &mut iteration.cases {
            case.name.push_str(&long);
            case.runs.iter_mut().for_each(|run| run.configuration.clone_from(&long));
        }
    }
    let text = &texts(&workspace, &[60_000], Target::PullRequest)[0];
    assert!(text.len() <= 60_000 && text.contains("2 expectations regressed"), "{text:.2000}");
    assert!(text.contains("  > "), "{text:.2000}");
}

#[test]
fn every_example_fits_and_says_the_verdict_first() {
    for example in examples() {
        let workspace = Workspace::new().with(&example);
        let args = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
        let ran = workspace.run(args.into_iter().chain(["--url", URL]));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        assert_eq!(active(&ran.stdout), [""; 0]);
        let third = ran.stdout.lines().nth(3).expect("a verdict");
        assert!(third.starts_with("**") && third.ends_with("**"), "{third}");
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
    assert!(ran.stderr.contains("nothing changed"), "{}", ran.stderr);
    let ran = workspace.run(PULL_REQUEST.into_iter().chain(["--changes-only", "-o", "c.md"]));
    assert_eq!(ran.code, Some(0));
    assert_eq!(std::fs::read(workspace.elsewhere().join("c.md")).expect("a file"), b"");
    let ran = workspace.run(PULL_REQUEST);
    assert!(ran.stdout.contains("0 regressed, 0 fixed"), "{}", ran.stdout);
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
    let ran = quiet(&dearer, &["--max-token-increase", "20%"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("- **FAIL** max-token-increase"), "{}", ran.stdout);
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
        let ran = place.run(["build", "../workspace"].iter().chain(&wanted));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/x.txt", "x");
    let said = text(ungraded);
    assert!(
        said.contains("No run of a candidate has a verdict yet.") && !said.contains("is newer"),
        "{said}"
    );
    let said = text(two(true, true).file("iteration-3/a/with_skill/outputs/x.txt", "x"));
    assert!(said.contains("iteration-3 is newer and has no verdict on a candidate yet."), "{said}");
}

#[test]
fn a_loss_stands_with_its_evidence_and_the_gate() {
    let workspace = two(true, false);
    let args = PULL_REQUEST.into_iter().chain(["--changes-only", "--fail-on", "regression"]);
    let ran = workspace.run(args);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let text = ran.stdout;
    assert!(text.starts_with("<!-- evalbook:workspace -->\n## workspace\n\n**"), "{text}");
    assert!(text.contains("- **FAIL** fail-on regression"), "{text}");
    assert!(
        text.contains("- sum: The sum is right (1/1 → 0/1)\n\n  > row 7 says 4711\n"),
        "{text}"
    );
}

#[test]
fn a_loss_leads_to_its_expectation_in_the_published_report() {
    const SITE: &str = "https://me.example/report/";
    let workspace = two(true, false);
    let text = workspace.run(PULL_REQUEST.into_iter().chain(["--url", SITE])).stdout;
    let (_, link) = text.split_once("- [sum](").expect("a loss with a link");
    let (link, _) = link.split_once(')').expect("an end");
    let (page, anchor) = link.strip_prefix(SITE).and_then(|it| it.split_once('#')).expect(link);
    let page = std::fs::read_to_string(workspace.build().join(page)).expect("the page is there");
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
