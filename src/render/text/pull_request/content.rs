//! The text for one workspace: the part that a reader of a pull request sees at once, and the
//! folded part.

use std::fmt::{Display, Write};

use crate::analyze::{Against, Change, ClaimScope, Flip, FlipKind, Side, key};
use crate::digest::{self, Changes, ComparedCase};
use crate::language::Language;
use crate::model::{Expectation, Run};
use crate::render::context::{DASH, Part, PartAddresses, Rate, cut, cut_line, escape};
use crate::render::markdown_table::row as table_row;
use crate::statistics::mean;
use crate::wording::answer::{Answer, answer};
use crate::wording::configurations::ConfigurationRow;
use crate::wording::gate::{GateLine, GateMark};
use crate::wording::problems::problem_counts;
use crate::wording::{Facts, changes, costs, recorded_results, verdict};

/// Most characters of each text.
const NAME: usize = 120;
const STATEMENT: usize = 300;
const EVIDENCE: usize = 300;
const PARAGRAPH: usize = 2_000;
/// Most entries of each kind that are visible; the others are folded.
const CASES: usize = 8;
const REGRESSED: usize = 5;
const FAILING: usize = 3;
const GATE: usize = 2;

#[derive(Default)]
pub(super) struct CommentContent {
    pub(super) heading: String,
    pub(super) body: String,
    pub(super) details: Vec<CommentBlock>,
    pub(super) footer: String,
}

pub(super) struct CommentBlock {
    pub(super) head: String,
    /// Each row is complete in itself.
    pub(super) rows: Vec<String>,
}

impl CommentContent {
    pub(super) fn new(
        part: &Part<'_>,
        addresses: &PartAddresses,
        url: Option<&str>,
        language: &Language,
    ) -> Self {
        let nothing = [recorded_results::nothing(part.workspace, language).to_owned()].into_iter();
        let answer = answer(part.workspace, part.analysis, language).unwrap_or_else(|| Answer {
            verdict: language
                .sentences(nothing.chain(recorded_results::instead(part.workspace, language))),
            ..Answer::default()
        });
        let after = part.analysis.newest_candidate();
        let lead = after.as_ref().and_then(|after| part.analysis.lead(after));
        let writer = CommentWriter { part, addresses, url, words: part.facts(language), lead };
        // If no check has verdicts on both sides, flips are unknown, not 0.
        let is_known =
            |changes: &Changes<'_>| changes.flips.iter().any(|flip| flip.change().is_some());
        let changes = lead.map(|lead| part.flips.for_change(lead)).filter(is_known);
        // Regressions since the previous iteration follow if there are none against the baseline.
        let previous = |after| part.analysis.change(after, Against::Previous);
        let previous = after.as_ref().and_then(previous).filter(|previous| Some(*previous) != lead);
        let since = previous.map(|previous| part.flips.for_change(previous));
        let has_lost = |changes: &Changes<'_>| changes.count(FlipKind::Regressed) > 0;
        let since = since.filter(has_lost).filter(|_| !changes.as_ref().is_some_and(has_lost));
        let (heading, footer) = (writer.heading(&answer), writer.footer(after.as_ref()));
        let mut shown = Self { heading, footer, ..Self::default() };
        writer.add_counts(&answer, changes.as_ref(), &mut shown);
        writer.add_gate(&part.gate, &mut shown);
        // Short texts come before the lists, which take all the room.
        writer.add_configurations(&mut shown);
        writer.add_method(&answer, previous, &mut shown);
        let folded_cases = writer.add_cases(after.as_ref(), &mut shown);
        if let Some(changes) = &changes {
            writer.add_regressed(since.as_ref().unwrap_or(changes), &mut shown);
            writer.add_improved(changes, &mut shown);
        }
        shown.details.extend(folded_cases);
        shown
    }
}

struct CommentWriter<'a> {
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    url: Option<&'a str>,
    words: Facts<'a>,
    lead: Option<&'a Change>,
}

impl CommentWriter<'_> {
    fn heading(&self, answer: &Answer) -> String {
        let sign = self.lead.map_or("", |lead| verdict::sign(lead.gain.verdict()));
        let title = name(self.part.title());
        let verdict = escape::markdown(match self.lead {
            Some(_) => answer.verdict.trim_end_matches(['.', '。']),
            None => &answer.verdict,
        });
        // A verdict on these cases only does not support a range for new ones.
        let is_general =
            |lead: &&Change| lead.gain.verdict().claim() != Some(ClaimScope::TheseCases);
        let range = self.lead.filter(is_general).and_then(|lead| {
            let range = digest::interval(&lead.gain)?;
            let measure = lead.gain.measure();
            let [low, high] = [range.low, range.high].map(|end| verdict::number(measure, end));
            Some(self.words.fill("pull_request.range", &[("low", &low), ("high", &high)]))
        });
        let text = format!("{sign} {title}: {verdict} {}", range.unwrap_or_default());
        format!("### {}\n\n", text.trim())
    }

    /// The reason for the verdict, the results of the checks, and the cost.
    fn add_counts(
        &self,
        answer: &Answer,
        changes: Option<&Changes<'_>>,
        shown: &mut CommentContent,
    ) {
        let reason = escape::markdown(&cut(&answer.reason, PARAGRAPH));
        let _ = writeln!(shown.body, "{reason}");
        if let Some(changes) = changes {
            let counts = [
                (FlipKind::Regressed, "regressed"),
                (FlipKind::Improved, "improved"),
                (FlipKind::StillFailing, "failing"),
                (FlipKind::StillPassing, "unchanged"),
            ]
            .map(|(kind, word)| {
                format!("{} {}", changes.count(kind), self.words.entry(&["counters", word]))
            });
            let costs = self.lead.and_then(|lead| costs::costs(lead, &self.words));
            let costs = escape::markdown(&costs.unwrap_or_default());
            let _ = writeln!(shown.body, "**{}.** {costs}", counts.join(" · "));
        }
        shown.body.push('\n');
    }

    fn add_gate(&self, lines: &[GateLine], shown: &mut CommentContent) {
        let mut lines: Vec<&GateLine> = lines.iter().collect();
        lines.sort_by_key(|line| line.mark != GateMark::Failed);
        let mut rows = lines.iter().map(|line| {
            let word = self.words.text(line.mark.key());
            format!("- **{word}** {}\n", escape::markdown(&cut(&line.text, STATEMENT)))
        });
        shown.body.extend(rows.by_ref().take(GATE));
        shown.details.push(CommentBlock { head: String::new(), rows: rows.collect() });
        if !lines.is_empty() {
            shown.body.push('\n');
        }
    }

    /// Adds the worst cases; returns the others.
    fn add_cases(&self, after: Option<&Side>, shown: &mut CommentContent) -> Option<CommentBlock> {
        let cases = digest::compared_cases(&self.part.flips, after?, self.lead);
        if cases.is_empty() {
            return None;
        }
        let mut heads = vec![self.words.text("overview.case").to_owned()];
        match self.lead {
            Some(lead) => {
                let sides = lead.sides();
                let [other, candidate] = changes::side_names(self.words, sides);
                let points = self.words.text("answer.points").to_owned();
                heads.extend([name(&candidate), name(&other), points]);
            }
            None => heads.push(self.words.text("overview.candidate").to_owned()),
        }
        let head = format!("{}|:--|{}\n", table_row(&heads), "--:|".repeat(heads.len() - 1));
        let rate =
            |runs: &[f64]| mean(runs).map_or(DASH.to_owned(), |rate| self.words.percent(rate));
        let row = |case: &ComparedCase| {
            let mut cells = vec![self.case(case.line, None), rate(&case.candidate)];
            if let Some(lead) = self.lead {
                let gain = case.difference().map(|gain| {
                    let sign = if gain > 0.0 { "▲ " } else { "▼ " };
                    let number = verdict::number(lead.gain.measure(), gain);
                    if gain == 0.0 { number } else { format!("{sign}{number}") }
                });
                cells.extend([rate(&case.other), gain.unwrap_or(DASH.to_owned())]);
            }
            table_row(&cells)
        };
        let mut rows = cases.iter().map(row);
        shown.body.push_str(&head);
        shown.body.extend(rows.by_ref().take(CASES));
        shown.body.push('\n');
        Some(CommentBlock { head, rows: rows.collect() })
    }

    /// Regressions with their evidence; if there are none, checks that no run passes on either
    /// side.
    fn add_regressed(&self, changes: &Changes<'_>, shown: &mut CommentContent) {
        let lost = changes.of_kind(FlipKind::Regressed);
        let mut rows = lost.iter().map(|flip| self.item(flip, changes));
        if lost.is_empty() {
            let _ = write!(shown.body, "**{}**", self.words.text("pull_request.nothing"));
            let mut failing = changes.of_kind(FlipKind::StillFailing);
            failing.retain(|flip| flip.after.passed == 0);
            if !failing.is_empty() {
                let _ = writeln!(shown.body, " {}", self.words.text("pull_request.failing"));
            }
            shown.body.push('\n');
            shown.body.extend(failing.iter().take(FAILING).map(|flip| self.item(flip, changes)));
        } else {
            let number = self.words.count(lost.len(), "expectation");
            let earlier = name(&self.part.workspace.iterations[changes.before.iteration].name);
            let places: [(&str, &dyn Display); 3] =
                [("expectations", &number), ("checks", &number), ("iteration", &earlier)];
            let is_within = changes.is_within_iteration;
            let key = if is_within { "overview.regressed" } else { "overview.regressed_since" };
            let head = self.words.fill(key, &places);
            let _ = write!(shown.body, "**▼ {head}**\n\n");
            shown.body.extend(rows.by_ref().take(REGRESSED));
            let head = format!("**{head}**\n\n");
            shown.details.push(CommentBlock { head, rows: rows.collect() });
        }
        shown.body.push('\n');
    }

    fn item(&self, flip: &Flip<'_>, changes: &Changes<'_>) -> String {
        let evidence = changes.evidence(flip).unwrap_or_default();
        let evidence = escape::markdown(&cut_line(&cut(evidence, 4 * EVIDENCE), EVIDENCE));
        let (statement, place) = self.statement(flip, changes);
        format!("{}\n", format!("- **{statement}** ({place}). {evidence}").trim_end())
    }

    /// The text of an expectation, then its case and its counts on both sides.
    fn statement(&self, flip: &Flip<'_>, changes: &Changes<'_>) -> (String, String) {
        let case = self.case(flip.case, changes.verdicts(flip).next());
        let statement = escape::markdown(&cut_line(&cut(flip.text, 4 * STATEMENT), STATEMENT));
        (statement, format!("{case}, {}", Rate::counts_of_both(flip.before, flip.after)))
    }

    fn add_improved(&self, changes: &Changes<'_>, shown: &mut CommentContent) {
        let gained = changes.of_kind(FlipKind::Improved);
        let number = self.words.count(gained.len(), "expectation");
        let head = self.words.fill("overview.improved", &[("expectations", &number)]);
        let row = |flip: &&Flip<'_>| {
            let (statement, place) = self.statement(flip, changes);
            format!("- {statement} ({place})\n")
        };
        let rows = gained.iter().map(row).collect();
        shown.details.push(CommentBlock { head: format!("**{head}**\n\n"), rows });
    }

    /// The name of a case with a link to its page, or to an expectation on it, if there is a
    /// report.
    fn case(&self, line: usize, verdict: Option<(&Run, &Expectation)>) -> String {
        let name = name(&self.part.analysis.cases[line].name);
        let Some(url) = self.url else { return name };
        let anchor =
            verdict.map(|(_, check)| format!("#{}", self.addresses.expectation(line, &key(check))));
        format!("[{name}]({url}{}{})", self.addresses.case(line), anchor.unwrap_or_default())
    }

    fn add_configurations(&self, shown: &mut CommentContent) {
        let Some(index) = self.part.analysis.newest() else { return };
        let heads = ["configuration", "passed", "level", "time", "tokens", "runs"];
        let heads = heads.map(|head| self.words.entry(&["configurations", head]));
        let rows = ConfigurationRow::all(&self.part.analysis.iterations[index], &self.words);
        let rows = rows.into_iter().map(|row| {
            let (name, rate) = (name(&row.name), row.rate.whole(&self.words));
            table_row(&[name, rate, row.level, row.time, row.tokens, row.runs])
        });
        let head = table_row(&heads) + "|:--|--:|--:|--:|--:|:--|\n";
        shown.details.push(CommentBlock { head, rows: rows.collect() });
    }

    /// Both sides in numbers, the limits of the verdict, and problems of the input.
    fn add_method(&self, answer: &Answer, previous: Option<&Change>, shown: &mut CommentContent) {
        let both = self.lead.into_iter().chain(previous);
        let differs = both.map(|change| verdict::differs(self.words, change));
        let differs = self.words.sentences(differs);
        let problems = problem_counts(&self.words, &self.part.workspace.problems);
        let problems = self.words.fill("pull_request.problems", &[("problems", &problems)]);
        let texts = [&answer.sides, &answer.caution, &differs, &problems];
        let texts = texts.into_iter().filter(|text| !text.is_empty());
        let rows = texts.map(|text| format!("{}\n\n", escape::markdown(&cut(text, PARAGRAPH))));
        shown.details.push(CommentBlock { head: String::new(), rows: rows.collect() });
    }

    /// The compared sides: `iteration-4: with_skill vs old_skill · 5 cases`.
    fn footer(&self, after: Option<&Side>) -> String {
        let Some(after) = after else { return String::new() };
        let workspace = self.part.workspace;
        let iteration = &workspace.iterations[after.iteration].name;
        let mut text = format!("{iteration}: {}", after.configuration);
        if let Some(lead) = self.lead {
            let other = changes::side_name(self.words, lead, &lead.before);
            let places: [(&str, &dyn Display); 2] = [("configuration", &text), ("other", &other)];
            text = self.words.fill("diff.against_baseline", &places);
        }
        let summary = self.part.analysis.summary(after);
        let cases = self.words.count(summary.map_or(0, |summary| summary.cases), "case");
        let text = escape::markdown(&cut(&text, 3 * NAME));
        format!("<sub>{text} · {cases} · evalbook</sub>\n\n")
    }
}

fn name(text: &str) -> String {
    escape::markdown(&cut(text, NAME))
}
