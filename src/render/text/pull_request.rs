//! The newest iteration as Markdown with a size limit, for a comment on a pull request or a CI
//! step.
//!
//! Verdict, counts, worst cases and regressions are visible at once; the rest is folded.

mod losses;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::analyze::{Change, Flip, FlipKind, Side, key};
use crate::digest::{self, Changes, ComparedCase, Questions, Row};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Part, PartAddresses, addresses, escape};
use crate::render::markdown_table::row as table_row;
use crate::render::questions_table::{self, PARAGRAPH};
use crate::render::text::comment_layout::{CommentBlock, CommentContent, fitted};
use crate::render::text::gate_alert::gate_alert;
use crate::wording::Answer;
use crate::wording::changes::key_against;
use crate::wording::configurations::ConfigurationRow;
use crate::wording::verdict::Difference;
use crate::wording::{Facts, headline, sides, verdict};
use input::model::{Expectation, Run};
use statistics::mean;
use text::{cut, cut_line, slug};

/// The start of the hidden first line, by which a comment is found again; the name follows.
pub const MARKER: &str = "<!-- evalbook:";

/// Bytes of a comment: the limit is 65,536 characters, each at least a byte.
pub const COMMENT_BYTES: usize = 60_000;

/// Bytes of a step summary: the limit is 1 MiB.
pub const SUMMARY_BYTES: usize = 1_000 * 1024;

/// Characters of a name, of a check and of its evidence.
const NAME: usize = 120;
const STATEMENT: usize = 300;
const EVIDENCE: usize = 300;

/// Entries of each kind that are visible; the others are folded.
const REGRESSED: usize = 5;
const FAILING: usize = 3;
const GATE_LINES: usize = 2;

/// The text for `parts` in at most `budget` bytes, with a final newline. `url` is where the report
/// is published, ending in `/`.
pub fn markdown(
    parts: &[Part<'_>],
    budget: usize,
    url: Option<&str>,
    language: &Language,
) -> String {
    let addresses = addresses(parts);
    let names: Vec<&str> = parts.iter().map(Part::title).collect();
    // The first line is invisible when rendered, and the same for every text about the same skills.
    let mut text = format!("{MARKER}{} -->\n", slug(&names.join(" ")));
    let reserved = if parts.len() > 1 { omitted(parts.len(), url, language).len() } else { 0 };
    let mut missing = 0;
    for (index, part) in parts.iter().enumerate() {
        let content = CommentContent::new(part, &addresses[index], url, language);
        let left = budget.saturating_sub(text.len() + reserved);
        match fitted(&content, left / (parts.len() - index), url, language) {
            Some(section) => text.push_str(&section),
            None => missing += 1,
        }
    }
    if missing > 0 {
        text.push_str(&omitted(missing, url, language));
    }
    // Half a comment would look like all of it.
    if text.len() > budget {
        return String::new();
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The line on workspaces that do not fit, and where they are.
fn omitted(number: usize, url: Option<&str>, language: &Language) -> String {
    let place = match url {
        Some(url) => format!("[{}]({url})", language.text("pull_request.report")),
        None => language.text("pull_request.unpublished").to_owned(),
    };
    let list = language.count(number, "workspace_left_out");
    say!(language, "pull_request.cut", list, place) + "\n\n"
}

impl CommentContent {
    fn new(
        part: &Part<'_>,
        addresses: &PartAddresses,
        url: Option<&str>,
        language: &Language,
    ) -> Self {
        let after = part.analysis.newest_candidate();
        let lead = after.as_ref().and_then(|after| part.analysis.lead(after));
        let facts = part.facts(language);
        let writer = CommentWriter { part, addresses, url, facts, language, lead };

        let previous = after
            .as_ref()
            .and_then(|after| part.analysis.since_previous(after))
            .filter(|previous| Some(*previous) != lead);
        let answer = Answer::new(&part.comparisons, language);
        let questions = after.as_ref().map(|after| Questions::new(&part.comparisons, after));

        let (alert, folded) = gate_alert(&part.gate, GATE_LINES, language);
        let mut content = Self {
            heading: alert + &writer.heading(&answer),
            body: questions_table::told(facts, &answer, questions.as_ref()),
            footer: writer.footer(after.as_ref()),
            ..Self::default()
        };
        content.details.push(CommentBlock { head: String::new(), rows: folded });
        // Short texts come before the lists, which take all the room.
        writer.add_configurations(&mut content);
        writer.add_method(&answer, previous, &mut content);
        if let Some(questions) = &questions {
            writer.add_checks(questions, &mut content);
        }
        content.details.extend(writer.cases(after.as_ref(), questions.as_ref()));
        content
    }
}

struct CommentWriter<'a> {
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    url: Option<&'a str>,
    facts: Facts<'a>,
    language: &'a Language,
    lead: Option<&'a Change>,
}

impl CommentWriter<'_> {
    fn heading(&self, answer: &Answer) -> String {
        let title = name(self.part.title());
        let Some(lead) = self.lead else {
            let verdict = escape::markdown(&answer.verdict);
            return format!("### {}\n\n", self.language.labelled(&title, &verdict));
        };
        let verdict = escape::markdown(answer.verdict.trim_end_matches(['.', '。']));
        let mut range = String::new();
        // News may be about another comparison.
        if answer.verdict == headline::headline(self.facts, lead)
            && let Some(interval) = digest::interval(&lead.gain)
        {
            let measure = lead.gain.measure();
            let low = verdict::number(measure, interval.low);
            let high = verdict::number(measure, interval.high);
            range = say!(self.language, "pull_request.range", low, high);
        }
        let verdict = self.language.sentences([verdict, range]);
        let heading = format!("{} {}", answer.sign, self.language.labelled(&title, &verdict));
        format!("### {}\n\n", heading.trim())
    }

    /// The cases, those that lost a check first, with a difference for each question.
    fn cases(
        &self,
        after: Option<&Side>,
        questions: Option<&Questions<'_>>,
    ) -> Option<CommentBlock> {
        let after = after?;
        let helps = questions.and_then(|questions| own_change(&questions.helps, after));
        let changed = questions.and_then(|questions| own_change(&questions.changed, after));
        let first = helps.or(changed).or(self.lead);
        let since = changed.filter(|_| helps.is_some());
        let mut cases = digest::compared_cases(&self.part.comparisons, after, first);
        if cases.is_empty() {
            return None;
        }
        let mut since_cases = BTreeMap::new();
        if let Some(since) = since {
            for case in digest::compared_cases(&self.part.comparisons, after, Some(since)) {
                since_cases.insert(case.case_index, case);
            }
            cases.sort_by_key(|case| {
                let found = since_cases.get(&case.case_index);
                found.is_none_or(|case| case.count(FlipKind::Regressed) == 0)
            });
        }
        let mut heads = vec![self.language.text("overview.case").to_owned()];
        if let Some(first) = first {
            let [other, candidate] = sides::short_names(self.facts, first.sides());
            heads.extend([name(&candidate), name(&other)]);
            heads.push(self.language.text("answer.points").to_owned());
        } else {
            heads.push(self.language.text("overview.candidate").to_owned());
        }
        if let Some(since) = since {
            let [other, _] = sides::short_names(self.facts, since.sides());
            heads.push(name(&say!(self.language, "questions.since", other)));
        }
        let head = format!("{}|:--|{}\n", table_row(&heads), "--:|".repeat(heads.len() - 1));
        let mut rows = Vec::new();
        for case in &cases {
            let mut cells = self.case_cells(case, first);
            if let Some(since) = since {
                cells.push(self.difference(since_cases.get(&case.case_index), since));
            }
            rows.push(table_row(&cells));
        }
        Some(CommentBlock { head, rows })
    }

    fn case_cells(&self, case: &ComparedCase<'_>, change: Option<&Change>) -> Vec<String> {
        let mut cells = vec![self.case(case.case_index, None)];
        let Some(change) = change else {
            cells.push(self.rate(&case.candidate));
            return cells;
        };
        if case.difference().is_some() {
            let Difference { before, after, .. } =
                verdict::of_case(case, change.gain.measure(), self.language);
            cells.extend([after, before]);
        } else {
            cells.extend([self.rate(&case.candidate), self.rate(&case.other)]);
        }
        cells.push(self.difference(Some(case), change));
        cells
    }

    /// The difference of a case, with a sign where the runs of both sides do not overlap; a dash where it
    /// is not compared.
    fn difference(&self, case: Option<&ComparedCase<'_>>, change: &Change) -> String {
        let Some((case, gain)) = case.and_then(|case| Some((case, case.difference()?))) else {
            return DASH.to_owned();
        };
        let measure = change.gain.measure();
        let number = verdict::of_case(case, measure, self.language).gain;
        let sign = match (measure.direction(gain), case.is_clear()) {
            (Ordering::Greater, true) => "▲ ",
            (Ordering::Less, true) => "▼ ",
            _ => "",
        };
        format!("{sign}{number}")
    }

    /// The mean pass rate of runs.
    fn rate(&self, runs: &[f64]) -> String {
        mean(runs).map_or(DASH.to_owned(), |rate| self.language.percent(rate))
    }

    /// The checks that were lost, then those that are worse; if there are none, those that no run passes on
    /// either side. What got better is folded.
    fn add_checks(&self, questions: &Questions<'_>, to: &mut CommentContent) {
        let rows = || questions.changed.iter().chain(&questions.helps);
        let mut has_lost = false;
        for row in rows() {
            if let Some(found) = row.compared().filter(|found| found.checks.down > 0) {
                has_lost = true;
                self.add_regressed(row, &found.changes, to);
            }
        }
        // If no check has verdicts on both sides, losses are unknown, not 0.
        let mut compared = rows().filter_map(Row::compared);
        if let Some(found) = compared.find(|found| found.checks.shared > 0 && !has_lost) {
            self.add_failing(&found.changes, to);
        }
        for found in rows().filter_map(Row::compared) {
            self.add_improved(&found.changes, to);
        }
    }

    fn add_failing(&self, changes: &Changes<'_>, to: &mut CommentContent) {
        let nothing = key_against("pull_request.nothing", changes.sides());
        let _ = write!(to.checks, "**{}**", escape::markdown(self.language.text(&nothing)));
        let failing = changes.of_kind(FlipKind::StillFailing);
        if !failing.is_empty() {
            let _ = writeln!(to.checks, " {}", self.language.text("pull_request.failing"));
        }
        to.checks.push('\n');
        to.checks.extend(failing.iter().take(FAILING).map(|flip| self.item(flip, changes)));
        if failing.len() > FAILING {
            let more = self.language.beyond("compare.more", failing.len(), FAILING);
            let _ = writeln!(to.checks, "- {more}");
        }
        to.checks.push('\n');
    }

    fn item(&self, flip: &Flip<'_>, changes: &Changes<'_>) -> String {
        // Evidence may be a whole log, of which white space goes first.
        let evidence = cut(changes.evidence(flip).unwrap_or_default(), 4 * EVIDENCE);
        let evidence = escape::markdown(&cut_line(&evidence, EVIDENCE));
        let statement = format!("**{}**", statement(flip));
        let item = self.language.detailed(&statement, &self.place(flip, changes));
        let item = say!(self.language, "verdict.headline_alone", word = item);
        format!("- {}\n", self.language.sentences([item, evidence]))
    }

    /// The case of an expectation and its counts on both sides.
    fn place(&self, flip: &Flip<'_>, changes: &Changes<'_>) -> String {
        let case = self.case(flip.case, changes.verdicts(flip).next());
        let mut parts = vec![case, Rate::counts_of_both(flip.before, flip.after)];
        if changes.is_disputed(flip) {
            parts.push(self.language.text("review.disputed").to_owned());
        }
        self.language.list(parts)
    }

    fn add_improved(&self, changes: &Changes<'_>, to: &mut CommentContent) {
        let gained = changes.of_kind(FlipKind::Improved);
        let expectations = self.language.count(gained.len(), "expectation");
        let key = key_against("overview.improved", changes.sides());
        let head = say!(self.language, &key, expectations);
        let mut rows = Vec::new();
        for flip in gained {
            let place = self.place(flip, changes);
            rows.push(format!("- {}\n", self.language.detailed(&statement(flip), &place)));
        }
        to.details.push(CommentBlock { head: format!("**{head}**\n\n"), rows });
    }

    /// The name of a case with a link to its page, or to an expectation on it, if there is a
    /// report.
    fn case(&self, case: usize, verdict: Option<(&Run, &Expectation)>) -> String {
        let name = name(&self.part.analysis.cases[case].name);
        let Some(url) = self.url else { return name };
        let mut address = self.addresses.case(case);
        if let Some((_, check)) = verdict {
            let _ = write!(address, "#{}", self.addresses.expectation(case, &key(check)));
        }
        format!("[{name}]({url}{address})")
    }

    fn add_configurations(&self, to: &mut CommentContent) {
        let Some(index) = self.part.analysis.newest() else { return };
        let heads = ["configuration", "passed", "range", "time", "tokens", "runs"];
        let heads = heads.map(|head| self.language.entry(&["configurations", head]));
        let mut rows = Vec::new();
        for row in ConfigurationRow::all(&self.part.analysis.iterations[index], self.language) {
            let (name, rate) = (name(&row.name), row.rate.whole(self.language));
            rows.push(table_row(&[name, rate, row.range, row.time, row.tokens, row.runs]));
        }
        let head = table_row(&heads) + "|:--|--:|--:|--:|--:|:--|\n";
        to.details.push(CommentBlock { head, rows });
    }

    /// Both sides in numbers, the limits of the verdict, and problems of the input.
    fn add_method(&self, answer: &Answer, previous: Option<&Change>, to: &mut CommentContent) {
        let changes = self.lead.into_iter().chain(previous);
        let differences = changes.map(|change| sides::differences(self.facts, change.sides()));
        let differences = self.language.sentences(differences);
        let problems = self.language.problem_counts(&self.part.workspace.problems);
        let problems = say!(self.language, "pull_request.problems", problems);
        let mut rows = Vec::new();
        for text in [&answer.sides, &answer.caution, &differences, &problems] {
            if !text.is_empty() {
                rows.push(format!("{}\n\n", escape::markdown(&cut(text, PARAGRAPH))));
            }
        }
        to.details.push(CommentBlock { head: String::new(), rows });
    }

    /// The compared sides: `iteration-4: with_skill vs old_skill · 5 cases`.
    fn footer(&self, after: Option<&Side>) -> String {
        let Some(after) = after else { return String::new() };
        let iteration = &self.part.workspace.iterations[after.iteration].name;
        let mut text = self.language.labelled(iteration, &after.configuration);
        if let Some(lead) = self.lead {
            let other = sides::name_in(self.facts, lead, &lead.before);
            text = say!(self.language, "diff.against_baseline", configuration = text, other);
        }
        let summary = self.part.analysis.summary(after);
        let cases = self.language.count(summary.map_or(0, |summary| summary.cases), "case");
        let text = escape::markdown(&cut(&text, 3 * NAME));
        format!("<sub>{text} · {cases} · evalbook</sub>\n\n")
    }
}

/// The comparison of `after` among the rows of one question.
fn own_change<'a>(rows: &[Row<'a>], after: &Side) -> Option<&'a Change> {
    let row = rows.iter().find(|row| row.after == *after)?;
    Some(row.compared()?.change)
}

fn statement(flip: &Flip<'_>) -> String {
    escape::markdown(&cut_line(&cut(flip.text, 4 * STATEMENT), STATEMENT))
}

fn name(text: &str) -> String {
    escape::markdown(&cut(text, NAME))
}
