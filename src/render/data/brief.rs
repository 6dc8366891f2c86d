//! Briefs for programs: the content of the Markdown brief, uncut and in English.

use serde_json::json;

use crate::analyze::{CaseCheck, CheckAt, EditLink, FlipKind, Quote, Repeat, SkillLoadCounts};
use crate::digest::{self, Advice, FailedCheck, IterationProgress};
use crate::model::{Iteration, Proposal, Review};
use crate::render::context::{Part, addresses};
use crate::render::data::ordered_json::{Json, counts, list, object};
use crate::render::text::brief;

/// Increased when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

pub fn json(parts: &[Part<'_>]) -> String {
    let document =
        object([("schema_version", SCHEMA_VERSION.into()), ("workspaces", list(parts, workspace))]);
    document.for_terminal()
}

fn workspace<'a>(part: &'a Part<'_>) -> Json<'a> {
    let progress = IterationProgress::for_iterations(&part.flips);
    let Some(index) = brief::newest(part, &progress) else {
        return object([("title", part.title().to_owned().into()), ("iteration", Json::NULL)]);
    };
    let (iteration, progress) = (&part.workspace.iterations[index], &progress[index]);
    let addresses = addresses(std::slice::from_ref(part));
    let cases = brief::cases_with_lines(part, &addresses[0], index);
    let (regressed, failed): (Vec<_>, Vec<_>) = digest::failures(progress, &cases)
        .into_iter()
        .partition(|failure| failure.before.is_some());
    let reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    let proposals = iteration.analyses.iter().flat_map(|analysis| &analysis.proposals);
    let edits = part.edits_of(index).map(|(_, edits)| edits);
    let moved = edits.into_iter().flat_map(|edits| &edits.moved);
    let lost = moved.filter(|moved| moved.kind == FlipKind::Regressed);
    let linked = lost.filter_map(|moved| Some((&moved.check, moved.edit.as_ref()?)));
    let newer = digest::newer_iteration(part.workspace, part.analysis);
    let candidate = progress.after.as_ref().map(|side| {
        let tally = brief::tally(progress, &cases);
        let [passed, failed, ungraded] = counts(tally);
        let configuration = ("configuration", side.configuration.clone().into());
        object([configuration, passed, failed, ungraded, ("pass_rate", tally.pass_rate().into())])
    });
    let before = progress.before.as_ref().map(|side| {
        object([
            ("iteration", (&*part.workspace.iterations[side.iteration].name).into()),
            ("configuration", side.configuration.clone().into()),
        ])
    });
    let unfounded = brief::unfounded(part, progress, index, &cases);
    let repeats = brief::repeats_of(part, index);
    object([
        ("title", part.title().to_owned().into()),
        ("iteration", (&*iteration.name).into()),
        // A later iteration in which no candidate was graded yet.
        ("newer", newer.map(|newer| &*newer.name).into()),
        // The counts of the candidate over all cases; null if none ran.
        ("candidate", candidate.unwrap_or(Json::NULL)),
        // The side against which regressions are judged.
        ("before", before.unwrap_or(Json::NULL)),
        // In how many of the candidate's runs the skill was loaded; null if unknown.
        ("loading", loads(iteration, progress).unwrap_or(Json::NULL)),
        ("regressed", list(regressed, failure)),
        ("failed", list(failed, failure)),
        // Checks that the candidate passed on quotations that are not in its outputs.
        ("evidence", list(unfounded, |check| evidence(part, check))),
        // Edits of the skill that share rare words with regressed checks.
        ("edits", list(linked, edit)),
        // Failing checks that the skill does not mention.
        ("unmentioned", list(edits.into_iter().flat_map(|edits| &edits.unmentioned), unmentioned)),
        ("feedback", list(reviews, review)),
        ("proposals", list(proposals, proposal)),
        // Things that runs of several cases made again.
        ("repeats", list(repeats.into_iter().flat_map(|repeats| &repeats.made), repeat)),
        ("suggestions", list(digest::advice(progress, &cases), suggestion)),
    ])
}

fn repeat(item: &Repeat) -> Json<'_> {
    object([
        ("name", (&*item.name).into()),
        ("likeness", <&str>::from(item.likeness).into()),
        ("lines", item.lines.into()),
        ("cases", item.cases.into()),
        ("runs", item.runs.into()),
    ])
}

fn loads<'a>(iteration: &Iteration, progress: &IterationProgress<'_>) -> Option<Json<'a>> {
    let loads = SkillLoadCounts::new(&iteration.cases, &progress.after.as_ref()?.configuration);
    (loads.known() > 0).then(|| {
        object([
            ("loaded", loads.loaded.into()),
            ("given", loads.given.into()),
            ("not_loaded", loads.not_loaded.into()),
            ("unknown", loads.unknown.into()),
            ("is_diluted", loads.is_diluted.into()),
        ])
    })
}

fn failure<'a>(failure: FailedCheck<'a>) -> Json<'a> {
    let [passed, failed, ungraded] = counts(failure.tally);
    let evidence =
        |(run, text): (u32, &'a str)| object([("run", run.into()), ("text", text.into())]);
    object([
        ("case", (&*failure.case.name).into()),
        ("text", failure.text.into()),
        ("description", failure.description.into()),
        passed,
        failed,
        ungraded,
        ("before", failure.before.map_or(Json::NULL, |tally| object(counts(tally)))),
        ("evidence", list(failure.evidence, evidence)),
    ])
}

fn evidence<'a>(part: &'a Part<'_>, (at, missing): (CheckAt, Vec<&'a Quote>)) -> Json<'a> {
    object([
        ("case", (&*at.case(part.workspace).name).into()),
        ("text", (&*at.check(part.workspace).text).into()),
        ("run", at.run(part.workspace).number.into()),
        ("quotations", list(missing, |quote| (&*quote.text).into())),
    ])
}

fn unmentioned(check: &CaseCheck) -> Json<'_> {
    object([("case", (&*check.case).into()), ("text", (&*check.text).into())])
}

fn edit<'a>((check, edit): (&'a CaseCheck, &'a EditLink)) -> Json<'a> {
    object([
        ("case", (&*check.case).into()),
        ("text", (&*check.text).into()),
        ("file", (&*edit.hunk.file).into()),
        ("line", edit.hunk.line.into()),
        ("removed", (&*edit.hunk.removed).into()),
        ("added", (&*edit.hunk.added).into()),
        ("words", json!(edit.words).into()),
    ])
}

fn review(review: &Review) -> Json<'_> {
    object([("run_id", (&*review.run_id).into()), ("text", (&*review.text).into())])
}

fn proposal(proposal: &Proposal) -> Json<'_> {
    object([
        ("area", proposal.area.as_deref().into()),
        ("text", proposal.text.as_deref().into()),
        ("before", proposal.before.as_deref().into()),
        ("after", proposal.after.as_deref().into()),
    ])
}

fn suggestion<'a>((case, about, text): Advice<'a>) -> Json<'a> {
    object([("case", (&*case.name).into()), ("about", about.into()), ("text", text.into())])
}
