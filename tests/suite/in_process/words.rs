//! The words of the pages: no key without a text, no text without a use, no English word in a
//! report of another language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support;
use crate::support::{Workspace, examples, files, html, name_of, project, read_text, tree};
use serde_json::Value;

/// Every text of the English table by section and key; a counted thing is one text.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let path = project().join("templates/language/en.json");
    let text = read_text(path);
    let table: Value = serde_json::from_str(&text).expect("a table in JSON");
    let sections = table.as_object().expect("sections").iter();
    let keys = |texts: &Value| texts.as_object().expect("texts").keys().cloned().collect();
    sections.map(|(section, texts)| (section.clone(), keys(texts))).collect()
}

/// What the sources ask the table for, each as `section.key`; `section.*` for a whole section.
#[derive(Default)]
struct UsedKeys {
    /// Where each text is certainly asked for.
    keys: BTreeMap<String, String>,
    /// All string literals of the code, among them the names of counted things.
    literals: BTreeSet<String>,
}

/// Sections whose keys are kinds of findings with conditions.
const TOLD: [&str; 8] = [
    "news",
    "news_caution",
    "news_next",
    "headline",
    "cost_move",
    "triggers_told",
    "audit_found",
    "audit_advice",
];

#[test]
fn every_text_that_is_asked_for_exists_and_every_text_is_used() {
    let (table, asked) = (table(), asked());
    let exists = |key: &str| {
        let (section, name) = key.split_once('.').expect("a section and a key");
        table.get(section).is_some_and(|keys| name == "*" || keys.contains(name))
    };
    let missing: Vec<_> = asked.keys.iter().filter(|(key, _)| !exists(key)).collect();
    assert!(missing.is_empty(), "no such texts: {missing:#?}");
    let is_asked = |section: &str, name: &str| match section {
        "count" => asked.literals.contains(name),
        _ => [format!("{section}.{name}"), format!("{section}.*")]
            .iter()
            .any(|key| asked.keys.contains_key(key)),
    };
    // Texts about the side without the skill, another iteration, or two sides of one iteration go
    // with those of that name.
    let is_used = |section: &str, name: &str| {
        // Texts of findings are found by their kinds, and a unit test knows these.
        if TOLD.contains(&section) {
            return true;
        }
        let suffixes = ["_without", "_than", "_beside"];
        let base = suffixes.iter().find_map(|suffix| name.strip_suffix(suffix));
        is_asked(section, name) || base.is_some_and(|base| is_asked(section, base))
    };
    let all = table.iter().flat_map(|(section, keys)| keys.iter().map(move |key| (section, key)));
    let unused: Vec<_> = all.filter(|(section, key)| !is_used(section, key)).collect();
    assert!(unused.is_empty(), "nobody uses these texts: {unused:?}");
}

fn asked() -> UsedKeys {
    let mut asked = UsedKeys::default();
    let sections = table();
    for file in files(&project().join("templates")) {
        if name_of(&file).ends_with(".html") {
            in_template(&read(&file), &name_of(&file), &mut asked);
        }
    }
    let modules = ["chart", "diff_view", "language", "preview", "render", "wording"];
    for file in modules.iter().flat_map(|it| files(&project().join("src").join(it))) {
        let name = name_of(&file);
        if file.components().all(|part| part.as_os_str() != "tests") && name != "gallery.rs" {
            in_code(&read(&file), &name, &sections, &mut asked);
        }
    }
    for file in files(&project().join("assets")) {
        if name_of(&file).ends_with(".js") {
            let section = if name_of(&file) == "serve.js" { "serve" } else { "script" };
            in_script(&read(&file), &name_of(&file), (section, &sections[section]), &mut asked);
        }
    }
    asked
}

/// String literals in a script that are keys of its section, and those that begin one.
fn in_script(
    text: &str,
    file: &str,
    (section, keys): (&str, &BTreeSet<String>),
    asked: &mut UsedKeys,
) {
    let begun: Vec<&str> =
        text.split('`').filter_map(|part| part.split_once("${")).map(|(begin, _)| begin).collect();
    let is_asked = |key: &str| {
        text.contains(&format!("'{key}'"))
            || begun.iter().any(|begin| !begin.is_empty() && key.starts_with(begin))
    };
    for key in keys.iter().filter(|key| is_asked(key)) {
        asked.keys.insert(format!("{section}.{key}"), file.to_owned());
    }
}

fn read(file: &Path) -> String {
    read_text(file)
}

/// `t.section.key` and `t.section[…]` in a template.
fn in_template(text: &str, file: &str, asked: &mut UsedKeys) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, _) in text.match_indices("t.") {
        let begins = !text[..at].ends_with(|c: char| is_word(c) || c == '.');
        let path: String =
            text[at + 2..].chars().take_while(|c| is_word(*c) || *c == '.').collect();
        let behind = &text[at + 2 + path.len()..];
        let key = match path.split_once('.') {
            Some((section, key)) => format!("{section}.{key}"),
            None if behind.starts_with('[') => format!("{path}.*"),
            None => continue,
        };
        let is_code = text[..at].rfind("{{").max(text[..at].rfind("{%"))
            > text[..at].rfind("}}").max(text[..at].rfind("%}"));
        if begins && is_code {
            asked.keys.insert(key, file.to_owned());
        }
    }
}

/// String literals in code that look like keys of a section there is, and the names of counted
/// things; unit tests left out.
fn in_code(
    text: &str,
    file: &str,
    sections: &BTreeMap<String, BTreeSet<String>>,
    asked: &mut UsedKeys,
) {
    let is_name = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    };
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text).lines();
    for line in code.filter(|line| !line.trim_start().starts_with("//")) {
        let line = line.replace("\\\"", "'");
        for literal in line.split('"').skip(1).step_by(2) {
            asked.literals.insert(literal.to_owned());
            let Some((section, key)) = literal.split_once('.') else { continue };
            let is_file =
                ["html", "json", "md", "css", "js", "csv", "txt", "svg", "xml"].contains(&key);
            if !sections.contains_key(section) || is_file {
                continue;
            }
            if is_name(key) {
                asked.keys.insert(literal.to_owned(), file.to_owned());
            } else if key.starts_with('{') && key.ends_with('}') {
                asked.keys.insert(format!("{section}.*"), file.to_owned());
            } else if let Some((group, _)) = key.split_once(".{") {
                asked.keys.insert(format!("{section}.{group}"), file.to_owned());
            }
        }
        for call in [".count(", ".counted("] {
            let Some((_, rest)) = line.split_once(call) else { continue };
            let argument = rest.split_once(", \"").and_then(|(_, rest)| rest.split_once("\")"));
            if let Some((thing, _)) = argument.filter(|(thing, _)| is_name(thing)) {
                asked.keys.insert(format!("count.{thing}"), file.to_owned());
            }
        }
    }
}

/// Words in ASCII letters that pages of every language have: names of this program, of formats, of
/// units, of statistics and who found them, the letters of blind comparisons and those of a chart.
const SHARED: &[&str] = &[
    "evalbook", "token", "A", "B", "a", "b", "BLAKE", "CSV", "HTML", "JSON", "Markdown", "PDF",
    "Python", "SVG", "Shell", "UTF", "YAML", "e", "kB", "MB", "md", "pass", "k", "AC", "kappa",
    "Theil", "Sen", "Mann", "Kendall",
];

/// Keys of the examples' documents that are shown: what judges score and graders check; and those of
/// the file that a prompt asks graders for.
const KEYS: &str = " accuracy completeness correctness evidence expectations false formatting \
    frontmatter json null organization passed text true usability ";

#[test]
fn a_chinese_report_has_no_english_word() {
    for example in examples() {
        let (workspace, data) = without_english(&example);
        workspace.run(["build", "../workspace", "-o", "report", "--lang", "zh-TW"]).assert_code(0);
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        let pages = tree(&workspace.elsewhere().join("report"));
        for (path, content) in &pages {
            if !path.ends_with(".html") || support::site::is_copy(path) {
                continue;
            }
            let page = String::from_utf8_lossy(content);
            assert!(page.contains("<html lang=\"zh-TW\""), "{path}");
            for text in html::accessible_texts(&page) {
                for word in english_words(&text).filter(|word| !data.contains(*word)) {
                    found.entry(word.to_owned()).or_insert_with(|| format!("{path}: {text:.120}"));
                }
            }
        }
        assert!(found.is_empty(), "{}: {found:#?}", name_of(&example));
    }
}

/// The words of `text` in ASCII letters that are neither shared nor part of a name of a file or
/// folder.
fn english_words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && !"._/-'+…".contains(c));
    // What ends in an ellipsis is the shared beginning of names.
    let parts = parts.filter(|part| !part.ends_with("-…"));
    let words = parts.map(|part| part.trim_matches(|c: char| !c.is_ascii_alphanumeric()));
    words.filter(|word| {
        let is_name = word.contains(['.', '_', '/', '-', '+']) || word.contains(char::is_numeric);
        let has_letter = word.contains(|c: char| c.is_ascii_alphabetic());
        has_letter && !is_name && !SHARED.contains(word) && !KEYS.contains(&format!(" {word} "))
    })
}

/// A copy of `example` whose prose has no ASCII letter, with the one-word values that were kept
/// because they may be names or verdicts.
fn without_english(example: &Path) -> (Workspace, BTreeSet<String>) {
    let mut workspace = Workspace::new();
    let mut data = BTreeSet::new();
    for (path, content) in tree(example) {
        let extension = path.rsplit('.').next().unwrap_or_default();
        let is_output = path.contains("/outputs/");
        if let Some((folders, _)) = path.rsplit_once('/') {
            data.extend(folders.split('/').map(str::to_owned));
        }
        if path.starts_with("inputs/") {
            continue; // Shown as they are, with the words of their format.
        }
        let content = match (extension, String::from_utf8(content)) {
            ("docx" | "pptx" | "xlsx" | "svg" | "ipynb", _) => continue,
            ("json", Ok(text)) => {
                let mut value: Value = serde_json::from_str(&text).expect("a document");
                hide(&mut value, is_output, &mut data);
                serde_json::to_vec(&value).expect("a document again")
            }
            (_, Ok(text)) => hidden(&text).into_bytes(),
            (_, Err(binary)) => binary.into_bytes(),
        };
        workspace = workspace.file(&path, content);
    }
    (workspace, data)
}

/// Hides the texts of a document; what is one word is kept, since it may be a name or a verdict.
fn hide(value: &mut Value, is_output: bool, data: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let is_word = !text.contains(char::is_whitespace) && text.is_ascii();
            if is_word && !is_output {
                data.insert(text.clone());
            } else {
                *text = hidden(text);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, is_output, data)),
        Value::Object(fields) => {
            if is_output {
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(key, value)| (hidden(&key), value))
                    .collect();
            }
            for (key, value) in fields {
                // The names of tools are keys.
                hide(value, is_output || key == "tool_calls", data);
            }
        }
        _ => {}
    }
}

fn hidden(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphabetic() { '文' } else { c }).collect()
}
