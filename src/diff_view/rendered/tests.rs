use std::collections::BTreeMap;

use super::{RenderedChange, rendered};
use crate::language::Language;
use crate::preview::markup::Safe;
use crate::preview::{outline_of, prose};
use crate::tests::{corpus, open};
use diff::tokens;
use input::files::Source;

fn markdown(text: &str) -> Safe {
    prose(text, &Language::default(), 100_000).0
}

fn page(html: &str) -> Safe {
    outline_of(html, &Language::default())
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
    ["1. a first\n2. a second\n3. a third", "1. a first\n2. another one\n3. a second\n4. a third"],
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

/// That marks tell both texts apart, and how many words are marked: those of the page, and the fewest that could.
fn marked(before: &Safe, after: &Safe) -> [usize; 2] {
    let change = rendered(before, after);
    let [old, new] = [words(before.as_str(), ""), words(after.as_str(), "")];
    assert_eq!(side(&change, 0, ""), old);
    assert_eq!(side(&change, 1, ""), new);
    let kept = [side(&change, 0, "del"), side(&change, 1, "ins")];
    // Two words are written together where what was between them, and a space, is marked.
    assert_eq!(kept[0].concat(), kept[1].concat());
    let marked = old.len() + new.len() - 2 * kept[0].len().max(kept[1].len());
    [marked, old.len() + new.len() - 2 * longest_common(&old, &new)]
}

/// The length of the longest sequence of words that both have.
fn longest_common(old: &[String], new: &[String]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for word in old {
        let mut diagonal = 0;
        for (at, other) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == other { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[new.len()]
}

/// Whether few more words are marked than must be, over all pairs.
fn assert_few(pairs: impl Iterator<Item = [Safe; 2]>, least: usize) {
    let mut sums = [0, 0];
    let mut number = 0;
    for [before, after] in pairs {
        let found = marked(&before, &after);
        sums = [sums[0] + found[0], sums[1] + found[1]];
        number += 1;
    }
    assert!(number >= least, "{number} pairs");
    assert!(sums[0] * 10 <= sums[1] * 11, "{} words are marked, {} must be", sums[0], sums[1]);
}

#[test]
fn marks_of_real_outputs_are_right_and_few() {
    const PAIRS: usize = 60;
    /// Comparing words one by one takes the square of their number.
    const BYTES: u64 = 6_000;
    let Some(corpus) = corpus("expected.json") else { return };
    let source = open(&corpus);
    let entries = source.list(&|_| false).into_iter();
    let entries =
        entries.filter(|entry| entry.path.ends_with(".md") && entry.path.contains("/outputs/"));
    let texts: BTreeMap<String, u64> = entries.map(|entry| (entry.path, entry.bytes)).collect();
    let mut by_repository: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (path, size) in &texts {
        let Some(other) = ["without_skill", "old_skill"]
            .iter()
            .map(|side| path.replace("/with_skill/", &format!("/{side}/")))
            .find(|other| other != path && texts.contains_key(other))
        else {
            continue;
        };
        let repository = path.split('/').next().unwrap_or_default();
        let taken = by_repository.entry(repository).or_default();
        if *taken == 12 || (*size).max(texts[&other]) > BYTES {
            continue;
        }
        let [old, new] = [&other, path].map(|path| {
            let bytes = source.read(path, BYTES).expect("a text");
            markdown(&String::from_utf8_lossy(&bytes))
        });
        *taken += 1;
        pairs.push([old, new]);
    }
    assert_few(pairs.into_iter().take(PAIRS), PAIRS);
}

/// A made-up table, deck or page, and what became of it.
fn made_up(kind: usize, number: usize) -> [String; 2] {
    let line = |at: usize, version: usize| {
        // Every third line says something else in the second version.
        let figure = if at % 3 == number % 3 { at * 7 + version * 13 } else { at * 7 };
        let place = ["North", "South", "Coast", "Export"][(at + number) % 4];
        (place, figure)
    };
    [0, 1].map(|version| {
        let mut text = String::new();
        let lines = (0..6 + number).filter(|at| *at != number || version == 0);
        match kind {
            0 => {
                text += "| region | revenue | note |\n|---|---|---|\n";
                for (place, figure) in lines.map(|at| line(at, version)) {
                    text += &format!("| {place} | {figure} | counted by {place} |\n");
                }
            }
            1 => {
                for (place, figure) in lines.map(|at| line(at, version)) {
                    text += &format!("## {place} brought {figure} k\n\n- Prices in {place} stayed\n- Costs were {figure}\n\n");
                }
            }
            _ => {
                for (place, figure) in lines.map(|at| line(at, version)) {
                    text += &format!("<h2>{place}</h2><p>Revenue was <b>{figure}</b> k in {place}.</p><ul><li>{place} & more</li></ul>\n");
                }
            }
        }
        text
    })
}

#[test]
fn marks_of_tables_slides_and_pages_are_right_and_few() {
    let mut pairs = Vec::new();
    for number in 0..10 {
        for kind in 0..3 {
            pairs.push(made_up(kind, number).map(|text| match kind {
                2 => page(&text),
                _ => markdown(&text),
            }));
        }
    }
    assert_few(pairs.into_iter(), 30);
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
