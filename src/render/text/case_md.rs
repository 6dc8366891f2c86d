//! A page of Markdown for each case: its prompt, counts, flips, and changes in its outputs.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::analyze::{Appearance, CaseHistory, Choice, run_pairs, tally_of};
use crate::diff_view::{FileChange, FileChanges, FileReader, FileState, FileSummary};
use crate::language::{DASH, Language, Rate, say};
use crate::preview::compared::{Comparable, comparable};
use crate::render::context::{
    Part, RenderContext, Task, bounds,
    escape::{code_block, markdown},
    link,
};
use crate::render::markdown_table::{head as table_head, row};
use crate::render::text::flips;
use crate::wording::sides;
use diff::{self, Limits, Row};
use input::model::{Case, Tally};

/// Bytes of differences on the pages of all cases, and the least and most on one page.
const ALL_DIFFERENCES: usize = 1024 * 1024;
const PAGE_DIFFERENCES: (usize, usize) = (8 * 1024, 96 * 1024);

/// Bytes of one line of a difference that are shown.
const LINE: usize = 400;

/// Bytes that a file needs for its name, links and changes.
const FILE_HEAD: usize = 600;

/// Expectations that are shown, however short they are.
const ROWS: usize = 5_000;

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let RenderContext { part, language, .. } = context;
    let (least, most) = PAGE_DIFFERENCES;
    let room = (ALL_DIFFERENCES / part.analysis.cases.len().max(1)).clamp(least, most);
    for (index, history) in part.analysis.cases.iter().enumerate() {
        let path = context.addresses.case_markdown(index);
        let page = CasePage { context, part, language, index, history, path: path.clone(), room };
        tasks.push(Task::infallible(path, move || bounds::markdown(page.write(), language)));
    }
}

struct CasePage<'a> {
    context: RenderContext<'a>,
    part: &'a Part<'a>,
    language: &'a Language,
    /// Index of the case history.
    index: usize,
    history: &'a CaseHistory,
    path: String,
    /// Bytes for differences.
    room: usize,
}

impl CasePage<'_> {
    fn write(&self) -> String {
        let mut out = format!("# {}\n\n", markdown(&self.history.name));
        let to = link(&self.path, &self.context.addresses.report_file("report.md"));
        let _ = writeln!(out, "[{}]({to})\n", self.language.text("page.overview"));
        let mut newest_first = self.history.appearances.iter().rev();
        if let Some(prompt) = newest_first.find_map(|place| self.case(place).prompt.as_ref()) {
            let _ = writeln!(out, "## {}\n", self.language.text("case.prompt"));
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
        let head = table_head(heads, "|---|---|--:|--:|", self.language);
        let _ = write!(out, "## {}\n\n{head}", self.language.text("overview.iterations"));
        for appearance in &self.history.appearances {
            let iteration = markdown(&self.part.workspace.iterations[appearance.iteration].name);
            let case = self.case(appearance);
            for name in self.part.analysis.iterations[appearance.iteration].roles.order() {
                let runs = case.runs_of(name).count();
                if runs > 0 {
                    let rate = Rate::new(tally_of(case, name), self.language);
                    let rate = rate.whole(self.language);
                    *out += &row(&[&*iteration, &markdown(name), &rate, &runs.to_string()]);
                }
            }
        }
        out.push('\n');
    }

    /// The expectations of the newest iteration in which the case ran.
    fn expectations(&self, out: &mut String) {
        let mut newest_first = self.history.appearances.iter().rev();
        let Some(appearance) = newest_first.find(|place| !self.case(place).runs.is_empty()) else {
            return;
        };
        let index = appearance.iteration;
        let names: Vec<&str> = self.part.analysis.iterations[index].roles.order().collect();
        let ExpectationRows { rows, number } = expectation_rows(self.case(appearance), &names);
        if rows.is_empty() {
            return;
        }
        let title = markdown(&self.part.workspace.iterations[index].name);
        let mut heads = vec![self.language.text("case.expectation").to_owned()];
        heads.extend(names.iter().map(|name| markdown(name)));
        let _ = write!(out, "## {title}\n\n{}|---|{}\n", row(&heads), "--:|".repeat(names.len()));
        for (text, tallies) in &rows {
            let mut cells = vec![markdown(text)];
            cells.extend(tallies.iter().map(|tally| Rate::counts_of(*tally)));
            *out += &row(&cells);
        }
        out.push('\n');
        self.more_lines(number - rows.len(), out);
    }

    fn more_lines(&self, lines: usize, out: &mut String) {
        if lines > 0 {
            let _ = writeln!(out, "{}\n", say!(self.language, "page.cut_lines", lines));
        }
    }

    /// The comparisons of the newest iteration that has any.
    fn comparisons(&self, out: &mut String) {
        let part = self.part;
        let pairs = &part.analysis.pairs[self.index];
        let mut choices: Vec<&Choice> = pairs.choices.iter().collect();
        choices.retain(|choice| !pairs.pairs[choice.pair].is_alone());
        let newest = choices.iter().map(|choice| choice.side.iteration).max();
        // Who reads the files of a case asks about the last round.
        choices.retain(|choice| Some(choice.side.iteration) == newest);
        let end = out.len() + self.room;
        for (index, choice) in choices.iter().enumerate() {
            let title = sides::choice(part.workspace, self.language, pairs, choice);
            let _ = writeln!(out, "## {}\n", markdown(&title));
            let pair = &pairs.pairs[choice.pair];
            let both = [&pair.before, &pair.after];
            let differences = sides::differences(part.facts(self.language), both);
            if !differences.is_empty() {
                let _ = writeln!(out, "{}\n", markdown(&differences));
            }
            let changes = part.flips.changes(both);
            let flips = changes.flips.on(self.index).iter();
            let mut items = flips.filter_map(|flip| {
                flips::item(flip, changes.is_disputed(flip), "", both, self.language)
            });
            out.extend(items.by_ref().take(ROWS));
            out.push('\n');
            self.more_lines(items.count(), out);
            let room = end.saturating_sub(out.len()) / (choices.len() - index);
            self.outputs(choice, room, out);
        }
    }

    /// The files of all pairs of runs in short; those of the first pair in full if there is room.
    fn outputs(&self, choice: &Choice, room: usize, out: &mut String) {
        let (part, language, addresses) = (self.part, self.language, self.context.addresses);
        let pair = &part.analysis.pairs[self.index].pairs[choice.pair];
        let end = out.len() + room;
        for (index, runs) in run_pairs(part.workspace, self.history, pair).iter().enumerate() {
            let [before, after] = [(&pair.before, runs.before), (&pair.after, runs.after)]
                .map(|(side, run)| addresses.run(side.iteration, self.index, run));
            let _ = writeln!(
                out,
                "### {}\n\n[{}]({}) → [{}]({})\n",
                say!(language, "diff.run", number = runs.after.number),
                language.text("diff.before"),
                link(&self.path, &before),
                language.text("diff.after"),
                link(&self.path, &after),
            );
            let reader = FileReader { source: part.source, prefix: part.prefix };
            let mut summary = FileSummary::default();
            let mut changes = FileChanges::new(&runs.before.outputs, &runs.after.outputs, reader);
            let mut unlisted = 0;
            while let Some(mut change) = changes.next() {
                summary.count(change.state);
                // Runs of one pair differ alike, and their files would take all the room.
                if index > 0 || matches!(change.state, FileState::Same | FileState::Unread) {
                    continue;
                }
                let left = end.saturating_sub(out.len());
                // Half a file head is worse than a count: its links would be cut.
                if left < FILE_HEAD {
                    unlisted += 1;
                    continue;
                }
                changes.read_alone(&mut change);
                self.file(&change, left, out);
            }
            if unlisted > 0 {
                let _ = writeln!(out, "{}\n", language.count(unlisted, "file_unlisted"));
            }
            let _ = writeln!(out, "{}\n", summary.text(language));
        }
    }

    fn file(&self, change: &FileChange<'_>, room: usize, out: &mut String) {
        let language = self.language;
        // Also stores both files, which the page links.
        let [old, new] = [(change.old, &change.old_content), (change.new, &change.new_content)]
            .map(|(file, content)| file.map(|_| comparable(change.name(), content)));
        let name = markdown(change.name());
        if change.state == FileState::Renamed {
            let from = change.old.map_or("", |output| &output.name);
            let renamed = say!(language, "diff.renamed", from);
            let _ = writeln!(out, "#### {name} \n\n{}\n", markdown(&renamed));
            return;
        }
        let mut links = Vec::new();
        for (key, file) in [("diff.before", &old), ("diff.after", &new)] {
            if let Some(file) = file {
                let to = link(&self.path, &file.stored.address());
                links.push(format!("[{}]({to})", language.text(key)));
            }
        }
        let _ = writeln!(out, "#### {name} {}\n", links.join(" → "));
        if let (Some(old), Some(new)) = (text_of(&old), text_of(&new)) {
            self.lines(old, new, room, out);
        } else {
            let [old, new] = [old, new]
                .map(|file| file.map_or(DASH.to_owned(), |file| file.stored.hash.clone()));
            let _ = writeln!(out, "{}\n", say!(language, "diff.other_bytes", old, new));
        }
    }

    fn lines(&self, old: &str, new: &str, room: usize, out: &mut String) {
        let language = self.language;
        // Minified files are one line of megabytes.
        let Ok(diff) = diff::lines(old, new, &Limits::default()) else {
            let _ = writeln!(out, "{}\n", language.text("diff.unread"));
            return;
        };
        let removed = language.count(diff.counts.removed, "line");
        let added = diff.counts.added;
        let _ = writeln!(out, "{}\n", say!(language, "diff.lines_changed", removed, added));
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
            let _ = writeln!(out, "{}\n", language.text("diff.shown_in_part"));
        }
    }

    fn row(&self, row: &Row<'_>, out: &mut String) {
        match row {
            Row::Fold { lines, .. } => self.fold(*lines, "unchanged_line", out),
            Row::Omitted(counts) => self.fold(counts.removed + counts.added, "omitted_row", out),
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

    fn fold(&self, number: usize, thing: &str, out: &mut String) {
        let _ = writeln!(out, "@@ {} @@", self.language.count(number, thing));
    }

    fn line(&self, sign: char, text: &str, out: &mut String) {
        let cut = &text[..text.floor_char_boundary(LINE)];
        let _ = write!(out, "{sign}{cut}");
        if cut.len() < text.len() {
            let _ = write!(out, " … {}", self.language.count(text.len() - cut.len(), "more_byte"));
        }
        out.push('\n');
    }
}

/// The text of a file, empty where there is none; `None` for a file that is not text.
fn text_of<'f>(file: &'f Option<Comparable<'_>>) -> Option<&'f str> {
    match file {
        Some(file) => file.text.as_deref(),
        None => Some(""),
    }
}

/// The first expectations of a case, and how many it has.
struct ExpectationRows<'c> {
    /// Each with its verdicts under each configuration.
    rows: Vec<(&'c str, Vec<Tally>)>,
    number: usize,
}

/// The expectations of a case under the configurations `names`.
fn expectation_rows<'c>(case: &'c Case, names: &[&str]) -> ExpectationRows<'c> {
    let mut rows: Vec<(&str, Vec<Tally>)> = Vec::new();
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &case.runs {
        let Some(at) = names.iter().position(|name| *name == run.configuration) else { continue };
        for expectation in run.expectations() {
            let new = indices.len();
            let index = *indices.entry(&expectation.text).or_insert(new);
            if index == new && new < ROWS {
                rows.push((&expectation.text, vec![Tally::default(); names.len()]));
            }
            if let Some((_, tallies)) = rows.get_mut(index) {
                tallies[at].count(expectation.outcome);
            }
        }
    }
    ExpectationRows { rows, number: indices.len() }
}
