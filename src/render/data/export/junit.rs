//! JUnit XML: what the newest graded candidate passed and failed. A suite is a case, a test an
//! expectation of a run. Names contain neither iteration nor configuration, so that a CI system can
//! follow a test. The xUnit plugin rejects anything that junit-10 does not allow.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::analyze::{Flip, FlipKind, Side};
use crate::budget::{JUNIT_EVIDENCE, JUNIT_NAME};
use crate::language::{Language, Rate};
use crate::render::context::{Part, RenderContext, escape};
use crate::wording::measured;
use input::model::{Case, Expectation, Outcome, Run};
use text::fixed;
use text::{cut, cut_line};

pub(super) fn pieces<'a>(
    RenderContext { part, addresses, shared, .. }: RenderContext<'a>,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    let after = part.analysis.newest_candidate();
    let iteration = after.as_ref().map(|side| &part.workspace.iterations[side.iteration]);
    let cases = iteration.map_or(&[][..], |iteration| &iteration.cases);
    let names = after.iter().map(|side| &side.configuration);
    let runs = names.flat_map(|name| cases.iter().flat_map(|case| case.runs_of(name)));
    let (counts, _) = counts(runs);
    let name = attribute(part.title());
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let head = format!("{xml}\n<testsuites name=\"{name}\" {counts}>\n");
    let flips = after.as_ref().and_then(|side| shared.progress[side.iteration].flips.as_deref());
    let suites = cases.iter().enumerate().filter_map(move |(index, case)| {
        let side = after.as_ref()?;
        let case_index = addresses.case_index(side.iteration, index);
        let flips = flips.into_iter().flat_map(|flips| flips.on(case_index));
        let lost = flips.filter(|flip| flip.kind == FlipKind::Regressed);
        suite(part, side, case, &lost.map(|flip| (flip.text, flip)).collect())
    });
    let pieces = std::iter::once(head).chain(suites);
    pieces.chain(std::iter::once("</testsuites>\n".to_owned())).map(String::into_bytes)
}

/// The number of tests and of failures, as attributes; and the number of tests without a verdict.
fn counts<'a>(runs: impl Iterator<Item = &'a Run>) -> (String, usize) {
    let (mut tests, mut failures, mut skipped) = (0, 0, 0);
    for run in runs {
        let tally = run.tally();
        let is_blank = usize::from(tally.total() == 0);
        let failed = run.counted_expectations().iter().filter(|check| check.fails_run()).count();
        tests += tally.total() + is_blank;
        failures += failed;
        skipped += tally.ungraded + tally.failed - failed + is_blank;
    }
    (format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\""), skipped)
}

type Lost<'a> = BTreeMap<&'a str, &'a Flip<'a>>;

/// The suite of a case; `None` if the candidate did not run it.
fn suite(part: &Part<'_>, side: &Side, case: &Case, lost: &Lost<'_>) -> Option<String> {
    let runs: Vec<&Run> = case.runs_of(&side.configuration).collect();
    if runs.is_empty() {
        return None;
    }
    let name = attribute(&case.name);
    let (counts, skipped) = counts(runs.iter().copied());
    // Without the time of one run the sum would be too small.
    let time = match runs.iter().map(|run| run.metrics.duration_s).sum::<Option<f64>>() {
        Some(seconds) if seconds.is_finite() => format!(" time=\"{}\"", fixed(seconds, 3)),
        _ => String::new(),
    };
    let mut text = format!("  <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\"{time}>\n");
    let iteration = &part.workspace.iterations[side.iteration].name;
    text.push_str("    <properties>\n");
    let id = case.id.as_ref().map(|id| ("case_id", id));
    let named = [("iteration", iteration), ("configuration", &side.configuration)];
    // The names of tests are the same in every round, so the mark of a run is here.
    let reused = reused(&runs);
    let reused = reused.iter().map(|value| ("reused_runs", value));
    for (key, value) in id.into_iter().chain(named).chain(reused) {
        let value = attribute(value);
        let _ = writeln!(text, "      <property name=\"{key}\" value=\"{value}\"/>");
    }
    text.push_str("    </properties>\n");
    for run in &runs {
        let suffix = if runs.len() > 1 { format!(" (run {})", run.number) } else { String::new() };
        write_run(&mut text, &name, &suffix, run, lost);
    }
    text.push_str("  </testsuite>\n");
    Some(text)
}

/// `run 2 from iteration-1` for each run of an earlier round.
fn reused(runs: &[&Run]) -> Option<String> {
    let english = Language::default();
    let mut reused = Vec::new();
    for run in runs {
        if let Some(origin) = measured::origin(run, &english) {
            reused.push(format!("run {} {origin}", run.number));
        }
    }
    if reused.is_empty() { None } else { Some(reused.join(", ")) }
}

fn write_run(text: &mut String, case: &str, suffix: &str, run: &Run, lost: &Lost<'_>) {
    let expectations = run.counted_expectations();
    if expectations.is_empty() {
        let _ = writeln!(
            text,
            "    <testcase classname=\"{case}\" name=\"graded{suffix}\">\
             <skipped message=\"the run was not graded\"/></testcase>"
        );
    }
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for expectation in expectations {
        let times = seen.entry(&expectation.text).or_default();
        *times += 1;
        let again = if *times > 1 { format!(" ({times})") } else { String::new() };
        let name = format!("{}{again}{suffix}", attribute(&expectation.text));
        let body = body(expectation, lost.get(&*expectation.text).copied());
        let test = format!("    <testcase classname=\"{case}\" name=\"{name}\"");
        if body.is_empty() {
            let _ = writeln!(text, "{test}/>");
        } else {
            let _ = writeln!(text, "{test}>\n{body}    </testcase>");
        }
    }
}

fn body(expectation: &Expectation, lost: Option<&Flip<'_>>) -> String {
    let evidence = expectation.evidence.as_deref().unwrap_or_default();
    let evidence = escape::xml(&cut(evidence, JUNIT_EVIDENCE));
    match expectation.outcome {
        Outcome::Passed if evidence.is_empty() => return String::new(),
        Outcome::Passed => return format!("      <system-out>{evidence}</system-out>\n"),
        Outcome::Ungraded => return "      <skipped message=\"no verdict\"/>\n".to_owned(),
        Outcome::Failed => {}
    }
    let optional = if expectation.required == Some(false) { "optional, " } else { "" };
    let (kind, message) = match lost {
        None => ("failed", format!("{optional}failed")),
        Some(Flip { before, after, .. }) => {
            let [from, to] = [*before, *after].map(Rate::counts_of);
            ("regressed", format!("{optional}regressed from {from} to {to}"))
        }
    };
    if expectation.fails_run() {
        format!("      <failure type=\"{kind}\" message=\"{message}\">{evidence}</failure>\n")
    } else {
        // An optional check must not fail the suite.
        format!("      <skipped message=\"{message}\">{evidence}</skipped>\n")
    }
}

fn attribute(text: &str) -> String {
    escape::xml_attribute(&cut_line(text, JUNIT_NAME))
}
