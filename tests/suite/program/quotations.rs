//! Links from the evidence of checks to the words that it quotes: real quotations lead to their words,
//! and words that are not there lead nowhere.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::corpus::{corpus, expected, name};
use crate::support::html::unescaped;
use crate::support::{CommandOutput, Workspace, evalbook, files, grading, read_json, read_text};

/// Workspaces of the corpus with the most checks, from which quotations are drawn.
const BUILT: usize = 6;
const DRAWN: usize = 100;

/// A link below the evidence of a check.
struct QuotationLink {
    evidence: String,
    is_near: bool,
    /// The words that it leads to; `None` where it leads nowhere.
    words: Option<String>,
}

/// Letters and digits alone: pages show other spaces and quotation marks than graders write.
fn folded(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        text += piece.split_once('>').map_or(piece, |(_, text)| text);
    }
    let text = unescaped(&text).to_lowercase();
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The part of `text` after `start`, up to `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    Some(text.split_once(start)?.1.split_once(end)?.0)
}

fn links(report: &Path) -> Vec<QuotationLink> {
    let mut links = Vec::new();
    // Where only one side ran there are no review pages.
    for folder in ["iterations", "diffs"].into_iter().filter(|name| report.join(name).is_dir()) {
        for page in files(&report.join(folder))
            .iter()
            .filter(|page| page.extension().is_some_and(|end| end == "html"))
        {
            let html = read_text(page);
            for check in html.split("<div class=\"check\">").skip(1) {
                let check = check.split("</li>").next().unwrap_or_default();
                let mut evidence = folded(check);
                for line in check.split("<p class=\"prose counts where\">").skip(1) {
                    let line = line.split("</p>").next().unwrap_or_default();
                    // The evidence is what is left without these lines.
                    evidence = evidence.replacen(&folded(line), "", 1);
                    let Some(href) = between(line, "href=\"", "\"") else { continue };
                    let (file, anchor) = href.split_once('#').expect("a link to a mark");
                    // A transcript is on the page of its run.
                    if anchor == "transcript" {
                        continue;
                    }
                    let target = if file.is_empty() {
                        html.clone()
                    } else {
                        let folder = page.parent().expect("a folder");
                        read_text(folder.join(file))
                    };
                    let mark = format!("id=\"{anchor}\"");
                    let words =
                        between(&target, &mark, "</mark>").and_then(|rest| rest.split_once('>'));
                    links.push(QuotationLink {
                        evidence: evidence.clone(),
                        is_near: !line.trim_start().starts_with("<a "),
                        words: words.map(|(_, words)| folded(words)),
                    });
                }
            }
        }
    }
    links
}

/// The same places in a list each time, spread over all of it.
fn drawn<T>(mut all: Vec<T>) -> Vec<T> {
    let mut seed: u64 = 39;
    let mut drawn = Vec::new();
    while drawn.len() < DRAWN && !all.is_empty() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (seed >> 33) as usize % all.len();
        drawn.push(all.swap_remove(at));
    }
    drawn
}

#[test]
fn quotations_of_real_graders_lead_to_their_words() {
    let Some(corpus) = corpus() else { return };
    let mut entries = expected(&corpus);
    entries.sort_by_key(|entry| std::cmp::Reverse(entry["expectations"].as_u64()));
    let mut all = Vec::new();
    for entry in entries.iter().take(BUILT) {
        let place = tempfile::tempdir().expect("a temporary folder");
        let mut command = evalbook(place.path());
        let ran = CommandOutput::of(
            command.args(["build", "-q", "-o", "report"]).arg(corpus.join(name(entry))),
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        all.extend(links(&place.path().join("report")));
    }
    let drawn = drawn(all);
    assert_eq!(drawn.len(), DRAWN);
    let mut wrong = Vec::new();
    for link in &drawn {
        let words = link.words.as_deref().unwrap_or_default();
        if words.is_empty() || !link.is_near && !link.evidence.contains(words) {
            wrong.push(format!("{words} is not in {}", link.evidence));
        }
    }
    assert!(wrong.len() <= DRAWN / 20, "{} of {DRAWN}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_that_are_not_there_lead_nowhere() {
    // Each output has the words of a quotation in another order.
    let mut place = Workspace::new();
    let nouns = ["shipments", "refunds", "carriers", "ledgers", "invoices", "margins", "forecasts"];
    let verbs = ["doubled", "halved", "vanished", "recovered", "slipped"];
    for run in 1..=10 {
        let mut checks: Vec<Value> = Vec::new();
        let mut output = String::new();
        for at in 0..10 {
            let (noun, verb) = (nouns[(run + at) % nouns.len()], verbs[at % verbs.len()]);
            let number = 10 * run + at;
            output += &format!("In week {number} the {noun} of the northern region {verb}.\n\n");
            let quoted =
                format!("the northern {noun} {verb} by region in the week numbered {number}00");
            checks.push(json!({
                "text": format!("it says what happened in week {number}"),
                "passed": true,
                "evidence": format!("The report says \"{quoted}\" in its second part."),
            }));
        }
        let folder = format!("iteration-1/alpha/with_skill/run-{run}");
        let grading = json!({ "expectations": checks });
        place = place
            .file(&format!("{folder}/grading.json"), grading.to_string())
            .file(&format!("{folder}/outputs/report.md"), output);
    }
    let found = links(&place.build());
    assert!(found.is_empty(), "{} links", found.len());
}

#[test]
fn a_quotation_is_found_in_any_encoding_of_the_output() {
    let words = "Late shipments rose to fourteen in the second quarter.";
    let utf_16: Vec<u8> = words.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &utf_16].concat();
    let grading = grading(&[("it counts", true, "It states 'Late shipments rose to fourteen'.")]);
    for output in [utf_16, marked] {
        let place = Workspace::new()
            .file("iteration-1/late/with_skill/grading.json", &grading)
            .file("iteration-1/late/with_skill/outputs/report.md", output);
        let report = read_json(place.build().join("report.json"));
        let evidence = &report["workspaces"][0]["iterations"][0]["evidence"];
        assert_eq!(evidence["graders"][0]["exact"], 1, "{evidence}");
        assert!(evidence["missing"].as_array().is_none_or(Vec::is_empty), "{evidence}");
    }
}
