//! One skill of the catalogue.

use serde_json::{Value, json};

use crate::analyze::{CostKind, Measure, VerdictWord};
use crate::budget::{CATALOGUE_DRAWINGS, FEW_NAMES};
use crate::chart;
use crate::chart::inline::BarSide;
use crate::language::{DASH, Language, say};
use crate::render::context::{Link, addresses};
use crate::render::data::conditions::ConditionSummary;
use crate::render::data::questions;
use crate::render::data::summary::{GainSummary, SideSummary, WorkspaceSummary};
use crate::render::html::catalogue::list::day;
use crate::render::html::catalogue::standing::{Group, Standing, is_against_earlier};
use crate::render::html::catalogue::{NamedReport, PATH};
use crate::wording::{headline, outcomes, verdict};
use statistics::Interval;
use text::cut_line;

/// Characters of a name and of a note: a summary that somebody edited may have any.
const NAME: usize = 80;
const NOTE: usize = 160;

pub(super) struct Row<'a> {
    pub(super) workspace: &'a WorkspaceSummary,
    pub(super) standing: Standing,
    /// Whether another skill of the page has the same title.
    pub(super) shows_workspace: bool,
    workspace_name: String,
    /// The name of its report in a site; empty for the report with the page.
    report: &'a str,
    /// The day of the commit that was evaluated; `None` if unknown.
    day: Option<String>,
    language: &'a Language,
}

/// The gain and both sides, as they are read: a dash where nothing is known.
struct Figures {
    points: String,
    passed: String,
    other: Option<String>,
}

impl<'a> Row<'a> {
    pub(super) fn new(
        workspace: &'a WorkspaceSummary,
        workspace_name: &str,
        report: &NamedReport<'a>,
        language: &'a Language,
    ) -> Self {
        Self {
            workspace,
            standing: Standing::new(workspace),
            shows_workspace: false,
            workspace_name: workspace_name.to_owned(),
            report: report.name,
            day: day(report.summary),
            language,
        }
    }

    /// Orders skills of one standing: the smallest gain first, and last what has none.
    pub(super) fn rank(&self) -> f64 {
        let gain = self.workspace.gain.as_ref().and_then(|gain| gain.mean);
        gain.unwrap_or(f64::INFINITY)
    }

    pub(super) fn title(&self) -> String {
        cut_line(&self.workspace.title, NAME)
    }

    /// The main button of the page.
    pub(super) fn next_step(&self) -> Link {
        let text = say!(self.language, "catalogue.look", skill = self.title());
        self.link(&self.workspace.page, &text)
    }

    fn link(&self, page: &str, text: &str) -> Link {
        let to = match self.report {
            "" => page.to_owned(),
            report => format!("{}/{page}", addresses::folder(report)),
        };
        Link::new(addresses::link(PATH, &to), text)
    }

    /// `index` is its place on the page.
    pub(super) fn view(&self, index: usize) -> Value {
        let (workspace, language) = (self.workspace, self.language);
        let is_drawn = index < CATALOGUE_DRAWINGS;
        let Figures { points, passed, other } = self.figures();
        let mean = workspace.gain.as_ref().and_then(|gain| gain.mean);
        let drawing = if is_drawn { self.drawing() } else { String::new() };
        let mut names = Vec::new();
        for condition in &workspace.conditions {
            names.extend(condition.condition.as_deref().map(|name| cut_line(name, NAME)));
        }
        let problems = match workspace.problems {
            0 => Link::default(),
            n => self.link(&workspace.problems_page, &language.count(n, "problem")),
        };
        let tokens = self.ratios(CostKind::Tokens, |found| found.tokens);
        // Where nobody recorded tokens, the time is the cost that is known.
        let time =
            if tokens.is_none() { self.ratios(CostKind::Time, |found| found.time) } else { None };
        json!({
            "standing": self.standing.name(),
            "link": self.link(&workspace.page, &self.title()),
            "workspace": if self.shows_workspace { cut_line(&self.workspace_name, NAME) } else { String::new() },
            "problems": problems,
            "sign": self.sign(),
            "tone": self.standing.tone().class(),
            "word": self.word(),
            "notes": self.notes(),
            "lost": self.lost(),
            "drawing": drawing,
            "points": points,
            "sort_gain": mean.map(|mean| format!("{mean:.4}")),
            "is_scored": self.measure() == Measure::Score,
            "passed": passed,
            "other": other,
            "tokens": tokens.unwrap_or_else(|| DASH.to_owned()),
            "time": time.map(|ratio| say!(language, "catalogue.of_time", ratio)),
            "has_more_tokens": workspace.conditions.iter().any(|found| found.has_more_tokens),
            "size": self.size(),
            "conditions": workspace.conditions.len(),
            "names": names,
            "sort_day": self.day.as_deref().map(|day| day.replace('-', "")),
            "day": self.day.as_deref().unwrap_or(DASH),
        })
    }

    fn measure(&self) -> Measure {
        self.workspace.gain.as_ref().map_or(Measure::PassRate, |gain| gain.measure)
    }

    /// Both rates on one line, from the other side to the candidate; empty where either is unknown.
    fn drawing(&self) -> String {
        let Some(shares) = self.shares() else { return String::new() };
        let label = match &self.workspace.gain {
            Some(GainSummary { mean: Some(mean), low, high, .. }) => {
                let gain = self.workspace.gain.as_ref().map(GainSummary::word);
                let word = gain.unwrap_or(VerdictWord::NoComparison);
                headline::figures(word, self.measure(), *mean, interval(*low, *high), self.language)
            }
            _ => String::new(),
        };
        let is_outlined = self.workspace.recorded_only || self.workspace.runs_per_case == 1;
        let other =
            if is_against_earlier(self.workspace) { BarSide::Earlier } else { BarSide::Other };
        chart::both_sides(shares.map(Some), other, self.standing.tone(), is_outlined, &label)
    }

    /// The pass rates of both sides; scores are on another scale.
    fn shares(&self) -> Option<[f64; 2]> {
        if let Some([before, after]) = self.workspace.recorded_rates {
            return Some([before?, after?]);
        }
        self.workspace.gain.as_ref()?.rates
    }

    fn figures(&self) -> Figures {
        let workspace = self.workspace;
        let passed = self.passed(workspace.candidate.as_ref());
        let mut figures = Figures {
            points: DASH.to_owned(),
            passed: passed.unwrap_or_else(|| DASH.to_owned()),
            other: self.passed(workspace.other.as_ref()),
        };
        if let Some([other, candidate]) = workspace.recorded_rates {
            if let Some(rate) = candidate {
                figures.passed = self.language.percent(rate);
            }
            if let Some((before, after)) = other.zip(candidate) {
                figures.other = Some(self.language.percent(before));
                figures.points = verdict::number(Measure::PassRate, after - before);
            }
        } else if let Some(gain) = &workspace.gain {
            if let Some(mean) = gain.mean {
                figures.points = verdict::number(self.measure(), mean);
            }
            // Those of the compared cases, whose difference the gain is.
            if let Some(rates) = gain.rates {
                let [before, after] = rates.map(|rate| self.language.percent(rate));
                (figures.passed, figures.other) = (after, Some(before));
            }
        }
        figures
    }

    fn sign(&self) -> &'static str {
        // Hollow signs say which way an open comparison points.
        let sign =
            self.workspace.gain.as_ref().map_or("", |gain| headline::hollow_sign(gain.word()));
        if self.standing == Standing::Open && !sign.is_empty() {
            return sign;
        }
        self.standing.sign()
    }

    /// The verdict, or what there is instead of one.
    fn word(&self) -> String {
        let (workspace, language) = (self.workspace, self.language);
        if let Some(outcome) = workspace.named_outcome() {
            return outcomes::word(outcome, language).to_owned();
        }
        if questions::is_unmeasured(&workspace.questions) {
            return language.text("headline.no_measurement").to_owned();
        }
        if let Some(word) = &workspace.under_conditions {
            return cut_line(word, NOTE);
        }
        let key = match (&workspace.candidate, &workspace.gain) {
            (None, _) if workspace.recorded_only => "catalogue.recorded",
            (None, _) if workspace.state == "only triggers" => "catalogue.only_triggers",
            (None, _) => "catalogue.not_graded",
            (_, None) if workspace.state == "unknown baseline" => "catalogue.which_baseline",
            (_, None) => "catalogue.no_comparison",
            (_, Some(gain)) => return headline::word_alone(gain.word(), language),
        };
        language.text(key).to_owned()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.by_condition());
        notes.extend(self.lost_since());
        if self.standing.group() == Group::Open {
            notes.push(self.missing());
        }
        notes.iter().map(|note| cut_line(note, NOTE)).collect()
    }

    /// `▼ 2 lost since the iteration before`; hollow where one run says so, and empty where nothing was lost.
    fn lost(&self) -> String {
        let lost = self.workspace.flips.map_or(0, |flips| flips.regressed);
        if lost == 0 {
            return String::new();
        }
        let sign = if self.workspace.runs_per_case == 1 { "▽" } else { "▼" };
        format!("{sign} {}", say!(self.language, "catalogue.regressed", n = lost))
    }

    /// `gpt-a +75, gpt-b ±0`; `None` under a single condition.
    fn by_condition(&self) -> Option<String> {
        if self.workspace.conditions.len() < 2 {
            return None;
        }
        let mut gains = Vec::new();
        for ConditionSummary { condition, mean, .. } in &self.workspace.conditions {
            let number = mean.map_or(DASH.to_owned(), |mean| verdict::number(self.measure(), mean));
            let condition = condition.as_deref().unwrap_or_default();
            gains.push(say!(self.language, "verdict.under", condition, size = number));
        }
        Some(self.language.first_few(gains, FEW_NAMES, "list.comma"))
    }

    /// The iteration in which a skill that lost its gain was better.
    fn lost_since(&self) -> Option<String> {
        let outcomes = &self.workspace.outcomes;
        let lost = outcomes.iter().find(|found| found.outcome.is_loss())?;
        let iteration = &lost.before.as_ref()?.iteration;
        Some(say!(self.language, "catalogue.was_better", iteration))
    }

    /// What would decide.
    fn missing(&self) -> String {
        let (workspace, language) = (self.workspace, self.language);
        let key = match (&workspace.candidate, &workspace.gain) {
            (None, _) if workspace.recorded_only => "catalogue.run_again",
            (None, _) if workspace.state == "only triggers" => "catalogue.add_cases",
            (None, _) if workspace.ungraded_runs > 0 => {
                let runs = language.count(workspace.ungraded_runs, "run");
                return say!(language, "catalogue.grade", runs);
            }
            (None, _) => "catalogue.add_runs",
            _ if questions::is_unmeasured(&workspace.questions) => "catalogue.measure_again",
            (_, None) if workspace.state == "unknown baseline" => "catalogue.name_baseline",
            (_, None) => "catalogue.run_other",
            (_, Some(gain)) if gain.mean.is_none() => "catalogue.same_cases",
            (_, Some(gain)) => match workspace.more_needed {
                Some(more) if more.runs > 0 => {
                    let runs = language.count(more.runs, "run");
                    return say!(language, "catalogue.more_runs", runs);
                }
                Some(more) if more.cases > 0 => {
                    let cases = language.count(more.cases, "case");
                    return say!(language, "catalogue.more_cases", cases);
                }
                Some(_) => "catalogue.other_cases",
                None if gain.single_run > 0 => "catalogue.single_runs",
                None => "catalogue.add_cases",
            },
        };
        language.text(key).to_owned()
    }

    fn passed(&self, side: Option<&SideSummary>) -> Option<String> {
        Some(self.language.percent(side?.mean_rate()?))
    }

    /// `+36 %`, or `+10 % to 2.4×` under several conditions.
    fn ratios(&self, kind: CostKind, cost: fn(&ConditionSummary) -> Option<f64>) -> Option<String> {
        let mut ratios: Vec<f64> = self.workspace.conditions.iter().filter_map(cost).collect();
        ratios.sort_by(f64::total_cmp);
        let ends = [ratios.first()?, ratios.last()?];
        let [low, high] = ends.map(|ratio| self.language.ratio(*ratio, kind.less()));
        Some(if low == high { low } else { say!(self.language, "catalogue.from_to", low, high) })
    }

    /// `9 × 3`: cases and runs of each.
    fn size(&self) -> String {
        let WorkspaceSummary { cases, runs_per_case, gain, .. } = self.workspace;
        match (*cases, *runs_per_case) {
            (0, _) => match gain {
                Some(gain) if gain.cases > 0 => gain.cases.to_string(),
                _ => DASH.to_owned(),
            },
            (cases, 0) => cases.to_string(),
            (cases, runs) => format!("{cases} × {runs}"),
        }
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> Option<Interval> {
    Some(Interval { low: low?, high: high? })
}
