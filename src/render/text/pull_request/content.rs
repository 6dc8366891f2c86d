//! The blocks of a text, each whole in itself.

use std::fmt::Write;

use crate::analyze::{CaseStanding, Change, Flip, FlipKind, key, standings};
use crate::digest::{self, Changes, Standings};
use crate::language::Language;
use crate::model::Expectation;
use crate::render::context::{Part, PartAddresses, Rate, cut, escape};
use crate::render::html::{configuration_rows, problem_counts};
use crate::render::text::answer::{Answer, answer};
use crate::render::text::change::lost_and_gained;
use crate::render::text::gate::Line;
use crate::render::text::pull_request::Wanted;
use crate::render::text::{recorded, verdict};

/// So many characters of each are written.
const NAME: usize = 120;
const STATEMENT: usize = 400;
const PARAGRAPH: usize = 2_000;

/// Everything that is said of one workspace.
#[derive(Default)]
pub(super) struct Content {
    pub(super) verdict: String,
    /// What became of the gate; both sides, and how many expectations changed; what else is to be
    /// known; at the end the details.
    pub(super) counts: Vec<String>,
    /// Expectations that lost passes, and those that gained some.
    pub(super) groups: [Group; 2],
    /// The head of the table of cases.
    pub(super) cases_head: String,
    pub(super) cases: Vec<String>,
}

/// Expectations under a heading.
#[derive(Default)]
pub(super) struct Group {
    pub(super) heading: String,
    /// An item of a list for each.
    pub(super) items: Vec<String>,
    /// What follows the item, where there is evidence.
    pub(super) evidence: Vec<String>,
}

impl Content {
    /// The blocks for `part`.
    pub(super) fn new(
        part: &Part<'_>,
        addresses: &PartAddresses,
        wanted: Wanted<'_>,
        gate: &[Line],
        language: &Language,
    ) -> Self {
        let words = Words { part, addresses, wanted, language };
        let answer = answer(part.workspace, part.analysis, language).unwrap_or_else(|| Answer {
            verdict: recorded::instead_of_answer(part.workspace, language),
            reason: String::new(),
            sides: String::new(),
            caution: String::new(),
        });
        let change = digest::reference(part.analysis);
        let changes = change.map(|change| (change, part.flips.of_change(change)));
        let verdict = escape::markdown(&answer.verdict);
        let (cases_head, cases) = words.cases();
        Self {
            verdict: format!("## {}\n\n**{verdict}**\n\n", name(part.title())),
            counts: words.counts(answer, changes.as_ref(), gate),
            groups: changes.map(|(_, changes)| words.groups(&changes)).unwrap_or_default(),
            cases_head,
            cases,
        }
    }
}

struct Words<'a> {
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    wanted: Wanted<'a>,
    language: &'a Language,
}

impl Words<'_> {
    fn counts(
        &self,
        answer: Answer,
        changes: Option<&(&Change, Changes<'_>)>,
        gate: &[Line],
    ) -> Vec<String> {
        let mut paragraphs = vec![answer.reason];
        paragraphs.extend(changes.map(|(change, changes)| self.changed(change, changes)));
        paragraphs.push(answer.sides);
        if let Some((change, _)) = changes {
            // Of the change that leads, the sides say what differs.
            let lead = self.part.analysis.lead(&change.after);
            if lead.is_none_or(|lead| lead.before != change.before) {
                paragraphs.push(verdict::differs(change, self.language));
            }
        }
        paragraphs.push(answer.caution);
        paragraphs.retain(|text| !text.is_empty());
        let paragraph = |text: String| format!("{}\n\n", escape::markdown(&cut(&text, PARAGRAPH)));
        let paragraphs = paragraphs.into_iter().map(paragraph);
        self.gate(gate).into_iter().chain(paragraphs).chain([self.details()]).collect()
    }

    fn gate(&self, lines: &[Line]) -> Option<String> {
        let line = |line: &Line| {
            let word = self.language.text(line.mark.key());
            format!("- **{word}** {}\n", escape::markdown(&cut(&line.text, STATEMENT)))
        };
        let list: String = lines.iter().map(line).collect();
        (!list.is_empty()).then(|| format!("{list}\n"))
    }

    /// How many expectations and cases changed, with the side they are compared with.
    fn changed(&self, change: &Change, changes: &Changes<'_>) -> String {
        let language = self.language;
        let side = verdict::side(self.part.workspace, &change.before, language);
        let [case_new, case_gone] = match change.is_within_iteration() {
            true => ["case_new_beside", "case_gone_beside"],
            false => ["case_new", "case_gone"],
        };
        let mut parts = vec![lost_and_gained(changes, &side, language)];
        for (number, thing) in [
            (changes.number(FlipKind::New), "expectation_new"),
            (changes.number(FlipKind::Removed), "expectation_gone"),
            (change.gain.only_after.len(), case_new),
            (change.gain.only_before.len(), case_gone),
            (change.gain.unlike.len(), "case_unlike"),
        ] {
            parts.extend((number > 0).then(|| language.count(number, thing)));
        }
        parts.join(language.text("list.comma"))
    }

    fn groups(&self, changes: &Changes<'_>) -> [Group; 2] {
        let keys = match changes.is_within_iteration {
            true => ["overview.worse", "overview.better"],
            false => ["overview.regressed", "overview.fixed"],
        };
        [(FlipKind::Regressed, keys[0]), (FlipKind::Fixed, keys[1])].map(|(kind, key)| {
            let flips = changes.that(kind);
            let number = self.language.count(flips.len(), "expectation");
            let heading = self.language.fill(key, &[("expectations", &number)]);
            let evidence = |flip: &&Flip| {
                let evidence = changes.evidence(flip).filter(|_| kind == FlipKind::Regressed);
                evidence.map(|text| self.quoted(text)).unwrap_or_default()
            };
            Group {
                heading: format!("### {heading}\n\n"),
                items: flips.iter().map(|flip| self.item(flip, changes)).collect(),
                evidence: flips.iter().map(evidence).collect(),
            }
        })
    }

    fn item(&self, flip: &Flip, changes: &Changes<'_>) -> String {
        let case = self.case(flip.line, changes.verdicts(flip).next().map(|(_, found)| found));
        let part = match flip.is_partial() {
            true => ["list.comma", "diff.in_part"].map(|key| self.language.text(key)).concat(),
            false => String::new(),
        };
        let statement = escape::markdown(&cut(flip.text, STATEMENT));
        format!("- {case}: {statement} ({}{part})\n", Rate::counts_of_both(flip.before, flip.after))
    }

    /// The name of a case, which leads to its page where the report is published, and on it to the
    /// expectation, if any.
    fn case(&self, line: usize, expectation: Option<&Expectation>) -> String {
        let name = name(&self.part.analysis.lines[line].name);
        let Some(url) = self.wanted.url else { return name };
        let anchor = |found| format!("#{}", self.addresses.expectation(line, &key(found)));
        let anchor = expectation.map(anchor).unwrap_or_default();
        format!("[{name}]({url}{}{anchor})", self.addresses.case(line))
    }

    fn quoted(&self, text: &str) -> String {
        let most = self.wanted.target.evidence();
        let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
        let mut quoted = String::from("\n");
        for line in text[..end].lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(quoted, "  > {}", escape::markdown(line));
        }
        if end < text.len() {
            let more = self.language.count(text.len() - end, "more_byte");
            let _ = writeln!(quoted, "  >\n  > … {more}");
        }
        quoted.push('\n');
        quoted
    }

    /// The head of the table, and a row for each case.
    fn cases(&self) -> (String, Vec<String>) {
        let newest = self.part.analysis.newest();
        let standings = |index| {
            let known = Standings::new(&self.part.flips, index);
            standings(self.part.workspace, self.part.analysis, index, known.flips.as_deref())
        };
        let mut found = newest.map(standings).unwrap_or_default();
        found.sort_by_key(|standing| standing.status);
        let has_baseline = found.iter().any(|standing| standing.baseline.is_some());
        let mut heads = vec!["overview.case", "overview.status", "overview.candidate"];
        heads.extend(has_baseline.then_some("overview.baseline"));
        let heads: Vec<&str> = heads.into_iter().map(|key| self.language.text(key)).collect();
        let title = self.language.text("iteration.cases");
        let rule = if has_baseline { "|---|---|--:|--:|" } else { "|---|---|--:|" };
        let head = format!("### {title}\n\n| {} |\n{rule}\n", heads.join(" | "));
        (head, found.iter().map(|standing| self.row(standing, has_baseline)).collect())
    }

    fn row(&self, standing: &CaseStanding, has_baseline: bool) -> String {
        let language = self.language;
        let lost = (standing.regressed > 0).then(|| format!(" \u{2212}{}", standing.regressed));
        let gained = (standing.fixed > 0).then(|| format!(" +{}", standing.fixed));
        let flips: String = lost.into_iter().chain(gained).collect();
        let status = language.text(&format!("status.{}", standing.status.word())).to_owned();
        let rate = |tally| Rate::new(tally, language).whole(language);
        let mut cells =
            vec![self.case(standing.line, None), status + &flips, rate(standing.candidate)];
        if has_baseline {
            cells.push(standing.baseline.map(rate).unwrap_or_default());
        }
        format!("| {} |\n", cells.join(" | "))
    }

    /// The configurations of the newest graded iteration, and how many problems there are.
    fn details(&self) -> String {
        let language = self.language;
        let mut text = format!(
            "<details>\n<summary>{}</summary>\n\n",
            escape::markdown(language.text("pull_request.details"))
        );
        if let Some(index) = self.part.analysis.newest() {
            let heads = [
                "configurations.configuration",
                "configurations.passed",
                "configurations.level",
                "configurations.time",
                "configurations.tokens",
                "configurations.runs",
            ];
            let heads = heads.map(|head| language.text(head)).join(" | ");
            let _ = writeln!(text, "| {heads} |\n|---|--:|--:|--:|--:|---|");
            for row in configuration_rows(&self.part.analysis.iterations[index], language) {
                let (name, rate) = (name(&row.name), row.rate.whole(language));
                let cells = [name, rate, row.level, row.time, row.tokens, row.runs].join(" | ");
                let _ = writeln!(text, "| {cells} |");
            }
            text.push('\n');
        }
        let problems = problem_counts(language, &self.part.workspace.problems);
        let _ = writeln!(
            text,
            "{}\n\n</details>\n",
            language.fill("pull_request.problems", &[("problems", &problems)])
        );
        text
    }
}

fn name(text: &str) -> String {
    escape::markdown(&cut(text, NAME))
}
