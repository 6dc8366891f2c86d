//! Texts for pull requests: never larger than their budget, whatever the data contains, and without
//! active content from the data.

use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::analyze;
use crate::language::Language;
use crate::render::Part;
use crate::render::pull_request::{self, COMMENT_BYTES, MARKER, SUMMARY_BYTES};
use crate::tests::{examples, load, open, words};
use input::files::Memory;
use input::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
use input::settings::Settings;

/// The address of the report; a link to anything else came from the data.
const URL: &str = "https://me.example/report/";

/// Everything that would be active on a forge.
const HOSTILE: &str = "x](https://evil.example) ![i](https://evil.example/i.png) <img src=x> \
     @octocat org/repo#3 #12 GH-4 https://evil.example www.evil.example a@b.example |a| `c` \
     ```` $x$ $$y$$ [ ] [^1] ~~s~~ <!-- --> --> </details></summary> **b** <https://evil.example>";

/// Starts of lines that would be blocks there.
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
/// passes in the first and fails in the second, with evidence of this many bytes in the first run.
fn regressed(cases: usize, runs: u32, statements: usize, evidence: usize) -> Workspace {
    let words = format!("{HOSTILE}{LINES}");
    let words = words.repeat(evidence / words.len() + 1);
    let iteration = |passed: bool| {
        let run_with_number = |number: u32| {
            let verdict = |at: usize| {
                let evidence = (!passed && number == 1).then(|| words[..evidence].to_owned());
                (format!("statement {at} {HOSTILE}{LINES}"), passed, evidence)
            };
            run(number, &(0..statements).map(verdict).collect::<Vec<_>>())
        };
        let case = |at: usize| Case {
            name: format!("case {at} {HOSTILE}"),
            runs: (1..=runs).map(run_with_number).collect(),
            ..Case::default()
        };
        Iteration {
            name: format!("iteration {} {HOSTILE}", if passed { 1 } else { 2 }),
            configurations: vec![format!("with_skill {HOSTILE}")],
            cases: (0..cases).map(case).collect(),
            ..Iteration::default()
        }
    };
    Workspace {
        name: format!("workspace {HOSTILE}"),
        skill: Some(format!("skill {HOSTILE}{LINES}")),
        iterations: vec![iteration(true), iteration(false)],
        ..Workspace::default()
    }
}

/// The texts of `workspace` for budgets of this many bytes.
fn texts(workspace: &Workspace, budgets: &[usize]) -> Vec<String> {
    let settings = Settings::default();
    let analysis = analyze::analysis(workspace, &settings);
    let source = Memory::new::<&str, &str>([]);
    let parts = [Part::new(workspace, &analysis, &source, "", &settings)];
    let text =
        |budget: &usize| pull_request::markdown(&parts, *budget, Some(URL), &Language::default());
    budgets.iter().map(text).collect()
}

/// Active content in `text` that is not ours, as a forge would render it.
fn active(text: &str) -> Vec<String> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM;
    let details = format!("<details><summary>{}</summary>", words::raw("pull_request.details"));
    let ours = [&*details, "</details>", "<span>", "</span>", "<sub>", "</sub>", "<br>"];
    let is_ours = |html: &str| {
        ours.contains(&html) || html.starts_with(MARKER) && html.matches("-->").count() == 1
    };
    let (mut problems, mut seen) = (Vec::new(), String::new());
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
            // Nothing in code means anything to a forge.
            Event::Code(code) => seen.push_str(&code),
            other => problems.push(format!("{other:?}")),
        }
    }
    problems.extend(references(&seen));
    problems
}

/// The parts of plain text that a forge turns into links.
fn references(seen: &str) -> Vec<String> {
    let acts = |at: usize| {
        let rest = &seen[at..];
        let next = rest.chars().nth(1).is_some_and(char::is_alphanumeric);
        let lower = rest.get(..4).map(str::to_ascii_lowercase);
        (rest.starts_with(['@', '#']) && next)
            || rest.starts_with("://")
            || lower.as_deref() == Some("www.")
            || lower
                .is_some_and(|lower| lower.starts_with("gh-") && lower.ends_with(char::is_numeric))
    };
    let places = seen.char_indices().map(|(at, _)| at).filter(|at| acts(*at));
    places.map(|at| format!("a reference: {:.20}", &seen[at..])).collect()
}

/// The lines that a reader sees at once.
fn seen(text: &str) -> Vec<&str> {
    let mut is_folded = false;
    let is_seen = |line: &&str| {
        is_folded |= line.starts_with("<details>");
        let is_seen = !is_folded && !line.trim().is_empty() && !line.starts_with(MARKER);
        is_folded &= *line != "</details>";
        is_seen
    };
    text.lines().filter(is_seen).collect()
}

fn rows(lines: &[&str]) -> [usize; 2] {
    ["| [case", "- **"].map(|start| lines.iter().filter(|line| line.starts_with(start)).count())
}

#[test]
fn five_hundred_regressions_are_seen_in_twenty_five_lines() {
    let text = &texts(&regressed(100, 1, 5, 1_000), &[60_000])[0];
    let seen = seen(text);
    assert!(seen.len() <= 25, "{} lines: {seen:#?}", seen.len());
    // All have one evidence, which is one line.
    assert_eq!(rows(&seen), [0, 1], "{seen:#?}");
    let all: Vec<&str> = text.lines().collect();
    assert!(rows(&all)[1] > 20, "the folded part has more: {}", text.len());
    let more = words::raw("pull_request.more");
    let (_, more) = more.split_once("{n}").expect("a place");
    assert!(text.contains(more), "{text}");
}

#[test]
fn two_thousand_losses_with_long_evidence_fit_every_budget() {
    let workspace = regressed(500, 2, 4, 20_000);
    let budgets = [60_000, 30_000, 20_000, 8_000, 4_000, 2_500, 1_000, 100, 0];
    let texts = texts(&workspace, &budgets);
    for (text, budget) in texts.iter().zip(budgets) {
        assert!(text.len() <= budget, "{} of {budget}", text.len());
        assert_eq!(active(text), [""; 0], "{budget}");
        if budget < 2_500 {
            continue;
        }
        assert!(text.starts_with(MARKER), "{budget}: {text}");
        assert!(words::says(text, "verdict.worse", &[]), "{budget}: {text}");
        let link = format!("[{}]({URL})", words::raw("pull_request.report"));
        assert!(text.contains(&link), "{budget}: {text}");
    }
    assert!(texts[0].len() > 50_000, "the room is used: {}", texts[0].len());
    let is_longer = |two: &[String]| two[0].len() >= two[1].len();
    assert!(texts.windows(2).all(is_longer), "less room never gives more text");
}

#[test]
fn a_step_summary_has_more_room() {
    let workspace = regressed(500, 1, 4, 10_000);
    let budget = SUMMARY_BYTES;
    assert_eq!(budget, 1_000 * 1024);
    let text = &texts(&workspace, &[budget])[0];
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
    let text = &texts(&workspace, &[60_000])[0];
    let losses = words::count(2, "check");
    assert!(text.len() <= 60_000 && text.contains(&losses), "{text:.2000}");
}

#[test]
fn every_example_fits() {
    for folder in examples() {
        for read in load(&open(&folder)).workspaces {
            let budget = COMMENT_BYTES;
            let text = &texts(&read.workspace, &[budget])[0];
            assert!(text.len() <= budget, "{}: {}", folder.display(), text.len());
            assert_eq!(active(text), [""; 0], "{}", folder.display());
        }
    }
}
