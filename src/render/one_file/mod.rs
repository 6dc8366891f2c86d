//! One page to send by mail or chat: overview, cases, history and the newest review pages, without
//! requests. Its only script has the comment boxes and the buttons at checks, which save a `feedback.json` to
//! send back.
//!
//! The pages are those of the report. Their main parts are put one after the other, and their links
//! lead within the page. What the file has no room for is named at its beginning.

mod rewrite;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::budget::ONE_FILE;
use crate::language::say;
use crate::page_policy;
use crate::render::context::{Part, RenderContext, RenderError, RenderOptions, Templates, assets};
use crate::render::html;
use crate::render::one_file::rewrite::{Embedded, Rewriter};
use crate::render::{pages, with_contexts};
use crate::write::Sink;

/// A page of the report that becomes a part of the file.
pub struct ChosenPage {
    path: String,
    /// The key of its section in the table of words.
    section: &'static str,
    /// The case that it is about; empty for none.
    case: String,
}

/// Renders the pages of the file, the most important first, with all that they show, into `sink`.
///
/// # Errors
/// As [`report()`](crate::render::report()).
pub fn render<'p>(
    parts: &'p [Part<'p>],
    options: &RenderOptions,
    sink: &dyn Sink,
) -> Result<Vec<ChosenPage>, RenderError> {
    let chosen: Vec<ChosenPage> = with_contexts(parts, options, sink, |contexts, _| {
        Ok(contexts.iter().flat_map(chosen_pages).collect())
    })?;
    let paths: Vec<String> = chosen.iter().map(|page| page.path.clone()).collect();
    pages(parts, options, &paths, sink)?;
    Ok(chosen)
}

fn chosen_pages(context: &RenderContext<'_>) -> Vec<ChosenPage> {
    let addresses = context.addresses;
    let mut pages = Vec::new();
    let mut files = vec![("index.html", "page.overview"), ("history.html", "page.history")];
    if !context.part.workspace.trigger_rounds.is_empty() {
        files.push(("triggers.html", "page.triggers"));
    }
    for (file, section) in files {
        let path = addresses.report_file(file);
        pages.push(ChosenPage { path, section, case: String::new() });
    }
    for line in &context.shared.order {
        let case = context.part.analysis.cases[*line].name.clone();
        pages.push(ChosenPage { path: addresses.case(*line), section: "page.cases", case });
    }
    for (case, path) in html::newest_reviews(*context) {
        pages.push(ChosenPage { path, section: "page.review", case });
    }
    pages
}

/// Makes one page of what [`render`] put into `files`.
///
/// # Errors
/// Where a template of the theme is invalid.
pub fn join(
    chosen: &[ChosenPage],
    files: &BTreeMap<String, Vec<u8>>,
    title: &str,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let style = style(options);
    let mut room = ONE_FILE.saturating_sub(style.len() + FRAME_ROOM);
    let mut kept: Vec<(&ChosenPage, &str)> = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    for page in chosen {
        let html = files.get(&page.path).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let Some(html) = html.and_then(main_part) else { continue };
        // Links and ids become a little longer.
        let needed = html.len() + html.len() / 4;
        if needed <= room {
            room -= needed;
            kept.push((page, html));
        } else {
            let section = options.language.text(page.section);
            left_out.push(options.language.apart([section, &page.case]));
        }
    }
    let (mut places, mut cases) = (BTreeMap::new(), BTreeMap::new());
    for (at, (page, _)) in kept.iter().enumerate() {
        places.insert(page.path.as_str(), at);
        if page.section == "page.cases"
            && let Some((_, file)) = page.path.rsplit_once('/')
        {
            cases.insert(file.trim_end_matches(".html"), at);
        }
    }
    let mut embedded = Embedded::new(files, room);
    let mut body = String::new();
    for (at, (page, html)) in kept.iter().enumerate() {
        let rewriter = Rewriter { at, path: &page.path, places: &places, cases: &cases };
        body += &format!("<section class=\"page-of-file\" id=\"p{at}\">");
        body += &rewriter.rewrite(html, &mut embedded);
        body += &comment_boxes(html);
        body += "</section>\n";
    }
    left_out.extend(embedded.left_out().map(str::to_owned));
    let frame = frame(&kept, &left_out, title, options)?;
    let frame = frame.replacen("<!--style-->", &style, 1).replacen("<!--script-->", SCRIPT, 1);
    Ok(frame.replacen("<!--pages-->", &body, 1))
}

/// The comment box; the policy of the page has its digest.
const SCRIPT: &str = include_str!("comments.js");

/// The places for comments on the runs of a review page, which the script fills.
fn comment_boxes(html: &str) -> String {
    let mut boxes = String::new();
    let forms: Vec<&str> = html.split(" data-review=\"").collect();
    for form in forms.windows(2) {
        let (before, form) = (form[0], form[1]);
        let Some((run, rest)) = form.split_once('"') else { continue };
        let side = if before.ends_with("candidate\"") { "candidate" } else { "baseline" };
        let value = |name: &str| {
            let (_, value) = rest.split_once('>')?.0.split_once(&format!("{name}=\""))?;
            value.split('"').next()
        };
        let (Some(iteration), Some(name)) = (value("data-iteration"), value("data-name")) else {
            continue;
        };
        boxes += &format!(
            "<div class=\"send-back\" data-comment-on=\"{run}\" data-iteration=\"{iteration}\" data-name=\"{name}\" data-about=\"{side}\"></div>"
        );
    }
    boxes
}

/// The cases with the places of their pages: the case over all iterations, and its newest review.
fn cases(kept: &[(&ChosenPage, &str)]) -> Vec<Value> {
    let mut cases: Vec<Value> = Vec::new();
    for (at, (page, _)) in kept.iter().enumerate().filter(|(_, (page, _))| !page.case.is_empty()) {
        let anchor = format!("p{at}");
        let known = cases.iter_mut().find(|case| case["name"] == page.case);
        match known {
            Some(case) if case["review"].is_null() => case["review"] = json!(anchor),
            Some(_) => {}
            None => cases.push(json!({ "name": page.case, "anchor": anchor })),
        }
    }
    cases
}

/// What is around the pages: the head, links to the sections, and what is not in the file.
fn frame(
    kept: &[(&ChosenPage, &str)],
    left_out: &[String],
    title: &str,
    options: &RenderOptions,
) -> Result<String, RenderError> {
    let language = &options.language;
    let mut sections: Vec<Value> = Vec::new();
    let mut last = "";
    for (at, (page, _)) in kept.iter().enumerate() {
        if page.section != last {
            let text = language.text(page.section);
            sections.push(json!({ "anchor": format!("p{at}"), "text": text }));
            last = page.section;
        }
    }
    let mut names = None;
    if !left_out.is_empty() {
        let named = language.list(left_out.iter().take(NAMED));
        let more = language.beyond("compare.more", left_out.len(), NAMED);
        let named = language.list([named, more]);
        names = Some(say!(language, "one_file.left_out", named));
    }
    let view = json!({
        "title": title,
        "policy": page_policy::ONE_FILE,
        "sections": sections,
        "cases": cases(kept),
        "left_out": names,
    });
    let bytes = Templates::new(options)?.fill("one_file.html", "report.html", &view)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// How many of the pages and files without room are named.
const NAMED: usize = 20;

/// What is around the pages takes less than this.
const FRAME_ROOM: usize = 20_000;

fn main_part(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("<main id=\"main\" class=\"width\">")?;
    let (main, _) = rest.rsplit_once("</main>")?;
    Some(main)
}

/// The style sheet of the report, which a theme may have changed: as text it must not end its element.
fn style(options: &RenderOptions) -> String {
    let mut style = String::new();
    for (path, bytes) in assets::files(options) {
        if path == "assets/report.css" {
            style += &String::from_utf8_lossy(&bytes).replace("</", "<\\/");
        }
    }
    style
}
