//! Briefs for an agent: what failed and why, as Markdown with a size limit.
//!
//! The most urgent blocks come first. Blocks that do not fit are left out whole, and counted.

use std::fmt::Write;

use crate::analyze::{CheckAt, FlipKind, Hunk, Quote, Repeats, SkillLoadCounts, missing, tally_of};
use crate::digest::{self, Advice, FailedCheck, IterationProgress, Reviews};
use crate::language::Language;
use crate::model::{Case, Outcome, Proposal, Review, Tally};
use crate::render::context::{
    Part, PartAddresses, Rate, RenderContext, Task, addresses, cut, cut_line, escape,
};
use crate::wording::{answer, loading, quotations, recorded_results, repeats, verdict};

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
/// Most characters of a text, and of a name in a heading.
const LONGEST: usize = 800;
const LONGEST_NAME: usize = 120;
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
    let newer = answer::newer(part.facts(language))
        .map_or(String::new(), |newer| escape::markdown(&newer) + "\n\n");
    writer.fitted(newer, proposals, limit)
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
    let area = proposal.area.as_ref().map(|area| format!("**{}**: ", name(area)));
    let mut item = format!("- {}{}\n", area.unwrap_or_default(), markdown(&cut(text, LONGEST)));
    for (key, words) in [("brief.now", &proposal.before), ("brief.then", &proposal.after)] {
        if let Some(words) = words.as_ref().filter(|words| words.as_str() != text) {
            let words = markdown(&cut(words, LONGEST));
            let _ = writeln!(item, "  - {}", language.fill(key, &[("words", &words)]));
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
    let lead = case.prompt.as_ref().map(|prompt| {
        let prompt = cut(prompt, LONGEST);
        let lines: String = prompt.lines().map(|line| format!("> {}\n", markdown(line))).collect();
        format!("## {}\n\n{lines}\n", context.language.text("brief.prompt"))
    });
    let lead = lead.unwrap_or_default();
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

    fn fitted(&self, lead: String, proposals: Vec<String>, limit: LengthLimit) -> String {
        let Self { progress, language, cases, .. } = *self;
        let failures = digest::failures(progress, cases);
        let (regressed, failed): (Vec<_>, Vec<_>) =
            failures.into_iter().partition(|failure| failure.before.is_some());
        let failure_blocks = |failures: Vec<FailedCheck<'_>>| -> Vec<String> {
            let name =
                |failure: &FailedCheck<'_>| (cases.len() > 1).then(|| name(&failure.case.name));
            failures.iter().map(|failure| block(language, name(failure), failure)).collect()
        };
        let advice = |(case, about, text): Advice<'_>| {
            let about = about.map(|about| format!("{}: ", markdown(about))).unwrap_or_default();
            format!("- {}: {about}{}\n", name(&case.name), markdown(&cut(text, LONGEST)))
        };
        let suggestions = digest::advice(progress, cases).into_iter().map(advice).collect();
        let sections = [
            ("brief.regressed", failure_blocks(regressed)),
            ("brief.failed", failure_blocks(failed)),
            ("brief.evidence", self.evidence()),
            ("brief.edits", self.edits()),
            ("brief.feedback", self.feedback()),
            ("brief.proposals", proposals),
            ("repeats.brief", self.repeats()),
            ("brief.suggestions", suggestions),
        ];
        let is_empty = sections.iter().all(|(_, blocks)| blocks.is_empty());
        let (head, is_graded) = self.head();
        let text = join(language, head + &lead, sections, limit);
        match is_graded && is_empty {
            true => text + language.text("brief.nothing") + "\n",
            false => text,
        }
    }

    /// Title and counts of the candidate, and whether it has a verdict.
    fn head(&self) -> (String, bool) {
        let Self { part, progress, language, index, cases, .. } = *self;
        let iterations = &part.workspace.iterations;
        let iteration = name(&iterations[index].name);
        let title = match cases {
            [(_, case)] => format!("{}: {}", name(part.title()), name(&case.name)),
            _ => name(part.title()),
        };
        let mut text = format!("# {title}, {iteration}\n\n");
        let tally = tally(progress, cases);
        let Some(side) = progress.after.as_ref().filter(|_| tally.graded() > 0) else {
            let ungraded = || language.text("brief.ungraded").to_owned();
            let left =
                recorded_results::for_brief(&iterations[index], language).unwrap_or_else(ungraded);
            return (text + &markdown(&cut(&left, LONGEST)) + "\n\n", false);
        };
        let rate = Rate::new(tally, language);
        let (configuration, percent) = (name(&side.configuration), &rate.percent);
        text.push_str(&language.fill(
            "brief.passed",
            &[("configuration", &configuration), ("percent", percent), ("counts", &rate.counts)],
        ));
        if let Some(side_before) = &progress.before {
            let before = name(&iterations[side_before.iteration].name);
            let _ = write!(text, " {}", language.fill("brief.against", &[("before", &before)]));
            let differs = verdict::sides_differ(part.facts(language), [side_before, side]);
            if !differs.is_empty() {
                let _ = write!(text, " {}", markdown(&cut(&differs, LONGEST)));
            }
        }
        let loads = SkillLoadCounts::new(&iterations[index].cases, &side.configuration);
        let counts = loading::counts(&loads, language).filter(|_| loads.not_loaded > 0);
        if let Some(counts) = counts {
            let mut sentences = vec![language.fill("loading.brief", &[("counts", &counts)])];
            sentences.extend(loading::diluted(&loads, language));
            sentences.extend(loading::remarks(&loads, language));
            let _ = write!(text, "\n\n{}", markdown(&language.sentences(sentences)));
        }
        (text + "\n\n", true)
    }

    fn evidence(&self) -> Vec<String> {
        let block = |(at, missing): (CheckAt, Vec<&Quote>)| {
            let workspace = self.part.workspace;
            let run = self.language.fill("brief.run", &[("number", &at.run(workspace).number)]);
            let (case, text) =
                (name(&at.case(workspace).name), markdown(&at.check(workspace).text));
            let mut block = format!("- {case}: **{text}** ({run})\n");
            for quote in missing.into_iter().take(QUOTED) {
                let _ = writeln!(block, "  - “{}”", markdown(&quotations::short(quote)));
            }
            block
        };
        let unfounded = unfounded(self.part, self.progress, self.index, self.cases);
        unfounded.into_iter().map(block).collect()
    }

    /// Edits that share rare words with a regressed check, and failing checks that the skill does
    /// not mention.
    fn edits(&self) -> Vec<String> {
        let Some((_, edits)) = self.part.edits_of(self.index) else { return Vec::new() };
        let words = self.language;
        let case_name = |line: usize| {
            let case = self.cases.iter().find(|(known, _)| *known == line)?;
            Some(name(&case.1.name))
        };
        let regressed = edits.moved.iter().filter(|moved| moved.kind == FlipKind::Regressed);
        let linked = regressed.filter_map(|moved| {
            let Hunk { file, line, removed, added } = &moved.edit.as_ref()?.hunk;
            let case = case_name(moved.check.line)?;
            let text = if added.is_empty() { removed } else { added };
            let edit = markdown(&cut_line(text, LONGEST));
            let place = words.fill("quotes.place", &[("file", &markdown(file)), ("line", line)]);
            let edit = words.fill("brief.edit", &[("place", &place), ("edit", &edit)]);
            Some(format!("- {case}: **{}**\n  - {edit}\n", markdown(&moved.check.text)))
        });
        let unmentioned = edits.unmentioned.iter().filter_map(|check| {
            let check = format!("{}: **{}**", case_name(check.line)?, markdown(&check.text));
            Some(format!("- {}\n", words.fill("brief.unmentioned", &[("check", &check)])))
        });
        linked.chain(unmentioned).collect()
    }

    fn feedback(&self) -> Vec<String> {
        let iteration = &self.part.workspace.iterations[self.index];
        // Comments on nothing in particular belong to the whole iteration.
        let reviews: Vec<&Review> = match self.is_whole() {
            true => iteration.feedback.iter().flat_map(|feedback| &feedback.reviews).collect(),
            false => {
                let lines = self.cases.iter().map(|(line, _)| &self.part.analysis.cases[*line]);
                let places = lines.filter_map(|line| line.appearance(self.index));
                places.flat_map(|place| self.reviews.on_case_and_runs(place.case)).collect()
            }
        };
        let block = |review: &&Review| {
            format!("- {}: {}\n", name(&review.run_id), markdown(&cut(&review.text, LONGEST)))
        };
        reviews.iter().map(block).collect()
    }

    /// Work that the newest candidate repeats; only in the brief of its whole iteration.
    fn repeats(&self) -> Vec<String> {
        let repeats = repeats_of(self.part, self.index).filter(|_| self.is_whole());
        let Some(repeats) = repeats else { return Vec::new() };
        let made = repeats.made.iter();
        let made = made.map(|made| repeats::sentence(made, repeats, self.language));
        let unopened = repeats::unopened(repeats, self.language).map(|sentence| {
            let names: Vec<&str> = repeats.unopened.iter().map(|file| file.name.as_str()).collect();
            format!("{sentence} {}", names.join(", "))
        });
        let item = |text: String| format!("- {}\n", markdown(&cut(&text, LONGEST)));
        made.chain(unopened).map(item).collect()
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

fn block(language: &Language, case: Option<String>, failure: &FailedCheck<'_>) -> String {
    let case = case.map(|case| case + ": ").unwrap_or_default();
    let counts = Rate::counts_of(failure.tally);
    let counts = match failure.before.map(Rate::counts_of) {
        Some(before) => language.fill("brief.was", &[("before", &before), ("after", &counts)]),
        None => language.fill("brief.of", &[("counts", &counts)]),
    };
    let longer = failure.description.map(|text| format!(": {}", markdown(&cut(text, LONGEST))));
    let longer = longer.unwrap_or_default();
    let mut text = format!("- {case}**{}** ({counts}){longer}\n", markdown(failure.text));
    for (number, evidence) in failure.evidence.iter().take(QUOTED) {
        let run = language.fill("brief.run", &[("number", number)]);
        let _ = writeln!(text, "  - {run}: {}", markdown(&cut(evidence, LONGEST)));
    }
    text
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

/// Joins the blocks that fit under their headings, and a line on those that do not.
fn join(
    language: &Language,
    mut text: String,
    sections: [(&str, Vec<String>); 8],
    limit: LengthLimit,
) -> String {
    let length = limit.measure;
    let mut remaining = (limit.most - RESERVED).saturating_sub(length(&text));
    let mut left_out = Vec::new();
    for (key, blocks) in sections {
        let heading = language.text(key);
        let title = format!("## {heading}\n\n");
        let mut used = length(&title) + 1;
        let fits = |block: &&String| {
            used += length(block);
            used <= remaining
        };
        let shown = blocks.iter().take_while(fits).count();
        if shown < blocks.len() {
            left_out.push(format!("{heading} ({} / {})", blocks.len() - shown, blocks.len()));
        }
        if shown > 0 {
            let section = format!("{title}{}\n", blocks[..shown].concat());
            remaining -= length(&section);
            text.push_str(&section);
        }
    }
    if !left_out.is_empty() {
        let most = crate::text::tokens(limit.most as f64);
        let notice = language.fill(limit.key, &[("most", &most), ("rest", &left_out.join(", "))]);
        let _ = writeln!(text, "{notice}");
    }
    text
}

fn name(text: &str) -> String {
    markdown(&cut(text, LONGEST_NAME))
}

/// Escapes without the `<span>` that keeps dollar signs from being mathematics on GitHub.
fn markdown(text: &str) -> String {
    escape::markdown(text).replace("<span>\\$</span>", "\\$")
}
