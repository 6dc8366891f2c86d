//! The newest iteration as Markdown with a size limit, for a comment on a pull request or a CI
//! step.
//!
//! Verdict, counts, worst cases and regressions are visible at once; the rest is folded.

use std::cmp::Ordering;
use std::fmt::Write;

use crate::analyze::{Change, Flip, FlipKind, Side, key};
use crate::digest::{self, Changes, ComparedCase};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Part, PartAddresses, addresses, escape};
use crate::render::markdown_table::row as table_row;
use crate::render::text::comment_layout::{CommentBlock, CommentContent, fitted};
use crate::wording::Answer;
use crate::wording::changes::key_against;
use crate::wording::configurations::ConfigurationRow;
use crate::wording::gate::{GateLine, GateMark};
use crate::wording::verdict::Difference;
use crate::wording::{self, Facts, by_condition, costs, headline, sides, verdict};
use input::model::{Expectation, Run};
use statistics::mean;
use text::{Slugs, cut, cut_line};

/// The start of the hidden first line, by which a comment is found again; the name follows.
pub const MARKER: &str = "<!-- evalbook:";

/// Bytes of a comment: the limit is 65,536 characters, each at least a byte.
pub const COMMENT_BYTES: usize = 60_000;

/// Bytes of a step summary: the limit is 1 MiB.
pub const SUMMARY_BYTES: usize = 1_000 * 1024;

/// Characters of a name, of a check, of its evidence, and of a paragraph.
const NAME: usize = 120;
const STATEMENT: usize = 300;
const EVIDENCE: usize = 300;
const PARAGRAPH: usize = 2_000;

/// Entries of each kind that are visible; the others are folded.
const CASES: usize = 8;
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
    let mut text = format!("{MARKER}{} -->\n", Slugs::default().give(&names.join(" ")));
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

        // If no check has verdicts on both sides, flips are unknown, not 0.
        let changes = lead.map(|lead| part.flips.for_change(lead));
        let changes =
            changes.filter(|changes| changes.flips.iter().any(|flip| flip.change().is_some()));
        let previous = after
            .as_ref()
            .and_then(|after| part.analysis.since_previous(after))
            .filter(|previous| Some(*previous) != lead);
        let answer = Answer::new(part.workspace, part.analysis, language);

        let mut content = Self {
            heading: writer.heading(&answer),
            footer: writer.footer(after.as_ref()),
            ..Self::default()
        };
        writer.add_counts(&answer, changes.as_ref(), &mut content);
        writer.add_gate(&mut content);
        // Short texts come before the lists, which take all the room.
        writer.add_configurations(&mut content);
        writer.add_method(&answer, previous, &mut content);
        let folded_cases = writer.add_cases(after.as_ref(), &mut content);
        if let Some(changes) = &changes {
            let since = previous.map(|previous| part.flips.for_change(previous));
            match since {
                // What regressed since the previous iteration is news if nothing is worse than the
                // baseline.
                Some(since) if !has_regressions(changes) && has_regressions(&since) => {
                    writer.add_regressed(&since, &mut content);
                }
                _ => writer.add_regressed(changes, &mut content),
            }
            writer.add_improved(changes, &mut content);
        }
        content.details.extend(folded_cases);
        content
    }
}

fn has_regressions(changes: &Changes<'_>) -> bool {
    !changes.regressed().is_empty()
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
        // No single condition of a round speaks for it.
        let shared = by_condition::shared_verdict(self.facts, &lead.after);
        let sign = shared.map_or(headline::sign(&lead.gain), headline::sign_of);
        let verdict = escape::markdown(answer.verdict.trim_end_matches(['.', '。']));
        let mut range = String::new();
        if shared.is_none()
            && let Some(interval) = digest::interval(&lead.gain)
        {
            let measure = lead.gain.measure();
            let low = verdict::number(measure, interval.low);
            let high = verdict::number(measure, interval.high);
            range = say!(self.language, "pull_request.range", low, high);
        }
        let verdict = self.language.sentences([verdict, range]);
        let heading = format!("{sign} {}", self.language.labelled(&title, &verdict));
        format!("### {}\n\n", heading.trim())
    }

    /// The reason for the verdict, the results of the checks, and the cost.
    fn add_counts(&self, answer: &Answer, changes: Option<&Changes<'_>>, to: &mut CommentContent) {
        let reason = escape::markdown(&cut(&answer.reason, PARAGRAPH));
        let _ = writeln!(to.body, "{reason}");
        if let Some(changes) = changes {
            let counts = [
                (FlipKind::Regressed, "counters.regressed"),
                (FlipKind::Improved, "counters.improved"),
                (FlipKind::Unsteady, "counters.unsteady"),
                (FlipKind::StillFailing, "counters.failing"),
                (FlipKind::StillPassing, "counters.unchanged"),
            ];
            let counts = counts.into_iter().filter(|(kind, _)| {
                *kind != FlipKind::Unsteady || changes.count(FlipKind::Unsteady) > 0
            });
            let counts = counts.map(|(kind, key)| {
                let key = match kind {
                    FlipKind::Regressed | FlipKind::Improved => key_against(key, changes.sides()),
                    _ => key.into(),
                };
                format!("{} {}", changes.count(kind), self.language.text(&key))
            });
            let counts: Vec<String> = counts.collect();
            let costs = self.lead.and_then(|lead| costs::costs(lead, self.language));
            let costs = escape::markdown(&costs.unwrap_or_default());
            let total = changes.flips.iter().count();
            let (checks, other) = (self.language.count(total, "check"), self.other_name());
            let pair = say!(self.language, "counters.versus", checks, other);
            let pair = escape::markdown(&pair);
            let word = self.language.sentences([pair, counts.join(" · ")]);
            let counts = say!(self.language, "verdict.headline_alone", word);
            let _ = writeln!(to.body, "**{counts}** {costs}");
        }
        to.body.push('\n');
    }

    /// The side that the leading comparison is with.
    fn other_name(&self) -> String {
        let Some(lead) = self.lead else { return String::new() };
        let [other, _] = sides::short_names(self.facts, lead.sides());
        cut(&other, NAME)
    }

    /// The lines of the gate, those that failed first.
    fn add_gate(&self, to: &mut CommentContent) {
        let mut lines: Vec<&GateLine> = self.part.gate.iter().collect();
        // What stops the merge must not be folded.
        lines.sort_by_key(|line| line.mark != GateMark::Failed);
        let mut rows = lines.iter().map(|line| {
            let word = self.language.text(line.mark.key());
            format!("- **{word}** {}\n", escape::markdown(&cut(&line.text, STATEMENT)))
        });
        to.body.extend(rows.by_ref().take(GATE_LINES));
        to.details.push(CommentBlock { head: String::new(), rows: rows.collect() });
        if !lines.is_empty() {
            to.body.push('\n');
        }
    }

    /// Adds the worst cases; returns the others.
    fn add_cases(&self, after: Option<&Side>, to: &mut CommentContent) -> Option<CommentBlock> {
        let cases = digest::compared_cases(&self.part.flips, after?, self.lead);
        if cases.is_empty() {
            return None;
        }
        let mut heads = vec![self.language.text("overview.case").to_owned()];
        if let Some(lead) = self.lead {
            let [other, candidate] = sides::short_names(self.facts, lead.sides());
            heads.extend([name(&candidate), name(&other)]);
            heads.push(self.language.text("answer.points").to_owned());
        } else {
            heads.push(self.language.text("overview.candidate").to_owned());
        }
        let head = format!("{}|:--|{}\n", table_row(&heads), "--:|".repeat(heads.len() - 1));
        let mut rows = cases.iter().map(|case| self.case_row(case));
        to.body.push_str(&head);
        to.body.extend(rows.by_ref().take(CASES));
        to.body.push('\n');
        Some(CommentBlock { head, rows: rows.collect() })
    }

    fn case_row(&self, case: &ComparedCase<'_>) -> String {
        let mut cells = vec![self.case(case.line, None)];
        let Some(lead) = self.lead else {
            cells.push(self.rate(&case.candidate));
            return table_row(&cells);
        };
        let Some(gain) = case.difference() else {
            cells.extend([self.rate(&case.candidate), self.rate(&case.other), DASH.to_owned()]);
            return table_row(&cells);
        };
        let Difference { before, after, gain: number } =
            verdict::of_case(case, lead.gain.measure(), self.language);
        let sign = match lead.gain.measure().direction(gain) {
            Ordering::Greater => "▲ ",
            Ordering::Less => "▼ ",
            Ordering::Equal => "",
        };
        cells.extend([after, before, format!("{sign}{number}")]);
        table_row(&cells)
    }

    /// The mean pass rate of runs.
    fn rate(&self, runs: &[f64]) -> String {
        mean(runs).map_or(DASH.to_owned(), |rate| self.language.percent(rate))
    }

    /// Regressions with their evidence; if there are none, checks that no run passes on either
    /// side.
    fn add_regressed(&self, changes: &Changes<'_>, to: &mut CommentContent) {
        let language = self.language;
        let lost = changes.regressed();
        if lost.is_empty() {
            let mut heads = by_condition::regressed_at_all(self.facts, &changes.after);
            if heads.is_empty() {
                let nothing = key_against("pull_request.nothing", changes.sides());
                heads.push(language.text(&nothing).to_owned());
            }
            let heads = escape::markdown(&language.sentences(heads));
            let _ = write!(to.body, "**{heads}**");
            let mut failing = changes.of_kind(FlipKind::StillFailing);
            // What fails only now and then is not the first thing to fix.
            failing.retain(|flip| flip.after.passed == 0);
            if !failing.is_empty() {
                let _ = writeln!(to.body, " {}", language.text("pull_request.failing"));
            }
            to.body.push('\n');
            to.body.extend(failing.iter().take(FAILING).map(|flip| self.item(flip, changes)));
        } else {
            let head = wording::changes::regressed(self.facts, changes).unwrap_or_default();
            let head = escape::markdown(&head);
            let sign = if lost.iter().any(|flip| flip.is_repeated()) { "▼" } else { "▽" };
            let _ = write!(to.body, "**{sign} {head}**\n\n");
            let mut rows = lost.iter().map(|flip| self.item(flip, changes));
            to.body.extend(rows.by_ref().take(REGRESSED));
            let head = format!("**{head}**\n\n");
            to.details.push(CommentBlock { head, rows: rows.collect() });
        }
        to.body.push('\n');
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
        self.language.list([case, Rate::counts_of_both(flip.before, flip.after)])
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
        let heads = ["configuration", "passed", "level", "time", "tokens", "runs"];
        let heads = heads.map(|head| self.language.entry(&["configurations", head]));
        let mut rows = Vec::new();
        for row in ConfigurationRow::all(&self.part.analysis.iterations[index], self.language) {
            let (name, rate) = (name(&row.name), row.rate.whole(self.language));
            rows.push(table_row(&[name, rate, row.level, row.time, row.tokens, row.runs]));
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

fn statement(flip: &Flip<'_>) -> String {
    escape::markdown(&cut_line(&cut(flip.text, 4 * STATEMENT), STATEMENT))
}

fn name(text: &str) -> String {
    escape::markdown(&cut(text, NAME))
}
