//! Samples of secrets: those of the rules, and values as people leave them behind.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use testing::secrets::expand;

use crate::finder::Finder;
use crate::marked_file;
use crate::rules::{BUILT_IN, RULES};
use crate::secret::is_folder;
use crate::secrets_in_text::{self, Nature};
use input::settings::SecretRules;

/// The text without the delimiters around its secrets, and with the mark of `label` in place of
/// these.
fn sides(text: &str, label: &str) -> (String, String) {
    let mark = |part: &str| match part.split_once('»') {
        Some((_, after)) => format!("[redacted: {label}]{after}"),
        None => part.to_owned(),
    };
    (text.replace(['«', '»'], ""), text.split('«').map(mark).collect())
}

#[derive(Deserialize)]
struct Samples {
    rules: Vec<RuleSamples>,
}

#[derive(Deserialize)]
struct RuleSamples {
    id: String,
    /// Texts with matches between `«` and `»`.
    #[serde(default)]
    finds: Vec<String>,
    #[serde(default)]
    leaves: Vec<String>,
}

#[test]
fn every_rule_finds_its_secrets_and_nothing_around_them() {
    let finder = Finder::new(&[], &SecretRules::default());
    let shown = |text: &str| finder.redact(text).map_or(text.to_owned(), |(text, _)| text);
    let samples: Samples = toml::from_str(BUILT_IN).unwrap();
    let mut wrong = Vec::new();
    for rule in &samples.rules {
        let is_folder = rule.id == "home-folder";
        assert!(is_folder || !rule.finds.is_empty(), "{} has samples", rule.id);
        for text in &rule.finds {
            let (text, wanted) = sides(&expand(text), &rule.id.replace('-', " "));
            // A mark is not a secret.
            if shown(&text) != wanted || shown(&wanted) != wanted {
                wrong.push(format!("{}\n  instead of {wanted}", shown(&text)));
            }
        }
        for text in &rule.leaves {
            let text = expand(text);
            if shown(&text) != text {
                wrong.push(format!("{}\n  instead of {text}", shown(&text)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_expression_is_valid() {
    for rule in &RULES.all {
        let lists = rule.allowed.iter().flat_map(|allowed| &allowed.expressions);
        for expression in rule.hints.before.iter().chain(lists).chain([&rule.regex]) {
            expression.get();
        }
    }
    for expression in RULES.looks.values() {
        expression.get();
    }
}

/// Values as people leave them behind, planted before the rules were written. Each has the name of its
/// file.
#[test]
fn planted_values_are_found() {
    let planted = include_str!("planted.txt");
    let missed = published(planted);
    assert!(missed.is_empty(), "{} missed: {missed:#?}", missed.len());
}

/// Shapes that people wrote down who had not read the rules; each list is by somebody else. At least
/// nine of ten are found.
#[test]
fn leaked_values_are_found() {
    for leaked in [include_str!("leaked.txt"), include_str!("unread.txt")] {
        let missed = published(leaked);
        let shapes = leaked.matches("%% ").count();
        println!("{} of {shapes}; missed: {missed:#?}", shapes - missed.len());
        let rate = missed.len() * 10 <= shapes;
        assert!(shapes >= 80 && rate, "{} missed", missed.len());
    }
}

/// The samples of a list, each a name and a text, of which a value is published.
fn published(list: &str) -> Vec<String> {
    let finder = Finder::new(&[], &SecretRules::default());
    let mut missed = Vec::new();
    for sample in list.split("%% ").skip(1) {
        let (name, text) = sample.split_once('\n').expect("a name and a text");
        let expanded = expand(text);
        let plain = expanded.replace(['«', '»'], "");
        let findings = marked_file::search(&finder, name, Nature::new(name), plain.as_bytes());
        let clean = marked_file::cleaned(plain.into_bytes(), &findings);
        let clean = String::from_utf8_lossy(&clean);
        let mut values = expanded.split('«').skip(1).filter_map(|part| part.split('»').next());
        if values.any(|value| clean.contains(value)) {
            missed.push(sample.to_owned());
        }
    }
    missed
}

/// Real workspaces, in which few marks are right: a session cookie and two values made up for tests. Each is
/// printed, to be looked at: `cargo test --release -p evalbook-guard marks -- --ignored --nocapture`.
#[test]
#[ignore = "it reads all texts of the corpus"]
#[allow(clippy::disallowed_methods, reason = "the folder is not a workspace")]
fn real_workspaces_have_few_marks() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("EVALBOOK_CORPUS").map_or(beside, PathBuf::from);
    if !corpus.is_dir() {
        println!("no real workspaces are there");
        return;
    }
    let finder = Finder::new(&[], &SecretRules::default());
    let mut folders = vec![corpus];
    let (mut bytes, mut marks) = (0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(content) = std::fs::read(&path) else { continue };
            if !kind.is_file() || formats::encoding(&content).is_none() {
                continue;
            }
            bytes += content.len();
            let name = path.to_string_lossy();
            let text = String::from_utf8_lossy(&content);
            for edit in secrets_in_text::edits(&finder, Nature::new(&name), &text) {
                if !is_folder(&edit.label) {
                    marks += 1;
                    let from = text.floor_char_boundary(edit.range.start.saturating_sub(60));
                    let to = text.ceil_char_boundary((edit.range.end + 20).min(text.len()));
                    let (head, tail) = (&text[from..edit.range.start], &text[edit.range.end..to]);
                    println!("{name}: {}: {head}«{}»{tail:?}", edit.label, &text[edit.range]);
                }
            }
        }
    }
    println!("{marks} marks in {:.1} MB", bytes as f64 / 1e6);
    assert!(marks <= 3, "{marks} marks");
}
