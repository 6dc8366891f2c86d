//! The verdicts that decide, for a person to judge without seeing them: each with its check and both outputs.
//! Without a script the page lists them as they are.

use serde_json::{Value, json};

use crate::analyze::{Side, key};
use crate::budget::{DECIDING_OUTPUTS, DECIDING_PREVIEWS};
use crate::digest::DecidingVerdict;
use crate::preview::{self, FileRole, Preview, PreviewContext, PreviewRoom};
use crate::render::context::{Frame, Link, Page, link, view::mark};
use crate::render::html::disputable::{RunAt, disputable};
use crate::render::html::files::{preview_context, task_view};
use crate::wording::judged;
use input::model::Run;

/// The name of the page.
pub(super) const FILE: &str = "deciding.html";

pub(super) fn view(page: &Page<'_>) -> Value {
    let verdicts = &page.shared.deciding;
    let room = DECIDING_PREVIEWS / (2 * verdicts.len().max(1));
    let mut shown = Vec::new();
    let (mut has_document, mut has_frame) = (false, false);
    for verdict in verdicts {
        let outputs = [own_run(page, verdict), other_run(page, verdict)]
            .map(|run| run.map_or_else(Vec::new, |(_, run)| outputs(page, run, room)));
        for output in outputs.iter().flatten() {
            has_document |= output.is_document;
            has_frame |= output.has_frame;
        }
        shown.push(item(page, verdict, outputs));
    }
    let iteration = page.part.analysis.shown_side().map(|side| side.iteration);
    let frame = page.frame(page.language.text("deciding.title"), iteration);
    json!({
        "frame": Frame { has_document, has_frame, ..frame },
        "lead": page.language.count(verdicts.len(), "deciding"),
        "agreement": judged::agreement(&page.shared.judged, page.language),
        "verdicts": shown,
        "comments": page.to_file("feedback.html"),
    })
}

/// The run that was judged, with its iteration.
fn own_run<'a>(page: &Page<'a>, verdict: &DecidingVerdict) -> Option<(usize, &'a Run)> {
    Some((verdict.at.iteration, verdict.at.run(page.part.workspace)))
}

/// The run of the other side with the same number, else its first one.
fn other_run<'a>(page: &Page<'a>, verdict: &DecidingVerdict) -> Option<(usize, &'a Run)> {
    let (workspace, analysis) = (page.part.workspace, page.part.analysis);
    let side: &Side = &verdict.sides[1];
    let number = verdict.at.run(workspace).number;
    let runs: Vec<&Run> = analysis.cases[verdict.case_index].runs(workspace, side).collect();
    let run = runs.iter().find(|run| run.number == number).or(runs.first())?;
    Some((side.iteration, run))
}

/// The first outputs of a run, without marks: what graders quote would tell the verdict.
fn outputs(page: &Page<'_>, run: &Run, room: usize) -> Vec<Preview> {
    let shown = &run.outputs[..run.outputs.len().min(DECIDING_OUTPUTS)];
    let context: PreviewContext<'_> = preview_context(page, PreviewRoom::new(room, shown.len()));
    let mut previews = Vec::new();
    for output in shown {
        previews.push(preview::store_and_show(output, FileRole::Output, &context));
    }
    context.budget.fit_sources(previews.iter_mut());
    previews
}

fn item(page: &Page<'_>, verdict: &DecidingVerdict, outputs: [Vec<Preview>; 2]) -> Value {
    let DecidingVerdict { at, case_index, undoes, .. } = verdict;
    let (workspace, language) = (page.part.workspace, page.language);
    let (run, check) = (at.run(workspace), at.check(workspace));
    let reviews = &page.shared.reviews[at.iteration];
    let run_page = page.addresses.run(at.iteration, *case_index, run);
    let overview = page.addresses.report_file("index.html");
    let [own, other] = outputs;
    let links = [own_run(page, verdict), other_run(page, verdict)].map(|found| {
        let (iteration, run) = found?;
        Some(run_link(page, iteration, *case_index, run))
    });
    let [own_link, other_link] = links;
    json!({
        "check": check.text,
        "case": page.case_of_iteration(at.iteration, at.case),
        "asked": task_view(&[at.case(workspace)], None),
        "outcome": check.outcome.word(),
        "said": page.shared.said.get(at).map(|said| judged::word(*said)),
        "mark": mark(check.outcome),
        "verdict": language.entry(&["outcome", check.outcome.word()]),
        "evidence": check.evidence,
        "undoes": undoes,
        "own": { "outputs": own, "run": own_link, "more": run.outputs.len() > DECIDING_OUTPUTS },
        "other": { "outputs": other, "run": other_link },
        "disputable": disputable(
            page,
            RunAt { iteration: at.iteration, case: at.case, run: at.run },
            &check.text,
        ),
        "to_check": page.to_check(at.iteration, *case_index, run, &key(check)),
        "run_id": reviews.run_name(at.case, at.run),
        "iteration": workspace.iterations[at.iteration].name,
        "place": link(&overview, &run_page),
    })
}

/// A run by iteration, side and number.
fn run_link(page: &Page<'_>, iteration: usize, case_index: usize, run: &Run) -> Link {
    let Link { href, text } = page.run_link(iteration, case_index, run);
    let name = &page.part.workspace.iterations[iteration].name;
    Link::new(href, page.language.apart([name.as_str(), text.as_str()]))
}
