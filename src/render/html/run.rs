//! One run: all verdicts with visible evidence, costs and outputs.

use crate::analyze::{CheckAt, key};
use crate::budget::{RUN_OUTPUTS, RUN_PROBLEMS};
use crate::language::{Language, Rate, say};
use crate::preview::evidence::Quotations;
use crate::preview::{self, FileRole, Preview, PreviewContext, PreviewRoom};
use crate::render::context::{
    Anchors, Frame, Link, Page, RenderContext, Rows, Task, View, distinct, view,
    view::{check_row, claims, figures, headed, mark, notes, short},
};
use crate::render::html::comparison_links;
use crate::render::html::feedback::{comments_on, href};
use crate::render::html::files::{self, task_view, user_notes};
use crate::render::html::quotation_links::{Marks, links, quotations_of_run};
use crate::wording::{loading, run_end};
use input::model::{Expectation, Grading, Outcome, Run};
use input::names;

/// The indices of a run's case in the iteration, and of the run in the case.
#[derive(Clone, Copy)]
struct RunIndex {
    case: usize,
    run: usize,
}

/// The page of a run, between those before and after it.
#[derive(Clone, Copy)]
struct RunPage {
    iteration: usize,
    index: RunIndex,
    previous: Option<RunIndex>,
    next: Option<RunIndex>,
    /// Bytes of markup for its files.
    room: usize,
}

pub(super) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let iterations = &context.part.workspace.iterations;
    let number = iterations.iter().map(|iteration| iteration.runs().count()).sum();
    let room = preview::bytes_per_page(number);
    for (at, iteration) in iterations.iter().enumerate() {
        let mut order = Vec::new();
        for (case, found) in iteration.cases.iter().enumerate() {
            let runs = context.shared.progress[at].run_order(found);
            order.extend(runs.into_iter().map(|run| RunIndex { case, run }));
        }
        for (position, &index) in order.iter().enumerate() {
            let previous = position.checked_sub(1).map(|before| order[before]);
            let next = order.get(position + 1).copied();
            let run_page = RunPage { iteration: at, index, previous, next, room };
            let case_index = context.addresses.case_index(at, index.case);
            let run = &iteration.cases[index.case].runs[index.run];
            let path = context.addresses.run(at, case_index, run);
            tasks.push(context.page("run.html", path, move |page| run_page.view(page)));
        }
    }
}

impl RunPage {
    fn view(&self, page: &Page<'_>) -> View {
        let (language, RunIndex { case: at, run: number }) = (page.language, self.index);
        let iteration = &page.part.workspace.iterations[self.iteration];
        let case = &iteration.cases[at];
        let run = &case.runs[number];
        let case_index = page.addresses.case_index(self.iteration, at);
        let title = page.context.run_name(run);
        let figures = figures(&run.metrics, page.part.settings, language);
        let (user_notes, are_whole) = user_notes(page.context, run);
        let quotations = quotations_of_run(page.part.quotes(), self.iteration, at, number);
        let (outputs, transcript) = show_files(page, run, quotations, self.room);
        let marks = marks(run, &outputs, transcript.as_ref());
        let mut shown = outputs.iter().chain(&transcript);
        let frame = Frame {
            has_document: shown.clone().any(|output| output.is_document),
            has_frame: shown.any(|output| output.has_frame),
            ..self.frame(page, &title)
        };
        view!({
            "frame": frame,
            "gradings": self.gradings(page, run, &marks),
            "problems": problems_of(page, run),
            "problems_page": page.to_file("problems.html"),
            "outputs": outputs,
            "transcript": transcript,
            "heading": say!(language, "run.heading", case = case.name, run = title),
            "path": run.path,
            "compared": comparison_links::links_of_run(
                page,
                case_index,
                self.iteration,
                &run.configuration,
            ),
            "rate": Rate::new(run.tally(), language),
            "ended": run_end::sentence(run, language),
            "origin": run.reuse.as_ref().map(|reuse| &reuse.source),
            "comments": comments_on(page.context, self.iteration, at, number),
            "feedback": href(page, self.iteration),
            "asked": task_view(&[case], None),
            "cost": time_and_tokens(&figures, language),
            "figures": figures,
            "loading": loading_view(page.context, run),
            "notes": remarks(run, language),
            "user_notes": user_notes,
            "are_notes_cut": !are_whole,
            "iteration": iteration.name,
            "run_id": page.shared.reviews[self.iteration].run_name(at, number),
            "more_outputs": language.beyond("output.more", run.outputs.len(), RUN_OUTPUTS),
        })
    }

    fn frame(&self, page: &Page<'_>, title: &str) -> Frame {
        let frame = page.frame(title, Some(self.iteration));
        let iteration = page.iteration_link(self.iteration);
        let case = page.case_of_iteration(self.iteration, self.index.case);
        Frame {
            crumbs: vec![frame.brand.clone(), iteration, case],
            previous: self.link_to(page, self.previous),
            next: self.link_to(page, self.next),
            ..frame
        }
    }

    fn link_to(&self, page: &Page<'_>, other: Option<RunIndex>) -> Link {
        let Some(RunIndex { case, run }) = other else { return Link::default() };
        page.run_of_case(self.iteration, case, run)
    }

    fn gradings(&self, page: &Page<'_>, run: &Run, marks: &Marks) -> Vec<View> {
        let RunIndex { case, run: number } = self.index;
        let mut anchors = Anchors::default();
        let mut views = Vec::new();
        for (at, grading) in run.gradings.iter().enumerate() {
            let iteration = self.iteration;
            let at = CheckAt { iteration, case, run: number, grading: at, check: 0 };
            views.push(grading_view(page, at, grading, marks, &mut anchors));
        }
        views
    }
}

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

/// `time 3 min 02 s, tokens 45 833`, from the figures that exist.
fn time_and_tokens(figures: &[[String; 2]], language: &Language) -> String {
    let shown = ["cost.time", "cost.tokens"].map(|key| language.text(key));
    let figures = figures.iter().filter(|[name, _]| shown.contains(&name.as_str()));
    language.list(figures.map(|figure| figure.join(" ")))
}

/// Stores the outputs and the transcript of `run`, and shows them within `room` bytes.
fn show_files(
    page: &Page<'_>,
    run: &Run,
    quotations: Quotations<'_>,
    room: usize,
) -> (Vec<Preview>, Option<Preview>) {
    let shown = &run.outputs[..run.outputs.len().min(RUN_OUTPUTS)];
    let files = shown.len() + usize::from(run.transcript.is_some());
    let budget = PreviewRoom::new(room, files);
    let context = PreviewContext { quotations, ..files::preview_context(page, budget) };
    let mut outputs = Vec::new();
    for output in shown {
        outputs.push(preview::store_and_show(output, FileRole::Output, &context));
    }
    let mut transcript = None;
    if let Some(file) = &run.transcript {
        transcript = Some(preview::store_and_show(file, FileRole::Transcript, &context));
    }
    context.budget.fit_sources(outputs.iter_mut().chain(&mut transcript));
    (outputs, transcript)
}

/// Where quotations are marked in the files of `run`.
fn marks(run: &Run, outputs: &[Preview], transcript: Option<&Preview>) -> Marks {
    let mut marks = Marks::default();
    for (file, preview) in run.outputs.iter().zip(outputs) {
        marks.add(&file.name, preview);
    }
    if let (Some(file), Some(preview)) = (&run.transcript, transcript) {
        marks.add(&file.name, preview);
    }
    marks
}

/// Problems of the files of a run without a verdict, which may say why it has none.
fn problems_of(page: &Page<'_>, run: &Run) -> Vec<String> {
    if run.is_graded() || run.path.is_empty() {
        return Vec::new();
    }
    let problems = page.part.workspace.problems.iter();
    // Deeper files may be those of another run.
    let own = problems.filter(|problem| names::folder(&problem.path) == run.path);
    let sentences = own.map(|problem| page.language.labelled(&problem.path, &problem.sentence()));
    sentences.take(RUN_PROBLEMS).collect()
}

/// A grading, with checks that did not pass first.
fn grading_view(
    page: &Page<'_>,
    at: CheckAt,
    grading: &Grading,
    marks: &Marks,
    anchors: &mut Anchors,
) -> View {
    let language = page.language;
    let mut ordered: Vec<(usize, &Expectation)> = grading.expectations.iter().enumerate().collect();
    ordered.sort_by_key(|(_, check)| check.outcome == Outcome::Passed);
    let title = match (&grading.grader, at.grading) {
        (None, 0) => String::new(),
        (None, _) => language.text("grading.another").to_owned(),
        (Some(grader), 0) => say!(language, "grading.first_by", grader),
        (Some(grader), _) => say!(language, "grading.another_by", grader),
    };
    let tally = grading.tally();
    let mut passed = None;
    if tally.passed > 0 {
        passed = Some(say!(language, "grading.passed", n = tally.passed));
    }
    view!({
        "title": title,
        "rate": Rate::new(tally, language),
        "passed": passed,
        "expectations": Rows::all(ordered.into_iter(), |(index, check)| {
            check_view(page, CheckAt { check: index, ..at }, check, marks, anchors)
        }),
        "recorded": recorded_totals(grading, language),
        "claims": claims(grading, language),
        // Advice on the expectations: the expectation and the text.
        "suggestions": Rows::all(grading.suggestions.iter(), |advice| {
            (&advice.expectation, &advice.text)
        }),
        "critique": grading.critique,
        "conventions": Rows::all(grading.conventions.iter(), |check| {
            (&check.name, mark(check.outcome), check.outcome.word(), &check.details)
        }),
    })
}

/// The recorded totals, if there are no verdicts.
fn recorded_totals(grading: &Grading, language: &Language) -> Option<String> {
    if !grading.expectations.is_empty() {
        return None;
    }
    let passed = short(grading.recorded.passed?);
    let total = short(grading.recorded.total?);
    Some(say!(language, "grading.recorded", passed, total))
}

fn check_view(
    page: &Page<'_>,
    at: CheckAt,
    check: &Expectation,
    marks: &Marks,
    anchors: &mut Anchors,
) -> View {
    let language = page.language;
    // A score off its scale is shown, but no mean has it.
    let score = match (check.score, check.score_outside) {
        (Some(score), _) => Some(say!(language, "expectation.score", score = short(score))),
        (None, Some(score)) => {
            Some(say!(language, "expectation.score_outside", score = short(score)))
        }
        (None, None) => None,
    };
    let required = match check.required {
        Some(true) => Some(language.text("expectation.required")),
        Some(false) => Some(language.text("expectation.optional")),
        None => None,
    };
    let case_index = page.addresses.case_index(at.iteration, at.case);
    let reviews = &page.shared.reviews[at.iteration];
    view!({
        ..check_row(check),
        "description": check.description,
        "score": score,
        "required": required,
        "anchor": anchors.take(page.addresses.expectation(case_index, &key(check))),
        // Of several gradings the first one gives the run's verdicts.
        "is_disputed": at.grading == 0 && reviews.is_disputed(at.case, at.run, &check.text),
        "quotes": links(page.part.quotes().in_check(&at), marks, None, language),
    })
}

/// Whether the run loaded the skill; `None` if unknown.
fn loading_view(context: RenderContext<'_>, run: &Run) -> Option<View> {
    let (loading, language) = (&run.loading, context.language);
    if loading.had_skill().is_none() && !loading.used && loading.other_skills.is_empty() {
        return None;
    }
    let mut remarks = Vec::new();
    if loading.idle {
        remarks.push(language.text("loading.run_idle").to_owned());
    }
    if loading.used {
        remarks.push(language.text("loading.run_used").to_owned());
    }
    if !loading.other_skills.is_empty() {
        let skills = language.list(&loading.other_skills);
        remarks.push(say!(language, "loading.others", skills));
    }
    // The place is on this page only if it is in the transcript that the page shows.
    let transcript = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
    let is_shown = loading.file.is_some() && loading.file.as_deref() == transcript;
    let href = if is_shown { "#transcript" } else { "" };
    Some(view!({
        "state": loading::state(loading, language),
        "place": Link::new(href, loading::place(loading, language)),
        "remarks": remarks,
    }))
}
