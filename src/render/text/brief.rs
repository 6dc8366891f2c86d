//! Briefs for an agent: what failed and why, as Markdown with a size limit.
//!
//! The most urgent blocks come first. Blocks that do not fit are left out whole, and counted.

use std::fmt::Write;

use crate::analyze::{
    CaseCheck, CheckAt, FlipKind, Hunk, Quote, Repeats, SkillLoadCounts, missing, tally_of,
};
use crate::digest::{self, FailedCheck, IterationProgress, Reviews};
use crate::language::{Language, Rate, say};
use crate::model::{Case, Outcome, Proposal, Review, Tally};
use crate::render::context::{Part, PartAddresses, RenderContext, Task, addresses, escape};
use crate::text::{cut, cut_line, tokens};
use crate::wording::{answer, loading, quotations, recorded_results, repeats, sides};

/// The smallest limit that [`workspace`] can keep, in bytes: a heading with four long names fits.
pub const LEAST: usize = 8_000;

#[derive(Clone, Copy)]
struct LengthLimit {
    most: usize,
    measure: fn(&str) -> usize,
    key: &'static str,
}

const ON_PAGE: LengthLimit =
    LengthLimit { most: 16_000, measure: |text| text.chars().count(), key: "brief.cut" };

/// Reserved for the line that says what was left out.
const RESERVED: usize = 400;
/// Characters of a text, and of a name in a heading.
const TEXT_LENGTH: usize = 800;
const NAME_LENGTH: usize = 120;

/// Runs or quotations that are named as evidence.
const QUOTED: usize = 3;

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    for index in 0..context.part.workspace.iterations.len() {
        let path = context.addresses.iteration_file(index, "brief.md");
        tasks.push(Task::infallible(path, move || iteration(context, index)));
    }
}

pub(crate) fn iteration(context: RenderContext<'_>, index: usize) -> String {
    let cases = cases_with_lines(context.part, context.addresses, index);
    BriefWriter::new(context, index, &cases).fitted(String::new(), Vec::new(), ON_PAGE)
}

/// The brief of a workspace, in at most `most` bytes: its newest iteration in which a candidate was
/// graded, else ran, with the changes that analyses propose.
pub fn workspace(part: &Part<'_>, language: &Language, most: usize) -> String {
    let progress = IterationProgress::for_iterations(&part.flips);
    let Some(index) = newest(part, &progress) else {
        let nothing = language.text("brief.nothing");
        return format!("# {}\n\n{nothing}\n", name(part.title()));
    };
    let iteration = &part.workspace.iterations[index];
    let cases = cases_with_lines(part, &addresses(std::slice::from_ref(part))[0], index);
    let (progress, reviews) = (&progress[index], &Reviews::new(iteration));
    let writer = BriefWriter { part, progress, reviews, language, index, cases: &cases };
    let limit = LengthLimit { most: most.max(LEAST), measure: str::len, key: "brief.cut_bytes" };
    let proposals = iteration.analyses.iter().flat_map(|analysis| &analysis.proposals);
    let proposals = proposals.filter_map(|proposal| proposed(language, proposal)).collect();
    let mut lead = String::new();
    if let Some(newer) = answer::newer(part.facts(language)) {
        lead = escape::markdown(&newer) + "\n\n";
    }
    writer.fitted(lead, proposals, limit)
}

/// The newest iteration in which a candidate was graded, else ran, else the last.
pub(crate) fn newest(part: &Part<'_>, progress: &[IterationProgress<'_>]) -> Option<usize> {
    let ran = || progress.iter().rposition(|one| one.after.is_some());
    let last = || part.workspace.iterations.len().checked_sub(1);
    part.analysis.newest().or_else(ran).or_else(last)
}

/// The cases of an iteration with their case lines.
pub(crate) fn cases_with_lines<'a>(
    part: &Part<'a>,
    addresses: &PartAddresses,
    index: usize,
) -> Vec<(usize, &'a Case)> {
    let cases = part.workspace.iterations[index].cases.iter().enumerate();
    cases.map(|(at, case)| (addresses.line(index, at), case)).collect()
}

fn proposed(language: &Language, proposal: &Proposal) -> Option<String> {
    let text = proposal.text.as_deref().or(proposal.after.as_deref())?;
    let mut item = String::from("- ");
    if let Some(area) = &proposal.area {
        let _ = write!(item, "**{}**: ", name(area));
    }
    let _ = writeln!(item, "{}", shown(text));
    for (key, words) in [("brief.now", &proposal.before), ("brief.then", &proposal.after)] {
        if let Some(words) = words
            && words != text
        {
            let _ = writeln!(item, "  - {}", say!(language, key, words = shown(words)));
        }
    }
    Some(item)
}

/// The brief of a case, in the last iteration that has it.
pub(crate) fn case(context: RenderContext<'_>, line: usize) -> String {
    let Some(last) = context.part.analysis.cases[line].appearances.last() else {
        return String::new();
    };
    let case = &context.part.workspace.iterations[last.iteration].cases[last.case];
    let mut lead = String::new();
    if let Some(prompt) = &case.prompt {
        let _ = writeln!(lead, "## {}\n", context.language.text("brief.prompt"));
        for line in cut(prompt, TEXT_LENGTH).lines() {
            let _ = writeln!(lead, "> {}", markdown(line));
        }
        lead.push('\n');
    }
    BriefWriter::new(context, last.iteration, &[(line, case)]).fitted(lead, Vec::new(), ON_PAGE)
}

/// Writes the brief of some cases of an iteration, given with their case lines.
struct BriefWriter<'a> {
    part: &'a Part<'a>,
    progress: &'a IterationProgress<'a>,
    reviews: &'a Reviews<'a>,
    language: &'a Language,
    /// Index of the iteration.
    index: usize,
    cases: &'a [(usize, &'a Case)],
}

impl<'a> BriefWriter<'a> {
    fn new(context: RenderContext<'a>, index: usize, cases: &'a [(usize, &'a Case)]) -> Self {
        let RenderContext { part, shared, language, .. } = context;
        let (progress, reviews) = (&shared.progress[index], &shared.reviews[index]);
        Self { part, progress, reviews, language, index, cases }
    }

    /// The brief with `lead` after its head, in at most the length of `limit`.
    fn fitted(&self, lead: String, proposals: Vec<String>, limit: LengthLimit) -> String {
        let Self { progress, language, cases, .. } = *self;
        let (mut regressed, mut failed) = (Vec::new(), Vec::new());
        for failure in digest::failures(progress, cases) {
            let item = self.failure(&failure);
            if failure.before.is_some() { regressed.push(item) } else { failed.push(item) }
        }
        let mut suggestions = Vec::new();
        for (case, about, text) in digest::advice(progress, cases) {
            let about = about.map_or(String::new(), |about| format!("{}: ", markdown(about)));
            suggestions.push(format!("- {}: {about}{}\n", name(&case.name), shown(text)));
        }
        let sections = [
            ("brief.regressed", regressed),
            ("brief.failed", failed),
            ("brief.evidence", self.evidence()),
            ("brief.edits", self.edits()),
            ("brief.feedback", self.feedback()),
            ("brief.proposals", proposals),
            ("repeats.brief", self.repeats()),
            ("brief.suggestions", suggestions),
        ];
        let is_empty = sections.iter().all(|(_, items)| items.is_empty());
        let (head, is_graded) = self.head();
        let mut text = join(language, head + &lead, sections, limit);
        if is_graded && is_empty {
            let _ = writeln!(text, "{}", language.text("brief.nothing"));
        }
        text
    }

    /// Title and counts of the candidate, and whether it has a verdict.
    fn head(&self) -> (String, bool) {
        let Self { part, progress, language, index, cases, .. } = *self;
        let iterations = &part.workspace.iterations;
        let iteration = name(&iterations[index].name);
        let mut text = match cases {
            [(_, case)] => format!("# {}: {}", name(part.title()), name(&case.name)),
            _ => format!("# {}", name(part.title())),
        };
        let _ = write!(text, ", {iteration}\n\n");
        let tally = tally(progress, cases);
        let Some(side) = progress.after.as_ref().filter(|_| tally.graded() > 0) else {
            let recorded = recorded_results::for_brief(&iterations[index], language);
            let state = recorded.unwrap_or_else(|| language.text("brief.ungraded").to_owned());
            let _ = write!(text, "{}\n\n", shown(&state));
            return (text, false);
        };
        let Rate { percent, counts, .. } = Rate::new(tally, language);
        let configuration = name(&side.configuration);
        text += &say!(language, "brief.passed", configuration, percent, counts);
        if let Some(earlier) = &progress.before {
            let before = name(&iterations[earlier.iteration].name);
            let _ = write!(text, " {}", say!(language, "brief.against", before));
            let differences = sides::differences(part.facts(language), [earlier, side]);
            if !differences.is_empty() {
                let _ = write!(text, " {}", shown(&differences));
            }
        }
        let loads = SkillLoadCounts::new(&iterations[index].cases, &side.configuration);
        // A check cannot have failed because of the skill in a run that did not load it.
        if let Some(counts) = loading::counts(&loads, language)
            && loads.not_loaded > 0
        {
            let mut sentences = vec![say!(language, "loading.brief", counts)];
            sentences.extend(loading::diluted(&loads, language));
            sentences.extend(loading::remarks(&loads, language));
            let _ = write!(text, "\n\n{}", markdown(&language.sentences(sentences)));
        }
        (text + "\n\n", true)
    }

    /// A failed check with its counts and the evidence of its first runs.
    fn failure(&self, failure: &FailedCheck<'_>) -> String {
        let language = self.language;
        let mut item = String::from("- ");
        if self.cases.len() > 1 {
            let _ = write!(item, "{}: ", name(&failure.case.name));
        }
        let after = Rate::counts_of(failure.tally);
        let counts = match failure.before {
            Some(before) => say!(language, "brief.was", before = Rate::counts_of(before), after),
            None => say!(language, "brief.of", counts = after),
        };
        let _ = write!(item, "**{}** ({counts})", markdown(failure.text));
        if let Some(description) = failure.description {
            let _ = write!(item, ": {}", shown(description));
        }
        item.push('\n');
        for (number, evidence) in failure.evidence.iter().take(QUOTED) {
            let run = say!(language, "brief.run", number);
            let _ = writeln!(item, "  - {run}: {}", shown(evidence));
        }
        item
    }

    /// Passed checks whose evidence quotes what is not there.
    fn evidence(&self) -> Vec<String> {
        let workspace = self.part.workspace;
        let mut items = Vec::new();
        for (at, missing) in unfounded(self.part, self.progress, self.index, self.cases) {
            let run = say!(self.language, "brief.run", number = at.run(workspace).number);
            let case = name(&at.case(workspace).name);
            let text = markdown(&at.check(workspace).text);
            let mut item = format!("- {case}: **{text}** ({run})\n");
            for quote in missing.into_iter().take(QUOTED) {
                let _ = writeln!(item, "  - “{}”", markdown(&quotations::short(quote)));
            }
            items.push(item);
        }
        items
    }

    /// Edits that share rare words with a regressed check, and failing checks that the skill does
    /// not mention.
    fn edits(&self) -> Vec<String> {
        let Some((_, edits)) = self.part.edits_of(self.index) else { return Vec::new() };
        let language = self.language;
        let mut items = Vec::new();
        for moved in edits.moved.iter().filter(|moved| moved.kind == FlipKind::Regressed) {
            let (Some(edit), Some(check)) = (&moved.edit, self.check(&moved.check)) else {
                continue;
            };
            let Hunk { file, line, removed, added } = &edit.hunk;
            let text = if added.is_empty() { removed } else { added };
            let edit = markdown(&cut_line(text, TEXT_LENGTH));
            let place = say!(language, "quotes.place", file = markdown(file), line);
            items.push(format!("- {check}\n  - {}\n", say!(language, "brief.edit", place, edit)));
        }
        for unmentioned in &edits.unmentioned {
            if let Some(check) = self.check(unmentioned) {
                items.push(format!("- {}\n", say!(language, "brief.unmentioned", check)));
            }
        }
        items
    }

    /// Case and text of a check; `None` for a case that the brief is not about.
    fn check(&self, check: &CaseCheck) -> Option<String> {
        let (_, case) = self.cases.iter().find(|(index, _)| *index == check.line)?;
        Some(format!("{}: **{}**", name(&case.name), markdown(&check.text)))
    }

    fn feedback(&self) -> Vec<String> {
        let iteration = &self.part.workspace.iterations[self.index];
        let mut reviews: Vec<&Review> = Vec::new();
        if self.is_whole() {
            // Comments on nothing in particular belong to the whole iteration.
            reviews.extend(iteration.feedback.iter().flat_map(|feedback| &feedback.reviews));
        } else {
            for (case, _) in self.cases {
                if let Some(place) = self.part.analysis.cases[*case].appearance(self.index) {
                    reviews.extend(self.reviews.on_case_and_runs(place.case));
                }
            }
        }
        let item =
            |review: &&Review| format!("- {}: {}\n", name(&review.run_id), shown(&review.text));
        reviews.iter().map(item).collect()
    }

    /// Work that the newest candidate repeats; only in the brief of its whole iteration.
    fn repeats(&self) -> Vec<String> {
        let Some(repeats) = repeats_of(self.part, self.index).filter(|_| self.is_whole()) else {
            return Vec::new();
        };
        let mut items = Vec::new();
        for made in &repeats.made {
            items.push(format!("- {}\n", shown(&repeats::sentence(made, repeats, self.language))));
        }
        if let Some(sentence) = repeats::unopened(repeats, self.language) {
            let names: Vec<&str> = repeats.unopened.iter().map(|file| file.name.as_str()).collect();
            items.push(format!("- {}\n", shown(&format!("{sentence} {}", names.join(", ")))));
        }
        items
    }

    fn is_whole(&self) -> bool {
        self.cases.len() == self.part.workspace.iterations[self.index].cases.len()
    }
}

pub(crate) fn tally(progress: &IterationProgress<'_>, cases: &[(usize, &Case)]) -> Tally {
    let mut tally = Tally::default();
    if let Some(side) = &progress.after {
        cases.iter().for_each(|(_, case)| tally.add(tally_of(case, &side.configuration)));
    }
    tally
}

/// Checks of `cases` that the candidate passed on missing quotations.
pub(crate) fn unfounded<'p>(
    part: &'p Part<'_>,
    progress: &IterationProgress<'_>,
    index: usize,
    cases: &[(usize, &Case)],
) -> Vec<(CheckAt, Vec<&'p Quote>)> {
    let configuration = progress.after.as_ref().map(|side| &side.configuration);
    let places = cases.iter().filter_map(|(line, _)| part.analysis.cases[*line].appearance(index));
    let checks = places.flat_map(|place| part.quotes().in_case(index, place.case));
    let mut missing_quotations = missing(checks);
    missing_quotations.retain(|(at, _)| {
        let is_passed = at.check(part.workspace).outcome == Outcome::Passed;
        is_passed && Some(&at.run(part.workspace).configuration) == configuration
    });
    missing_quotations
}

/// Repeats by the candidate of an iteration; only for the newest.
pub(crate) fn repeats_of<'p>(part: &'p Part<'_>, index: usize) -> Option<&'p Repeats> {
    part.repeats().filter(|found| found.index == index)
}

/// Joins the items that fit under their headings, and a line on those that do not.
fn join(
    language: &Language,
    mut text: String,
    sections: [(&str, Vec<String>); 8],
    limit: LengthLimit,
) -> String {
    let length = limit.measure;
    let mut remaining = (limit.most - RESERVED).saturating_sub(length(&text));
    let mut left_out = Vec::new();
    for (key, items) in sections {
        let heading = language.text(key);
        let mut section = format!("## {heading}\n\n");
        let (mut used, mut shown) = (length(&section) + 1, 0);
        for item in &items {
            used += length(item);
            if used > remaining {
                break;
            }
            section.push_str(item);
            shown += 1;
        }
        if shown > 0 {
            section.push('\n');
            remaining -= length(&section);
            text.push_str(&section);
        }
        if shown < items.len() {
            left_out.push(format!("{heading} ({} / {})", items.len() - shown, items.len()));
        }
    }
    if !left_out.is_empty() {
        let most = tokens(limit.most as f64);
        let _ = writeln!(text, "{}", say!(language, limit.key, most, rest = left_out.join(", ")));
    }
    text
}

/// A text from the data, cut if long.
fn shown(text: &str) -> String {
    markdown(&cut(text, TEXT_LENGTH))
}

fn name(text: &str) -> String {
    markdown(&cut(text, NAME_LENGTH))
}

/// Escapes without the `<span>` that keeps dollar signs from being mathematics on GitHub.
fn markdown(text: &str) -> String {
    escape::markdown(text).replace("<span>\\$</span>", "\\$")
}
