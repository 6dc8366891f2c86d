//! One run: all verdicts with visible evidence, costs and outputs.

use serde_json::{Value, json};

use crate::analyze::{CheckAt, key};
use crate::budget::{RUN_OUTPUTS, RUN_PROBLEMS};
use crate::discover::names;
use crate::language::Language;
use crate::model::{ConventionCheck, Expectation, Grading, Outcome, Output, Problem, Run};
use crate::preview::{self, FileRole, Preview, PreviewBudget};
use crate::render::context::{
    Anchors, Frame, Link, Page, Rate, RenderContext, Rows, Task, distinct,
    view::{check_row, claims, figures, headed, mark, notes, short},
};
use crate::render::html::comparison_links;
use crate::render::html::feedback::{comments_on, href};
use crate::render::html::files::{self, task_view, user_notes};
use crate::render::html::joined;
use crate::wording::{loading, quotations};

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let iterations = &context.part.workspace.iterations;
    let room =
        preview::bytes_per_page(iterations.iter().map(|iteration| iteration.runs().count()).sum());
    for (index, iteration) in iterations.iter().enumerate() {
        let mut indices = Vec::new();
        for (at, case) in iteration.cases.iter().enumerate() {
            let order = context.shared.progress[index].run_order(case);
            indices.extend(order.into_iter().map(|run| (at, run)));
        }
        for (at, place @ (case, run)) in indices.iter().copied().enumerate() {
            let before = at.checked_sub(1).map(|at| indices[at]);
            let steps = [before, indices.get(at + 1).copied()];
            let run = &iteration.cases[case].runs[run];
            let path = context.addresses.run(index, context.addresses.line(index, case), run);
            let view = move |page: &Page<'_>| view(page, (index, place), steps, room);
            tasks.push(context.page("run.html", path, view));
        }
    }
}

/// The indices of a run's case in the iteration, and of the run in the case.
type RunIndex = (usize, usize);

/// The executor's remarks as summed up by the graders, then its own, without duplicates.
fn remarks(run: &Run, language: &Language) -> Vec<[String; 2]> {
    let mut remarks: Vec<[String; 2]> = Vec::new();
    for Grading { notes: found, .. } in &run.gradings {
        remarks.extend(notes(found, language));
        remarks.extend(headed("note.other", &found.other, language));
    }
    remarks.extend(notes(&run.notes, language));
    distinct(remarks)
}

/// Stores the outputs and the transcript of `run`, and shows them within `room` bytes.
fn show_files(page: &Page<'_>, run: &Run, room: usize) -> (Vec<Preview>, Option<Preview>) {
    let files = run.outputs.len().min(RUN_OUTPUTS) + usize::from(run.transcript.is_some());
    let stored = files::preview_context(page, PreviewBudget::new(room, files));
    let show = |output: &Output, role: FileRole| preview::store_and_show(output, role, &stored);
    let outputs = run.outputs.iter().take(RUN_OUTPUTS);
    let mut outputs: Vec<Preview> = outputs.map(|output| show(output, FileRole::Output)).collect();
    let mut transcript = run.transcript.as_ref().map(|file| show(file, FileRole::Transcript));
    stored.budget.fit_sources(outputs.iter_mut().chain(&mut transcript));
    (outputs, transcript)
}

fn view(
    page: &Page<'_>,
    (index, place): (usize, RunIndex),
    steps: [Option<RunIndex>; 2],
    room: usize,
) -> Value {
    let iteration = &page.part.workspace.iterations[index];
    let (case, line) = (&iteration.cases[place.0], page.addresses.line(index, place.0));
    let run = &case.runs[place.1];
    let title = page.context.run_name(run);
    let frame = page.frame(&title, Some(index));
    let case_link = page.case_of_iteration(index, place.0);
    let crumbs = vec![frame.brand.clone(), page.iteration_link(index), case_link];
    let heading = page.language.fill("run.heading", &[("case", &case.name), ("run", &title)]);
    let [previous, next] =
        steps.map(|to| to.map(|to| page.run_of_case(index, to)).unwrap_or_default());
    let mut anchors = Anchors::default();
    let grading = |(grading, found): (usize, &Grading)| {
        let at = CheckAt { iteration: index, case: place.0, run: place.1, grading, check: 0 };
        grading_view(page, at, found, &mut anchors)
    };
    let gradings: Vec<Value> = run.gradings.iter().enumerate().map(grading).collect();
    let figures = figures(&run.metrics, page.part.settings, page.language);
    // `time 3 min 02 s, tokens 45 833`, from the figures that exist.
    let short = ["cost.time", "cost.tokens"].map(|key| page.language.text(key));
    let cost = figures.iter().filter(|[name, _]| short.contains(&name.as_str()));
    let cost = page.language.list(cost.map(|row| row.join(" ")));
    let (user_notes, are_whole) = user_notes(page.context, run);
    let (outputs, transcript) = show_files(page, run, room);
    let mut shown = outputs.iter().chain(&transcript);
    let has_document = shown.clone().any(|output| output.is_document);
    let has_frame = shown.any(|output| output.has_frame);
    json!({
        "frame": Frame { has_document, has_frame, crumbs, previous, next, ..frame },
        "gradings": gradings,
        "problems": problems_of(page, run),
        "problems_page": page.to_file("problems.html"),
        "outputs": outputs,
        "transcript": transcript,
        "heading": heading,
        "path": run.path,
        "compared": comparison_links::links_of_run(page, (line, index), &run.configuration),
        "rate": Rate::new(run.tally(), page.language),
        "comments": comments_on(page.context, index, place),
        "feedback": href(page, index),
        "asked": task_view([case].into_iter(), None),
        "cost": cost,
        "figures": figures,
        "loading": loading_view(page.context, run),
        "notes": remarks(run, page.language),
        "user_notes": user_notes,
        "are_notes_cut": !are_whole,
        "iteration": iteration.name,
        "run_id": page.shared.reviews[index].run_name(place.0, place.1),
        "more_outputs": page.language.beyond("output.more", run.outputs.len(), RUN_OUTPUTS),
    })
}

/// Problems of the files of a run without a verdict, which may say why it has none.
fn problems_of(page: &Page<'_>, run: &Run) -> Vec<String> {
    if run.is_graded() || run.path.is_empty() {
        return Vec::new();
    }
    let problems = page.part.workspace.problems.iter();
    // Deeper files may be those of another run.
    let problems = problems.filter(|problem| names::folder(&problem.path) == run.path);
    let sentence = |problem: &Problem| format!("{}: {}", problem.path, problem.sentence());
    problems.take(RUN_PROBLEMS).map(sentence).collect()
}

/// A grading, with checks that did not pass first.
fn grading_view(page: &Page<'_>, at: CheckAt, grading: &Grading, anchors: &mut Anchors) -> Value {
    let (language, line) = (page.language, page.addresses.line(at.iteration, at.case));
    let mut ordered: Vec<(usize, &Expectation)> = grading.expectations.iter().enumerate().collect();
    ordered.sort_by_key(|(_, check)| check.outcome == Outcome::Passed);
    let check = |(index, check): (usize, &Expectation)| {
        let (key_of_score, score) = match check.score {
            Some(score) => ("expectation.score", Some(score)),
            None => ("expectation.score_outside", check.score_outside),
        };
        let score = score.map(|score| language.fill(key_of_score, &[("score", &short(score))]));
        let quotes = page.part.quotes().in_check(&CheckAt { check: index, ..at });
        let more = json!({
            "description": check.description,
            "score": score,
            "required": check.required.map(|is_required| {
                let key = if is_required { "expectation.required" } else { "expectation.optional" };
                language.text(key)
            }),
            "anchor": anchors.take(page.addresses.expectation(line, &key(check))),
            "quotes": quotations::remarks(quotes, language),
        });
        joined(check_row(check), more)
    };
    let convention = |check: &ConventionCheck| {
        json!([check.name, mark(check.outcome), check.outcome.word(), check.details])
    };
    let (tally, recorded) = (grading.tally(), &grading.recorded);
    // The recorded totals, if there are no verdicts.
    let recorded = recorded.passed.zip(recorded.total).filter(|_| grading.expectations.is_empty());
    json!({
        "title": match (&grading.grader, at.grading) {
            (None, 0) => String::new(),
            (None, _) => language.text("grading.another").to_owned(),
            (Some(grader), 0) => language.fill("grading.first_by", &[("grader", grader)]),
            (Some(grader), _) => language.fill("grading.another_by", &[("grader", grader)]),
        },
        "rate": Rate::new(tally, language),
        "passed": (tally.passed > 0)
            .then(|| language.fill("grading.passed", &[("n", &tally.passed)])),
        "expectations": ordered.into_iter().map(check).collect::<Rows<_>>(),
        "recorded": recorded.map(|(passed, total)| language
            .fill("grading.recorded", &[("passed", &short(passed)), ("total", &short(total))])),
        "claims": claims(grading, language),
        // Advice on the expectations: the expectation and the text.
        "suggestions": Rows::all(grading.suggestions.iter(), |advice| {
            json!([advice.expectation, advice.text])
        }),
        "critique": grading.critique,
        "conventions": Rows::all(grading.conventions.iter(), convention),
    })
}

/// Whether the run loaded the skill; `None` if unknown.
fn loading_view(context: RenderContext<'_>, run: &Run) -> Option<Value> {
    let (loading, language) = (&run.loading, context.language);
    let transcript = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
    let is_shown = loading.file.is_some() && loading.file.as_deref() == transcript;
    let mut remarks = Vec::new();
    for (key, applies) in [("loading.run_idle", loading.idle), ("loading.run_used", loading.used)] {
        remarks.extend(applies.then(|| language.text(key).to_owned()));
    }
    if !loading.other_skills.is_empty() {
        let others = language.list(loading.other_skills.iter().map(String::as_str));
        remarks.push(language.fill("loading.others", &[("skills", &others)]));
    }
    let is_known =
        loading.had_skill().is_some() || loading.used || !loading.other_skills.is_empty();
    is_known.then(|| {
        json!({
            "state": loading::state(loading, language),
            "place": Link::new(
                if is_shown { "#transcript" } else { "" },
                loading::place(loading, language),
            ),
            "remarks": remarks,
        })
    })
}
