//! Two renderings of an output, aligned with each other: the old one left, the new one right, with removed
//! and added words marked in place.

use std::ops::Range;

use crate::language::Language;
use crate::preview;
use crate::preview::aligned::{AlignedPart, Blocks, overlapping};
use crate::preview::markup::{Markup, Safe};
use diff::{Limits, WordMatches, match_words};

/// So many words are changed for each common one where two texts have little to do with each other.
const RELATED: usize = 8;

/// What both sides show at one height; nothing on a side means a hole.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct AlignedRow {
    pub(crate) old: Safe,
    pub(crate) new: Safe,
    /// Whether a block changed here; what changed in a table is marked at its rows.
    pub(crate) is_changed: bool,
    /// How many blocks are the same on both sides; 0 in a row with a change.
    #[serde(skip)]
    unchanged: usize,
}

/// Two renderings compared.
#[derive(Debug, Default)]
pub(crate) struct RenderedChange {
    pub(crate) rows: Vec<AlignedRow>,
    /// How many blocks and rows of tables changed.
    pub(crate) places: usize,
    /// Whether the texts have so few words in common that they are two texts rather than one that changed.
    pub(crate) is_unrelated: bool,
}

/// A row of a table on one side, and whether the other side has it too.
type SideRow = (Option<usize>, bool);

/// The old and the new rendering with their changes.
pub(crate) fn rendered(old: &Safe, new: &Safe) -> RenderedChange {
    let sides = [Blocks::new(old), Blocks::new(new)];
    let [old, new] = &sides;
    let mut matches = match_words(old.text(), new.text(), &Limits::default());
    let counts = matches.counts();
    let is_unrelated = counts.unchanged * RELATED < counts.removed + counts.added;
    let places = [old.places(), new.places()];
    let rows = matches.aligned(&places[0], &places[1], |i, j| old.is_like(i, new, j));
    matches.smooth(&places[0], &places[1], &rows);
    let mut alignment = Alignment {
        sides: &sides,
        matches: &matches,
        places,
        waiting: Vec::new(),
        rows: Vec::new(),
        changed: 0,
    };
    rows.into_iter().for_each(|row| alignment.add(row));
    alignment.flush();
    RenderedChange { rows: alignment.rows, places: alignment.changed, is_unrelated }
}

/// Both sides of two Markdown texts aligned with each other, what is the same folded; `None` where that takes
/// more than `room` bytes.
pub(super) fn markdown(old: &str, new: &str, room: usize, words: &Language) -> Option<Safe> {
    let [(old, is_old_whole), (new, is_new_whole)] =
        [old, new].map(|text| preview::prose(text, words, room));
    let mut out = Markup::new(words);
    out.raw("<div class=\"aligned\">");
    for row in rendered(&old, &new).rows {
        if row.unchanged > 0 {
            out.raw("<details class=\"f\"><summary>").count(row.unchanged, "unchanged_paragraph");
            out.raw("</summary><div class=\"preview\">").safe(&row.new).raw("</div></details>");
            continue;
        }
        out.raw("<div class=\"two\"><div class=\"baseline preview\">").safe(&row.old);
        out.raw("</div><div class=\"candidate preview\">").safe(&row.new).raw("</div></div>");
    }
    out.raw("</div>");
    (is_old_whole && is_new_whole && out.len() <= room).then(|| out.finish())
}

struct Alignment<'l> {
    sides: &'l [Blocks<'l>; 2],
    matches: &'l WordMatches,
    places: [Vec<Range<usize>>; 2],
    /// Parts of both sides that are the same, which need no rows of their own.
    waiting: Vec<[usize; 2]>,
    rows: Vec<AlignedRow>,
    changed: usize,
}

impl Alignment<'_> {
    fn add(&mut self, row: [Option<usize>; 2]) {
        let changed = [0, 1].map(|side| match row[side] {
            Some(part) => self.matches.changed(side, &self.places[side][part]),
            None => Vec::new(),
        });
        let is_same = changed.iter().all(Vec::is_empty);
        if let [Some(old), Some(new)] = row
            && is_same
        {
            self.waiting.push([old, new]);
            return;
        }
        self.flush();
        let table = self.table(row);
        let sides = [0, 1].map(|side| self.side(side, row[side], &changed[side], &table));
        let is_blank = [0, 1]
            .iter()
            .all(|side| row[*side].is_none_or(|part| self.sides[*side].is_blank(part)));
        let is_changed = table.is_empty() && !is_blank;
        self.changed += usize::from(is_changed) + self.changed_rows(row, &changed, &table);
        let [old, new] = sides;
        self.rows.push(AlignedRow { old, new, is_changed, unchanged: 0 });
    }

    /// How many rows of a table only one side has, or differ.
    fn changed_rows(
        &self,
        parts: [Option<usize>; 2],
        changed: &[Vec<Range<usize>>; 2],
        table: &[[Option<usize>; 2]],
    ) -> usize {
        let places = [0, 1].map(|side| parts[side].map(|part| self.sides[side].rows(part)));
        let differs = |row: &[Option<usize>; 2]| {
            row.contains(&None)
                || [0, 1].iter().any(|side| {
                    let place = places[*side].as_ref().zip(row[*side]).map(|(all, row)| &all[row]);
                    place.is_some_and(|row| !overlapping(&changed[*side], row).is_empty())
                })
        };
        table.iter().filter(|row| differs(row)).count()
    }

    /// The rows of a table on both sides; empty if no side has a table here.
    fn table(&self, row: [Option<usize>; 2]) -> Vec<[Option<usize>; 2]> {
        let rows =
            [0, 1].map(|side| row[side].map_or_else(Vec::new, |part| self.sides[side].rows(part)));
        self.matches.aligned(&rows[0], &rows[1], |_, _| false)
    }

    fn side(
        &self,
        side: usize,
        part: Option<usize>,
        changed: &[Range<usize>],
        table: &[[Option<usize>; 2]],
    ) -> Safe {
        let Some(part) = part else { return Safe::default() };
        let rows: Vec<SideRow> =
            table.iter().map(|row| (row[side], row[1 - side].is_some())).collect();
        let shown = AlignedPart { part, changed: changed.to_vec(), rows: &rows };
        self.sides[side].write(side, &[shown])
    }

    fn flush(&mut self) {
        let same = std::mem::take(&mut self.waiting);
        if same.is_empty() {
            return;
        }
        let [old, new] = [0, 1].map(|side| {
            let rows: Vec<Vec<SideRow>> = same
                .iter()
                .map(|parts| {
                    let rows = self.sides[side].rows(parts[side]).len();
                    (0..rows).map(|row| (Some(row), true)).collect()
                })
                .collect();
            let parts: Vec<AlignedPart<'_>> = same
                .iter()
                .zip(&rows)
                .map(|(parts, rows)| AlignedPart { part: parts[side], changed: Vec::new(), rows })
                .collect();
            self.sides[side].write(side, &parts)
        });
        self.rows.push(AlignedRow { old, new, is_changed: false, unchanged: same.len() });
    }
}

#[cfg(test)]
mod tests;
