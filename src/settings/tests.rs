use crate::settings::keys::KEYS;
use crate::settings::{CostLimit, FailOn, Origin, Settings};

/// A file with every key set to its example.
fn every_key() -> String {
    let (tables, plain): (Vec<_>, Vec<_>) =
        KEYS.iter().partition(|key| key.name.starts_with("gate."));
    let mut text: String =
        plain.iter().map(|key| format!("{} = {}\n", key.name, key.example)).collect();
    text += "[gate]\n";
    text.extend(tables.iter().map(|key| format!("{} = {}\n", &key.name[5..], key.example)));
    text
}

fn error(text: &str) -> String {
    let error = Settings::read(text).unwrap_err();
    let help = error.help.clone().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{error}{help}")
}

#[test]
fn every_key_is_read_and_shown_as_it_was_written() {
    let settings = Settings::read(&every_key()).unwrap();
    for key in KEYS {
        assert!(matches!(settings.origin(key.name), Origin::File { .. }), "{}", key.name);
        let value = (key.show)(&settings).unwrap_or_else(|| panic!("`{}` was not read", key.name));
        let again = Settings::read(&format!("{} = {value}", key.name)).unwrap();
        assert_eq!((key.show)(&again), Some(value));
    }
    assert_eq!(settings.gate.fail_on, [FailOn::Worse]);
    assert_eq!(settings.gate.max_time_increase, Some(CostLimit::Share(0.2)));
    assert_eq!(settings.known_issues[0].expires, "2026-12-31");
}

#[test]
fn invalid_values_are_named_with_their_place() {
    let cases = [
        ("titel = \"x\"", "1:1: there is no key `titel`; did you mean `title`?"),
        ("\n  xyz = 1", "2:3: there is no key `xyz`; the keys are"),
        ("title = 3", "1:9: `title` is a text, not a value of type integer"),
        ("title = \"\"", "1:9: `title` is empty"),
        ("labels = { a = 'x', b = 'x' }", "1:25: two configurations are called `x`"),
        (
            "[gate]\nmin_pass_rate = 80",
            "2:17: `gate.min_pass_rate` is from 0 to 1, not 80; write `\"80%\"`",
        ),
        ("[gate]\nmin_pass_rate = '101%'", "2:17: `gate.min_pass_rate` is from 0 to 1, not 101"),
        (
            "[gate]\nmax_time_increase = -1",
            "2:21: `gate.max_time_increase` is a number from 0 up, not -1",
        ),
        ("[gate]\nmax_time_increase = inf", "2:21: `gate.max_time_increase` is a number from 0 up"),
        (
            "[gate]\nmax_time_increase = 'much'",
            "2:21: `gate.max_time_increase` is a number or a text such as `20%`",
        ),
        (
            "[gate]\nmax_token_increase = 0.2",
            "2:22: `gate.max_token_increase` would allow 0.2 tokens more; write `\"20%\"` for a share",
        ),
        (
            "[gate]\nmax_tokens_increase = 2",
            "2:1: there is no key `gate.max_tokens_increase`; did you mean `gate.max_token_increase`?",
        ),
        ("gate = 3", "1:1: there is no key `gate`"),
        ("gate.fail_on = \"bad\"", "1:16: `gate.fail_on` holds `worse`"),
        ("gate.fail_on = [\"worse\", 1]", "1:26: `gate.fail_on` is a text"),
        (
            "known_issues = [{ case = \"a\", expectation = \"b\" }]",
            "1:17: a known issue needs `reason`",
        ),
        (
            "[[known_issues]]\ncase = 'a'\nexpectation = 'b'\nreason = 'c'\nexpires = 'soon'",
            "5:11: `known_issues.expires` is a day",
        ),
        (
            "known_issues = [{ case = 'a', expectation = 'b', reason = 'c', expires = 2026-12-31T10:00:00 }]",
            "1:74: `known_issues.expires` is a day",
        ),
        (
            "known_issues = [{ cases = \"a\" }]",
            "1:19: there is no key `cases`; did you mean `case`?",
        ),
        ("prices = { m = { input = 1 } }", "1:16: a price needs `output`"),
        (
            "[prices.m]\ninput = 1\nouput = 2",
            "3:1: there is no key `ouput`; did you mean `output`?",
        ),
        ("leave_out = [\"a/***\"]", "1:13: `a/***` is not a pattern"),
        ("title = ", "1:9: "),
        ("title = 'a'\ntitle = 'b'", "2:1: duplicate key"),
    ];
    assert_refused(&cases);
}

#[test]
fn a_key_of_another_table_is_named_with_its_own() {
    let cases = [
        (
            "[gate]\nfail-on = \"worse\"",
            "2:1: there is no key `gate.fail-on`; did you mean `gate.fail_on`?",
        ),
        (
            "[gate]\nknown_issues = []",
            "2:1: there is no key `gate.known_issues`; did you mean `known_issues`?",
        ),
        ("fail_on = []", "1:1: there is no key `fail_on`; did you mean `gate.fail_on`?"),
    ];
    assert_refused(&cases);
}

fn assert_refused(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}

#[test]
fn flags_override_the_file_key_by_key() {
    let mut settings = Settings::read("title = 'a'\nbaseline = 'b'").unwrap();
    let flags = Settings::from_flag("title", "'c'").unwrap();
    settings.override_with(&flags);
    assert_eq!(settings.title.as_deref(), Some("c"));
    assert_eq!(settings.baseline.as_deref(), Some("b"));
    assert_eq!(settings.origin("title"), Origin::Flag);
    assert_eq!(
        settings.origin("baseline"),
        Origin::File { path: "evalbook.toml".to_owned(), line: 2 }
    );
    assert_eq!(settings.origin("order"), Origin::Default);
}

#[test]
fn any_text_is_read_or_refused() {
    let whole = every_key();
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let _ = Settings::read(&whole[..end]);
    }
}
