//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use serde_json::{Value, json};

use crate::analyze::{CheckAt, key};
use crate::language::Language;
use crate::model::{ConventionCheck, Expectation, Grading, Outcome, Output, Run};
use crate::preview::{self, FileRole, Preview, PreviewBudget};
use crate::render::context::{
    Anchors, Frame, Link, Page, Rate, Rows, Site, Task, distinct,
    view::{check_row, claims, figures, headed, mark, notes, short},
};
use crate::render::html::comparison_links;
use crate::render::html::feedback::{comments_on, href};
use crate::render::html::files::{self, asked, user_notes};
use crate::render::html::joined;
use crate::render::text::{loading, quotes};

/// Bytes of markup that notes in Markdown take on a page.
const MAX_NOTES: usize = 32 * 1024;

/// Outputs of one run that are stored and shown.
const MAX_OUTPUTS: usize = 300;

pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let iterations = &site.part.workspace.iterations;
    let room =
        preview::bytes_per_page(iterations.iter().map(|iteration| iteration.runs().count()).sum());
    for (index, iteration) in iterations.iter().enumerate() {
        let mut all = Vec::new();
        for (case, found) in iteration.cases.iter().enumerate() {
            let order = site.facts.standings[index].run_order(found);
            all.extend(order.into_iter().map(|run| (case, run)));
        }
        for (at, place @ (case, run)) in all.iter().copied().enumerate() {
            let before = at.checked_sub(1).map(|at| all[at]);
            let steps = [before, all.get(at + 1).copied()];
            let run = &iteration.cases[case].runs[run];
            let path = site.addresses.run(index, site.addresses.line(index, case), run);
            let view = move |page: &Page<'_>| view(page, (index, place), steps, room);
            tasks.push(site.page("run.html", path, view));
        }
    }
}

/// A run by the indices of its case in the iteration and of itself in the case.
type RunIndex = (usize, usize);

/// The page of a run of an iteration, with the runs before and after it.
/// The executor's remarks as summed up by the graders, then its own, each once.
fn remarks(run: &Run, language: &Language) -> Vec<[String; 2]> {
    let mut remarks: Vec<[String; 2]> = Vec::new();
    for Grading { notes: found, .. } in &run.gradings {
        remarks.extend(notes(found, language));
        remarks.extend(headed("note.other", &found.other, language));
    }
    remarks.extend(notes(&run.notes, language));
    distinct(remarks)
}

/// Stores the outputs and the transcript of `run` and shows them within `room` bytes.
fn show_files(page: &Page<'_>, run: &Run, room: usize) -> (Vec<Preview>, Option<Preview>) {
    let files = run.outputs.len().min(MAX_OUTPUTS) + usize::from(run.transcript.is_some());
    let stored = files::place(page, PreviewBudget::new(room, files));
    let show = |output: &Output, role: FileRole| preview::store_and_show(output, role, &stored);
    let outputs = run.outputs.iter().take(MAX_OUTPUTS);
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
    let title = page.run_name(run);
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
    // `time 3 min 02 s, tokens 45 833`, of the figures that are there.
    let short = ["cost.time", "cost.tokens"].map(|key| page.language.text(key));
    let cost = figures.iter().filter(|[name, _]| short.contains(&name.as_str()));
    let cost = page.language.list(cost.map(|row| row.join(" ")));
    let (user_notes, are_whole) = user_notes(page.site, run, MAX_NOTES);
    let (outputs, transcript) = show_files(page, run, room);
    let mut shown = outputs.iter().chain(&transcript);
    let has_document = shown.clone().any(|output| output.is_document);
    let has_frame = shown.any(|output| output.has_frame);
    json!({
        "frame": Frame { has_document, has_frame, crumbs, previous, next, ..frame },
        "gradings": gradings,
        "outputs": outputs,
        "transcript": transcript,
        "heading": heading,
        "path": run.path,
        "compared": comparison_links::links_of_run(page, (line, index), &run.configuration),
        "rate": Rate::new(run.tally(), page.language),
        "comments": comments_on(page.site, index, place),
        "feedback": href(page, index),
        "asked": asked([case].into_iter(), None),
        "cost": cost,
        "figures": figures,
        "loading": loading_view(page.site, run),
        "notes": remarks(run, page.language),
        "user_notes": user_notes,
        "are_notes_cut": !are_whole,
        "iteration": iteration.name,
        "run_id": page.facts.reviews[index].name_of(place.0, place.1),
        "more_outputs": page.language.beyond("output.more", run.outputs.len(), MAX_OUTPUTS),
    })
}

/// One grading; its checks that did not pass come first.
fn grading_view(page: &Page<'_>, at: CheckAt, found: &Grading, anchors: &mut Anchors) -> Value {
    let (language, line) = (page.language, page.addresses.line(at.iteration, at.case));
    let mut ordered: Vec<(usize, &Expectation)> = found.expectations.iter().enumerate().collect();
    ordered.sort_by_key(|(_, check)| check.outcome == Outcome::Passed);
    let check = |(index, found): (usize, &Expectation)| {
        let (key_of_score, score) = match found.score {
            Some(score) => ("expectation.score", Some(score)),
            None => ("expectation.score_outside", found.score_outside),
        };
        let score = score.map(|score| language.fill(key_of_score, &[("score", &short(score))]));
        let quotes = page.part.quotes().in_check(&CheckAt { check: index, ..at });
        let more = json!({
            "description": found.description,
            "score": score,
            "required": found.required.map(|is_required| match is_required {
                true => language.text("expectation.required"),
                false => language.text("expectation.optional"),
            }),
            "anchor": anchors.take(page.addresses.expectation(line, &key(found))),
            "quotes": quotes::remarks(quotes, language),
        });
        joined(check_row(found), more)
    };
    let convention = |check: &ConventionCheck| {
        json!([check.name, mark(check.outcome), check.outcome.word(), check.details])
    };
    let (tally, recorded) = (found.tally(), &found.recorded);
    // What it states in sum where it has no verdicts.
    let recorded = recorded.passed.zip(recorded.total).filter(|_| found.expectations.is_empty());
    json!({
        "title": match (&found.grader, at.grading) {
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
        "claims": claims(found, language),
        // Advice on the expectations: about which, what.
        "suggestions": Rows::all(found.suggestions.iter(), |advice| {
            json!([advice.expectation, advice.text])
        }),
        "critique": found.critique,
        "conventions": Rows::all(found.conventions.iter(), convention),
    })
}

/// Whether the run loaded the skill; `None` where nothing is known.
fn loading_view(site: Site<'_>, run: &Run) -> Option<Value> {
    let (found, language) = (&run.loading, site.language);
    let transcript = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
    let is_shown = found.file.is_some() && found.file.as_deref() == transcript;
    let mut remarks = Vec::new();
    for (key, applies) in [("loading.run_idle", found.idle), ("loading.run_used", found.used)] {
        remarks.extend(applies.then(|| language.text(key).to_owned()));
    }
    if !found.other_skills.is_empty() {
        let others = language.list(found.other_skills.iter().map(String::as_str));
        remarks.push(language.fill("loading.others", &[("skills", &others)]));
    }
    let is_known = found.had_skill().is_some() || found.used || !found.other_skills.is_empty();
    is_known.then(|| {
        json!({
            "state": loading::state(found, language),
            "place": Link::new(
                if is_shown { "#transcript" } else { "" },
                loading::place(found, language),
            ),
            "remarks": remarks,
        })
    })
}
