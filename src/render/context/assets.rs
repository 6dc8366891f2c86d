//! The style sheets and scripts of the report: one of each for all pages, so that a page names two
//! files; and the script that sets the colors before a page is painted.

use serde_json::{Value, json};

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
];

/// The scripts in execution order, after the words.
const SCRIPTS: &[&str] =
    &["core.js", "copy.js", "table.js", "search.js", SERVE, "feedback_file.js", "review.js"];

const SERVE: &str = "serve.js";

pub(crate) fn files(options: &RenderOptions) -> Vec<(String, Vec<u8>)> {
    let assets = options.theme.assets();
    let concatenated = |names: &[&str], mut whole: Vec<u8>| {
        for name in names {
            whole.extend_from_slice(
                assets.get(&format!("assets/{name}")).copied().unwrap_or_default(),
            );
            whole.push(b'\n');
        }
        whole
    };
    let is_part = |path: &str| {
        STYLES.iter().chain(SCRIPTS).any(|name| path.strip_prefix("assets/") == Some(*name))
    };
    let single = assets.iter().filter(|(path, _)| !is_part(path));
    let mut files: Vec<(String, Vec<u8>)> =
        single.map(|(path, content)| (path.clone(), content.to_vec())).collect();
    files.push(("assets/report.css".to_owned(), concatenated(STYLES, Vec::new())));
    // The words go into the object that the scripts share, with those of `evalbook serve` if it is
    // served.
    let table = options.language.table();
    let mut words = table.get("script").cloned().unwrap_or_else(|| json!({}));
    let serve_words = table.get("serve").and_then(Value::as_object).filter(|_| options.is_served);
    for (key, text) in serve_words.into_iter().flatten() {
        words[key] = text.clone();
    }
    let words = format!("'use strict';\n\nwindow.evalbook = {{ words: {} }};\n", literal(&words));
    let scripts: Vec<&str> =
        SCRIPTS.iter().copied().filter(|name| options.is_served || *name != SERVE).collect();
    files.push(("assets/report.js".to_owned(), concatenated(&scripts, words.into_bytes())));
    files
}

/// `value` as a JavaScript expression that is safe inside a page.
pub(crate) fn literal(value: &Value) -> String {
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
        assert_eq!(STYLES.len() + SCRIPTS.len() + 2, 16);
    }

    #[test]
    fn data_stays_data() {
        let value = json!(["</script><!--", "a\u{2028}b\u{2029}", "\u{0}\"\\"]);
        let text = literal(&value);
        assert!(!text.contains(['<', '\u{2028}', '\u{2029}', '\u{0}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
