use crate::settings::keys::KEYS;
use crate::settings::{Origin, Settings};

/// A file with every key set as its example.
fn every_key() -> String {
    KEYS.iter().map(|key| format!("{} = {}\n", key.name, key.example)).collect()
}

fn error(text: &str) -> String {
    let error = Settings::read(text).unwrap_err();
    let help = error.help.clone().map(|help| format!("; {help}")).unwrap_or_default();
    format!("{error}{help}")
}

#[test]
fn every_key_is_read_and_shown_as_it_was_written() {
    let settings = Settings::read(&every_key()).unwrap();
    for (shown, key) in settings.shown().iter().zip(KEYS) {
        assert_eq!(shown.key, key.name);
        assert!(shown.origin.starts_with("evalbook.toml:"), "{shown:?}");
        let value = shown.value.clone().unwrap_or_else(|| panic!("`{}` was not read", key.name));
        let again = Settings::read(&format!("{} = {value}", key.name)).unwrap();
        assert_eq!(again.shown()[0].key, "title");
        let index = KEYS.iter().position(|known| known.name == key.name).unwrap();
        assert_eq!(again.shown()[index].value, shown.value);
    }
}

#[test]
fn what_makes_no_sense_is_named_with_its_place() {
    let cases = [
        ("titel = \"x\"", "1:1: there is no key `titel`; did you mean `title`?"),
        ("\n  xyz = 1", "2:3: there is no key `xyz`; the keys are"),
        ("[gate]\nleave = 1", "1:2: there is no key `gate`"),
        ("title = 3", "1:9: `title` is a text, not a value of type integer"),
        ("title = \"\"", "1:9: `title` is empty"),
        ("order = \"a\"", "1:9: `order` is a list of texts, not a value of type string"),
        ("order = [\"a\", 1]", "1:15: `order` is a text, not a value of type integer"),
        ("leave_out = [\"a/***\"]", "1:13: `a/***` is no pattern"),
        ("title = ", "1:9: "),
        ("title = 'a'\ntitle = 'b'", "2:1: duplicate key"),
    ];
    for (text, expected) in cases {
        let found = error(text);
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}

#[test]
fn flags_stand_above_the_file_key_by_key() {
    let mut settings = Settings::read("title = 'a'\nbaseline = 'b'").unwrap();
    let flags = Settings::of_flag("title", "'c'").unwrap();
    settings.lay_over(&flags);
    assert_eq!(settings.title.as_deref(), Some("c"));
    assert_eq!(settings.baseline.as_deref(), Some("b"));
    assert_eq!(settings.origin("title"), Origin::Flag);
    assert_eq!(settings.origin("baseline"), Origin::File(2));
    assert_eq!(settings.origin("order"), Origin::Default);
}

#[test]
fn any_text_is_read_or_refused() {
    let whole = every_key();
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        let _ = Settings::read(&whole[..end]);
    }
}
