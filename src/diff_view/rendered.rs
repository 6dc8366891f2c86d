//! Two renderings of an output, level with each other: the old one left, the new one right, with removed
//! and added words marked in place.

use std::ops::Range;

use crate::preview::level::{LevelPart, Leveled};
use crate::preview::markup::Safe;
use diff::{Limits, WordMatches, match_words};

/// What both sides show at one height; nothing on a side means a hole.
#[derive(Debug, Default, serde::Serialize)]
pub(crate) struct LevelRow {
    pub(crate) old: Safe,
    pub(crate) new: Safe,
    /// Whether a block changed here; what changed in a table is marked at its rows.
    pub(crate) is_changed: bool,
}

/// Two renderings compared.
#[derive(Debug, Default)]
pub(crate) struct RenderedChange {
    pub(crate) rows: Vec<LevelRow>,
    /// How many blocks and rows of tables changed.
    pub(crate) places: usize,
}

/// A row of a table on one side, and whether the other side has it too.
type SideRow = (Option<usize>, bool);

/// The old and the new rendering with their changes.
pub(crate) fn rendered(old: &Safe, new: &Safe) -> RenderedChange {
    let sides = [Leveled::new(old), Leveled::new(new)];
    let [old, new] = &sides;
    let mut matches = match_words(old.text(), new.text(), &Limits::default());
    let places = [old.places(), new.places()];
    let rows = matches.level(&places[0], &places[1], |i, j| old.is_like(i, new, j));
    matches.smooth(&places[0], &places[1], &rows);
    let mut level = Level {
        sides: &sides,
        matches: &matches,
        places,
        waiting: Vec::new(),
        rows: Vec::new(),
        changed: 0,
    };
    rows.into_iter().for_each(|row| level.add(row));
    level.flush();
    RenderedChange { rows: level.rows, places: level.changed }
}

struct Level<'l> {
    sides: &'l [Leveled<'l>; 2],
    matches: &'l WordMatches,
    places: [Vec<Range<usize>>; 2],
    /// Parts of both sides that are the same, which need no rows of their own.
    waiting: Vec<[usize; 2]>,
    rows: Vec<LevelRow>,
    changed: usize,
}

impl Level<'_> {
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
        self.rows.push(LevelRow { old, new, is_changed });
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
                    place.is_some_and(|row| {
                        changed[*side].iter().any(|at| at.start < row.end && at.end > row.start)
                    })
                })
        };
        table.iter().filter(|row| differs(row)).count()
    }

    /// The rows of a table on both sides; empty if no side has a table here.
    fn table(&self, row: [Option<usize>; 2]) -> Vec<[Option<usize>; 2]> {
        let rows =
            [0, 1].map(|side| row[side].map_or_else(Vec::new, |part| self.sides[side].rows(part)));
        self.matches.level(&rows[0], &rows[1], |_, _| false)
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
        let shown = LevelPart { part, changed: changed.to_vec(), rows: &rows };
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
            let parts: Vec<LevelPart<'_>> = same
                .iter()
                .zip(&rows)
                .map(|(parts, rows)| LevelPart { part: parts[side], changed: Vec::new(), rows })
                .collect();
            self.sides[side].write(side, &parts)
        });
        self.rows.push(LevelRow { old, new, is_changed: false });
    }
}

#[cfg(test)]
mod tests {
    use super::{RenderedChange, rendered};
    use crate::language::Language;
    use crate::preview::markup::Safe;
    use crate::preview::prose;
    use diff::tokens;

    fn markdown(text: &str) -> Safe {
        prose(text, &Language::default(), 100_000).0
    }

    /// The words of markup, without those in elements of this name.
    fn words(html: &str, without: &str) -> Vec<String> {
        let (mut text, mut rest) = (String::new(), html);
        while let Some((before, after)) = rest.split_once('<') {
            text.push_str(before);
            let (tag, mut after) = after.split_once('>').expect("a whole tag");
            if tag == without {
                (_, after) = after.split_once(&format!("</{without}>")).expect("an end");
            }
            // Elements within a line do not separate words.
            let name = tag.trim_start_matches('/').split(' ').next().expect("a name");
            if !["ins", "del", "b", "em", "strong", "code"].contains(&name) {
                text.push('\n');
            }
            rest = after;
        }
        text.push_str(rest);
        let words = tokens(&text).into_iter().filter(|word| !word.trim().is_empty());
        words.map(str::to_owned).collect()
    }

    fn side(change: &RenderedChange, side: usize, without: &str) -> Vec<String> {
        let rows = change.rows.iter().map(|row| [&row.old, &row.new][side]);
        rows.flat_map(|html| words(html.as_str(), without)).collect()
    }

    /// Documents with everything that can change, each with its versions.
    const DOCUMENTS: [[&str; 2]; 7] = [
        [
            "# Title\n\nOne two *three* four.\n\nLast.",
            "# Title\n\nOne *two four* five.\n\nNew.\n\nLast.",
        ],
        [
            "1. a first\n2. a second\n3. a third",
            "1. a first\n2. another one\n3. a second\n4. a third",
        ],
        ["|a|b|\n|-|-|\n|x|1|\n|y|2|\n|z|3|", "|a|b|\n|-|-|\n|x|1|\n|z|4|\n|w|5|"],
        ["- one\n  - deep & <b>\n- two", "- one\n  - deeper & <i>\n- two"],
        ["Only this.", "> Nothing of it\n\n---\n\n```py\nx = 1\n```"],
        ["", "Something."],
        ["~~gone~~ and **here**", "~~gone~~ or **there**"],
    ];

    #[test]
    fn without_what_is_new_it_is_the_old_text_and_the_other_way_round() {
        for [old, new] in DOCUMENTS.into_iter().chain(DOCUMENTS.map(|[old, new]| [new, old])) {
            let (before, after) = (markdown(old), markdown(new));
            let change = rendered(&before, &after);
            assert_eq!(side(&change, 0, ""), words(before.as_str(), ""), "{old}");
            assert_eq!(side(&change, 1, ""), words(after.as_str(), ""), "{new}");
            assert_eq!(side(&change, 0, "del"), side(&change, 1, "ins"), "{old} {new}");
        }
    }

    #[test]
    fn equal_texts_are_one_row_without_marks() {
        let text = markdown("# Title\n\n- a\n- b\n\n|a|\n|-|\n|1|");
        let change = rendered(&text, &text);
        assert_eq!((change.rows.len(), change.places), (1, 0));
        assert_eq!(change.rows[0].new, text);
    }

    #[test]
    fn holes_keep_blocks_items_and_rows_level() {
        let change = rendered(&markdown(DOCUMENTS[0][0]), &markdown(DOCUMENTS[0][1]));
        let holes: Vec<&str> = change
            .rows
            .iter()
            .filter(|row| row.old.as_str().is_empty())
            .map(|row| row.new.as_str())
            .collect();
        assert_eq!(holes, ["<div class=\"markdown\"><p><ins>New</ins>.</p></div>"]);
        let change = rendered(&markdown(DOCUMENTS[1][0]), &markdown(DOCUMENTS[1][1]));
        let last = change.rows.last().expect("rows").new.as_str();
        assert!(last.contains("<ol start=\"3\"><li>a second</li><li>a third"), "{last}");
        let change = rendered(&markdown(DOCUMENTS[2][0]), &markdown(DOCUMENTS[2][1]));
        let [row] = change.rows.as_slice() else { panic!("{change:?}") };
        let gone = "<tr class=\"gone\"><td><del>y</del></td><td><del>2</del></td></tr>";
        assert!(row.old.as_str().contains(gone), "{row:?}");
        assert!(
            row.new.as_str().contains("<tr class=\"hole\"><td colspan=\"2\"></td></tr>"),
            "{row:?}"
        );
        assert!(row.new.as_str().contains("<tr class=\"new\"><td><ins>w</ins>"), "{row:?}");
        assert_eq!(change.places, 3);
    }
}
