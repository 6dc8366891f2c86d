//! Compares two sides, for a terminal or a comment on a change.

pub use crate::render::data::comparison::json;

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::analyze::{Change, Flip, FlipKind, Side};
use crate::digest::{Changes, Comparisons, Questions};
use crate::gate::{Judgement, NotCheckable, Question};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::escape::markdown as escaped;
use crate::render::markdown_table::{head as table_head, row as table_row};
use crate::render::text::columns;
use crate::render::text::comment_layout::{by_evidence, one_reason};
use crate::render::text::compared_answer;
use crate::render::text::gate_alert::gate_alert;
use crate::wording::changes::key_against;
use crate::wording::gate::{GateLine, GateMark, lines, newer_round};
use crate::wording::{Facts, answer, changes, configurations, costs, headline, measured, sides};
use text::{printable, tokens};

/// Items of a group that are listed; the rest are counted.
const LISTED: usize = 20;

/// The sign of lost checks.
const LOST: &str = "−";

/// Losses that are open in a comment; the rest is folded.
const OPEN: usize = 5;

/// Characters of the evidence for a regression.
const EVIDENCE: usize = 200;

const HEADS: [&str; 5] =
    ["compare.side", "compare.passed", "compare.range", "compare.time", "compare.tokens"];

#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    pub shown: &'a Candidate<'a>,
    pub others: &'a [Candidate<'a>],
    /// What a reader must know of the choice of sides.
    pub remarks: &'a [String],
}

#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    pub question: &'a Question<'a>,
    pub change: &'a Change,
    pub judgement: &'a Judgement<'a>,
}

impl<'a> Comparison<'a> {
    pub(crate) fn candidates(self) -> impl Iterator<Item = &'a Candidate<'a>> {
        std::iter::once(self.shown).chain(self.others)
    }

    /// The results of the gate, a line for each rule and candidate.
    pub fn gate(self, language: &Language) -> Vec<GateLine> {
        self.candidates()
            .flat_map(|candidate| lines(candidate.question, candidate.judgement, language))
            .collect()
    }
}

/// As lines with colors, which the caller strips where they are unwanted.
pub fn text(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::new(comparison, language);
    let mut text = bold(&view.title) + "\n" + &bold(&view.verdict);
    text.extend(view.sentences.iter().map(|sentence| printable(sentence) + "\n"));
    let mut rows = vec![HEADS.map(|head| printable(language.text(head)))];
    rows.extend(view.rows.iter().map(|row| row.each_ref().map(|cell| printable(cell))));
    text.push('\n');
    text.extend(columns(&rows).iter().map(|line| format!("  {line}\n")));
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", printable(&view.on_baseline));
    }
    for group in &view.groups {
        text += &(String::from("\n") + &bold(&group.title));
        for FlipItem { case, text: statement, counts, evidence } in &group.items {
            let gap = if case.is_empty() || statement.is_empty() { "" } else { ": " };
            let name = printable(case) + gap + &printable(statement);
            let _ = writeln!(text, "{}", format!("  {} {name}  {counts}", group.sign).trim_end());
            if !evidence.is_empty() {
                let _ = writeln!(text, "      {}", one_line(evidence));
            }
        }
        if !group.more.is_empty() {
            let _ = writeln!(text, "  {}", group.more);
        }
    }
    if !view.gate.is_empty() {
        text += &(String::from("\n") + &bold(language.text("compare.gate")));
    }
    for line in &view.gate {
        let style = style_of(line.mark);
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "  {style}{word:<6}{style:#} {}", one_line(&line.text));
    }
    text
}

fn bold(line: &str) -> String {
    let bold = Style::new().bold();
    format!("{bold}{}{bold:#}\n", printable(line))
}

fn style_of(mark: GateMark) -> Style {
    match mark {
        GateMark::Passed => AnsiColor::Green.on_default(),
        GateMark::Failed => AnsiColor::Red.on_default().bold(),
        GateMark::Known | GateMark::Remark => AnsiColor::Yellow.on_default(),
    }
}

fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub fn markdown(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::new(comparison, language);
    let sentences = language.sentences(view.sentences.iter().map(|text| escaped(text)));
    let (mut text, rest) = gate_alert(&view.gate, LISTED, language);
    let _ = write!(text, "## {}\n\n", escaped(&view.title));
    text.extend(comparison.remarks.iter().map(|remark| escaped(remark) + "\n\n"));
    match compared_answer::markdown(comparison, language) {
        Some(asked) => text += &asked,
        None => {
            let _ = write!(text, "**{}**\n\n", escaped(&view.verdict));
            // Another model or grader is the first thing to know of such a difference.
            if !view.differences.is_empty() {
                let _ = write!(text, "{}\n\n", escaped(&view.differences));
            }
        }
    }
    let mut folded = format!("{sentences}\n\n");
    folded += &table_head(HEADS, "|---|--:|--:|--:|--:|", language);
    folded.extend(view.rows.iter().map(|row| table_row(&row.each_ref().map(|cell| escaped(cell)))));
    if !view.on_baseline.is_empty() {
        let _ = writeln!(folded, "\n{}", escaped(&view.on_baseline));
    }
    for group in &view.groups {
        let heading = format!("\n### {}\n\n", escaped(&group.title));
        // What was lost is what a reviewer must see; all else is there for who asks.
        if group.sign == LOST {
            let open = by_reason(group, language);
            text += &heading;
            text.extend(open.iter().take(OPEN).map(markdown_item));
            if open.len() > OPEN {
                let _ = writeln!(
                    text,
                    "- {}",
                    say!(language, "compare.more_below", n = open.len() - OPEN)
                );
            }
            if open.len() == group.items.len() && open.len() <= OPEN {
                continue;
            }
        }
        folded += &heading;
        folded.extend(group.items.iter().map(markdown_item));
        if !group.more.is_empty() {
            let _ = writeln!(folded, "- {}", group.more);
        }
    }
    let summary = escaped(language.text("pull_request.details"));
    let _ = write!(text, "\n<details><summary>{summary}</summary>\n\n{folded}\n</details>\n");
    if !rest.is_empty() {
        let _ = writeln!(text, "\n### {}\n\n{}", language.text("compare.gate"), rest.concat());
    }
    text
}

fn markdown_item(item: &FlipItem) -> String {
    let FlipItem { case, text: statement, counts, evidence } = item;
    let mut text = format!("- {}", escaped(case));
    if !statement.is_empty() {
        let _ = write!(text, ": {}", escaped(statement));
    }
    if !counts.is_empty() {
        let _ = write!(text, " ({counts})");
    }
    text.push('\n');
    if !evidence.is_empty() {
        let _ = writeln!(text, "  - {}", escaped(evidence));
    }
    text
}

struct View {
    title: String,
    verdict: String,
    /// What else differs between the sides; empty where nothing does.
    differences: String,
    /// Costs, certainty and omissions.
    sentences: Vec<String>,
    /// The candidate, the earlier side, the baseline.
    rows: Vec<[String; 5]>,
    /// The comparison with the baseline; empty without one.
    on_baseline: String,
    groups: Vec<Group>,
    gate: Vec<GateLine>,
}

struct Group {
    title: String,
    sign: &'static str,
    items: Vec<FlipItem>,
    /// The number of others; empty for none.
    more: String,
}

#[derive(Clone, Default)]
struct FlipItem {
    case: String,
    text: String,
    /// `3/3 → 2/3`, or empty.
    counts: String,
    /// The reason in the grader's words, or empty.
    evidence: String,
}

impl View {
    fn new(comparison: Comparison<'_>, language: &Language) -> Self {
        let Candidate { question, change, judgement } = *comparison.shown;
        let facts = Facts { workspace: question.workspace, analysis: question.analysis, language };
        let [before, after] = change.sides().map(|side| sides::full_name(facts, side));
        let title = say!(language, "compare.title", after, before);
        if judgement.is_same_runs {
            // The runs were compared when they were new; no verdict is news.
            let verdict = match question.obstacle {
                Some(NotCheckable::EditedSince(_)) => language.text("compare.edited").to_owned(),
                Some(why) if let Some(reason) = newer_round(why, language) => {
                    say!(language, "compare.newer", reason)
                }
                _ if question.is_skill_changed => say!(language, "compare.not_run_again", before),
                _ => say!(language, "compare.nothing_new", before),
            };
            return Self {
                title,
                verdict,
                differences: String::new(),
                sentences: Vec::from_iter(measured::never_run(facts, &change.after)),
                rows: change.sides().into_iter().rev().map(|side| row(facts, side)).collect(),
                on_baseline: String::new(),
                groups: Vec::new(),
                gate: comparison.gate(language),
            };
        }
        let mut sentences = Vec::from_iter(costs::costs(change, language));
        sentences.extend(changes::reasons(facts, change));
        sentences.extend(answer::without_verdict(facts, &change.after));
        let mut sides = vec![&change.after, &change.before];
        let mut on_baseline = String::new();
        if let Some(change) = question.on_baseline() {
            sides.push(&change.before);
            let before = sides::full_name(facts, &change.before);
            let verdict = headline::sentences(facts, change);
            on_baseline = language.sentences([
                say!(language, "compare.on_baseline", before, verdict),
                costs::costs(change, language).unwrap_or_default(),
                sides::differences(facts, change.sides()),
            ]);
        }
        let differences = sides::differences(facts, change.sides());
        let comparisons = Comparisons::empty(question.workspace, question.analysis);
        let mut verdict = headline::sentences(facts, change);
        if compared_answer::is_kept(&Questions::new(&comparisons, &change.after), comparison.shown)
        {
            let reason = headline::reason(facts, change);
            verdict = language.sentences([headline::no_regression(change, language), reason]);
        }
        // The earlier side may be the baseline itself.
        sides.dedup();
        Self {
            title,
            verdict,
            differences,
            sentences,
            rows: sides.into_iter().map(|side| row(facts, side)).collect(),
            on_baseline,
            groups: groups(comparison, facts),
            gate: comparison.gate(language),
        }
    }
}

/// The figures of a side: its name, checks passed, mean of cases, time and tokens per run.
fn row(facts: Facts<'_>, side: &Side) -> [String; 5] {
    let language = facts.language;
    let name = sides::full_name(facts, side);
    let mut cells = [(); 5].map(|()| DASH.to_owned());
    cells[0] = name;
    let Some(summary) = facts.analysis.summary(side) else { return cells };
    cells[1] = Rate::over_cases(summary.by_case, summary.tally, language).whole(language);
    if let Some(range) = configurations::range(summary, language) {
        cells[2] = range;
    }
    if let Some(duration) = summary.duration_s {
        cells[3] = language.seconds(duration.mean);
    }
    if let Some(used) = summary.tokens {
        cells[4] = tokens(used.mean);
    }
    cells
}

fn groups(comparison: Comparison<'_>, facts: Facts<'_>) -> Vec<Group> {
    let language = facts.language;
    let Candidate { question, change, .. } = *comparison.shown;
    let flips = Comparisons::empty(question.workspace, question.analysis).for_change(change);
    let mut groups = Vec::new();
    for (kind, thing, sign) in [
        (FlipKind::Regressed, &*key_against("regressed", change.sides()), LOST),
        (FlipKind::Improved, &*key_against("improved", change.sides()), "+"),
        (FlipKind::Unsteady, "unsteady", "◇"),
        (FlipKind::Reworded, "reworded", "◇"),
        (FlipKind::StillFailing, "still_failing", "="),
        (FlipKind::New, "expectation_new", "*"),
        (FlipKind::Removed, "expectation_gone", "*"),
    ] {
        let flips_of_kind = flips.of_kind(kind);
        let items = flips_of_kind.iter().map(|flip| flip_item(facts, &flips, flip)).collect();
        groups.extend(Group::new(thing, sign, items, language));
    }
    for (cases, thing) in [
        (&change.gain.only_before, "case_gone"),
        (&change.gain.only_after, "case_new"),
        (&change.gain.unlike, "case_unlike"),
        (&change.gain.negative, "case_negative"),
    ] {
        let mut items = Vec::new();
        for case in cases {
            let case = facts.analysis.cases[*case].name.clone();
            items.push(FlipItem { case, ..FlipItem::default() });
        }
        groups.extend(Group::new(thing, "*", items, language));
    }
    // A round with several rewrites of a skill has several candidates; one of them is compared in full.
    let mut graded = Vec::new();
    for other in comparison.others {
        let change = other.change;
        if change.gain.paired().is_some() {
            graded.push(FlipItem {
                case: sides::full_name(facts, &change.after),
                text: language.sentences([
                    headline::sentences(facts, change),
                    sides::differences(facts, change.sides()),
                ]),
                counts: Rate::counts_of_both(change.gain.before, change.gain.after),
                evidence: String::new(),
            });
        }
    }
    groups.extend(Group::new("candidate_other", "*", graded, language));
    groups
}

/// Lost checks with one evidence as one item: it, and how many checks in which cases. Where not all
/// checks are listed, their number is not known here, so each is by itself.
fn by_reason(lost: &Group, language: &Language) -> Vec<FlipItem> {
    let groups = by_evidence(&lost.items, |item| {
        if lost.more.is_empty() { Some(item.evidence.as_str()) } else { None }
    });
    groups.into_iter().map(|group| one_item(&group, language)).collect()
}

fn one_item(group: &[&FlipItem], language: &Language) -> FlipItem {
    if let [only] = group {
        return FlipItem::clone(only);
    }
    let cases = group.iter().map(|item| item.case.clone());
    let text = one_reason(cases, &shorten(&group[0].text), language);
    FlipItem { case: format!("“{}”", group[0].evidence), text, ..FlipItem::default() }
}

fn flip_item(facts: Facts<'_>, changes: &Changes<'_>, flip: &Flip) -> FlipItem {
    let mut evidence = String::new();
    if flip.kind == FlipKind::Regressed {
        evidence = shorten(changes.evidence(flip).unwrap_or_default());
    } else if let Some(text) = flip.probably_earlier {
        evidence = say!(facts.language, "diff.probably_reworded", text);
    }
    FlipItem {
        case: facts.analysis.cases[flip.case].name.clone(),
        text: flip.text.to_owned(),
        counts: Rate::counts_of_both(flip.before, flip.after),
        evidence,
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(EVIDENCE) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

impl Group {
    /// The first of `items` and the number of others; `None` without any.
    fn new(
        thing: &str,
        sign: &'static str,
        mut items: Vec<FlipItem>,
        language: &Language,
    ) -> Option<Self> {
        if items.is_empty() {
            return None;
        }
        let title = language.count(items.len(), thing);
        let more = language.beyond("compare.more", items.len(), LISTED);
        items.truncate(LISTED);
        Some(Self { title, sign, items, more })
    }
}
