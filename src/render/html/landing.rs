//! The landing page of a report with several workspaces, and that of a site with several reports.

use std::cmp::Reverse;

use serde_json::{Value, json};

use crate::analyze::Verdict;
use crate::budget::{CHART_POINTS, SHORT_LIST};
use crate::chart::{self, ChartSize, Figure, LineChart, Point, Series, SeriesRole, Tick, Unit};
use crate::language::Language;
use crate::render::context::{
    DASH, Frame, Link, Rate, RenderError, Task, Templates, addresses, cut_line,
};
use crate::render::data::{
    series as data,
    summary::{SideSummary, WorkspaceSummary},
};
use crate::statistics::Interval;
use crate::wording::verdict;

const PATH: &str = "index.html";

/// Most characters of a skill's name above its chart.
const TITLE: usize = 120;

pub(crate) fn landing<'a>(
    workspaces: &'a [WorkspaceSummary],
    language: &'a Language,
    templates: &'a Templates,
    tasks: &mut Vec<Task<'a>>,
) {
    if workspaces.len() < 2 {
        return;
    }
    let render = move || {
        let mut rows: Vec<LandingRow<'_>> = workspaces
            .iter()
            .map(|workspace| LandingRow { workspace, report: "", language })
            .collect();
        // A stable sort: equal ranks keep the given order.
        rows.sort_by_key(LandingRow::rank);
        let words =
            ["landing.title", "landing.workspace", "landing.order"].map(|key| language.text(key));
        page(words, (Vec::new(), Vec::new()), &rows, templates)
    };
    tasks.push(Task { path: PATH.to_owned(), render: Box::new(render) });
}

/// The landing page of a site of `reports`, given by name and workspaces in display order.
pub(crate) fn site_landing(
    reports: &[(&str, &[WorkspaceSummary])],
    series: &data::ReportSeries,
    links: Vec<Link>,
    language: &Language,
    templates: &Templates,
) -> Result<Vec<u8>, RenderError> {
    let mut rows = Vec::new();
    for (report, workspaces) in reports {
        rows.extend(workspaces.iter().map(|workspace| LandingRow { workspace, report, language }));
    }
    let words = ["site.title", "site.report", "site.order"].map(|key| language.text(key));
    page(words, (links, charts(series, reports, language)), &rows, templates)
}

/// Charts of the pass rates of each skill over the reports; removed reports have no link.
fn charts(
    series: &data::ReportSeries,
    reports: &[(&str, &[WorkspaceSummary])],
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
    reports: &[(&str, &[WorkspaceSummary])],
) -> Option<Point> {
    let mut href = None;
    if reports.iter().any(|(report, _)| *report == point.report) {
        let page = format!("{}/{}", addresses::folder(&point.report), point.page);
        href = Some(addresses::link(PATH, &page));
    }
    Some(Point { value: value?, href, ..Point::default() })
}

fn page(
    [title, subject, order]: [&str; 3],
    (links, charts): (Vec<Link>, Vec<Figure>),
    rows: &[LandingRow<'_>],
    templates: &Templates,
) -> Result<Vec<u8>, RenderError> {
    let frame = Frame::new(PATH, title);
    let view = json!({
        "frame": frame,
        "title": title,
        "subject": subject,
        "order": order,
        "links": links,
        "charts": charts,
        "workspaces": rows.iter().map(LandingRow::row).collect::<Vec<_>>(),
    });
    templates.fill("landing.html", PATH, &view)
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

    fn row(&self) -> Value {
        let (workspace, language) = (self.workspace, self.language);
        let iterations = language.count(workspace.iterations_total, "iteration");
        // The reports of a site are often about the same skill, so their names tell them apart.
        let (text, path) = match self.report {
            "" => (workspace.title.as_str(), workspace.name.as_str()),
            report => (report, workspace.title.as_str()),
        };
        let dash = || Link::nowhere(DASH);
        let newest = workspace.candidate.as_ref();
        let problems = language.count(workspace.problems, "problem");
        let regressed = workspace.flips.is_some_and(|flips| flips.regressed > 0);
        json!({
            "link": self.link(&workspace.page, text),
            "path": if path == text { String::new() } else { path.to_owned() },
            "remark": self.remark(),
            "gain": self.gain().unwrap_or_else(dash),
            "sides": self.sides(),
            "flips": self.flips().unwrap_or_else(dash),
            "status": if regressed { "regressed" } else { "" },
            "newest": newest.map_or_else(dash, |side| self.link(&side.page, &side.iteration)),
            "iterations": language.fill("landing.of_iterations", &[("iterations", &iterations)]),
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
            (None, _) => "landing.nothing_graded",
            (Some(_), None) => "landing.alone",
            (Some(_), Some(gain)) if gain.mean.is_none() => "landing.nothing_shared",
            (Some(_), Some(_)) => return String::new(),
        };
        self.language.text(key).to_owned()
    }

    fn gain(&self) -> Option<Link> {
        let (gain, after) = (self.workspace.gain.as_ref()?, self.workspace.candidate.as_ref()?);
        let interval = gain.low.zip(gain.high).map(|(low, high)| Interval { low, high });
        let (verdict, measure) = (self.workspace.verdict()?, gain.measure());
        let text = verdict::figures(verdict, measure, gain.mean?, interval, self.language);
        Some(self.link(&after.page, &text))
    }

    /// The verdicts of both sides, with their names.
    fn sides(&self) -> Vec<Value> {
        let newest = self.workspace.candidate.as_ref();
        let mut sides = Vec::new();
        for side in [newest, self.workspace.other.as_ref()] {
            let tally = side.map(|side| side.tally).unwrap_or_default();
            let name = side.map(|side| self.side_name(side, newest));
            sides.push(json!({ "rate": Rate::new(tally, self.language), "name": name }));
        }
        sides
    }

    /// The configuration, with its iteration if that is not the newest.
    fn side_name(&self, side: &SideSummary, newest: Option<&SideSummary>) -> String {
        if newest.is_none_or(|newest| newest.page == side.page) {
            return side.configuration.clone();
        }
        self.language.fill(
            "page.side",
            &[("configuration", &side.configuration), ("iteration", &side.iteration)],
        )
    }

    fn flips(&self) -> Option<Link> {
        let flips = self.workspace.flips?;
        let lost = self.language.count(flips.regressed, "regressed");
        let gained = self.language.count(flips.improved, "improved");
        let text =
            self.language.fill("landing.lost_and_gained", &[("lost", &lost), ("gained", &gained)]);
        Some(self.link(&self.workspace.page, &text))
    }
}
