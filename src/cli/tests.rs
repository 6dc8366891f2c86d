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

/// README, book, skill, workflows and examples of them: every file with command lines.
#[allow(clippy::disallowed_methods, reason = "a test reads the project's own files")]
fn documents() -> String {
    let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["docs/src", "skills", ".github", "action", "examples/github", "examples/gitlab"];
    let pages = folders.map(|folder| walkdir::WalkDir::new(project.join(folder)));
    let pages = pages.into_iter().flatten().map(|entry| entry.expect("an entry").into_path());
    let kinds = ["md", "yml", "yaml", "sh"];
    ["README.md", "CONTRIBUTING.md", "RELEASING.md", "tests/README.md", "action.yml"]
        .into_iter()
        .map(|name| project.join(name))
        .chain(pages.filter(|path| {
            path.extension().is_some_and(|kind| kinds.iter().any(|known| kind == *known))
        }))
        .map(|path| std::fs::read_to_string(path).expect("a document"))
        .collect()
}

/// The command lines in a text: whole lines of it, steps of workflows, and code within sentences.
fn command_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let text = text.replace("\\\n", " ");
    for line in text.lines() {
        let code = line.trim_start().trim_start_matches("- ");
        let code = code.strip_prefix("run: ").unwrap_or(code);
        if code.starts_with("evalbook ") && !code.contains('`') {
            // Text after several spaces describes the line.
            lines.push(code.split("   ").next().unwrap_or(code).to_owned());
        }
        // Every second part between backticks is code.
        let inline = line.split('`').skip(1).step_by(2).filter(|_| !line.starts_with("```"));
        lines.extend(inline.filter(|code| code.starts_with("evalbook ")).map(str::to_owned));
    }
    lines
}

/// Whether `line` is a command line, and not a sentence or the outline of a command.
fn is_command(line: &str) -> bool {
    let name = line.split(' ').nth(1).unwrap_or_default();
    let is_known = Args::command().get_subcommands().any(|command| command.get_name() == name);
    is_known && !line.contains(['[', '…']) && !line.contains("$(") && !line.contains("${{")
}

#[test]
fn every_command_line_of_the_documents_makes_sense() {
    let text = documents();
    let mut checked = 0;
    for line in command_lines(&text).iter().filter(|line| is_command(line)) {
        checked += 1;
        let Err(error) = Args::try_parse_from(words(line)) else { continue };
        let is_place = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        let is_fine = match error.kind() {
            ErrorKind::DisplayHelp => true,
            // The name of a command in a sentence, without its arguments.
            ErrorKind::MissingRequiredArgument => line.split(' ').count() == 2,
            // A number is written `N`, and in a workflow an address is a variable.
            ErrorKind::ValueValidation | ErrorKind::InvalidValue => {
                line.contains('$') || line.split(' ').any(is_place)
            }
            _ => false,
        };
        assert!(is_fine, "`{line}`: {error}");
    }
    assert!(checked > 100, "{checked}");
    for command in Args::command().get_subcommands() {
        let line = format!("\nevalbook {} ", command.get_name());
        assert!(text.contains(&line), "no document lists `{}`", command.get_name());
    }
}
