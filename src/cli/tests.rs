use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::Args;

#[test]
fn arguments_are_consistent() {
    Args::command().debug_assert();
}

/// The words of a command line, without redirections and pipes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.extend(word.take()),
            ('>' | '|', None) => return words,
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    assert_eq!(quote, None, "{line}");
    words.extend(word);
    words
}

fn assert_parses(line: &str) {
    let parsed = Args::try_parse_from(words(line));
    if parsed.as_ref().is_err_and(|error| error.kind() == ErrorKind::DisplayHelp) {
        return;
    }
    assert!(parsed.is_ok(), "`{line}`: {}", parsed.unwrap_err());
}

#[test]
fn every_command_has_examples_that_make_sense() {
    let program = Args::command();
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        // What follows is no list of command lines.
        let examples = help.split("\n\n").next().unwrap_or_default();
        let examples: Vec<&str> =
            examples.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        assert!(!examples.is_empty(), "`{}` has no example", command.get_name());
        assert!(help.contains("Examples:\n  evalbook "), "{help}");
        for example in examples {
            assert!(example.starts_with("evalbook "), "{example}");
            assert_parses(example);
        }
        let own = format!("evalbook {}", command.get_name());
        assert!(command.get_name() == "evalbook" || help.contains(&own), "{help}");
    }
}

/// README, book and skill: every document with command lines.
#[allow(clippy::disallowed_methods, reason = "a test reads the project's own files")]
fn documents() -> String {
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = ["docs/src", "skills"].map(|folder| walkdir::WalkDir::new(project.join(folder)));
    let pages = pages.into_iter().flatten().map(|entry| entry.expect("an entry").into_path());
    std::iter::once(project.join("README.md"))
        .chain(pages.filter(|path| path.extension().is_some_and(|kind| kind == "md")))
        .map(|path| std::fs::read_to_string(path).expect("a document"))
        .collect()
}

#[test]
fn every_command_line_of_the_documents_makes_sense() {
    let text = documents();
    let (mut checked, mut is_code) = (0, false);
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if !is_code || !line.starts_with("evalbook ") {
            continue;
        }
        // Text after several spaces describes the line; some lines have placeholders.
        let command = line.split("   ").next().unwrap_or(line);
        let is_place = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        if !command.contains(['[', '…']) && !command.split(' ').any(is_place) {
            assert_parses(command);
            checked += 1;
        }
    }
    assert!(checked > 25, "{checked}");
    for command in Args::command().get_subcommands() {
        let line = format!("\nevalbook {} ", command.get_name());
        assert!(text.contains(&line), "no document lists `{}`", command.get_name());
    }
}
