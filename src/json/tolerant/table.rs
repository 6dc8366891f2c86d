//! Tables for the tests of the tolerant reader.

use super::super::strict;
use super::{RepairKind, parse};

/// A document, the same tree as strict JSON, and the names of the repairs.
pub(super) type Row = (&'static str, &'static str, &'static [&'static str]);

/// Checks that every document of `table` gives its tree and needs its repairs.
pub(super) fn check(table: &[Row]) {
    for (text, tree, repairs) in table {
        let read = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let names: Vec<_> = read.repairs.iter().map(|repair| name(&repair.kind)).collect();
        let tree = strict::parse(tree.as_bytes()).expect("readable");
        assert_eq!(read.root.into_node(), tree, "{text}");
        assert_eq!(names, *repairs, "{text}");
    }
}

/// The name of a repair in kebab case, without what it holds.
pub(super) fn name(repair: &RepairKind) -> String {
    let text = format!("{repair:?}");
    let mut name = String::new();
    for c in text.chars().take_while(char::is_ascii_alphabetic) {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}
