//! The landing page of a report with several workspaces, and that of a site with several reports.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::analyze::Verdict;
use crate::budget::{CHART_POINTS, SHORT_LIST};
use crate::chart::{self, ChartSize, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Frame, Link, RenderError, Task, Templates, addresses};
use crate::render::data::{
    series as data,
    summary::{SideSummary, WorkspaceSummary},
};
use crate::statistics::Interval;
use crate::text::cut_line;
use crate::wording::{headline, outcomes};

const PATH: &str = "index.html";

/// Characters of a skill's name above its chart.
const TITLE: usize = 120;

/// What differs between the landing page of a report and that of a site.
struct Landing<'a> {
    title: &'a str,
    /// What a row is about.
    subject: &'a str,
    /// The order of the rows, in words.
    order: &'a str,
    links: Vec<Link>,
    charts: Vec<Figure>,
    rows: Vec<LandingRow<'a>>,
}

impl Landing<'_> {
    fn page(&self, templates: &Templates) -> Result<Vec<u8>, RenderError> {
        let view = json!({
            "frame": Frame::new(PATH, self.title),
            "title": self.title,
            "subject": self.subject,
            "order": self.order,
            "links": self.links,
            "charts": self.charts,
            "workspaces": self.rows.iter().map(LandingRow::view).collect::<Vec<_>>(),
        });
        templates.fill("landing.html", PATH, view)
    }
}

/// Adds the landing page of a report with several workspaces.
pub(crate) fn landing<'a>(
    workspaces: &'a [WorkspaceSummary],
    language: &'a Language,
    templates: &'a Templates,
    tasks: &mut Vec<Task<'a>>,
) {
    if workspaces.len() < 2 {
        return;
    }
    let render = move || report_landing(workspaces, language).page(templates);
    tasks.push(Task { path: PATH.to_owned(), render: Box::new(render) });
}

fn report_landing<'a>(workspaces: &'a [WorkspaceSummary], language: &'a Language) -> Landing<'a> {
    let mut rows = Vec::new();
    for workspace in workspaces {
        rows.push(LandingRow { workspace, report: "", language });
    }
    // A stable sort: equal ranks keep the given order.
    rows.sort_by_key(LandingRow::rank);
    Landing {
        title: language.text("landing.title"),
        subject: language.text("landing.workspace"),
        order: language.text("landing.order"),
        links: Vec::new(),
        charts: Vec::new(),
        rows,
    }
}

/// A report of a site, with its workspaces.
pub(crate) type NamedReport<'a> = (&'a str, &'a [WorkspaceSummary]);

/// The landing page of a site of `reports`, given in display order.
pub(crate) fn site_landing(
    reports: &[NamedReport<'_>],
    series: &data::ReportSeries,
    links: Vec<Link>,
    language: &Language,
    templates: &Templates,
) -> Result<Vec<u8>, RenderError> {
    let mut rows = Vec::new();
    for (report, workspaces) in reports {
        rows.extend(workspaces.iter().map(|workspace| LandingRow { workspace, report, language }));
    }
    let landing = Landing {
        title: language.text("site.title"),
        subject: language.text("site.report"),
        order: language.text("site.order"),
        links,
        charts: charts(series, reports, language),
        rows,
    };
    landing.page(templates)
}

/// Charts of the pass rates of each skill over the reports; removed reports have no link.
fn charts(
    series: &data::ReportSeries,
    reports: &[NamedReport<'_>],
    language: &Language,
) -> Vec<Figure> {
    let mut charts = Vec::new();
    let skills = series.skills.iter().filter(|(_, points)| points.len() > 1);
    for (index, (title, points)) in skills.take(SHORT_LIST).enumerate() {
        let points = &points[points.len().saturating_sub(CHART_POINTS)..];
        let (mut ticks, mut candidates, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for point in points {
            ticks.push(Tick { name: point.report.clone(), ..Tick::default() });
            candidates.push(drawn_point(point, Some(point.candidate), reports));
            others.push(drawn_point(point, point.other, reports));
        }
        let chart = LineChart {
            prefix: format!("series-{index}"),
            title: cut_line(title, TITLE),
            unit: Unit::Fraction,
            size: ChartSize::Page,
            ticks,
            series: vec![
                Series {
                    name: language.text("landing.candidate").to_owned(),
                    role: SeriesRole::Candidate,
                    points: candidates,
                },
                Series {
                    name: language.text("landing.other").to_owned(),
                    role: SeriesRole::Baseline,
                    points: others,
                },
            ],
            breaks: Vec::new(),
        };
        charts.push(chart::line(&chart, language));
    }
    charts
}

fn drawn_point(
    point: &data::SeriesPoint,
    value: Option<f64>,
    reports: &[NamedReport<'_>],
) -> Option<Point> {
    let mut href = None;
    if reports.iter().any(|(report, _)| *report == point.report) {
        let page = format!("{}/{}", addresses::folder(&point.report), point.page);
        href = Some(addresses::link(PATH, &page));
    }
    Some(Point { value: value?, href, ..Point::default() })
}

struct LandingRow<'a> {
    workspace: &'a WorkspaceSummary,
    /// The name of its report in a site; empty for the report with the page.
    report: &'a str,
    language: &'a Language,
}

impl LandingRow<'_> {
    /// Worse results first, then probably worse ones, then by the number of regressions.
    fn rank(&self) -> (u8, Reverse<usize>) {
        let verdict = match self.workspace.verdict() {
            Some(Verdict::Worse(_)) => 0,
            Some(Verdict::ProbablyWorse) => 1,
            _ => 2,
        };
        (verdict, Reverse(self.workspace.flips.map_or(0, |flips| flips.regressed)))
    }

    fn view(&self) -> Value {
        let (workspace, language) = (self.workspace, self.language);
        let iterations = language.count(workspace.iterations_total, "iteration");
        // The reports of a site are often about the same skill, so their names tell them apart.
        let (text, mut path) = match self.report {
            "" => (workspace.title.as_str(), workspace.name.as_str()),
            report => (report, workspace.title.as_str()),
        };
        if path == text {
            path = "";
        }
        let newest = match &workspace.candidate {
            Some(side) => self.link(&side.page, &side.iteration),
            None => Link::nowhere(DASH),
        };
        let problems = language.count(workspace.problems, "problem");
        let has_regressed = workspace.flips.is_some_and(|flips| flips.regressed > 0);
        json!({
            "link": self.link(&workspace.page, text),
            "path": path,
            "remark": self.remark(),
            "gain": self.gain().unwrap_or_else(|| Link::nowhere(DASH)),
            "sides": self.sides(),
            "flips": self.flips().unwrap_or_else(|| Link::nowhere(DASH)),
            "status": if has_regressed { "regressed" } else { "" },
            "newest": newest,
            "iterations": say!(language, "landing.of_iterations", iterations),
            "problems": self.link(&workspace.problems_page, &problems),
        })
    }

    fn link(&self, page: &str, text: &str) -> Link {
        let to = match self.report {
            "" => page.to_owned(),
            report => format!("{}/{page}", addresses::folder(report)),
        };
        Link::new(addresses::link(PATH, &to), text)
    }

    fn remark(&self) -> String {
        let key = match (&self.workspace.candidate, &self.workspace.gain) {
            (None, _) if self.workspace.recorded_only => "landing.recorded_only",
            (None, _) if self.workspace.state == "only triggers" => "landing.only_triggers",
            (None, _) => "landing.nothing_graded",
            (Some(_), None) if self.workspace.state == "unknown baseline" => {
                "landing.which_baseline"
            }
            (Some(_), None) => "landing.alone",
            (Some(_), Some(gain)) if gain.mean.is_none() => "landing.nothing_shared",
            (Some(_), Some(_)) => {
                let outcome = self.workspace.named_outcome();
                let word = outcome.map(|outcome| outcomes::word(outcome, self.language));
                return word.unwrap_or_default().to_owned();
            }
        };
        self.language.text(key).to_owned()
    }

    fn gain(&self) -> Option<Link> {
        let (gain, after) = (self.workspace.gain.as_ref()?, self.workspace.candidate.as_ref()?);
        let mut interval = None;
        if let (Some(low), Some(high)) = (gain.low, gain.high) {
            interval = Some(Interval { low, high });
        }
        let text =
            headline::figures(gain.word(), gain.measure(), gain.mean?, interval, self.language);
        Some(self.link(&after.page, &text))
    }

    /// The verdicts of both sides, with their names.
    fn sides(&self) -> Vec<Value> {
        let newest = self.workspace.candidate.as_ref();
        let mut sides = Vec::new();
        for side in [newest, self.workspace.other.as_ref()] {
            let rate = side.map_or_else(Rate::default, |side| side.rate(self.language));
            let name = side.map(|side| self.side_name(side, newest));
            sides.push(json!({ "rate": rate, "name": name }));
        }
        sides
    }

    /// The configuration, with its iteration if that is not the newest.
    fn side_name(&self, side: &SideSummary, newest: Option<&SideSummary>) -> String {
        if newest.is_none_or(|newest| newest.page == side.page) {
            return side.configuration.clone();
        }
        let SideSummary { configuration, iteration, .. } = side;
        say!(self.language, "page.side", configuration, iteration)
    }

    fn flips(&self) -> Option<Link> {
        let flips = self.workspace.flips?;
        let lost = self.language.count(flips.regressed, "regressed");
        let gained = self.language.count(flips.improved, "improved");
        let text = say!(self.language, "landing.lost_and_gained", lost, gained);
        Some(self.link(&self.workspace.page, &text))
    }
}
