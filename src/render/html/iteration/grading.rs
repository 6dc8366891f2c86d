//! Whether the quotations of graders are in the outputs, equal outputs with different verdicts, and
//! the results of repeated runs and gradings.

use serde_json::{Value, json};

use crate::analyze::{
    CheckAt, GraderDisagreement, GraderPair, Quote, UnequalVerdicts, as_graded_by, key, missing,
};
use crate::digest::Questions;
use crate::language::say;
use crate::render::context::view::titled_list;
use crate::render::context::{Link, Page, RenderContext, View, view};
use crate::wording::{judged, quotations, reliability};
use input::model::{Case, Outcome, Run};

/// Checks that are listed of each kind, and for a pair of graders; the others are counted.
const LISTED: usize = 12;

pub(super) fn evidence(page: &Page<'_>, index: usize) -> View {
    let (context, workspace) = (page.context, page.part.workspace);
    let mut graders = Vec::new();
    for (grader, counts) in page.part.quotes().by_grader(workspace, index) {
        // Graders that never quote an output are not judged by it.
        if counts.known() > 0 {
            graders.push(quotations::grader_sentence(grader, &counts, page.language));
        }
    }
    let (mut passed, mut others) = (Vec::new(), Vec::new());
    for (at, quotes) in missing(page.part.quotes().in_iteration(index)) {
        let list = match at.check(workspace).outcome {
            Outcome::Passed => &mut passed,
            _ => &mut others,
        };
        list.push(missing_row(page, at, &quotes));
    }
    let inconsistent = page.part.inconsistent().iter().filter(|one| one.iteration() == index);
    let inconsistent = inconsistent.map(|one| inconsistent_row(page, one)).collect();
    view!({
        "graders": graders,
        "passed": titled_list(context, "quotes.passed", passed, LISTED),
        "others": titled_list(context, "quotes.not_passed", others, LISTED),
        "inconsistent": titled_list(context, "quotes.inconsistent", inconsistent, LISTED),
    })
}

/// A check with quotations that are not in the outputs.
fn missing_row(page: &Page<'_>, at: CheckAt, quotes: &[&Quote]) -> View {
    let (run, check) = (at.run(page.part.workspace), at.check(page.part.workspace));
    let case_index = page.addresses.case_index(at.iteration, at.case);
    let href = page.to_check(at.iteration, case_index, run, &key(check));
    view!({
        "link": Link::new(href, check.text.as_str()),
        "place": run_of_case(page.context, at.case(page.part.workspace), run),
        "quotes": quotes.iter().map(|quote| quotations::short(&quote.text)).collect::<Vec<_>>(),
    })
}

fn run_of_case(context: RenderContext<'_>, case: &Case, run: &Run) -> String {
    context.language.apart([case.name.clone(), context.run_name(run)])
}

/// A check with different verdicts on equal outputs, linked to the failure.
fn inconsistent_row(page: &Page<'_>, inconsistent: &UnequalVerdicts) -> View {
    let workspace = page.part.workspace;
    let [passed, failed] = inconsistent.places.map(|at| {
        let run = page.context.run_name(at.run(workspace));
        page.language.apart([workspace.iterations[at.iteration].name.clone(), run])
    });
    let (case, case_index) = (&inconsistent.case, inconsistent.case_index);
    let at = inconsistent.places[1];
    let href =
        page.to_check(at.iteration, case_index, at.run(workspace), &key(at.check(workspace)));
    view!({
        "link": Link::new(href, &*inconsistent.check),
        "place": say!(page.language, "quotes.differing", case, passed, failed),
        "quotes": [""; 0],
    })
}

/// The configurations of the iteration at `index` with several runs of a case.
pub(super) fn repeated(context: RenderContext<'_>, index: usize) -> Vec<View> {
    let mut repeated = Vec::new();
    for summary in &context.part.analysis.iterations[index].configurations {
        if let Some(reliability) = &summary.reliability {
            let mut lines = reliability::runs(&summary.name, reliability, context.language);
            repeated.push(
                view!({ "lead": lines.remove(0), "more": context.language.sentences(lines) }),
            );
        }
    }
    repeated
}

/// Pairs of graders who judged the same runs.
pub(super) fn graders(page: &Page<'_>, index: usize) -> Vec<View> {
    let language = page.language;
    let mut graders = Vec::new();
    for pair in &page.part.analysis.iterations[index].graders {
        let disputes = pair.disputes.iter().take(LISTED);
        let disputes = disputes.map(|one| dispute_row(page, index, pair, one));
        let checks = pair.checks.iter().take(LISTED);
        let checks = checks.map(|check| {
            view!({ "text": check.text, "count": reliability::disputed_check(check, language) })
        });
        let sentences = [reliability::agreement_of_graders(pair, language)];
        graders.push(view!({
            "title": reliability::graders_title(pair, language),
            "sentences": sentences,
            "answers": answers_of_graders(page, index, pair),
            "checks": checks.collect::<Vec<_>>(),
            "more_checks": language.beyond("graders.more", pair.checks.len(), LISTED),
            "disputes": disputes.collect::<Vec<_>>(),
            "more": language.beyond("graders.more", pair.disputes.len(), LISTED),
        }));
    }
    graders
}

/// The words of the answers under each of two graders, on the iteration that the first page is about: each
/// takes another look at its comparisons.
pub(in crate::render::html) fn answers_of_graders(
    page: &Page<'_>,
    index: usize,
    pair: &GraderPair,
) -> Vec<Value> {
    let part = page.part;
    let side = part.analysis.shown_side().filter(|side| side.iteration == index);
    let (Some(after), [first, second]) = (side, &pair.names) else { return Vec::new() };
    if first == second {
        return Vec::new();
    }
    let questions = Questions::new(&part.comparisons, &after);
    let mut answers = Vec::new();
    for grader in [first, second] {
        let graded = as_graded_by(part.workspace, grader);
        let lines =
            judged::words(&part.comparisons, &questions, &graded, part.settings, page.language);
        if !lines.is_empty() {
            answers.push(json!({ "grader": grader, "lines": lines }));
        }
    }
    answers
}

fn dispute_row(
    page: &Page<'_>,
    index: usize,
    pair: &GraderPair,
    dispute: &GraderDisagreement,
) -> View {
    let case = &page.part.workspace.iterations[index].cases[dispute.case];
    let run = &case.runs[dispute.run];
    let case_index = page.addresses.case_index(index, dispute.case);
    let mut verdicts = Vec::new();
    for (grader, outcome) in pair.names.iter().zip(dispute.outcomes) {
        let verdict = page.language.entry(&["outcome", outcome.word()]);
        verdicts.push(say!(page.language, "graders.verdict", grader, verdict));
    }
    let href = page.to_check(index, case_index, run, &dispute.key);
    view!({
        "link": Link::new(href, dispute.text.as_str()),
        "place": run_of_case(page.context, case, run),
        "verdicts": page.language.list(verdicts),
    })
}
