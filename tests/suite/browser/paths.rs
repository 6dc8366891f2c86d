//! The ways of a reader from a question to its answer, in clicks.

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::{Workspace, address, grading};

/// A reader who counts clicks.
struct Reader {
    browser: Chromium,
    folder: String,
    clicks: usize,
    /// Its folder goes when it is dropped.
    _workspace: Workspace,
}

impl Reader {
    /// On the first page of the report; `None` where there is no browser.
    fn start(workspace: Workspace) -> Option<Self> {
        let mut browser = Chromium::start_if_found()?;
        let folder = address(&workspace.build());
        browser.show(1440, "light", "screen");
        let found = browser.open(&format!("{folder}index.html"), &folder);
        assert!(found.is_empty(), "{found:?}");
        Some(Self { browser, folder, clicks: 0, _workspace: workspace })
    }

    fn click(&mut self, selector: &str) {
        self.clicks += 1;
        assert!(self.browser.click(selector), "{selector}");
    }

    fn text(&mut self, selector: &str) -> String {
        let text = format!("document.querySelector({})?.textContent ?? ''", json!(selector));
        let Value::String(text) = self.browser.evaluate(&text) else { panic!("no text") };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A case whose candidate fails a check, with a quotation of its note as the evidence.
fn failing() -> Workspace {
    let mut place = Workspace::new();
    for (side, passed) in [("with_skill", false), ("without_skill", true)] {
        let folder = format!("iteration-1/minutes/{side}/run-1");
        let evidence = "The note only says \"agreed upon by nearly everybody in the room\".";
        let text = "# Note\n\nIt was agreed upon by nearly everybody in the room.\n";
        place = place
            .file(
                &format!("{folder}/grading.json"),
                grading(&[("it names who agreed", passed, evidence)]),
            )
            .file(&format!("{folder}/outputs/note.md"), text);
    }
    place
}

#[test]
fn a_headline_leads_to_the_failing_quotation_in_two_clicks() {
    let Some(mut reader) = Reader::start(failing()) else { return };
    reader.click(".changed-check > a");
    reader.browser.wait_for(
        "document.querySelector('.checks .where a') !== null && window.evalbook?.commentOn",
    );
    reader.click(".checks .where a");
    let sight = "(() => { const mark = document.querySelector('mark.quotation:target, :target mark.quotation, mark.quotation');
        const { top, bottom } = mark.getBoundingClientRect();
        return [mark.textContent, top >= 0 && bottom <= window.innerHeight].join(); })()";
    let found = reader.browser.evaluate(sight);
    let found = found.as_str().expect("a text");
    assert!(
        found.starts_with("agreed upon by nearly everybody") && found.ends_with(",true"),
        "{found}"
    );
    assert_eq!(reader.clicks, 2);
}

#[test]
fn a_reader_disagrees_with_a_grader_in_one_click() {
    let Some(mut reader) = Reader::start(failing()) else { return };
    reader.click(".changed-check > a");
    reader.browser.wait_for("document.querySelector('.wrong-button') !== null");
    reader.clicks = 0;
    reader.click(".checks .wrong-button");
    let pressed = "document.querySelector('.wrong-button').getAttribute('aria-pressed')";
    assert_eq!((reader.browser.evaluate(pressed), reader.clicks), (json!("true"), 1));
    let kept = "evalbook.doubts.all('iteration-1').map((doubt) => doubt.check).join()";
    assert_eq!(reader.browser.evaluate(kept), "it names who agreed");
}

#[test]
fn any_two_iterations_of_a_case_are_compared_in_two_clicks() {
    let mut place = Workspace::new();
    for (iteration, letters) in
        ["rows:+-", "rows:-+", "rows:--", "rows:++", "rows:+-"].iter().enumerate()
    {
        place = place
            .runs(&format!("iteration-{}/sum/with_skill,without_skill {letters}", iteration + 1));
    }
    let Some(mut reader) = Reader::start(place) else { return };
    let page = format!("{}cases/sum.html", reader.folder);
    reader.browser.open(&page, &reader.folder);
    reader.browser.wait_for("document.querySelector('[data-which=old] button') !== null");
    reader.click("[data-which=old] button[aria-label*='iteration-3, with_skill']");
    reader.click("[data-which=new] button[aria-label*='iteration-4, with_skill']");
    assert_eq!(reader.clicks, 2);
    let differ = reader.text(".any-two");
    assert!(differ.contains("2 of 2 checks differ"), "{differ}");
}

#[test]
fn wrong_trigger_queries_are_seen_without_scrolling() {
    let mut queries = Vec::new();
    for at in 0..20 {
        let (wanted, triggers) = (at < 12, u32::from(at < 10 || at == 19));
        let pass = wanted == (triggers == 1);
        queries.push(json!({ "query": format!("query {at}"), "should_trigger": wanted, "triggers": triggers, "runs": 1, "pass": pass }));
    }
    let file = json!({ "results": queries }).to_string();
    let Some(mut reader) = Reader::start(Workspace::new().file("evals/trigger-results.json", file))
    else {
        return;
    };
    // Two are missed, and one is a false alarm.
    let rows = |table: &str| {
        format!(
            "Array.from(document.querySelectorAll('{table} tbody tr')).slice(0, 3).map((row) => [
                row.querySelector('th').textContent.match(/query \\d+/)[0], row.getBoundingClientRect().bottom <= 900].join()).join(' ')"
        )
    };
    assert_eq!(
        reader.browser.evaluate(&rows(".cases")),
        "query 10,true query 11,true query 19,true"
    );
    reader.click(".cases tbody a");
    reader.browser.wait_for("document.querySelector('.queries-of-round') !== null");
    let found = reader.browser.evaluate(&rows(".queries-of-round"));
    assert_eq!(found, "query 10,true query 11,true query 19,true");
    assert!(reader.text(".confusion td.wrong").starts_with('2'));
}
