//! Compares two sides, for a terminal or a comment on a change.

pub use crate::render::data::comparison::json;

use std::fmt::{Display, Write};

use anstyle::{AnsiColor, Style};

use crate::analyze::{Change, Flip, FlipKind, Side};
use crate::digest::FlipCache;
use crate::gate::{Judgement, Question};
use crate::language::Language;
use crate::render::context::{DASH, Rate, columns, escape::markdown as escaped};
use crate::render::markdown_table::{head, row as table_row};
use crate::text::{printable, tokens};
use crate::wording::changes::in_part;
use crate::wording::gate::{GateLine, GateMark, lines};
use crate::wording::{Facts, answer, changes, costs, verdict};

const LISTED: usize = 20;
const EVIDENCE: usize = 200;
const BOLD: Style = Style::new().bold();

const HEADS: [&str; 5] =
    ["compare.side", "compare.passed", "compare.level", "compare.time", "compare.tokens"];

#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    pub shown: &'a Candidate<'a>,
    pub others: &'a [Candidate<'a>],
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
    let mut text = String::new();
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}\n", printable(&view.title));
    let _ = writeln!(text, "{BOLD}{}{BOLD:#}", printable(&view.verdict));
    text.extend(view.sentences.iter().map(|sentence| printable(sentence) + "\n"));
    let mut rows = vec![HEADS.map(|head| printable(language.text(head)))];
    rows.extend(view.rows.iter().map(|row| row.each_ref().map(|cell| printable(cell))));
    text.push('\n');
    text.extend(columns(&rows).iter().map(|line| format!("  {line}\n")));
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", printable(&view.on_baseline));
    }
    for group in &view.groups {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", printable(&group.title));
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
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", language.text("compare.gate"));
    }
    for line in &view.gate {
        let style = match line.mark {
            GateMark::Passed => Style::new().fg_color(Some(AnsiColor::Green.into())),
            GateMark::Failed => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
            GateMark::Known | GateMark::Remark => {
                Style::new().fg_color(Some(AnsiColor::Yellow.into()))
            }
        };
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "  {style}{word:<6}{style:#} {}", one_line(&line.text));
    }
    text
}

fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

pub fn markdown(comparison: Comparison<'_>, language: &Language) -> String {
    let view = View::new(comparison, language);
    let mut text = String::new();
    let _ = writeln!(text, "## {}\n", escaped(&view.title));
    let _ = writeln!(text, "**{}**\n", escaped(&view.verdict));
    let sentences = view.sentences.iter().map(|sentence| escaped(sentence));
    let _ = writeln!(text, "{}\n", language.sentences(sentences));
    text += &head(HEADS, "|---|--:|--:|--:|--:|", language);
    text.extend(view.rows.iter().map(|row| table_row(&row.each_ref().map(|cell| escaped(cell)))));
    if !view.on_baseline.is_empty() {
        let _ = writeln!(text, "\n{}", escaped(&view.on_baseline));
    }
    for group in &view.groups {
        let _ = writeln!(text, "\n### {}\n", escaped(&group.title));
        for FlipItem { case, text: statement, counts, evidence } in &group.items {
            let case = escaped(case);
            let _ = match statement.is_empty() {
                true => writeln!(text, "- {case}"),
                false => writeln!(text, "- {case}: {} ({counts})", escaped(statement)),
            };
            if !evidence.is_empty() {
                let _ = writeln!(text, "  - {}", escaped(evidence));
            }
        }
        if !group.more.is_empty() {
            let _ = writeln!(text, "- {}", group.more);
        }
    }
    if !view.gate.is_empty() {
        let _ = writeln!(text, "\n### {}\n", language.text("compare.gate"));
    }
    for line in &view.gate {
        let word = language.text(line.mark.key());
        let _ = writeln!(text, "- **{word}** {}", escaped(&line.text));
    }
    text
}

struct View {
    title: String,
    verdict: String,
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

#[derive(Default)]
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
        let Candidate { question, change, .. } = *comparison.shown;
        let words = Facts { workspace: question.workspace, analysis: question.analysis, language };
        let side = |side: &Side| verdict::side(words, side);
        let mut sentences = Vec::from_iter(costs::costs(change, language));
        sentences.extend(changes::reasons(words, change));
        sentences.extend(answer::without_verdict(words, &change.after));
        let (after, before) = (side(&change.after), side(&change.before));
        let (mut sides, mut on_baseline) = (vec![&change.after, &change.before], String::new());
        if let Some(change) = question.on_baseline() {
            sides.push(&change.before);
            let verdict = verdict::sentences(words, change);
            let places: [(&str, &dyn Display); 2] =
                [("before", &side(&change.before)), ("verdict", &verdict)];
            let against = language.fill("compare.on_baseline", &places);
            let costs = costs::costs(change, language).unwrap_or_default();
            on_baseline = language.sentences([against, costs, verdict::differs(words, change)]);
        }
        sides.dedup();
        Self {
            title: language.fill("compare.title", &[("after", &after), ("before", &before)]),
            verdict: verdict::sentences(words, change),
            sentences,
            rows: sides.into_iter().map(|side| row(words, side)).collect(),
            on_baseline,
            groups: groups(comparison, words),
            gate: comparison.gate(language),
        }
    }
}

fn row(words: Facts<'_>, side: &Side) -> [String; 5] {
    let Facts { analysis, language, .. } = words;
    let (summary, side) = (analysis.summary(side), verdict::side(words, side));
    let dash = || DASH.to_owned();
    let Some(summary) = summary else { return [side, dash(), dash(), dash(), dash()] };
    let level = summary.level.as_ref().map(|level| {
        let interval = level.shown();
        let [level, low, high] =
            [level.estimate, interval.low, interval.high].map(|rate| language.percent(rate));
        language.fill("compare.interval", &[("level", &level), ("low", &low), ("high", &high)])
    });
    let rate = Rate::new(summary.tally, language).whole(language);
    let time = summary.duration_s.map(|duration| language.seconds(duration.mean));
    let used = summary.tokens.map(|used| tokens(used.mean));
    let [level, time, used] = [level, time, used].map(|cell| cell.unwrap_or_else(dash));
    [side, rate, level, time, used]
}

fn groups(comparison: Comparison<'_>, words: Facts<'_>) -> Vec<Group> {
    let language = words.language;
    let Candidate { question, change, .. } = *comparison.shown;
    let lines = &question.analysis.cases;
    let changes = FlipCache::empty(question.workspace, question.analysis).for_change(change);
    let shorten = |text: &str| match text.char_indices().nth(EVIDENCE) {
        Some((end, _)) => format!("{} …", text[..end].trim_end()),
        None => text.to_owned(),
    };
    let item = |flip: &&Flip| {
        let evidence = match (flip.kind, flip.probably_earlier) {
            (FlipKind::Regressed, _) => changes.evidence(flip).map(shorten),
            (_, Some(text)) => Some(language.fill("diff.probably_reworded", &[("text", &text)])),
            _ => None,
        };
        FlipItem {
            case: lines[flip.case].name.clone(),
            text: flip.text.to_owned(),
            counts: Rate::counts_of_both(flip.before, flip.after),
            evidence: evidence.unwrap_or_default(),
        }
    };
    let mut groups = Vec::new();
    for (kind, thing, sign) in [
        (FlipKind::Regressed, "regressed", "−"),
        (FlipKind::Improved, "improved", "+"),
        (FlipKind::StillFailing, "still_failing", "="),
        (FlipKind::New, "expectation_new", "*"),
        (FlipKind::Removed, "expectation_gone", "*"),
    ] {
        let flips = changes.of_kind(kind);
        if let Some(group) = group(thing, sign, flips.iter().map(item), language) {
            groups.push(Group { title: in_part(group.title, flips, language), ..group });
        }
    }
    for (cases, thing) in [
        (&change.gain.only_before, "case_gone"),
        (&change.gain.only_after, "case_new"),
        (&change.gain.unlike, "case_unlike"),
        (&change.gain.negative, "case_negative"),
    ] {
        let item = |at: &usize| FlipItem { case: lines[*at].name.clone(), ..FlipItem::default() };
        groups.extend(group(thing, "*", cases.iter().map(item), language));
    }
    let others = comparison.others.iter().map(|other| other.change);
    let graded = others.filter(|change| change.gain.paired.is_some()).map(|change| FlipItem {
        case: verdict::side(words, &change.after),
        text: language
            .sentences([verdict::sentences(words, change), verdict::differs(words, change)]),
        counts: Rate::counts_of_both(change.gain.before, change.gain.after),
        evidence: String::new(),
    });
    groups.extend(group("candidate_other", "*", graded, language));
    groups
}

/// The first of `items` and the number of others; `None` without any.
fn group(
    thing: &str,
    sign: &'static str,
    items: impl Iterator<Item = FlipItem>,
    language: &Language,
) -> Option<Group> {
    let mut items: Vec<FlipItem> = items.collect();
    let title = language.count(items.len(), thing);
    let more = language.beyond("compare.more", items.len(), LISTED);
    items.truncate(LISTED);
    (!items.is_empty()).then_some(Group { title, sign, items, more })
}
