//! What the fuzz targets check, on their seeds with random changes: `cargo fuzz` needs a nightly compiler. As many
//! of them as `PROPTEST_CASES` says.

use std::path::PathBuf;

use crate::support::{files, project};
use proptest::prelude::*;

#[path = "../../../crates/diff/fuzz/check.rs"]
mod diff_check;
#[path = "../../../crates/formats/fuzz/check.rs"]
mod formats_check;
#[path = "../../../crates/guard/fuzz/check.rs"]
mod guard_check;
#[path = "../../../crates/json/fuzz/check.rs"]
mod json_check;

/// What breaks readers: ends of things, marks of formats, extremes.
const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\u",
    b"{",
    b"]",
    b"}",
    b",",
    b"//",
    b"/*",
    b"'",
    b"1e999",
    b"-",
    b"\xff",
    b"\0",
    b"\n",
    b"\r",
    b"<w:p>",
    b"</",
    b"<!--",
    b"]]>",
    b"endobj",
    b"stream",
    b"<<",
    b">>",
    b"PK\x03\x04",
    b"\xef\xbb\xbf",
    b"|",
    b"```",
    b"\xf0\x9f\x98\x80",
    b"sk-ant-",
    b"password: ",
    b"/home/anna/",
];

/// A change of some bytes: where, how many are removed, and what is put there.
#[derive(Clone, Debug)]
struct Edit {
    place: prop::sample::Index,
    removed: usize,
    added: Vec<u8>,
}

fn edit() -> impl Strategy<Value = Edit> {
    let added = prop_oneof![
        prop::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    (any::<prop::sample::Index>(), 0..6usize, added).prop_map(|(place, removed, added)| Edit {
        place,
        removed,
        added,
    })
}

/// A seed of a target, changed in some places.
fn changed(seeds: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let files = files(&project().join(seeds));
    assert!(!files.is_empty(), "{seeds} has no seed");
    let seeds: Vec<Vec<u8>> =
        files.iter().map(|file: &PathBuf| std::fs::read(file).expect("a seed")).collect();
    (prop::sample::select(seeds), prop::collection::vec(edit(), 0..8)).prop_map(
        |(mut bytes, edits)| {
            for Edit { place, removed, added } in edits {
                let start = place.index(bytes.len() + 1);
                let end = (start + removed).min(bytes.len());
                bytes.splice(start..end, added);
            }
            bytes
        },
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_is_read_or_refused(bytes in changed("crates/json/fuzz/seeds/parse")) {
        json_check::check(&text(&bytes));
    }

    #[test]
    fn files_of_every_kind_are_read(bytes in changed("crates/formats/fuzz/seeds/content")) {
        formats_check::check(&bytes);
    }

    #[test]
    fn verdicts_are_the_same_behind_the_guard(bytes in changed("crates/guard/fuzz/seeds/verdicts")) {
        guard_check::check(&text(&bytes));
    }

    #[test]
    fn texts_are_compared(
        old in changed("crates/diff/fuzz/seeds/texts"),
        new in changed("crates/diff/fuzz/seeds/texts"),
    ) {
        diff_check::check(&text(&old), &text(&new));
        diff_check::check(&text(&old), &text(&old));
    }
}
