//! What is written about the program is checked: the generated parts of the README.

#![allow(clippy::disallowed_methods, reason = "tests read the project's own files")]

use std::fmt::Write;
use std::path::PathBuf;

use evalbook::{
    Code, ENVIRONMENT, EXIT_CODES, SETTINGS, SPELLINGS, expectation_columns, run_columns,
};

fn readme() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

/// Compares the part of the README between two marks with `wanted`; with `UPDATE=1` writes it.
fn check_part(name: &str, wanted: &str) {
    let text = std::fs::read_to_string(readme()).expect("the README");
    let (start, end) = (format!("<!-- {name}: "), format!("<!-- end of {name} -->"));
    let from = text.find(&start).expect("the opening mark");
    let from = from + text[from..].find('\n').expect("a line end") + 1;
    let to = text.find(&end).expect("the closing mark");
    if &text[from..to] == wanted {
        return;
    }
    assert!(
        std::env::var_os("UPDATE").is_some(),
        "the README's {name} are stale; run with UPDATE=1"
    );
    std::fs::write(readme(), format!("{}{wanted}{}", &text[..from], &text[to..]))
        .expect("a written README");
}

#[test]
fn the_readme_lists_every_spelling() {
    let mut text = String::from("\n");
    for (kind, fields) in SPELLINGS {
        let _ = write!(text, "**{kind}**\n\n| field | read under |\n|---|---|\n");
        for field in *fields {
            let spellings: Vec<String> = field.spellings.iter().map(|s| format!("`{s}`")).collect();
            let _ = writeln!(text, "| {} | {} |", field.name, spellings.join(", "));
        }
        text.push('\n');
    }
    check_part("spellings", &text);
}

#[test]
fn the_readme_lists_every_problem() {
    let mut text = String::from("\n| code | severity | meaning |\n|---|---|---|\n");
    for code in Code::ALL {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            code.word(),
            code.severity().word(),
            code.meaning()
        );
    }
    text.push('\n');
    check_part("problems", &text);
}

#[test]
fn the_readme_lists_every_setting() {
    let mut text = String::from("\n| key | such as | what it decides |\n|---|---|---|\n");
    for key in SETTINGS {
        let _ = writeln!(text, "| `{}` | `{}` | {} |", key.name, key.example, key.meaning);
    }
    text.push('\n');
    check_part("settings", &text);
}

#[test]
fn the_readme_lists_exit_codes_and_environment() {
    let mut text = String::from("\n| exit code | says | when |\n|---|---|---|\n");
    for (code, says, detail) in EXIT_CODES {
        let _ = writeln!(text, "| {code} | {says} | {detail} |");
    }
    text.push('\n');
    check_part("exit codes", &text);
    let mut text = String::from("\n| variable | decides |\n|---|---|\n");
    for (name, decides) in ENVIRONMENT {
        let _ = writeln!(text, "| `{name}` | {decides} |");
    }
    text.push('\n');
    check_part("environment", &text);
}

#[test]
fn the_readme_lists_every_column() {
    for (name, columns) in [("runs", run_columns()), ("expectations", expectation_columns())] {
        let mut text = String::from("\n| column | unit | meaning |\n|---|---|---|\n");
        for [column, unit, meaning] in columns {
            let _ = writeln!(text, "| `{column}` | {unit} | {meaning} |");
        }
        text.push('\n');
        check_part(&format!("columns of {name}"), &text);
    }
}

#[test]
fn codes_are_unique_and_kebab_case() {
    let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.word()).collect();
    assert!(words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')));
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), Code::ALL.len());
}
