//! `benchmark.md`: the same figures for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::analyze::{Change, ConfigurationSummary, IterationAnalysis, RecordedMeasure, tally_of};
use crate::digest::Questions;
use crate::language::Language;
use crate::render::context::escape;
use crate::render::data::{
    benchmark::figures::{self, EvalId, MISSING},
    benchmark::{Heading, Subject, notes},
};
use crate::render::markdown_table::row as table_row;
use crate::render::questions_table;
use crate::wording::answer::answer_for;
use crate::wording::measured;
use input::model::{Case, Iteration};

const LEGEND: &str = "The columns of a configuration are means over all its graded runs. The number \
    after ± is the spread between runs (sample standard deviation over all cases); a single run has none. \
    A dash means not recorded, or not decided.";

/// What a change is, where a baseline is named.
const CHANGES: &str = "A change is over the cases that both sides have, every case with the same weight: \
    it is the gain of the verdict above, and need not be the difference of the columns before it.";

/// `benchmark.md` of `subject`: heading, verdict, summary, notes, cases. Text from the data is escaped.
pub(crate) fn markdown(subject: Subject<'_>) -> String {
    let (iteration, analysis) = subject.iteration();
    let mut page = head(iteration, subject.heading);
    if analysis.configurations.is_empty() {
        page.push_str("\nThe iteration has no runs.\n");
        return page;
    }
    let language = Language::default();
    page.push_str(&verdict(subject, &language));
    let table = summary(subject, &language);
    let _ = write!(page, "\n## Summary\n\n{table}\n{LEGEND}");
    if !figures::pairs(analysis).is_empty() {
        let _ = write!(page, " {CHANGES}");
    }
    page.push('\n');
    page.push_str("\n## Notes\n\n");
    for note in notes::write(subject) {
        let _ = writeln!(page, "- {}", escape::markdown(&note));
    }
    for sentence in measured::reused_sides(subject.facts(&language), subject.index) {
        let _ = writeln!(page, "- {}", escape::markdown(&sentence));
    }
    let _ = write!(page, "\n## Cases\n\n{}", cases(iteration, analysis));
    page
}

/// What the first screen says of the round: the answer, both questions, and where it is the newest the next step.
fn verdict(subject: Subject<'_>, language: &Language) -> String {
    let (comparisons, facts) = (subject.comparisons, subject.facts(language));
    let analysis = comparisons.analysis;
    let Some(after) = analysis.candidate_of(subject.index) else { return String::new() };
    let answer = answer_for(comparisons, language, &after, analysis.lead(&after));
    let Some(mut answer) = answer else { return String::new() };
    if analysis.newest() != Some(subject.index) {
        answer.next.clear();
    }
    let questions = Questions::new(comparisons, &after);
    let told = questions_table::told(facts, &answer, Some(&questions));
    format!("\n## Verdict\n\n**{}**\n\n{}\n", escape::markdown(&answer.verdict), told.trim_end())
}

fn head(iteration: &Iteration, heading: &Heading) -> String {
    let mut facts = Vec::new();
    facts.extend(figures::only_model(iteration).map(|model| ("Model", escape::markdown(model))));
    let timestamp = heading.timestamp.as_deref();
    facts.extend(timestamp.map(|timestamp| ("Date", escape::markdown(timestamp))));
    let mut evals = Vec::new();
    for id in figures::ids(&figures::evals(iteration)) {
        evals.push(match id {
            EvalId::Number(number) => number.to_string(),
            EvalId::Text(text) => escape::markdown(text),
        });
    }
    if !evals.is_empty() {
        facts.push(("Evals", evals.join(", ")));
    }
    if let Some((fewest, most)) = figures::runs_per_case(iteration) {
        let runs = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
        facts.push(("Runs per case and configuration", runs));
    }
    let name = heading.skill_name.as_deref().map(escape::markdown);
    let mut head =
        format!("# Skill Benchmark{}\n", name.map_or(String::new(), |name| format!(": {name}")));
    if !facts.is_empty() {
        head.push('\n');
    }
    for (label, fact) in facts {
        let _ = writeln!(head, "- **{label}**: {fact}");
    }
    head
}

fn summary(subject: Subject<'_>, language: &Language) -> String {
    let (_, analysis) = subject.iteration();
    let summaries = &analysis.configurations;
    let mut header = vec!["Metric".to_owned()];
    header.extend(summaries.iter().map(|summary| escape::markdown(&summary.name)));
    let pairs = figures::pairs(analysis);
    for (candidate, baseline) in &pairs {
        let [candidate, baseline] = [candidate, baseline].map(|side| escape::markdown(&side.name));
        header.push(format!("{candidate} − {baseline}"));
    }
    let mut runs = vec!["Runs graded".to_owned()];
    let mut passed = vec!["Expectations passed".to_owned()];
    for summary in summaries {
        runs.push(format!("{}/{}", summary.graded_runs, summary.runs));
        passed.push(figures::share(summary.tally).unwrap_or(MISSING.to_owned()));
    }
    let mut table = table_head(&header);
    for mut row in [runs, passed] {
        // Changes of counts are meaningless if the numbers of runs differ.
        row.resize(header.len(), String::new());
        table += &table_row(&row);
    }
    for (measure, label) in
        RecordedMeasure::ALL.into_iter().zip(["Pass rate", "Time (s)", "Tokens"])
    {
        let mut row = vec![label.to_owned()];
        row.extend(summaries.iter().map(|summary| cell(measure, summary, language)));
        for pair in &pairs {
            let change = subject.change(*pair).and_then(|change| difference(measure, change));
            row.push(match change {
                None => MISSING.to_owned(),
                Some(change) if measure == RecordedMeasure::PassRate => language.points(change),
                Some(change) => text::signed(change, usize::from(measure == RecordedMeasure::Time)),
            });
        }
        table += &table_row(&row);
    }
    table
}

/// The change of a figure over the cases that both sides have; `None` without any, and where missing verdicts
/// could undo it.
fn difference(measure: RecordedMeasure, change: &Change) -> Option<f64> {
    let cost = match measure {
        RecordedMeasure::PassRate => {
            change.gain.shown()?;
            let [before, after] = change.gain.comparison.as_ref()?.means;
            return Some(after - before);
        }
        RecordedMeasure::Time => &change.costs.time,
        RecordedMeasure::Tokens => &change.costs.tokens,
    };
    Some(cost.after? - cost.before?)
}

/// Mean ± spread, with the number of runs if not all recorded the figure.
fn cell(measure: RecordedMeasure, summary: &ConfigurationSummary, language: &Language) -> String {
    let Some(spread) = measure.spread(summary) else { return MISSING.to_owned() };
    let (mean, stddev) = match measure {
        RecordedMeasure::PassRate => {
            let points = spread.stddev.map(|value| text::fixed(value * 100.0, 0) + " points");
            (language.percent(spread.mean), points)
        }
        RecordedMeasure::Time => {
            (text::fixed(spread.mean, 1), spread.stddev.map(|value| text::fixed(value, 1)))
        }
        RecordedMeasure::Tokens => (text::tokens(spread.mean), spread.stddev.map(text::tokens)),
    };
    let mut cell = mean;
    if let Some(stddev) = stddev {
        let _ = write!(cell, " ± {stddev}");
    }
    if measure != RecordedMeasure::PassRate && spread.count < summary.counted_runs() {
        let runs = text::count(summary.counted_runs(), "run");
        let _ = write!(cell, " ({} of {runs})", spread.count);
    }
    cell
}

fn cases(iteration: &Iteration, analysis: &IterationAnalysis) -> String {
    let mut header = vec!["Case".to_owned()];
    let names: Vec<&str> = analysis.roles.order().collect();
    header.extend(names.iter().map(|name| escape::markdown(name)));
    let mut table = table_head(&header);
    for case in &iteration.cases {
        let mut row = vec![escape::markdown(&case.name)];
        row.extend(names.iter().map(|name| {
            let graded = case.runs_of(name).filter(|run| run.is_graded()).count();
            let cell = match (figures::share(tally_of(case, name)), case.runs_of(name).count()) {
                (_, 0) => "not run".to_owned(),
                (None, _) => "not graded".to_owned(),
                (Some(share), 1) => share,
                (Some(share), all) if graded == all => format!("{share} ({all} runs)"),
                (Some(share), all) => format!("{share} ({graded} of {all} runs graded)"),
            };
            cell + &reused(case, name)
        }));
        table += &table_row(&row);
    }
    table
}

/// Where the runs of a case were made that are of earlier rounds.
fn reused(case: &Case, name: &str) -> String {
    let english = Language::default();
    let mut origins: BTreeMap<String, usize> = BTreeMap::new();
    for run in case.runs_of(name) {
        if let Some(origin) = measured::origin(run, &english) {
            *origins.entry(origin).or_default() += 1;
        }
    }
    let all = case.runs_of(name).count();
    let mut text = String::new();
    for (origin, number) in origins {
        let which = if number == all { String::new() } else { format!("{number} ") };
        text += &format!(", {which}{}", escape::markdown(&origin));
    }
    text
}

fn table_head(header: &[String]) -> String {
    format!("{}| :-- |{}\n", table_row(header), " --: |".repeat(header.len() - 1))
}
