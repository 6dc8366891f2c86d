//! A workspace whose every text tries to become markup, and the look for one that did.

use std::path::Path;

use pulldown_cmark::{Event, Options, Parser, Tag as Part};
use serde_json::Value;

use super::html::Tag;
use super::{Workspace, files};

/// What is put behind every text. It leaves attributes, elements and code, in HTML and Markdown.
pub(crate) const PAYLOAD: &str = "\"'`</script></title></textarea></style>--><img src=x \
     onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3)){{ 7*7 }}{% raw %}";

/// The start of a name given to cases and files; names hold no `/`.
pub(crate) const NAME: &str = "\"'`<img src=x onerror=alert(4)>{{ 7*7 }}";

/// A copy of `example` in which every text in every document ends in [`PAYLOAD`], with outputs
/// that are pages, pictures and prose full of scripts.
pub(crate) fn workspace(example: &Path) -> Workspace {
    let workspace = Workspace::good().with(example);
    for file in files(&workspace.path()) {
        spoil(&file);
    }
    let run = "iteration-1/good-case/with_skill/run-1/outputs";
    let outputs = [
        ("page.html", "<!doctype html><script>alert(5)</script>"),
        ("page.xhtml", "<script>alert(5)</script>"),
        (
            "picture.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(6)'><script>alert(7)</script></svg>",
        ),
        (
            "prose.md",
            "# a\n\n<script>alert(8)</script> ![x](http://localhost/x.png) [y](javascript:alert(9))\n",
        ),
        ("not-a-picture.png", "<script>alert(10)</script>"),
        ("table.csv", "a,b\n=cmd(),<script>alert(11)</script>\n"),
    ];
    let workspace = outputs.into_iter().fold(workspace, |workspace, (name, content)| {
        workspace.file(&format!("{run}/{name}"), content)
    });
    if cfg!(unix) { with_hostile_names(workspace) } else { workspace }
}

fn with_hostile_names(workspace: Workspace) -> Workspace {
    let case = format!("iteration-1/{NAME}");
    let verdicts = super::grading(&[(PAYLOAD, true, PAYLOAD)]);
    workspace
        .file(&format!("{case}/with_skill/run-1/grading.json"), &verdicts)
        .file(&format!("{case}/{NAME}/run-1/grading.json"), &verdicts)
        .file(&format!("{case}/with_skill/run-1/outputs/{NAME}.txt"), NAME)
        .file(&format!("{case}/with_skill/run-1/outputs/<script>alert(12)</script>.txt"), NAME)
        .file(&format!("{NAME}.cfg"), NAME)
}

/// Puts the payload behind every text of the document in `file`, and at the end of other texts.
fn spoil(file: &Path) {
    let Ok(text) = std::fs::read_to_string(file) else {
        return;
    };
    let spoiled = match serde_json::from_str::<Value>(&text) {
        Ok(mut document) => {
            spoil_value(&mut document);
            document.to_string()
        }
        Err(_) => format!("{text}\n{PAYLOAD}\n"),
    };
    std::fs::write(file, spoiled).expect("a written file");
}

/// Single words stay as they are: ids, verdicts and names that documents share.
fn spoil_value(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(' ') => text.push_str(PAYLOAD),
        Value::Array(items) => items.iter_mut().for_each(spoil_value),
        Value::Object(entries) => entries.values_mut().for_each(spoil_value),
        _ => {}
    }
}

/// What of the payload became markup on a page.
pub(crate) fn escaped(tags: &[Tag]) -> Vec<String> {
    let is_ours = |tag: &&Tag| {
        let x = [tag.get("src"), tag.get("href")].contains(&Some("x"));
        x || tag.name == "script" && !super::site::is_own_script(tag)
            || tag.get("onerror").is_some()
    };
    let found = tags.iter().filter(is_ours);
    found.map(|tag| format!("{tag:?}")).collect()
}

/// What of the payload became markup in a text in Markdown, where we ourselves write only `<br>`
/// and a `<span>` around a dollar sign.
pub(crate) fn in_markdown(text: &str) -> impl Iterator<Item = String> {
    let is_harmless = |address: &str| !address.contains(':');
    Parser::new_ext(text, Options::all()).filter_map(move |event| match event {
        Event::InlineHtml(html) if matches!(&*html, "<br>" | "<span>" | "</span>") => None,
        Event::Html(html) | Event::InlineHtml(html) => Some(format!("markup: {html}")),
        Event::Start(Part::Link { dest_url, .. } | Part::Image { dest_url, .. })
            if !is_harmless(&dest_url) =>
        {
            Some(format!("an address: {dest_url}"))
        }
        _ => None,
    })
}
