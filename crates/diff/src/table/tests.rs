use proptest::prelude::*;

use super::{Column, DiffCell, RowChange, TableCounts, TableDiff, TableRow, table};
use crate::limits::{LimitKind, Limits};

fn full(old: &str, new: &str) -> TableDiff {
    table(old, new, b',', &Limits::default()).unwrap().unwrap()
}

/// The names, then one line per row: cells as `a`, `a>b`, `+a`, `-a`, `.`, divided by bars.
fn summary(diff: &TableDiff) -> Vec<String> {
    let name = |column: &Column| {
        let name = |at: &super::ColumnAt| at.name.clone().unwrap_or_default();
        match (column.old.as_ref().map(name), column.new.as_ref().map(name)) {
            (Some(old), Some(new)) if old == new => old,
            (Some(old), Some(new)) => format!("{old}>{new}"),
            (old, None) => format!("-{}", old.unwrap()),
            (None, new) => format!("+{}", new.unwrap()),
        }
    };
    let cell = |cell: &DiffCell| match cell {
        DiffCell::Equal(text) => text.clone(),
        DiffCell::Changed { old, new } => format!("{old}>{new}"),
        DiffCell::Added(text) => format!("+{text}"),
        DiffCell::Removed(text) => format!("-{text}"),
        DiffCell::Absent => ".".to_owned(),
    };
    let row = |row: &TableRow| match row {
        TableRow::Record { cells, .. } => cells.iter().map(cell).collect::<Vec<_>>().join("|"),
        TableRow::Fold { rows } => format!("…{rows}"),
        TableRow::Omitted { rows } => format!("omitted {rows}"),
    };
    let names = diff.columns.iter().map(name).collect::<Vec<_>>().join("|");
    std::iter::once(names).chain(diff.rows.iter().map(row)).collect()
}

#[test]
fn small_cases() {
    let table: &[(&str, &str, &[&str])] = &[
        ("a,b\n1,2\n", "a,b\r\n1,2\r\n", &["a|b", "1|2"]),
        ("a,b\n1,2\n", "a,b\n1,3\n", &["a|b", "1|2>3"]),
        ("a,b\n1,2\n", "b,a\n2,1\n", &["b|a", "2|1"]),
        ("a,b\n1,2\n", "a,c,b\n1,9,2\n", &["a|+c|b", "1|+9|2"]),
        ("a,b,c\n1,2,3\n", "a,c\n1,3\n", &["a|-b|c", "1|-2|3"]),
        ("a,b\n1,2\n", "a,x\n1,2\n", &["a|b>x", "1|2"]),
        ("a,b\n1,2\n3,4\n", "a,b\n3,5\n", &["a|b", "-1|-2", "3|4>5"]),
        ("a,b\n1,2\n", "", &["-a|-b", "-1|-2"]),
        ("k,v\nx,1\nx,2\n", "k,v\nx,1\nx,3\n", &["k|v", "x|1", "x|2>3"]),
        ("a,b\n\"1,\n\"\"x\",2\n", "a,b\n\"1,\n\"\"x\",3\n", &["a|b", "1,\n\"x|2>3"]),
        ("a,b\n1\n", "a,b\n1,2,3\n", &["a|b|+", "1|+2|+3"]),
    ];
    for (old, new, expected) in table {
        assert_eq!(summary(&full(old, new)), *expected, "{old:?} {new:?}");
    }
}

#[test]
fn unchanged_rows_fold() {
    let old: String = (1..=10).map(|n| format!("{n},x\n")).collect();
    let old = format!("id,v\n{old}");
    let new = old.replace("9,x", "9,y");
    let diff = full(&old, &new);
    assert_eq!(summary(&diff), ["id|v", "…5", "6|x", "7|x", "8|x", "9|x>y", "10|x"]);
    let expected = TableCounts { cells: 1, ..TableCounts::default() };
    assert_eq!(diff.counts, expected);
}

#[test]
fn what_is_not_a_table_is_left_to_others() {
    assert!(table("one\ntwo\n", "a,b\n", b',', &Limits::default()).unwrap().is_none());
    assert!(table("a\tb\n", "a\tc\n", b',', &Limits::default()).unwrap().is_none());
    assert!(table("a\tb\n", "a\tc\n", b'\t', &Limits::default()).unwrap().is_some());
}

#[test]
fn limits_hold() {
    let reason = |old: &str, limits: &Limits| match table(old, "a,b\n", b',', limits) {
        Err(reached) => reached.limit,
        other => panic!("{other:?}"),
    };
    let limits = Limits { bytes: 100, ..Limits::default() };
    assert_eq!(reason(&"x,".repeat(60), &limits), LimitKind::Bytes);
    let wide = ",".repeat(1_000) + &"\n1,2".repeat(400);
    assert_eq!(reason(&wide, &Limits::default()), LimitKind::Items);
    let limits = Limits { rows: 3, ..Limits::default() };
    let diff = table("a,b\n", "a,b\n1,1\n2,2\n3,3\n4,4\n", b',', &limits).unwrap();
    assert_eq!(summary(&diff.unwrap()), ["a|b", "+1|+1", "omitted 2", "+4|+4"]);
}

/// The records of the new table, reconstructed from the old ones and the result.
fn applied(old: &[Vec<String>], diff: &TableDiff) -> Vec<Vec<String>> {
    let mut order: Vec<usize> = (0..diff.columns.len()).collect();
    order.retain(|&column| diff.columns[column].new.is_some());
    order.sort_by_key(|&column| diff.columns[column].new.as_ref().map(|at| at.index));
    let at = |column: usize| diff.columns[column].new.clone().unwrap();
    let mut records = vec![order.iter().filter_map(|&column| at(column).name).collect()];
    let new = |cell: &DiffCell| match cell {
        DiffCell::Equal(text) | DiffCell::Added(text) | DiffCell::Changed { new: text, .. } => {
            Some(text.clone())
        }
        DiffCell::Removed(_) | DiffCell::Absent => None,
    };
    let mut old = old[1..].iter();
    for row in &diff.rows {
        match row {
            TableRow::Record { change: RowChange::Removed, .. } => drop(old.next()),
            TableRow::Record { change, cells } => {
                if *change != RowChange::Added {
                    old.next();
                }
                records.push(order.iter().filter_map(|&column| new(&cells[column])).collect());
            }
            TableRow::Fold { rows } => {
                for record in old.by_ref().take(*rows) {
                    let cell = |&column: &usize| {
                        record.get(diff.columns[column].old.as_ref()?.index).cloned()
                    };
                    records.push(order.iter().filter_map(cell).collect());
                }
            }
            TableRow::Omitted { .. } => unreachable!("too few rows"),
        }
    }
    records
}

fn records() -> impl Strategy<Value = Vec<Vec<String>>> {
    let cell = prop_oneof![Just("a"), Just("b"), Just("x,\n\"y\""), Just("會"), Just("12")];
    let row = proptest::collection::vec(cell.prop_map(str::to_owned), 2..5);
    proptest::collection::vec(row, 1..12)
}

fn written(records: &[Vec<String>]) -> String {
    let field = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
    let line = |record: &Vec<String>| record.iter().map(field).collect::<Vec<_>>().join(",");
    records.iter().map(|record| line(record) + "\n").collect()
}

proptest! {
    #[test]
    fn applying_gives_the_new_records(old in records(), new in records()) {
        let diff = full(&written(&old), &written(&new));
        prop_assert_eq!(applied(&old, &diff), new);
    }

    #[test]
    fn exchanged_sides_mirror(old in records(), new in records()) {
        let (old, new) = (written(&old), written(&new));
        let (forth, back) = (full(&old, &new).counts, full(&new, &old).counts);
        let mirrored = TableCounts { added: back.removed, removed: back.added, ..back };
        prop_assert_eq!(forth, mirrored);
    }

    #[test]
    fn any_text(old in "[ab\",\n會]{0,40}", new in "[ab\",\n]{0,40}") {
        let _ = table(&old, &new, b',', &Limits::default());
    }
}
