//! The files of two sides, from their bytes to the markup.

use std::cell::Cell;

use crate::diff_view::{DiffContext, FileChanges, FileReader, files};
use crate::language::Language;
use crate::preview::compared::StoredName;
use input::files::Memory;
use input::model::Output;

/// The markup for two sides, each with its files by name.
fn written(old: &[(&str, &[u8])], new: &[(&str, &[u8])], room: usize) -> String {
    let sides = [("old", old), ("new", new)];
    let memory = Memory::new(sides.iter().flat_map(|(folder, files)| {
        files.iter().map(move |(name, content)| (format!("{folder}/{name}"), *content))
    }));
    let [old, new] = sides.map(|(folder, files)| -> Vec<Output> {
        let output = |(name, content): &(&str, &[u8])| Output {
            path: format!("{folder}/{name}"),
            name: (*name).to_owned(),
            bytes: content.len() as u64,
        };
        files.iter().map(output).collect()
    });
    let reader = FileReader { source: &memory, prefix: "" };
    let href = |stored: &StoredName, _: &[u8]| format!("{}.{}", stored.hash, stored.extension);
    let (words, pictures) = (Language::default(), Cell::new(0));
    let sides = ["before", "after"];
    let context = DiffContext { words: &words, sides, href: &href, pictures: &pictures };
    files(FileChanges::new(&old, &new, reader), &context, room).as_str().to_owned()
}

#[test]
fn a_page_keeps_to_its_room_whatever_the_files() {
    let text = |mark: &str| (0..3_000).map(|at| format!("<{mark}&{at}>\n")).collect::<String>();
    let row = |mark: &str| (0..900).map(|at| format!("{at},{mark}{at}\n")).collect::<String>();
    let list = |mark: &str| format!("[{}\"{mark}\"]", format!("\"<{mark}>\",").repeat(500));
    let long = "'".repeat(300);
    let (old, new) = (text("a"), text("b"));
    let (old_rows, new_rows) = (format!("id,v\n{}", row("a")), format!("id,v\n{}", row("b")));
    let (old_list, new_list) = (list("a"), list("b"));
    let before: [(&str, &[u8]); 6] = [
        ("a.md", old.as_bytes()),
        ("b.py", old.as_bytes()),
        ("c.csv", old_rows.as_bytes()),
        ("d.json", old_list.as_bytes()),
        ("e.bin", b"\0\x01"),
        (&long, b"x"),
    ];
    let after: [(&str, &[u8]); 6] = [
        ("a.md", new.as_bytes()),
        ("b.py", new.as_bytes()),
        ("c.csv", new_rows.as_bytes()),
        ("d.json", new_list.as_bytes()),
        ("e.bin", b"\0\x02"),
        (&long, b"y"),
    ];
    for room in [600, 1_000, 2_000, 4_000, 8_000, 20_000, 100_000] {
        let html = written(&before, &after, room);
        assert!(html.len() <= room, "{room}: {}", html.len());
    }
    let in_part = Language::default();
    assert!(written(&before, &after, 20_000).contains(in_part.text("diff.shown_in_part")));
}

#[test]
fn hostile_text_stays_text_in_every_form() {
    let table: [(&str, &str, &str); 5] = [
        ("a.md", "one <script>x</script> two", "one <script>y</script> two"),
        ("a.py", "x = '<script>'", "y = '<script>'"),
        ("a.csv", "a,<script>\n1,<b onclick=x>", "a,<script>\n1,<i onclick=x>"),
        ("a.json", "{\"<script>\": \"<script>\"}", "{\"<script>\": \"<script >\"}"),
        ("<script>.txt", "<script>1", "<script>2"),
    ];
    for (name, old, new) in table {
        let html = written(&[(name, old.as_bytes())], &[(name, new.as_bytes())], 100_000);
        assert!(html.contains("&lt;script"), "{name}: {html}");
        for tag in ["<script", "<b onclick", "<i onclick"] {
            assert!(!html.contains(tag), "{name}: {html}");
        }
    }
}

#[test]
fn what_cannot_be_compared_says_so() {
    let both =
        |name: &str, old: &[u8], new: &[u8]| written(&[(name, old)], &[(name, new)], 100_000);
    let english = Language::default();
    let hash = |bytes: &[u8]| blake3::hash(bytes).to_hex()[..8].to_owned();
    assert!(both("a.bin", b"\0a", b"\0b").contains(&hash(b"\0b")));
    assert!(both("a.json", b"[1]", b"[1.0]").contains(english.text("diff.only_spelling")));
    assert!(both("a.md", b"a\nb", b"a b").contains(english.text("diff.only_spacing")));
    let same = english.fill("diff.same_bytes", &[("names", &"a.md")]);
    assert!(both("a.md", b"x", b"x").contains(&same));
    let removed = written(&[("a.md", b"old text")], &[], 9_000);
    assert!(removed.contains(english.text("diff.removed")), "{removed}");
    assert!(written(&[], &[], 9_000).contains(english.text("diff.no_files")));
    let large = vec![b'x'; 3 << 20];
    let html_text = both("a.py", &large, &[large.as_slice(), b"y"].concat());
    assert!(html_text.contains("3\u{202f}145\u{202f}729 "), "{html_text}");
}
