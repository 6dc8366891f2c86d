//! Briefs for an agent: what failed and why, as Markdown with a size limit.
//!
//! The most urgent blocks come first. Blocks that do not fit are left out whole, and counted.

mod failures;
mod items;
mod people;

use std::fmt::Write;

use crate::analyze::Side;
use crate::digest::{self, Brief, CheckName, IterationProgress, Reviews, State};
use crate::language::{Language, Rate, say};
use crate::render::context::{Part, RenderContext, Task};
use crate::render::text::brief::items::{
    RESERVED, TEXT_LENGTH, join, name, plain, proposal_item, regressed_title, rows_and_next, shown,
    skill_edits, stopped_runs,
};
use crate::wording::Answer;
use crate::wording::{answer, by_condition, loading, quotations, recorded_results, sides, verdict};
use input::model::{Case, Iteration, TriggerRound};
use text::{cut, cut_line, printable};

/// The smallest limit of a brief in bytes. Each entry beyond ten makes room for one more.
pub const LEAST: usize = 2_400;
const ENTRY: usize = LEAST / 10;

/// The largest limit that a brief gets by itself.
pub const MOST: usize = 16_000;

/// Characters of a brief on a page.
const PAGE_LENGTH: usize = 16_000;

/// Checks or runs that are named if they failed for the same reason.
const NAMED_CHECKS: usize = 5;

/// Runs or quotations that are named as evidence.
const QUOTED: usize = 3;

/// Queries that went wrong, and characters of each.
const QUERIES: usize = 20;
const QUERY_LENGTH: usize = 200;

#[derive(Clone, Copy)]
enum LengthLimit {
    Characters(usize),
    Bytes(usize),
}

impl LengthLimit {
    fn most(self) -> usize {
        match self {
            Self::Characters(most) | Self::Bytes(most) => most,
        }
    }

    /// What is left after `text`, without the room for the line on what was left out.
    fn remaining(self, text: &str) -> usize {
        (self.most() - RESERVED).saturating_sub(self.measure(text))
    }

    fn measure(self, text: &str) -> usize {
        match self {
            Self::Characters(_) => text.chars().count(),
            Self::Bytes(_) => text.len(),
        }
    }
}

pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    for index in 0..context.part.workspace.iterations.len() {
        let path = context.addresses.iteration_file(index, "brief.md");
        tasks.push(Task::infallible(path, move || iteration(context, index).clone()));
    }
}

pub(crate) fn iteration<'a>(context: RenderContext<'a>, index: usize) -> &'a String {
    let RenderContext { part, shared, language, .. } = context;
    shared.briefs[index].get_or_init(|| {
        let brief = Brief::of_iteration(&part.comparisons, &shared.progress[index], index);
        let writer = BriefWriter { part, language, brief };
        writer.write(String::new(), Some(LengthLimit::Characters(PAGE_LENGTH)))
    })
}

/// Bytes for the line that names the workspaces without room.
const LAST_LINE: usize = 1_000;

/// The briefs of several workspaces in at most `most` bytes, else in as many as they need. Those
/// without room are named.
pub fn workspaces(parts: &[Part<'_>], language: &Language, most: Option<usize>) -> String {
    let mut text = String::new();
    if let ([only], None) = (parts, most) {
        return workspace(only, language, None);
    }
    let most = most.unwrap_or(MOST);
    for (at, part) in parts.iter().enumerate() {
        // Each has an equal share of what is left, and the last line has its own room.
        let others = parts.len() - at - 1;
        let room = most.saturating_sub(text.len() + if others == 0 { 0 } else { LAST_LINE });
        if at > 0 && room <= LEAST {
            let names: Vec<&str> = parts[at..].iter().map(|part| part.title()).collect();
            let (n, names) = (names.len(), language.list(names));
            let line = say!(language, "brief.more_workspaces", n, names);
            return text + &format!("\n{}\n", cut(&printable(&line), LAST_LINE / 4));
        }
        if at > 0 {
            text.push('\n');
        }
        let share = (room / (others + 1)).max(LEAST.min(room));
        text += &workspace(part, language, Some(share - usize::from(at > 0)));
    }
    text
}

/// The brief of a case of a workspace; `None` without one of this name.
pub fn of_case(part: &Part<'_>, language: &Language, name: &str, most: usize) -> Option<String> {
    let case_index = part.analysis.cases.iter().position(|case| case.name == name)?;
    let progress = IterationProgress::for_iterations(&part.comparisons);
    let reviews: Vec<Reviews<'_>> = part.workspace.iterations.iter().map(Reviews::new).collect();
    let (case, brief) = Brief::of_case(&part.comparisons, &progress, &reviews, case_index)?;
    let lead = prompt_of(case, language);
    Some(BriefWriter { part, language, brief }.write(lead, Some(LengthLimit::Bytes(most))))
}

/// The brief of a workspace, in at most `most` bytes: its newest iteration in which a candidate was
/// graded, else ran.
fn workspace(part: &Part<'_>, language: &Language, most: Option<usize>) -> String {
    let brief = Brief::of_newest(&part.comparisons);
    // A trigger loop has queries and no checks.
    let brief = brief.filter(|_| State::new(part.workspace, part.analysis) != State::OnlyTriggers);
    let Some(brief) = brief else {
        let answer = Answer::new(&part.comparisons, language);
        let title = name(part.title());
        let queries = wrong_queries(&part.workspace.trigger_rounds, language);
        return format!("# {title}\n\n{}\n{queries}", plain(&answer.line(language)));
    };
    let mut lead = String::new();
    if let Some(newer) = answer::newer(part.facts(language)) {
        lead = plain(&newer) + "\n\n";
    }
    let limit = most.map(|most| LengthLimit::Bytes(most.max(LEAST)));
    BriefWriter { part, language, brief }.write(lead, limit)
}

/// The queries on which the skill loaded, or did not, against what they ask for.
fn wrong_queries(rounds: &[TriggerRound], language: &Language) -> String {
    let Some(round) = digest::shown_round(rounds) else { return String::new() };
    let mut items = Vec::new();
    for query in rounds[round].queries.iter().filter(|query| query.passed == Some(false)) {
        let key = match query.should_trigger {
            Some(false) => "brief.loaded_by_mistake",
            _ => "brief.not_loaded",
        };
        let text = plain(&cut_line(&query.query, QUERY_LENGTH));
        items.push(format!("- {}\n", say!(language, key, query = text)));
    }
    if items.is_empty() {
        return String::new();
    }
    let more = language.beyond("compare.more", items.len(), QUERIES);
    items.truncate(QUERIES);
    if !more.is_empty() {
        items.push(format!("- {more}\n"));
    }
    format!("\n## {}\n\n{}", language.text("brief.queries"), items.concat())
}

/// The brief of a case, in the last iteration that has it.
pub(crate) fn case(context: RenderContext<'_>, case_index: usize) -> String {
    let RenderContext { part, shared, language, .. } = context;
    let brief = Brief::of_case(&part.comparisons, &shared.progress, &shared.reviews, case_index);
    let Some((case, brief)) = brief else { return String::new() };
    let limit = LengthLimit::Characters(PAGE_LENGTH);
    BriefWriter { part, language, brief }.write(prompt_of(case, language), Some(limit))
}

fn prompt_of(case: &Case, language: &Language) -> String {
    let mut text = String::new();
    if let Some(prompt) = &case.prompt {
        let _ = writeln!(text, "## {}\n", language.text("brief.prompt"));
        for line in cut(prompt, TEXT_LENGTH).lines() {
            let _ = writeln!(text, "> {}", plain(line));
        }
        text.push('\n');
    }
    text
}

struct BriefWriter<'a> {
    part: &'a Part<'a>,
    language: &'a Language,
    brief: Brief<'a>,
}

impl BriefWriter<'_> {
    /// The brief with `lead` after its head; without a limit it has the room that its entries need.
    fn write(&self, lead: String, limit: Option<LengthLimit>) -> String {
        let brief = &self.brief;
        let mut sections = vec![("brief.stopped", stopped_runs(&brief.stopped, self.language))];
        let once = regressed_title(&brief.regressed) == "brief.regressed_once";
        sections.push((regressed_title(&brief.regressed), self.failures(&brief.regressed, once)));
        sections.push(("brief.failed", self.failures(&brief.failed, false)));
        sections.push(("brief.other_candidates", self.others()));
        sections.extend([
            ("brief.evidence", self.evidence()),
            ("brief.skill_edits", skill_edits(&brief.skill_edits, self.language)),
            (
                "brief.preferred",
                people::preferred(self.iteration(), brief.only_case, self.language),
            ),
            ("brief.disputed", people::disputed(self.iteration(), brief.only_case, self.language)),
            (
                "brief.grader_prompt",
                people::grader_prompt(
                    self.part.workspace,
                    brief.index,
                    brief.only_case,
                    self.language,
                ),
            ),
            ("brief.feedback", self.feedback()),
            ("brief.proposals", self.proposals()),
            ("brief.suggestions", self.suggestions()),
        ]);
        let is_empty = sections.iter().all(|(_, items)| items.is_empty());
        let limit = limit.unwrap_or_else(|| {
            let entries: usize = sections.iter().map(|(_, items)| items.len()).sum();
            LengthLimit::Bytes((entries * ENTRY).clamp(LEAST, MOST))
        });
        let mut text = join(self.language, self.head(lead, limit), sections, limit);
        let is_lost_elsewhere = brief.after.as_ref().is_some_and(|side| {
            !by_condition::regressed_at_all(self.part.facts(self.language), side).is_empty()
        });
        if is_empty && self.is_graded() && !is_lost_elsewhere {
            let _ = writeln!(text, "{}", self.language.text("brief.nothing"));
        }
        text
    }

    fn title(&self) -> String {
        let mut title = name(self.part.title());
        if let Some(case) = self.brief.only_case {
            title = self.language.labelled(&title, &name(case));
        }
        let iteration = name(self.brief.iteration);
        format!("# {}\n\n", say!(self.language, "matchups.within", title, iteration))
    }

    fn is_graded(&self) -> bool {
        self.brief.candidate.as_ref().is_some_and(|candidate| candidate.tally.graded() > 0)
    }

    /// The title, then what fits: both rows, the next step, the state in sentences, and `lead`.
    fn head(&self, lead: String, limit: LengthLimit) -> String {
        let mut text = self.title();
        let (mut parts, state) = self.rows_and_state();
        if !parts.is_empty() {
            parts.push("\n".to_owned());
        }
        parts.extend([state, lead]);
        for part in parts {
            if limit.measure(&part) <= limit.remaining(&text) {
                text += &part;
            }
        }
        text
    }

    /// What is there where nothing is graded: what a benchmark recorded, else what to do first.
    fn ungraded(&self) -> String {
        let Self { part, language, brief } = self;
        let iteration = &part.workspace.iterations[brief.index];
        if let Some(recorded) = recorded_results::for_brief(iteration, language) {
            recorded
        } else if part.analysis.newest().is_none() {
            Answer::new(&part.comparisons, language).line(language)
        } else {
            language.text("brief.ungraded").to_owned()
        }
    }

    /// Both rows with the next step, and the counts of the candidate and the side it is compared with;
    /// else what is recorded instead.
    fn rows_and_state(&self) -> (Vec<String>, String) {
        let Self { part, language, brief } = self;
        let iterations = &part.workspace.iterations;
        let (Some(side), true) = (&brief.after, self.is_graded()) else {
            return (Vec::new(), format!("{}\n\n", shown(&self.ungraded())));
        };
        let facts = part.facts(language);
        let mut sentences = Vec::new();
        let mut rows = Vec::new();
        if brief.only_case.is_none()
            && let Some(answer) =
                answer::answer_for(&part.comparisons, language, side, part.analysis.lead(side))
        {
            sentences.push(answer.line(language));
            rows = rows_and_next(&part.comparisons, language, side, &answer);
        }
        // Without a baseline the sides are iterations, as in the sentence before.
        let earlier_round = part.analysis.lead(side).filter(|lead| {
            brief.baseline.is_none() && brief.only_case.is_none() && !lead.is_within_iteration()
        });
        let [candidate_rate, baseline_rate] = self.compared_rates(side);
        for (counts, key, compared) in [
            (&brief.candidate, "brief.passed", candidate_rate),
            (&brief.baseline, "brief.baseline", baseline_rate),
        ] {
            if let Some(counts) = counts
                && counts.tally.graded() > 0
            {
                let own = match brief.only_case {
                    Some(_) => Rate::new(counts.tally, language),
                    None => Rate::over_cases(counts.mean_rate, counts.tally, language),
                };
                let rate = compared.unwrap_or(own);
                let mut configuration = &counts.configuration;
                if earlier_round.is_some() {
                    configuration = &iterations[side.iteration].name;
                }
                sentences.push(say!(language, key, configuration, rate = rate.whole(language)));
            }
        }
        sentences.extend(earlier_round.and_then(|lead| self.round_counts(&lead.before)));
        if let Some(earlier) = &brief.earlier
            && (brief.shares_nothing() || !brief.regressed.is_empty())
        {
            let before = &iterations[earlier.iteration].name;
            let key = if brief.shares_nothing() { "brief.no_shared_case" } else { "brief.against" };
            sentences.push(say!(language, key, before));
            sentences.extend(sides::difference_sentences(facts, [earlier, side]));
        }
        if brief.grader_failures > 0 {
            let checks = language.count(brief.grader_failures, "check");
            sentences.push(say!(language, "brief.grader_failed", checks));
        }
        let text = shown(&language.sentences(sentences));
        (rows, format!("{text}{}\n\n", self.not_loaded()))
    }

    /// A paragraph on runs that did without the skill; empty without any.
    // A check cannot have failed because of the skill in a run that did not load it.
    fn not_loaded(&self) -> String {
        let language = self.language;
        let Some(loads) = self.brief.loading.as_ref().filter(|loads| loads.not_loaded > 0) else {
            return String::new();
        };
        let Some(counts) = loading::counts(loads, language) else { return String::new() };
        let mut sentences = vec![say!(language, "loading.brief", counts)];
        sentences.extend(loading::diluted(loads, language));
        sentences.extend(loading::remarks(loads, language));
        format!("\n\n{}", plain(&language.sentences(sentences)))
    }

    /// The counts of a side under the name of its round; `None` without a verdict.
    fn round_counts(&self, side: &Side) -> Option<String> {
        let Self { part, language, .. } = self;
        let summary = part.analysis.summary(side)?;
        if summary.tally.graded() == 0 {
            return None;
        }
        let rate = Rate::over_cases(summary.by_case, summary.tally, language).whole(language);
        let configuration = &part.workspace.iterations[side.iteration].name;
        Some(say!(language, "brief.baseline", configuration, rate))
    }

    /// The pass rates of the compared cases, as the large word and the first screen have them, with their
    /// counts, the candidate first; `None` where the brief is not about a comparison.
    fn compared_rates(&self, side: &Side) -> [Option<Rate>; 2] {
        let analysis = self.part.analysis;
        let Some(lead) = analysis.lead(side) else { return [None, None] };
        let is_on_baseline = analysis.opposite(side).as_ref() == Some(&lead.before);
        if self.brief.only_case.is_some() || !is_on_baseline {
            return [None, None];
        }
        if lead.gain.comparison.is_none() {
            return [None, None];
        }
        verdict::compared_rates(self.part.facts(self.language), lead).map(Some)
    }

    /// Passed checks whose evidence quotes what is not there.
    fn evidence(&self) -> Vec<String> {
        let mut items = Vec::new();
        for unfounded in &self.brief.evidence {
            let CheckName { case, text } = unfounded.check;
            let run = say!(self.language, "brief.run", number = unfounded.run);
            let mut item = format!("- {}: **{}** ({run})\n", name(case), plain(text));
            for quotation in unfounded.quotations.iter().take(QUOTED) {
                let _ = writeln!(item, "  - “{}”", plain(&quotations::short(quotation)));
            }
            items.push(item);
        }
        items
    }

    fn iteration(&self) -> &Iteration {
        &self.part.workspace.iterations[self.brief.index]
    }

    fn feedback(&self) -> Vec<String> {
        let comments = self.brief.feedback.iter();
        comments.map(|review| people::comment(self.iteration(), review, self.language)).collect()
    }

    fn proposals(&self) -> Vec<String> {
        self.brief.proposals.iter().filter_map(|one| proposal_item(one, self.language)).collect()
    }

    fn suggestions(&self) -> Vec<String> {
        let mut items = Vec::new();
        for suggestion in &self.brief.suggestions {
            let mut line = shown(suggestion.text);
            if let Some(about) = suggestion.about {
                line = self.language.labelled(&plain(about), &line);
            }
            line = self.language.labelled(&name(suggestion.case), &line);
            items.push(format!("- {line}\n"));
        }
        items
    }
}
