//! Tables for the tests of the tolerant reader.

use super::super::strict;
use super::parse;

/// A document, the same tree as strict JSON, and the names of the repairs.
pub(super) type Row = (&'static str, &'static str, &'static [&'static str]);

/// Checks that every document of `table` gives its tree and needs its repairs.
pub(super) fn check(table: &[Row]) {
    for (text, tree, repairs) in table {
        let read = parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let names: Vec<_> = read.repairs.iter().map(|repair| repair.kind.name()).collect();
        let tree = strict::parse(tree.as_bytes()).expect("readable");
        assert_eq!((read.root.into_node(), &*names), (tree, *repairs), "{text}");
    }
}
