use crate::settings::keys::{EXAMPLES, keys, shown_values};
use crate::settings::{CostLimit, FailOn, Origin, Settings};
use testing::table::rows;

/// A file with every key set to its example.
fn every_key() -> String {
    EXAMPLES.iter().map(|(name, example)| format!("{name} = {example}\n")).collect()
}

fn error(text: &str) -> String {
    let error = Settings::read_file(text, "evalbook.toml").unwrap_err();
    let help = error.help.clone().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{error}{help}")
}

#[test]
fn every_key_is_read_shown_merged_and_explained() {
    let mut merged = Settings::default();
    merged.override_with(&Settings::read_file(&every_key(), "evalbook.toml").unwrap());
    for (name, value) in shown_values(&merged) {
        assert!(matches!(merged.origin(name), Origin::File { .. }), "{name}");
        let value = value.unwrap_or_else(|| panic!("`{name}` was not merged"));
        let again = Settings::read_file(&format!("{name} = {value}"), "evalbook.toml").unwrap();
        assert!(shown_values(&again).contains(&(name, Some(value))), "{name}");
    }
    assert!(shown_values(&Settings::default()).contains(&("outputs", Some("\"all\"".to_owned()))));
    assert_eq!(merged.gate.fail_on, [FailOn::Worse]);
    assert_eq!(merged.gate.max_time_increase, Some(CostLimit::Share(0.2)));
    assert_eq!(merged.known_issues[0].expires, "2026-12-31");
    for key in keys() {
        assert!(!key.meaning.is_empty(), "{}", key.name);
    }
}

#[test]
fn invalid_values_are_named_with_their_place() {
    const INVALID: &str = r#"
        titel = "x" => 1:1: there is no key `titel`; did you mean `title`?
        ⏎  xyz = 1 => 2:3: there is no key `xyz`; the keys are
        title = 3 => 1:9: `title`: invalid type: integer `3`, expected a string
        title = "" => 1:9: `title` is empty
        order = ['a', ''] => 1:15: `order` is empty
        outputs = 'some' => 1:11: `outputs`: unknown variant `some`, expected one of `none`
        url = 'me.example' => 1:7: `url`: `me.example` is not the address of a page
        [gate]⏎min_pass_rate = 80 => 2:17: `gate.min_pass_rate`: expected 0 to 1, not 80; write "80%" for a percentage
        [gate]⏎min_pass_rate = '101%' => 2:17: `gate.min_pass_rate`: expected 0 to 1, not 1.01
        [gate]⏎max_time_increase = -1 => 2:21: `gate.max_time_increase`: expected a number from 0 up, not -1
        [gate]⏎max_time_increase = inf => 2:21: `gate.max_time_increase`: expected a number
        [gate]⏎max_time_increase = 'much' => 2:21: `gate.max_time_increase`: expected a number or a text such as `20%`
        [gate]⏎max_token_increase = 0.2 => 2:22: `gate.max_token_increase`: 0.2 is less than one second or token; write "20%"
        [gate]⏎max_tokens_increase = 2 => 2:1: there is no key `gate.max_tokens_increase`; did you mean `gate.max_token_increase`?
        gate = 3 => 1:1: `gate` is a table; write its keys below a line `[gate]`
        gate.fail_on = "bad" => 1:16: `gate.fail_on`: unknown variant `bad`, expected `worse` or `loss`
        gate.fail_on = ["worse", 1] => 1:26: `gate.fail_on`:␣
        known_issues = [{ case = "a", expectation = "b" }] => 1:17: `known_issues`: missing field `reason`
        [[known_issues]]⏎case = 'a'⏎expectation = 'b'⏎reason = 'c'⏎expires = 'soon' => 5:11: `known_issues`: expected a day
        known_issues = [{ case = 'a', expectation = 'b', reason = 'c', expires = 2026-12-31T10:00:00 }] => 1:74: `known_issues`: expected a day
        known_issues = [{ cases = "a" }] => 1:19: there is no key `cases`; did you mean `case`?
        prices = { m = { input = 1 } } => 1:16: `prices`: missing field `output`
        prices = { m = { input = -1, output = 1 } } => 1:26: `prices`: expected a number from 0 up
        [prices.m]⏎input = 1⏎ouput = 2 => 3:1: there is no key `ouput`; did you mean `output`?
        leave_out = ["a/***"] => 1:13: `leave_out`: `a/***` is not a pattern
        [[rows]]⏎files = 'a.json' => 1:1: `rows`: a mapping needs `case`
        [[rows]]⏎case = 'a' => 1:1: `rows`: a mapping needs `files`
        [[rows]]⏎files = '../a.json' => 2:9: `rows`: `../a.json` must be a path below this folder
        [[rows]]⏎files = '/a.json' => 2:9: `rows`: `/a.json` must be a path below this folder
        [[rows]]⏎files = 'C:/a.json' => 2:9: `rows`: `C:/a.json` must be a path below this folder
        [[rows]]⏎files = 'a/**/b.json' => 2:9: `rows`: a `*` stops at `/`
        [[rows]]⏎files = '{sweep}.json' => 2:9: `rows`: there is no `{sweep}`
        [[rows]]⏎files = '{case}.json'⏎case = 'a' => 1:1: `rows`: `case` and `{case}` are the same
        [[rows]]⏎files = 'a.json'⏎case = 'a..b' => 3:8: `rows`: `a..b` has an empty key
        [[rows]]⏎files = 'a.json'⏎case = 'a'⏎threshold = 50 => 1:1: `rows`: `threshold` is from 0 to 1
        [[rows]]⏎files = 'a.json'⏎case = 'a'⏎pased = 'b' => 4:1: there is no key `pased`; did you mean `passed`?
        title =␣ => 1:9:␣
        title = 'a'⏎title = 'b' => 2:1: duplicate key
    "#;
    assert_refused(INVALID);
}

#[test]
fn patterns_of_files_stop_at_a_folder_and_give_parts() {
    use crate::settings::rows::Part;
    const PATTERNS: &str = r#"
        results/*.jsonl => results/a.jsonl => yes
        results/*.jsonl => results/a/b.jsonl => no
        {iteration}-*.jsonl => 2026-09-30-stats.jsonl => 2026-09-30
        {iteration}/{iteration}.json => a/a.json => a
        {iteration}/{iteration}.json => a/b.json => no
        a[1].json => a[1].json => yes
        a.json => abjson => no
    "#;
    for [pattern, path, expected] in rows(PATTERNS) {
        let text = format!("[[rows]]\nfiles = '{pattern}'\ncase = 'a'");
        let settings = Settings::read_file(&text, "evalbook.toml").expect(&pattern);
        let found = match settings.rows[0].files.matches(&path) {
            Some(parts) => parts.get(Part::Iteration).unwrap_or("yes").to_owned(),
            None => "no".to_owned(),
        };
        assert_eq!(found, expected, "{pattern}: {path}");
    }
}

#[test]
fn a_key_of_another_table_is_named_with_its_own() {
    const OF_ANOTHER_TABLE: &str = r#"
        [gate]⏎fail-on = "worse" => 2:1: there is no key `gate.fail-on`; did you mean `gate.fail_on`?
        [gates]⏎fail_on = ["worse"] => 1:2: there is no key `gates`; did you mean `gate`?
        [gate]⏎known_issues = [] => 2:1: there is no key `gate.known_issues`; did you mean `known_issues`?
        fail_on = [] => 1:1: there is no key `fail_on`; did you mean `gate.fail_on`?
    "#;
    assert_refused(OF_ANOTHER_TABLE);
}

fn assert_refused(table: &str) {
    for [text, expected] in rows(table) {
        let found = error(&text);
        assert!(found.starts_with(&expected), "{text}: {found}");
    }
}

#[test]
fn flags_override_the_file_key_by_key() {
    let mut settings =
        Settings::read_file("title = 'a'\nbaseline = 'b'\norder = ['b']", "evalbook.toml").unwrap();
    let title = Some("c".to_owned());
    settings.override_with(&Settings { title, ..Settings::default() }.as_flags());
    assert_eq!(settings.title.as_deref(), Some("c"));
    assert_eq!(settings.baseline.as_deref(), Some("b"));
    assert_eq!(settings.origin("title"), Origin::Flag);
    let file = Origin::File { path: "evalbook.toml".to_owned(), line: 2 };
    assert_eq!(settings.origin("baseline"), file);
    assert_eq!(settings.origin("outputs"), Origin::Default);
    // The file of an inner folder takes back what that of an outer one says.
    settings.override_with(&Settings::read_file("order = []", "evalbook.toml").unwrap());
    assert!(settings.order.is_empty());
}

#[test]
fn any_text_is_read_or_refused() {
    let whole = every_key();
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let _ = Settings::read_file(&whole[..end], "evalbook.toml");
    }
}
