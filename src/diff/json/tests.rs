use proptest::prelude::*;
use serde_json::Value;

use super::{ChangeKind, JsonChange, JsonDiff, json};
use crate::diff::limits::{LimitKind, Limits};

fn full(old: &str, new: &str) -> JsonDiff {
    json(old, new, &Limits::default()).unwrap().ok().unwrap()
}

/// `+path value`, `-path value`, `~path old value`, `>old path to new path`.
fn summary(diff: &JsonDiff) -> Vec<String> {
    let draw = |change: &JsonChange| match (&change.old, &change.new) {
        (Some(old), Some(new)) if change.kind == ChangeKind::Moved => {
            format!(">{} {}", old.path, new.path)
        }
        (Some(old), Some(new)) if old.path == new.path => {
            format!("~{} {} {}", new.path, old.value, new.value)
        }
        (Some(old), Some(new)) => {
            format!("~{} {} {} {}", old.path, new.path, old.value, new.value)
        }
        (Some(old), None) => format!("-{} {}", old.path, old.value),
        (None, Some(new)) => format!("+{} {}", new.path, new.value),
        (None, None) => unreachable!("nothing changed"),
    };
    diff.changes.iter().map(draw).collect()
}

#[test]
fn small_cases() {
    let table: &[(&str, &str, &[&str])] = &[
        ("{\"a\":1,\"b\":2}", "{\"b\": 2.0, \"a\": 1}", &[]),
        ("1", "2", &["~$ 1 2"]),
        ("{\"a\":{\"b\":[1,2,3]}}", "{\"a\":{\"b\":[1,2,4]}}", &["~a.b[2] 3 4"]),
        ("{\"a\":1,\"x\":0}", "{\"b\":1,\"x\":0}", &["-a 1", "+b 1"]),
        ("[1,2,3]", "[0,1,2,3]", &["+[0] 0"]),
        ("[1,2,3,4]", "[4,1,2,3]", &[">[3] [0]"]),
        (
            "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":1}]",
            "[{\"id\":2,\"n\":5}]",
            &["-[0] {\"id\":1,\"n\":1}", "~[1].n [0].n 1 5"],
        ),
        (
            "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":1}]",
            "[{\"id\":3,\"n\":1},{\"id\":1,\"n\":2}]",
            &["+[0] {\"id\":3,\"n\":1}", "-[1] {\"id\":2,\"n\":1}", "~[0].n [1].n 1 2"],
        ),
        ("{\"a\":[]}", "{\"a\":{}}", &["~a [] {}"]),
        ("{\"a b\":null}", "{}", &["-[\"a b\"] null"]),
        ("[[1],[2]]", "[[1],[2],[10]]", &["+[2] [10]"]),
    ];
    for (old, new, expected) in table {
        assert_eq!(summary(&full(old, new)), *expected, "{old} {new}");
    }
}

#[test]
fn indices_sort_as_numbers() {
    let items: Vec<String> = (0..12).map(|n| format!("{{\"n\":{n},\"v\":0}}")).collect();
    let old = format!("[{}]", items.join(","));
    let new = [1, 4, 7, 10].iter().fold(old.clone(), |text, n| {
        text.replace(&format!("{n},\"v\":0}}"), &format!("{n},\"v\":1}}"))
    });
    let paths: Vec<_> =
        full(&old, &new).changes.iter().map(|change| change.new.clone().unwrap().path).collect();
    assert_eq!(paths, ["[1].v", "[4].v", "[7].v", "[10].v", "[11].v"]);
}

#[test]
fn what_is_not_json_is_left_to_others() {
    for text in ["", "{", "# Title", "{\"a\":1} x", "NaN"] {
        assert!(json(text, "{}", &Limits::default()).is_none(), "{text}");
        assert!(json("{}", text, &Limits::default()).is_none(), "{text}");
    }
}

#[test]
fn limits_hold() {
    let reason = |old: &str, limits: &Limits| match json(old, "[]", limits) {
        Some(Err(cut)) => cut.reason.limit,
        other => panic!("{other:?}"),
    };
    let limits = Limits { bytes: 200_000, items: 10, ..Limits::default() };
    assert_eq!(reason(&"[".repeat(100_000), &limits), LimitKind::Depth);
    assert_eq!(reason(&"[".repeat(300_000), &limits), LimitKind::Bytes);
    assert_eq!(reason("[1,2,3,4,5,6,7,8,9,10,11]", &limits), LimitKind::Items);
    let limits = Limits { rows: 4, excerpt: 5, ..Limits::default() };
    let diff = json("{\"0\":\"long text\"}", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}", &limits);
    let diff = diff.unwrap().ok().unwrap();
    assert_eq!((diff.changes.len(), diff.omitted, diff.before_omitted), (4, 2, 2));
    assert_eq!(summary(&diff), ["-[\"0\"] \"long", "+a 1", "+d 4", "+e 5"]);
    assert_eq!(diff.changes[0].old.clone().unwrap().left_out, 6);
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4).prop_map(Value::from),
        "[ab]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[abc]", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn no_change_means_equal(old in document(), new in document()) {
        let diff = full(&old.to_string(), &format!("{new:#}"));
        prop_assert_eq!(diff.changes.is_empty(), old == new);
    }

    #[test]
    fn exchanged_sides_mirror(old in document(), new in document()) {
        let (old, new) = (old.to_string(), new.to_string());
        let mirrored = |change: JsonChange| {
            let kind = match change.kind {
                ChangeKind::Added => ChangeKind::Removed,
                ChangeKind::Removed => ChangeKind::Added,
                other => other,
            };
            JsonChange { kind, old: change.new, new: change.old }
        };
        let mut forth = full(&old, &new).changes;
        let mut back: Vec<JsonChange> = full(&new, &old).changes.into_iter().map(mirrored).collect();
        forth.sort_by_key(|change| format!("{change:?}"));
        back.sort_by_key(|change| format!("{change:?}"));
        prop_assert_eq!(forth, back);
    }

    #[test]
    fn any_text(old in "[\\[\\]{}\",:a1 ]{0,30}", new in "[\\[\\]{}\",:a1 ]{0,30}") {
        let _ = json(&old, &new, &Limits::default());
    }
}
