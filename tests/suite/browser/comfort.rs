//! What the scripts of the pages do for a reader, in a real browser: search, filter, sorting, keys,
//! themes, copying, comments.
//!
//! Where there is no Chromium, these tests say so and pass.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support;
use crate::support::chromium::Chromium;
use crate::support::{Workspace, address, project, read_text, shared_report, words};

/// A browser and the report of an example.
struct Reader {
    browser: Chromium,
    folder: String,
}

impl Reader {
    /// `None` where there is no browser.
    fn of(example: &str) -> Option<Self> {
        let browser = Chromium::start_if_found()?;
        let report = shared_report(&project().join("examples").join(example));
        Some(Self { browser, folder: address(&report) })
    }

    fn open(&mut self, page: &str) {
        let found = self.browser.open(&format!("{}{page}", self.folder), &self.folder);
        assert!(found.is_empty(), "{page}: {found:?}");
    }

    fn evaluate(&mut self, expression: &str) -> Value {
        self.browser.evaluate(expression)
    }

    /// Types `text` into the field, as a whole.
    fn fill(&mut self, field: &str, text: &str) {
        self.evaluate(&format!(
            "(() => {{ const field = document.querySelector({}); field.focus(); field.value = {};
                field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
            json!(field),
            json!(text)
        ));
    }

    fn text(&mut self, selector: &str) -> String {
        let found =
            format!("document.querySelector({})?.textContent ?? 'nothing'", json!(selector));
        self.evaluate(&found).as_str().expect("a text").to_owned()
    }

    fn texts(&mut self, selector: &str) -> Vec<String> {
        let found = format!(
            "Array.from(document.querySelectorAll({}), (it) => it.textContent.trim())",
            json!(selector)
        );
        serde_json::from_value(self.evaluate(&found)).expect("texts")
    }

    fn address(&mut self) -> String {
        let found = self.evaluate("location.href");
        found.as_str().expect("an address").trim_start_matches(&self.folder).to_owned()
    }
}

const RUN: &str = "iterations/iteration-3/ops-memo/with_skill-1.html";

#[test]
fn search_finds_names_before_evidence_and_leads_to_the_expectation() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open(RUN);
    reader.browser.press("/");
    reader.fill(".search input", "memo");
    reader.browser.wait_for("!document.querySelector('.found').hidden && document.querySelector('.found .reason').textContent !== ''");
    let loading = words::in_script(
        "document.querySelector('.found .reason').textContent",
        "script.search_loading",
        &[],
    );
    reader.browser.wait_for(&format!("!{loading}"));
    let kinds = reader.texts(".found li .counts");
    let ranks = ["case", "expectation", "prompt", "evidence"]
        .map(|kind| words::raw(&format!("script.found_{kind}")));
    let order: Vec<_> =
        kinds.iter().map(|kind| ranks.iter().position(|rank| rank == kind)).collect();
    assert!(order.is_sorted() && order.contains(&Some(3)), "{kinds:?}");
    assert!(words::says(&reader.text(".found .reason"), "script.found", &[]));
    reader.fill(".search input", "number of SHIPMENTS");
    reader.browser.press("ArrowDown");
    assert_eq!(reader.evaluate("document.activeElement.matches('.found li:first-child a')"), true);
    reader.browser.press("ArrowUp");
    assert_eq!(reader.evaluate("document.activeElement.matches('.search input')"), true);
    reader.browser.press("Enter");
    reader.browser.wait_for(
        "location.hash.startsWith('#e-') && document.querySelector(location.hash) \
         && document.querySelector('.search input')",
    );
    reader.browser.press("/");
    reader.fill(".search input", "缺貨");
    reader.browser.wait_for("document.querySelector('.found mark')");
    reader.browser.press("Escape");
    assert_eq!(reader.evaluate("document.querySelector('.found').hidden"), true);
}

#[test]
fn every_result_of_the_search_is_there() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open("index.html");
    reader.fill(".search input", "the");
    reader.browser.wait_for("document.querySelectorAll('.found li').length > 40");
    let links: Vec<String> = serde_json::from_value(
        reader.evaluate("Array.from(document.querySelectorAll('.found a'), (it) => it.href)"),
    )
    .expect("addresses");
    // Another place on the same page is not opened anew, so each page is opened once.
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for link in &links {
        let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
        places.entry(page.trim_start_matches(&reader.folder)).or_default().push(anchor);
    }
    assert!(places.len() > 5, "{places:?}");
    for (page, anchors) in places {
        reader.open(page);
        for anchor in anchors.into_iter().filter(|anchor| !anchor.is_empty()) {
            let is_there = format!("document.getElementById({}) !== null", json!(anchor));
            assert_eq!(reader.evaluate(&is_there), true, "{page}#{anchor}");
        }
    }
}

#[test]
fn filters_live_in_the_address_and_explain_themselves() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    let shown = "[data-filter] tbody tr:not([hidden]) th";
    reader.open("cases.html?q=status%3Afailing");
    assert_eq!(reader.texts(shown), ["board-slides"]);
    let count = |shown| words::text("script.filter_count", &[("shown", shown), ("all", "5")]);
    assert_eq!(reader.text(".filter [role=status]"), count("1"));
    reader.fill("#filter", "-status:failing \"board slides\"");
    assert_eq!(reader.text(".filter [role=status]"), count("0"));
    reader.fill("#filter", "status:failing -memo");
    assert_eq!(reader.texts(shown), ["board-slides"]);
    assert!(reader.address().contains("?q=status%3Afailing"), "{}", reader.address());
    reader.fill("#filter", "color:red");
    let key = [("key", "color")];
    assert!(words::says(&reader.text("#filter-reason"), "script.filter_no_key", &key));
    reader.fill("#filter", "status:broken");
    let token = [("token", "status:broken")];
    assert!(words::says(&reader.text("#filter-reason"), "script.filter_no_value", &token));
    reader.fill("#filter", "");
    assert_eq!(reader.address(), "cases.html");
    assert_eq!(reader.texts(shown).len(), 5);
}

#[test]
fn cases_are_filtered_by_names_with_spaces() {
    let Some(browser) = Chromium::start_if_found() else { return };
    let graded = support::grading(&[("it works", true, "seen")]);
    let runs = ["pdf form/with_skill", "pdf form/old_skill", "board/with_skill"];
    let workspace = runs.iter().fold(Workspace::new(), |place, run| {
        place.file(&format!("iteration-1/{run}/run-1/grading.json"), &graded)
    });
    let folder = address(&workspace.build());
    let mut reader = Reader { browser, folder };
    reader.open("cases.html");
    let shown = "[data-filter] tbody tr:not([hidden]) th";
    assert!(reader.text("#filter-reason").contains("\"pdf form\""), "a name is quoted");
    reader.fill("#filter", "case:\"pdf form\"");
    assert_eq!(reader.texts(shown), ["pdf form"]);
    reader.fill("#filter", "-case:\"pdf form\"");
    assert_eq!(reader.texts(shown), ["board"]);
}

/// The page of a site with one skill that is better, one that is worse and one that is neither.
fn catalogue() -> Option<(Reader, Workspace)> {
    let browser = Chromium::start_if_found()?;
    let mut workspace = Workspace::new();
    for (skill, passed) in [("apt", [8, 0]), ("bad", [0, 8]), ("calm", [5, 4])] {
        for case in 0..8 {
            for (side, passed) in ["with_skill", "without_skill"].into_iter().zip(passed) {
                let path = format!("{skill}/iteration-1/case-{case}/{side}/grading.json");
                let graded = support::grading(&[("it works", case < passed, "seen")]);
                workspace = workspace.file(&path, graded);
            }
        }
    }
    let skills = ["../workspace/apt", "../workspace/bad", "../workspace/calm"];
    let ran = workspace
        .run(["build"].into_iter().chain(skills).chain(["--into", "site"]).chain(["--name", "a"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let folder = address(&workspace.elsewhere().join("site"));
    let mut reader = Reader { browser, folder };
    reader.open("index.html");
    Some((reader, workspace))
}

const SHOWN_SKILLS: &str = "Array.from(document.querySelectorAll('.catalogue tbody th[scope=row]'))\
    .filter((cell) => cell.offsetParent !== null).map((cell) => cell.textContent.trim()).join()";

#[test]
fn a_catalogue_is_sorted_across_its_groups_and_filtered() {
    let Some((mut reader, _site)) = catalogue() else { return };
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "bad,calm,apt");
    let heads = "document.querySelectorAll('.catalogue .head:not([hidden])').length";
    assert_eq!(reader.evaluate(heads), 3);
    let sort = "document.querySelector('.catalogue .c-skill button').click()";
    for (order, groups) in [("apt,bad,calm", 0), ("calm,bad,apt", 0), ("bad,calm,apt", 3)] {
        reader.evaluate(sort);
        assert_eq!(reader.evaluate(SHOWN_SKILLS), order);
        assert_eq!(reader.evaluate(heads), groups);
    }
    reader.fill("#filter", "status:earns");
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "apt");
    reader.evaluate(sort);
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "apt", "a sorted table stays filtered");
    reader.fill("#filter", "skill:bad");
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "bad");
    reader.fill("#filter", "");
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "apt,bad,calm");
}

#[test]
fn a_catalogue_works_without_scripts_and_has_cards_on_a_phone() {
    let Some((mut reader, _site)) = catalogue() else { return };
    reader.browser.let_scripts_run(false);
    reader.open("index.html");
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "bad,calm,apt");
    reader.evaluate("document.querySelector('#state-worse').click()");
    assert_eq!(reader.evaluate(SHOWN_SKILLS), "bad");
    reader.evaluate("document.querySelector('#state-all').click()");
    for (width, display) in [(390, "flex"), (1280, "table-row")] {
        reader.browser.show(width, "light", "screen");
        let row = "getComputedStyle(document.querySelector('.catalogue .s-worse')).display";
        assert_eq!(reader.evaluate(row), display);
        let wider = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(reader.evaluate(wider), false, "{width}");
    }
}

/// The counters are radio buttons: they work without a script.
#[test]
fn a_counter_shows_the_cases_with_such_checks() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open("index.html");
    let shown = "Array.from(document.querySelectorAll('.cases tbody tr')).filter((row) => \
                 row.offsetParent !== null).length";
    for (counter, cases) in [("all", 5), ("failing", 1), ("repaired", 1), ("lost", 0)] {
        reader.evaluate(&format!("document.querySelector('#only-{counter}').click()"));
        assert_eq!(reader.evaluate(shown), cases, "{counter}");
    }
}

#[test]
fn a_head_sorts_up_down_and_back() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open("cases.html");
    let names = "[data-sortable] tbody th";
    let original = reader.texts(names);
    let mut sorted = original.clone();
    sorted.sort();
    let mut reversed = sorted.clone();
    reversed.reverse();
    let click = "document.querySelector('[data-sortable] th button').click()";
    for (direction, expected) in
        [("ascending", &sorted), ("descending", &reversed), ("none", &original)]
    {
        reader.evaluate(click);
        assert_eq!(&reader.texts(names), expected, "{direction}");
        let found = reader.evaluate(
            "document.querySelector('[data-sortable] th').getAttribute('aria-sort') ?? 'none'",
        );
        assert_eq!(found, direction);
    }
    reader.evaluate("document.querySelectorAll('[data-sortable] th button')[1].click()");
    let rates = reader.texts("[data-sortable] .case-rates > div:first-child");
    let rates: Vec<f64> =
        rates.iter().map(|text| text.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(rates.is_sorted(), "{rates:?}");
}

#[test]
fn the_chosen_theme_stays_and_paper_is_light() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    let background = "getComputedStyle(document.body).backgroundColor";
    reader.browser.show(1440, "dark", "screen");
    reader.open("index.html");
    assert_eq!(reader.evaluate(background), "rgb(18, 20, 23)");
    reader.browser.press("t");
    assert_eq!(reader.evaluate(background), "rgb(255, 255, 255)");
    reader.open(RUN);
    assert_eq!(reader.evaluate("document.documentElement.dataset.theme"), "light");
    reader.browser.press("t");
    assert_eq!(reader.evaluate(background), "rgb(18, 20, 23)");
    reader.browser.show(1440, "dark", "print");
    assert_eq!(reader.evaluate(background), "rgb(255, 255, 255)");
    let folded = "Array.from(document.querySelectorAll('main details:not(.f, .given, .output, .source, .fold, .document) > :not(summary, button)')).every((it) => it.checkVisibility({ contentVisibilityAuto: true }) || it.hidden)";
    assert_eq!(reader.evaluate(folded), true, "print opens what is folded");
}

#[test]
fn keys_lead_on_and_leave_those_alone_who_type() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open(RUN);
    reader.browser.press("?");
    assert!(words::says(&reader.text("dialog.keys"), "script.key_next", &[]));
    reader.browser.press("Escape");
    reader.browser.wait_for("document.querySelector('dialog') === null");
    reader.evaluate("document.querySelector('#comment').focus()");
    reader.browser.press("n");
    assert_eq!(reader.address(), RUN);
    reader.evaluate("document.activeElement.blur()");
    reader.browser.press("n");
    reader.browser.wait_for("location.href.endsWith('with_skill-2.html')");
    reader.browser.wait_for("document.querySelector('.tools')");
    reader.browser.press("k");
    reader.browser.wait_for(
        "location.href.endsWith('with_skill-1.html') && document.querySelector('.tools')",
    );
    reader.browser.press("o");
    reader.browser.wait_for(
        "location.href.endsWith('report/index.html') && document.querySelector('.tools')",
    );
}

#[test]
fn nothing_is_called_copied_that_was_not() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    let refuse = "Object.defineProperty(navigator, 'clipboard', { value: undefined });
        document.execCommand = () => window.works === true;";
    let refusal = reader.browser.before_pages(refuse);
    reader.open("cases/ops-memo.html");
    reader.evaluate("document.querySelector('.brief summary').click()");
    reader.browser.wait_for("document.querySelector('.said').textContent !== ''");
    assert_eq!(reader.text(".said"), words::raw("script.selected"));
    assert!(
        reader
            .evaluate("String(getSelection())")
            .as_str()
            .unwrap()
            .starts_with("# quarterly-report: ops-memo")
    );
    let again = "window.works = true; document.querySelector('.brief').open = false; \
        document.querySelector('.brief summary').click()";
    reader.evaluate(again);
    let printed = "document.querySelector('.said').textContent";
    reader.browser.wait_for(&words::in_script(printed, "script.copied", &[]));
    reader.browser.no_longer(refusal);
}

#[test]
fn a_comment_is_kept_exported_and_taken_over() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open(RUN);
    assert_ne!(reader.evaluate("document.querySelector('#comment').value"), "", "it is recorded");
    assert_eq!(reader.text(".review [role=status]"), "");
    reader.fill("#comment", "Shorter, \"please\" <b>");
    assert_eq!(reader.text(".review [role=status]"), words::raw("script.comment_kept"));
    reader.open(&RUN.replace("-1.html", "-2.html"));
    assert_eq!(reader.text(".review [role=status]"), "");
    let progress = |text: &str, values: &[(&str, &str)]| {
        words::place(text, "script.progress", values) == Some(0)
    };
    reader.open("feedback.html");
    let all = reader.evaluate(
        "new Set(Array.from(document.querySelectorAll('#f-iteration-3 [data-run]'), (it) => it.dataset.run)).size",
    );
    let found = reader.texts("#f-iteration-3 > p");
    // Opening the page of another run did not make it seen.
    let all = [("seen", "4"), ("all", &*all.to_string())];
    assert!(found.iter().any(|text| progress(text, &all)), "{found:?}");
    assert_eq!(reader.texts("#f-iteration-3 div .prose"), ["Shorter, \"please\" <b>"]);
    let export = "evalbook.feedback.exported(document.querySelector('#f-iteration-3'))";
    let exported = reader.evaluate(export);
    let exported: Value = serde_json::from_str(exported.as_str().unwrap()).unwrap();
    let reviews = exported["reviews"].as_array().unwrap();
    let recorded = read_text(project().join("examples/skill-creator/iteration-3/feedback.json"));
    let recorded: Value = serde_json::from_str(&recorded).unwrap();
    assert_eq!(reviews.len(), recorded["reviews"].as_array().unwrap().len(), "nothing is lost");
    assert_eq!(reviews[0]["run_id"], "ops-memo-with_skill-run-1");
    assert_eq!(reviews[0]["feedback"], "Shorter, \"please\" <b>");
    assert_eq!(reviews[1], recorded["reviews"][1]);
    assert_eq!(exported["status"], "in_progress");
    // Forgotten here, then taken over from the file.
    reader.evaluate("localStorage.clear()");
    import(&mut reader, &exported.to_string());
    let taken = [("count", &*reviews.len().to_string())];
    let printed = reader.text("#f-iteration-3 [role=status]");
    assert_eq!(words::place(&printed, "script.import_taken", &taken), Some(0), "{printed}");
    let again: Value = serde_json::from_str(reader.evaluate(export).as_str().unwrap()).unwrap();
    assert_eq!(again["reviews"][0]["feedback"], exported["reviews"][0]["feedback"]);
}

/// Gives a file to the page as a reader would.
fn import(reader: &mut Reader, text: &str) {
    reader.evaluate(&format!(
        "(() => {{ const field = document.querySelector('#f-iteration-3 [type=file]'); const files = new DataTransfer();
            files.items.add(new File([{}], 'feedback.json')); field.files = files.files;
            document.querySelector('#f-iteration-3 [role=status]').textContent = '';
            field.dispatchEvent(new Event('change')); }})()",
        json!(text)
    ));
    reader
        .browser
        .wait_for("document.querySelector('#f-iteration-3 [role=status]').textContent !== ''");
}

#[test]
fn a_bad_file_of_comments_is_refused_with_the_reason() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    reader.open("feedback.html");
    let printed = "#f-iteration-3 [role=status]";
    import(&mut reader, "{\"reviews\": [");
    assert!(words::says(&reader.text(printed), "script.import_no_json", &[]));
    import(&mut reader, "7");
    assert!(words::says(&reader.text(printed), "script.import_no_reviews", &[]));
    import(
        &mut reader,
        "{\"__proto__\": \"x\", \"nobody-run-1\": \"y\", \"OPS_MEMO/with_skill/run-2\": \"fine\"}",
    );
    let found = reader.text(printed);
    assert!(words::says(&found, "script.import_taken", &[("count", "1")]), "{found}");
    assert!(words::says(&found, "script.import_unknown", &[("count", "2")]), "{found}");
}

#[test]
fn what_cannot_be_stored_is_not_called_kept() {
    let Some(mut reader) = Reader::of("skill-creator") else { return };
    let refuse =
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });";
    reader.browser.before_pages(refuse);
    reader.open(RUN);
    reader.fill("#comment", "anything");
    let found = reader.text(".review [role=status]");
    assert!(words::says(&found, "script.comment_not_kept", &[]), "{found}");
    assert!(!words::says(&found, "script.comment_kept", &[]), "{found}");
    reader.evaluate("document.activeElement.blur()");
    reader.browser.press("t");
    assert!(words::says(&reader.text(".said"), "script.not_kept", &[]));
}

#[test]
fn a_flat_map_of_comments_stays_one() {
    let Some(browser) = Chromium::start_if_found() else { return };
    let flat = json!({ "good-case": "fine", "constructor": "odd" }).to_string();
    let workspace = Workspace::good().file("iteration-1/feedback.json", flat);
    let folder = address(&workspace.build());
    let mut reader = Reader { browser, folder };
    let run = "iterations/iteration-1/good-case/with_skill-1.html";
    reader.open(run);
    assert_eq!(reader.texts(".comments blockquote p.prose"), ["fine"]);
    reader.fill("#comment", "my own");
    reader.open("feedback.html");
    let export = "evalbook.feedback.exported(document.querySelector('#f-iteration-1'))";
    let exported: Value = serde_json::from_str(reader.evaluate(export).as_str().unwrap()).unwrap();
    let expected = json!({ "constructor": "odd", "good-case": "fine", "good-case-with_skill-run-1": "my own" });
    assert_eq!(exported, expected);
}

/// What the page exports of `iteration-1`, whose `feedback.json` is `recorded`, once `words` are
/// written on the run `good-case/with_skill/run-1`.
fn exported(recorded: &str, words: Option<&str>) -> Option<String> {
    let browser = Chromium::start_if_found()?;
    let workspace = Workspace::good().file("iteration-1/feedback.json", recorded);
    let folder = address(&workspace.build());
    let mut reader = Reader { browser, folder };
    if let Some(words) = words {
        reader.open("iterations/iteration-1/good-case/with_skill-1.html");
        reader.fill("#comment", words);
    }
    reader.open("feedback.html");
    let export = "evalbook.feedback.exported(document.querySelector('#f-iteration-1'))";
    Some(reader.evaluate(export).as_str().expect("a text").to_owned())
}

#[test]
fn a_file_of_comments_that_nobody_touched_is_exported_as_it_is() {
    let table = [
        "[{\"run_id\": \"good-case-with_skill-run-1\", \"feedback\": \"fine\", \"rating\": 4.0}]",
        "{\n    \"reviewer\": \"Ann\",\n    \"reviews\": [\n        {\"run\": \"good-case-with_skill-run-1\", \"comment\": \"fine\"},\n        {\"run\": \"x\", \"comment\": \"\"}\n    ],\n    \"status\": \"complete\"\n}\n",
        "{\"status\": \"done\", \"good-case\": \"fine <b>&amp;\", \"10\": {\"text\": \"結果\", \"n\": 12345678901234567890}}",
    ];
    for recorded in table {
        let Some(found) = exported(recorded, None) else { return };
        assert_eq!(found, recorded);
    }
}

#[test]
fn a_comment_changes_nothing_else_of_the_file_it_is_exported_into() {
    let run = "good-case-with_skill-run-1";
    let table = [
        (
            format!(r#"[{{"run_id": "{run}", "feedback": "fine", "rating": 4}}, "all good"]"#),
            format!(r#"[{{"run_id":"{run}","feedback":"my own","rating":4}},"all good"]"#),
        ),
        (
            format!(
                r#"{{"reviewer": "Ann", "reviews": [{{"id": "{run}", "comment": "", "rating": 4.50}}, {{"id": "x", "comment": ""}}], "status": "complete"}}"#
            ),
            format!(
                r#"{{"reviewer":"Ann","reviews":[{{"id":"{run}","comment":"my own","rating":4.50}},{{"id":"x","comment":""}}],"status":"complete"}}"#
            ),
        ),
        (
            r#"{"status": "done", "good-case": {"text": "fine", "n": 1}}"#.to_owned(),
            format!(
                r#"{{"status":"done","good-case":{{"text":"fine","n":1}},"{run}":{{"text":"my own"}}}}"#
            ),
        ),
        (
            r#"[{"run": "elsewhere", "notes": "?", "date": "d"}]"#.to_owned(),
            format!(
                r#"[{{"run":"elsewhere","notes":"?","date":"d"}},{{"run":"{run}","notes":"my own","date":"NOW"}}]"#
            ),
        ),
    ];
    for (recorded, expected) in table {
        let Some(found) = exported(&recorded, Some("my own")) else { return };
        let now = found.rsplit("\"date\":\"").next().unwrap_or_default();
        let now = now.split('"').next().unwrap_or_default();
        let found =
            if expected.contains("NOW") { found.replace(now, "NOW") } else { found.clone() };
        assert_eq!(found, expected, "{recorded}");
    }
}

#[test]
fn comments_on_runs_that_differ_in_spelling_alone_are_taken_over_apart() {
    let Some(browser) = Chromium::start_if_found() else { return };
    let cases = ["foo-bar", "foo_bar", "Foo-Bar"];
    let workspace = cases.iter().fold(Workspace::new(), |place, case| {
        let path = format!("iteration-3/{case}/with_skill/run-1/grading.json");
        place.file(&path, support::grading(&[("it works", true, "seen")]))
    });
    let folder = address(&workspace.build());
    let mut reader = Reader { browser, folder };
    reader.open("feedback.html");
    let comments = json!({
        "foo-bar-with_skill-run-1": "a",
        "foo_bar/with_skill/run-1": "b",
        "Foo-Bar-with_skill-run-1": "c",
        "FOO-BAR-with_skill-run-1": "d",
    });
    import(&mut reader, &comments.to_string());
    let printed = reader.text("#f-iteration-3 [role=status]");
    assert!(words::says(&printed, "script.import_taken", &[("count", "3")]), "{printed}");
    let unknown = [("count", "1")];
    assert!(words::says(&printed, "script.import_unknown", &unknown), "{printed}");
    assert!(printed.contains("(FOO-BAR"), "{printed}");
}
