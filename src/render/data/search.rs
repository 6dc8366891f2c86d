//! The search index, as scripts that the pages load when it is used.
//!
//! Everything is a list, never an object, so that no text from the data becomes a key.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::analyze::key;
use crate::budget::{
    SEARCHED_EVIDENCE, SEARCHED_EVIDENCE_LENGTHS, SEARCHED_PROMPT, SEARCHED_TEXTS,
};
use crate::preview::markup::visible;
use crate::render::context::{RenderContext, Task, assets::literal, link};
use input::model::{Case, Run};
use text::cut_line;

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = context.addresses.report_file("search/cases.js");
    tasks.push(Task::infallible(path, move || script("cases", cases(context))));
    for index in 0..context.part.workspace.iterations.len() {
        let path = context.addresses.searched_evidence(index);
        tasks.push(Task::infallible(path, move || script("evidence", evidence(context, index))));
    }
}

fn script(kind: &str, data: Value) -> String {
    format!("window.evalbook.index('{kind}', {});\n", literal(&shown(data)))
}

/// The data as results show it: invisible characters are shown by their code point, as on the
/// pages.
fn shown(data: Value) -> Value {
    match data {
        Value::String(text) => Value::String(visible(&text).into_owned()),
        Value::Array(items) => items.into_iter().map(shown).collect(),
        other => other,
    }
}

fn relative_to_overview(context: RenderContext<'_>, path: &str) -> String {
    link(&context.addresses.report_file("index.html"), path)
}

/// `[[iteration, script], …], [[name, page, other name, prompt, [[statement, anchor], …]], …]`.
fn cases(context: RenderContext<'_>) -> Value {
    let mut iterations = Vec::new();
    for (index, iteration) in context.part.workspace.iterations.iter().enumerate() {
        let script = context.addresses.searched_evidence(index);
        iterations.push(json!([iteration.name, relative_to_overview(context, &script)]));
    }
    let mut left = SEARCHED_TEXTS;
    let mut cases = Vec::new();
    for case_index in 0..context.part.analysis.cases.len() {
        cases.push(case(context, case_index, &mut left));
    }
    json!([iterations, cases])
}

fn case(context: RenderContext<'_>, index: usize, left: &mut usize) -> Value {
    let history = &context.part.analysis.cases[index];
    let iterations = &context.part.workspace.iterations;
    let places = history.appearances.iter().rev();
    let cases: Vec<&Case> =
        places.map(|place| &iterations[place.iteration].cases[place.case]).collect();
    let prompt = cases.iter().find_map(|case| case.prompt.as_deref()).unwrap_or_default();
    let mut seen_anchors: BTreeSet<String> = BTreeSet::new();
    let mut statements: Vec<Value> = Vec::new();
    for expectation in cases.iter().flat_map(|case| &case.runs).flat_map(Run::expectations) {
        if statements.len() == *left {
            break;
        }
        let anchor = context.addresses.expectation(index, &key(expectation));
        if seen_anchors.insert(anchor.clone()) {
            statements.push(json!([expectation.text, anchor]));
        }
    }
    *left -= statements.len();
    let other = if history.first_name == history.name { "" } else { &history.first_name };
    let page = relative_to_overview(context, &context.addresses.case(index));
    json!([history.name, page, other, cut_line(prompt, SEARCHED_PROMPT), statements])
}

/// `iteration, [[run, page], …], [anchor, …], [[evidence, run, anchor, run, anchor, …], …]`: each
/// text once, with every place that has it.
fn evidence(context: RenderContext<'_>, index: usize) -> Value {
    let iteration = &context.part.workspace.iterations[index];
    let (mut runs, mut anchors, mut evidence) =
        (Vec::new(), Numbered::default(), Numbered::default());
    let mut places: Vec<Vec<usize>> = Vec::new();
    let verdicts = iteration.runs().map(|run| run.expectations().len()).sum::<usize>();
    let (least, most) = SEARCHED_EVIDENCE_LENGTHS.into_inner();
    let most = (SEARCHED_EVIDENCE / verdicts.max(1)).clamp(least, most);
    for (at, case) in iteration.cases.iter().enumerate() {
        let case_index = context.addresses.case_index(index, at);
        for run in &case.runs {
            let checks = run.expectations().iter();
            let checks = checks.filter_map(|check| Some((check, check.evidence.as_deref()?)));
            let checks: Vec<_> = checks.take(SEARCHED_TEXTS - evidence.texts.len()).collect();
            for (expectation, text) in &checks {
                let text = evidence.number(cut_line(text, most));
                places.resize(evidence.texts.len(), Vec::new());
                let anchor = context.addresses.expectation(case_index, &key(expectation));
                places[text].extend([runs.len(), anchors.number(anchor)]);
            }
            if !checks.is_empty() {
                let title = context.language.labelled(&case.name, &context.run_name(run));
                let page =
                    relative_to_overview(context, &context.addresses.run(index, case_index, run));
                runs.push(json!([title, page]));
            }
        }
    }
    let mut texts = Vec::new();
    for (text, places) in evidence.texts.into_iter().zip(places) {
        let mut entry = vec![Value::from(text)];
        entry.extend(places.into_iter().map(Value::from));
        texts.push(entry);
    }
    json!([iteration.name, runs, anchors.texts, texts])
}

#[derive(Default)]
struct Numbered {
    texts: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Numbered {
    fn number(&mut self, text: String) -> usize {
        let next = self.texts.len();
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.texts.push(text);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;
    use text::cut_line;

    #[test]
    fn long_texts_are_cut_and_equal_texts_are_kept_once() {
        assert_eq!(cut_line("a  b\nc", 10), "a b c");
        assert_eq!(cut_line("品質管理", 2), "品質…");
        let mut numbered = Numbered::default();
        let numbers = ["a", "b", "a"].map(|text| numbered.number(text.to_owned()));
        assert_eq!((numbers, numbered.texts.len()), ([0, 1, 0], 2));
    }
}
