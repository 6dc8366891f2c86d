//! The answer where nothing is compared: not graded yet, one side only, two unknown sides, recorded
//! figures, trigger tests, nothing at all.

use crate::analyze::{Against, Change, Measure, Side};
use crate::budget::FEW_NAMES;
use crate::digest::{self, RecordedRate, RecordedRound, RecordedSide, State};
use crate::language::{Language, Rate, say};
use crate::wording::verdict::Difference;
use crate::wording::{Answer, Facts, headline, recorded_results, verdict};
use input::model::{Expectation, Iteration, Run};
use input::names;
use text::fixed;

/// A recorded rate that moved by less is no news: 10 points, in shares of 1.
const CLEAR_MOVE: f64 = 0.1;

/// The answer for a workspace in which no candidate has a verdict.
pub(super) fn without_verdicts(facts: Facts<'_>) -> Answer {
    let language = facts.language;
    let state = State::new(facts.workspace, facts.analysis);
    let (verdict, mut reason) = match state {
        State::OnlyRecorded => recorded(facts),
        State::OnlyTriggers => triggers(facts),
        State::NotGraded => not_graded(facts),
        _ => nothing(facts),
    };
    let mut sides = Vec::from_iter(recorded_results::line(facts.workspace, language));
    if let Some(what) = recorded_results::other_row(facts.workspace, language) {
        let others = say!(language, "overview.beside_told", what);
        // Where there is nothing else, what was read belongs to the answer.
        if state == State::Nothing {
            reason = language.sentences([reason, others]);
        } else {
            sides.push(others);
        }
    }
    let sides = language.sentences(sides);
    let headline = verdict.trim_end_matches(['.', '。']).to_owned();
    Answer { headline, verdict, reason, sides, ..Answer::default() }
}

fn not_graded(facts: Facts<'_>) -> (String, String) {
    let Facts { workspace, analysis, language } = facts;
    let mut runs = workspace.iterations.iter().flat_map(Iteration::runs);
    // Whoever has to mend a runner first cannot grade yet.
    if runs.all(|run| run.error.is_some()) {
        return (
            language.text("state.all_stopped").to_owned(),
            language.text("state.all_stopped_why").to_owned(),
        );
    }
    let totals = workspace.totals();
    let cases = language.count(analysis.cases.len(), "case");
    // Outputs can be reviewed before anybody grades them.
    let (key, things) = if totals.outputs > 0 {
        ("state.outputs", language.count(totals.outputs, "output"))
    } else {
        ("state.runs", language.count(digest::ungraded_runs(workspace).count(), "run"))
    };
    // Who has results that could not be read would mend them rather than grade again.
    let what = if digest::ungraded_runs(workspace).flat_map(Run::expectations).any(has_score) {
        language.text("state.no_threshold").to_owned()
    } else {
        say!(language, key, things, cases)
    };
    let reason = unread_results(facts).into_iter().chain([what]);
    (language.text("state.not_graded").to_owned(), language.sentences(reason))
}

fn has_score(check: &Expectation) -> bool {
    check.score.or(check.score_outside).is_some()
}

fn nothing(facts: Facts<'_>) -> (String, String) {
    let language = facts.language;
    let mut prepared = 0;
    if let Some(last) = facts.workspace.iterations.len().checked_sub(1) {
        prepared = digest::prepared_cases(facts.workspace, last).len();
    }
    let reason = if let Some(unread) = unread_results(facts) {
        unread
    } else if prepared > 0 {
        // `init` made the folders, and nobody can grade yet.
        say!(language, "state.only_prepared", cases = language.count(prepared, "case"))
    } else {
        language.text("state.nothing_why").to_owned()
    };
    (language.text("state.nothing").to_owned(), reason)
}

/// What to do with files that look like results and were not understood; `None` without any.
fn unread_results(facts: Facts<'_>) -> Option<String> {
    let paths = digest::unread_results(facts.workspace);
    if paths.is_empty() {
        return None;
    }
    let names = paths.iter().map(|path| names::file_name(path).to_owned()).collect();
    let files = facts.language.first_few(names, FEW_NAMES, "list.comma");
    Some(say!(facts.language, "state.unread", files))
}

fn triggers(facts: Facts<'_>) -> (String, String) {
    let Facts { workspace, language, .. } = facts;
    let rounds = &workspace.trigger_rounds;
    let Some(shown) = digest::shown_round(rounds) else { return nothing(facts) };
    let round = &rounds[shown];
    let counts = digest::query_counts(round);
    let (right, total) = match (round.passed, round.total) {
        _ if counts.total > 0 => (counts.right as f64, counts.total as f64),
        (Some(passed), Some(total)) => (passed, total),
        _ => return nothing(facts),
    };
    let queries = language.counted(&fixed(total, 0), total == 1.0, "query");
    let verdict = say!(language, "state.queries_right", right = fixed(right, 0), queries);
    let mut reason = Vec::new();
    if rounds.len() > 1 {
        let are_equal =
            rounds.iter().all(|other| (other.passed, other.total) == (round.passed, round.total));
        let key = if are_equal && rounds.len() == 2 {
            "state.both_rounds"
        } else if are_equal {
            "state.same_rounds"
        } else if digest::best_round(rounds).is_some() {
            "state.best"
        } else {
            "state.last"
        };
        reason.push(say!(language, key, n = shown + 1, total = rounds.len()));
    }
    // Where the harness cannot load the skill, every query without it counts as right.
    if digest::never_fires(rounds) {
        reason.push(language.text("triggers.never_fires").to_owned());
    } else if counts.wanted > 0 {
        let (loaded, wanted) = (counts.loaded, counts.wanted);
        reason.push(say!(language, "state.loaded", loaded, wanted));
    }
    if counts.unwanted > 0 {
        let key = match counts.loaded_by_mistake {
            0 => "state.no_mistake",
            _ => "state.mistakes",
        };
        reason.push(say!(language, key, n = counts.loaded_by_mistake, all = counts.unwanted));
    }
    (verdict, language.sentences(reason))
}

fn recorded(facts: Facts<'_>) -> (String, String) {
    let Facts { workspace, language, .. } = facts;
    let word = language.text("state.recorded");
    let unchecked = language.text("state.unchecked").to_owned();
    let rounds = digest::recorded_rounds(workspace);
    let Some(last) = rounds.last() else {
        return (say!(language, "verdict.headline_alone", word), unchecked);
    };
    let candidate = &last.candidate;
    let share = candidate.rate.share().unwrap_or(0.0);
    let (mut size, mut rate, mut other_rate) =
        (language.percent(share), language.percent(share), None);
    if let Some(difference) = recorded_difference(last, language) {
        size = verdict::with_unit(Measure::PassRate, &difference.gain, language);
        rate = difference.after;
        other_rate = Some(difference.before);
    }
    let candidate_rate = with_counts(rate, &candidate.rate, language);
    let other = last.baseline.as_ref().map(|side| {
        let percent = other_rate.unwrap_or_else(|| shown_share(&side.rate, language));
        let counts = with_counts(percent, &side.rate, language);
        say!(language, "badge.side", name = side.name, counts)
    });
    let mut reason = Vec::new();
    let far = farthest(&rounds, candidate, share);
    let iteration = &workspace.iterations[last.iteration].name;
    match far {
        Some(first) => {
            let is_fall = first.candidate.rate.share() > Some(share);
            reason.push(say!(
                language,
                if is_fall { "state.fell" } else { "state.rose" },
                name = candidate.name,
                before = rate_text(&first.candidate.rate, language),
                first = workspace.iterations[first.iteration].name,
                after = candidate_rate,
                iteration,
            ));
            if let Some(other) = other {
                reason.push(say!(language, "state.other", other));
            }
        }
        None => {
            let counts = candidate_rate;
            let mut sides = vec![say!(language, "badge.side", name = candidate.name, counts)];
            sides.extend(other);
            let sides = language.list(sides);
            reason.push(say!(language, "state.recorded_in", iteration, sides));
        }
    }
    reason.extend([not_run(&workspace.iterations[last.iteration], language), unchecked]);
    let lead_gone = far.and_then(|first| lead_gone(facts, last, first, &size));
    let headline = lead_gone.unwrap_or_else(|| say!(language, "verdict.headline", word, size));
    (headline, language.sentences(reason))
}

/// The headline where an earlier round, `first`, had another lead: that it is gone is the news, not the
/// few points of the last round. `None` where the two cannot be compared.
fn lead_gone(
    facts: Facts<'_>,
    last: &RecordedRound<'_>,
    first: &RecordedRound<'_>,
    size: &str,
) -> Option<String> {
    let Facts { workspace, language, .. } = facts;
    let other = last.baseline.as_ref()?.name;
    let difference = recorded_difference(first, language)?;
    Some(say!(
        language,
        "state.gap_gone",
        word = language.text("state.recorded"),
        name = last.candidate.name,
        size,
        other,
        before = verdict::with_unit(Measure::PassRate, &difference.gain, language),
        first = workspace.iterations[first.iteration].name,
    ))
}

/// How many cases the benchmarks of a round say they did not run; empty for none.
fn not_run(iteration: &Iteration, language: &Language) -> String {
    let number: usize = iteration.benchmarks.iter().map(|benchmark| benchmark.not_run.len()).sum();
    if number == 0 {
        return String::new();
    }
    say!(language, "state.not_run", cases = language.count(number, "case"))
}

/// The earlier round whose rate of `candidate` is farthest from `share`: the fall of a skill over many rounds is the news,
/// not the figures of the last one.
fn farthest<'r, 'w>(
    rounds: &'r [RecordedRound<'w>],
    candidate: &RecordedSide<'_>,
    share: f64,
) -> Option<&'r RecordedRound<'w>> {
    let (mut far, mut distance) = (None, CLEAR_MOVE);
    for round in rounds.iter().filter(|round| round.candidate.name == candidate.name) {
        let Some(earlier) = round.candidate.rate.share() else { continue };
        if (earlier - share).abs() > distance {
            (far, distance) = (Some(round), (earlier - share).abs());
        }
    }
    far
}

/// The recorded rates of both sides and the gain, with decimals that add up; `None` for a single
/// side.
pub(crate) fn recorded_difference(
    round: &RecordedRound<'_>,
    language: &Language,
) -> Option<Difference> {
    let other = round.baseline.as_ref()?.rate.share()?;
    let shares = [other, round.candidate.rate.share()?];
    Some(verdict::difference(Measure::PassRate, shares, language))
}

/// `54 % (35/65)`, or the percentage alone.
pub(crate) fn rate_text(rate: &RecordedRate, language: &Language) -> String {
    with_counts(shown_share(rate, language), rate, language)
}

fn shown_share(rate: &RecordedRate, language: &Language) -> String {
    language.percent(rate.share().unwrap_or(0.0))
}

fn with_counts(percent: String, rate: &RecordedRate, language: &Language) -> String {
    match rate {
        RecordedRate::Counts(..) => {
            say!(language, "rate.whole", percent, counts = recorded_results::counts(rate, language))
        }
        RecordedRate::Share(_) => percent,
    }
}

/// The question which of several graded configurations is the baseline; `None` where that is known.
pub(super) fn which_baseline(facts: Facts<'_>, after: &Side) -> Option<(String, String)> {
    let Facts { analysis, language, .. } = facts;
    let sides = digest::unnamed_sides(analysis, after.iteration);
    if sides.len() < 2 {
        return None;
    }
    let mut rates = Vec::new();
    for side in &sides {
        let Some(summary) = analysis.summary(side) else { continue };
        let counts = Rate::over_cases(summary.by_case, summary.tally, language).percent;
        rates.push(say!(language, "badge.side", name = side.configuration, counts));
    }
    let rates = language.first_few(rates, FEW_NAMES, "list.comma");
    let flags = sides.iter().take(2).map(|side| format!("`--baseline {}`", side.configuration));
    let flags: Vec<String> = flags.collect();
    let flags = flags.join(language.text("state.or"));
    let reason = say!(language, "state.which_baseline_how", rates, flags);
    Some((language.text("state.which_baseline").to_owned(), reason))
}

/// The last comparison before `after`, which has none: `In iteration-7: Probably better · +75 points.`
pub(super) fn earlier_comparison(facts: Facts<'_>, after: &Side) -> Option<String> {
    let Facts { workspace, analysis, language } = facts;
    let mut earlier = (0..after.iteration).rev();
    let change: &Change = earlier.find_map(|iteration| {
        let change = analysis.change(&analysis.candidate_of(iteration)?, Against::Baseline)?;
        change.gain.paired().map(|_| change)
    })?;
    let iteration: &Iteration = &workspace.iterations[change.after.iteration];
    let headline = headline::headline(facts, change);
    let mut models = None;
    // A round on a smaller model says nothing about the skill.
    if !analysis.are_under_one_condition([&change.after, after]) {
        models = analysis.models_of(&change.after);
    }
    let (name, before) = (&iteration.name, &change.before.configuration);
    let after = &change.after.configuration;
    Some(match models {
        Some(models) => {
            let model = language.list(models);
            say!(language, "state.earlier_model", iteration = name, model, before, headline)
        }
        None => say!(language, "state.earlier", iteration = name, after, before, headline),
    })
}
