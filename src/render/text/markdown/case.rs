//! A case in Markdown: its prompt, counts, flips, and changes in its outputs.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use crate::analyze::{Appearance, CaseHistory, Choice, Side, run_pairs, tally_of};
use crate::diff::{self, Limits, Row};
use crate::diff_view::{FileChange, FileChanges, FileReader, FileState, FileSummary};
use crate::model::{Case, Tally};
use crate::preview::compared::{Comparable, comparable};
use crate::render::context::{
    DASH, Language, Part, Rate, RenderContext, Task, bounds,
    escape::{code_block, markdown},
    link,
};
use crate::render::markdown_table::{head, row};
use crate::render::text::flips;
use crate::wording::{changes, verdict};

/// Bytes of differences on the pages of all cases, and the least and most on one page.
const ALL_PAGES: usize = 1024 * 1024;
const PAGE: (usize, usize) = (8 * 1024, 96 * 1024);
/// Most bytes of one line of a difference.
const LINE: usize = 400;
/// Bytes that a file needs for its name, links and changes.
const LEAST_ROOM: usize = 600;
/// Most expectations on a page, however short they are.
const ROWS: usize = 5_000;

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let RenderContext { part, language: words, .. } = context;
    let room = (ALL_PAGES / part.analysis.cases.len().max(1)).clamp(PAGE.0, PAGE.1);
    for (index, line) in part.analysis.cases.iter().enumerate() {
        let path = context.addresses.case_markdown(index);
        let page = CasePage { context, part, words, index, line, path: path.clone(), room };
        tasks.push(Task::infallible(path, move || bounds::markdown(page.write(), page.words)));
    }
}

struct CasePage<'a> {
    context: RenderContext<'a>,
    part: &'a Part<'a>,
    words: &'a Language,
    /// Index of the case line.
    index: usize,
    line: &'a CaseHistory,
    path: String,
    room: usize,
}

impl CasePage<'_> {
    fn write(&self) -> String {
        let mut out = format!("# {}\n\n", markdown(&self.line.name));
        let to = link(&self.path, &self.context.addresses.report_file("report.md"));
        let _ = writeln!(out, "[{}]({to})\n", self.words.text("page.overview"));
        let prompt = |appearance: &Appearance| self.case(appearance).prompt.as_ref();
        if let Some(prompt) = self.line.appearances.iter().rev().find_map(prompt) {
            let _ = writeln!(out, "## {}\n", self.words.text("case.prompt"));
            code_block("text", prompt, &mut out);
        }
        self.counts(&mut out);
        self.expectations(&mut out);
        self.comparisons(&mut out);
        out
    }

    fn case(&self, appearance: &Appearance) -> &Case {
        &self.part.workspace.iterations[appearance.iteration].cases[appearance.case]
    }

    fn counts(&self, out: &mut String) {
        let heads = [
            "configurations.iteration",
            "configurations.configuration",
            "configurations.passed",
            "configurations.runs",
        ];
        let head = head(heads, "|---|---|--:|--:|", self.words);
        let _ = write!(out, "## {}\n\n{head}", self.words.text("overview.iterations"));
        for appearance in &self.line.appearances {
            let iteration = markdown(&self.part.workspace.iterations[appearance.iteration].name);
            let case = self.case(appearance);
            for name in self.part.analysis.iterations[appearance.iteration].roles.order() {
                let runs = case.runs_of(name).count();
                if runs > 0 {
                    let rate = Rate::new(tally_of(case, name), self.words).whole(self.words);
                    *out += &row(&[&*iteration, &markdown(name), &rate, &runs.to_string()]);
                }
            }
        }
        out.push('\n');
    }

    fn expectations(&self, out: &mut String) {
        let newest = self
            .line
            .appearances
            .iter()
            .rev()
            .find(|appearance| !self.case(appearance).runs.is_empty());
        let Some(appearance) = newest else { return };
        let names: Vec<&str> =
            self.part.analysis.iterations[appearance.iteration].roles.order().collect();
        let rows = expectation_rows(self.case(appearance), &names);
        if rows.is_empty() {
            return;
        }
        let iteration = &self.part.workspace.iterations[appearance.iteration].name;
        let mut heads = vec![self.words.text("case.expectation").to_owned()];
        heads.extend(names.iter().map(|name| markdown(name)));
        let (title, rule) = (markdown(iteration), "--:|".repeat(names.len()));
        let _ = write!(out, "## {title}\n\n{}|---|{rule}\n", row(&heads));
        let more = rows.len().saturating_sub(ROWS);
        for (text, tallies) in rows.into_iter().take(ROWS) {
            let mut cells = vec![markdown(text)];
            cells.extend(tallies.into_iter().map(Rate::counts_of));
            *out += &row(&cells);
        }
        out.push('\n');
        if more > 0 {
            let _ = writeln!(out, "{}\n", self.words.fill("page.cut_lines", &[("lines", &more)]));
        }
    }

    fn comparisons(&self, out: &mut String) {
        let part = self.part;
        let pairs = &part.analysis.pairs[self.index];
        let newest = pairs.choices.iter().map(|choice| choice.side.iteration).max();
        let is_newest = |choice: &&Choice| Some(choice.side.iteration) == newest;
        let choices: Vec<&Choice> = pairs.choices.iter().filter(is_newest).collect();
        let end = out.len() + self.room;
        for (index, choice) in choices.iter().enumerate() {
            let text = changes::choice_text(part.workspace, self.words, pairs, choice);
            let _ = writeln!(out, "## {}\n", markdown(&text));
            let pair = &pairs.pairs[choice.pair];
            let sides = [&pair.before, &pair.after];
            let differs = verdict::sides_differ(part.facts(self.words), sides);
            if !differs.is_empty() {
                let _ = writeln!(out, "{}\n", markdown(&differs));
            }
            for flip in part.flips.between(sides[0], sides[1]).on(self.index) {
                out.extend(flips::flip_item(flip, "", self.words));
            }
            out.push('\n');
            let room = end.saturating_sub(out.len()) / (choices.len() - index);
            self.outputs(choice, room, out);
        }
    }

    /// The files of all pairs of runs in short; those of the first pair in full if there is room.
    fn outputs(&self, choice: &Choice, remaining: usize, out: &mut String) {
        let pair = &self.part.analysis.pairs[self.index].pairs[choice.pair];
        let end = out.len() + remaining;
        for (index, runs) in run_pairs(self.part.workspace, self.line, pair).iter().enumerate() {
            let to = |side: &Side, run| {
                link(&self.path, &self.context.addresses.run(side.iteration, self.index, run))
            };
            let _ = writeln!(
                out,
                "### {}\n\n[{}]({}) → [{}]({})\n",
                self.words.fill("diff.run", &[("number", &runs.after.number)]),
                self.words.text("diff.before"),
                to(&pair.before, runs.before),
                self.words.text("diff.after"),
                to(&pair.after, runs.after),
            );
            let reader = FileReader { source: self.part.source, prefix: self.part.prefix };
            let mut summary = FileSummary::default();
            let mut changes = FileChanges::new(&runs.before.outputs, &runs.after.outputs, reader);
            let mut unlisted = 0;
            while let Some(mut change) = changes.next() {
                summary.count(change.state);
                if index > 0 || matches!(change.state, FileState::Same | FileState::Unread) {
                    continue;
                }
                let remaining = end.saturating_sub(out.len());
                if remaining < LEAST_ROOM {
                    unlisted += 1;
                    continue;
                }
                changes.read_alone(&mut change);
                self.file(&change, remaining, out);
            }
            if unlisted > 0 {
                let _ = writeln!(out, "{}\n", self.words.count(unlisted, "file_unlisted"));
            }
            let _ = writeln!(out, "{}\n", summary.text(self.words));
        }
    }

    fn file(&self, change: &FileChange<'_>, room: usize, out: &mut String) {
        let [old, new] = [(change.old, &change.old_content), (change.new, &change.new_content)]
            .map(|(file, content)| {
                file.map(|_| comparable(change.name(), content, self.part.source))
            });
        let mut links = Vec::new();
        for (key, file) in [("diff.before", &old), ("diff.after", &new)] {
            let shown = file.as_ref().filter(|_| change.state != FileState::Renamed);
            if let Some(file) = shown {
                let to = file.stored.address();
                links.push(format!("[{}]({})", self.words.text(key), link(&self.path, &to)));
            }
        }
        let _ = writeln!(out, "#### {} {}\n", markdown(change.name()), links.join(" → "));
        if change.state == FileState::Renamed {
            let from = change.old.map_or("", |output| &output.name);
            let text = self.words.fill("diff.renamed", &[("from", &from)]);
            let _ = writeln!(out, "{}\n", markdown(&text));
            return;
        }
        let text = |file: &Option<Comparable<'_>>| match file {
            Some(file) => file.text.as_deref().map(str::to_owned),
            None => Some(String::new()),
        };
        if let (Some(old), Some(new)) = (text(&old), text(&new)) {
            return self.lines(&old, &new, room, out);
        }
        let [old, new] = [&old, &new]
            .map(|file| file.as_ref().map_or(DASH.to_owned(), |file| file.stored.hash.clone()));
        let text = self.words.fill("diff.other_bytes", &[("old", &old), ("new", &new)]);
        let _ = writeln!(out, "{text}\n");
    }

    fn lines(&self, old: &str, new: &str, room: usize, out: &mut String) {
        let Ok(diff) = diff::lines(old, new, &Limits::default()) else {
            let _ = writeln!(out, "{}\n", self.words.text("diff.unread"));
            return;
        };
        let (removed, added) = (self.words.count(diff.counts.removed, "line"), diff.counts.added);
        let places: [(&str, &dyn Display); 2] = [("removed", &removed), ("added", &added)];
        let _ = writeln!(out, "{}\n", self.words.fill("diff.lines_changed", &places));
        let (mut body, mut is_cut) = (String::new(), false);
        for row in &diff.rows {
            let start = body.len();
            self.row(row, &mut body);
            is_cut = body.len() + 200 > room;
            if is_cut {
                body.truncate(start);
                break;
            }
        }
        if !body.is_empty() {
            code_block("diff", &body, out);
        }
        if is_cut {
            let _ = writeln!(out, "{}\n", self.words.text("diff.shown_in_part"));
        }
    }

    fn row(&self, row: &Row<'_>, out: &mut String) {
        let mut fold = |number: usize, thing: &str| {
            let _ = writeln!(out, "@@ {} @@", self.words.count(number, thing));
        };
        match row {
            Row::Fold { lines, .. } => fold(*lines, "unchanged_line"),
            Row::Omitted(counts) => fold(counts.removed + counts.added, "omitted_row"),
            Row::Equal { text, .. } => self.line(' ', text, out),
            Row::Removed { text, .. } => self.line('-', text, out),
            Row::Added { text, .. } => self.line('+', text, out),
            Row::Changed(line) => {
                for (sign, spans) in [('-', &line.removed), ('+', &line.added)] {
                    self.line(sign, &spans.iter().map(|span| span.text).collect::<String>(), out);
                }
            }
        }
    }

    fn line(&self, sign: char, text: &str, out: &mut String) {
        let cut = &text[..text.floor_char_boundary(LINE)];
        let _ = write!(out, "{sign}{cut}");
        if cut.len() < text.len() {
            let _ = write!(out, " … {}", self.words.count(text.len() - cut.len(), "more_byte"));
        }
        out.push('\n');
    }
}

fn expectation_rows<'c>(case: &'c Case, names: &[&str]) -> Vec<(&'c str, Vec<Tally>)> {
    let mut order: Vec<&str> = Vec::new();
    let mut tallies: BTreeMap<&str, Vec<Tally>> = BTreeMap::new();
    for run in &case.runs {
        let Some(at) = names.iter().position(|name| *name == run.configuration) else { continue };
        for expectation in run.expectations() {
            let row = tallies.entry(&expectation.text).or_insert_with(|| {
                order.push(&expectation.text);
                vec![Tally::default(); names.len()]
            });
            row[at].count(expectation.outcome);
        }
    }
    order.into_iter().filter_map(|text| Some((text, tallies.remove(text)?))).collect()
}
