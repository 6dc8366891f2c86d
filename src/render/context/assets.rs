//! The style sheets and scripts of the report: one of each for all pages, so that a page names two
//! files; and the script that sets the colors before a page is painted.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::budget::TABLE_COLUMNS;
use crate::render::context::RenderOptions;

/// The style sheets, in cascade order.
const STYLES: &[&str] = &[
    "style.css",
    "overview.css",
    "chart.css",
    "preview.css",
    "diff.css",
    "review.css",
    "history.css",
    "catalogue.css",
];

/// The scripts in execution order, after the words.
const SCRIPTS: &[&str] = &[
    "core.js",
    "copy.js",
    "table.js",
    "search.js",
    "serve.js",
    "comments.js",
    "unsaved.js",
    "doubts.js",
    "pairs.js",
    "judgements.js",
    "seen.js",
    "blind.js",
    "comment_form.js",
    "judge.js",
    "wrong_checks.js",
    "deciding.js",
    "changes.js",
    "reading_line.js",
    "slider.js",
    "quote.js",
    "any_two.js",
    "feedback_file.js",
    "feedback_export.js",
    "judgements_import.js",
    "feedback_import.js",
    "feedback_page.js",
    "progress.js",
    "evidence.js",
];

/// The scripts that only pages of `evalbook serve` have.
const SERVED_SCRIPTS: [&str; 2] = ["serve.js", "unsaved.js"];

/// Every asset with its path in the report.
pub(crate) fn files(options: &RenderOptions) -> Vec<(String, Vec<u8>)> {
    let assets = options.theme.assets();
    let mut files = Vec::new();
    for (path, content) in &assets {
        if !is_bundled(path) {
            files.push((path.clone(), content.to_vec()));
        }
    }

    let mut style = Vec::new();
    for name in STYLES {
        push_asset(&assets, name, &mut style);
    }
    style.extend_from_slice(number_columns().as_bytes());
    files.push(("assets/report.css".to_owned(), style));

    let mut script = words(options).into_bytes();
    for name in SCRIPTS {
        // A published report has no script that talks to a server.
        if options.is_served || !SERVED_SCRIPTS.contains(name) {
            push_asset(&assets, name, &mut script);
        }
    }
    files.push(("assets/report.js".to_owned(), script));
    files
}

/// Whether an asset is in the style sheet or the script of the report.
fn is_bundled(path: &str) -> bool {
    let Some(name) = path.strip_prefix("assets/") else { return false };
    STYLES.contains(&name) || SCRIPTS.contains(&name)
}

fn push_asset(assets: &BTreeMap<String, &[u8]>, name: &str, bundle: &mut Vec<u8>) {
    if let Some(content) = assets.get(&format!("assets/{name}")) {
        bundle.extend_from_slice(content);
    }
    // A script of a theme may end without a line break.
    bundle.push(b'\n');
}

/// The style of columns of numbers: a table names them in its class (`n3`), so that no cell has to.
fn number_columns() -> String {
    let mut selectors = Vec::new();
    for column in 1..=TABLE_COLUMNS {
        selectors.push(format!(".n{column} tr > :nth-child({column})"));
    }
    format!("{} {{ text-align: right; white-space: nowrap; }}\n", selectors.join(", "))
}

/// The words of the scripts in the object that they share; those of `evalbook serve` only if it is served.
fn words(options: &RenderOptions) -> String {
    let table = options.language.table();
    let mut words = table.get("script").cloned().unwrap_or_else(|| json!({}));
    if options.is_served {
        for (key, text) in table.get("serve").and_then(Value::as_object).into_iter().flatten() {
            words[key] = text.clone();
        }
    }
    format!("'use strict';\n\nwindow.evalbook = {{ words: {} }};\n", literal(&words))
}

/// `value` as a JavaScript expression that is safe inside a page.
pub(crate) fn literal(value: &Value) -> String {
    // `</script>` in a text would end the script, and some engines end a line at U+2028.
    let text = value.to_string().replace('<', "\\u003c");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::literal;
    use super::{SCRIPTS, STYLES, files};
    use crate::language::theme::built_in;
    use crate::render::RenderOptions;

    #[test]
    fn every_style_sheet_and_script_is_in_the_report() {
        let report = files(&RenderOptions { is_served: true, ..RenderOptions::default() });
        let names: Vec<&str> = report.iter().map(|(path, _)| path.as_str()).collect();
        let expected = ["icon.svg", "theme.js", "report.css", "report.js"];
        assert_eq!(names, expected.map(|name| format!("assets/{name}")));
        for (path, content) in built_in().filter(|(path, _)| path.starts_with("assets/")) {
            let is_there = report
                .iter()
                .any(|(_, whole)| whole.windows(content.len().max(1)).any(|part| part == content));
            assert!(is_there, "{path}");
        }
        let files = built_in().filter(|(path, _)| path.starts_with("assets/")).count();
        assert_eq!(STYLES.len() + SCRIPTS.len() + 2, files);
    }

    #[test]
    fn data_stays_data() {
        let value = json!(["</script><!--", "a\u{2028}b\u{2029}", "\u{0}\"\\"]);
        let text = literal(&value);
        assert!(!text.contains(['<', '\u{2028}', '\u{2029}', '\u{0}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
