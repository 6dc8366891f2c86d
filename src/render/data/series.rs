//! `series.json` of a site: the pass rates of each skill over all reports ever added, including
//! those that `keep` has removed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::budget::SERIES_POINTS;
use crate::render::data::ordered_json::pretty;
use crate::render::data::summary::{SideSummary, Summary};

pub const FILE: &str = "series.json";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReportSeries {
    pub(crate) skills: BTreeMap<String, Vec<SeriesPoint>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SeriesPoint {
    /// The name of the report, such as a commit.
    pub(crate) report: String,
    /// The candidate's pass rate as a mean of cases, in 0..=1.
    pub(crate) candidate: f64,
    /// The pass rate of the other side; null if there is none.
    pub(crate) other: Option<f64>,
    /// The page of the candidate, relative to the report.
    pub(crate) page: String,
}

impl ReportSeries {
    /// Reads a file; empty if it is not a valid one.
    pub fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// Adds the points of `reports`, from the oldest to the newest, replacing earlier points of the
    /// same reports.
    pub(crate) fn add<'r>(&mut self, reports: impl Iterator<Item = (&'r str, &'r Summary)>) {
        for (report, summary) in reports {
            // Also under an earlier title.
            for points in self.skills.values_mut() {
                points.retain(|point| point.report != report);
            }
            for workspace in &summary.workspaces {
                let points = self.skills.entry(workspace.title.clone()).or_default();
                let Some(side) = &workspace.candidate else { continue };
                let Some(candidate) = side.mean_rate() else { continue };
                if points.last().is_some_and(|point| point.report == report) {
                    continue;
                }
                let other = workspace.other.as_ref().and_then(SideSummary::mean_rate);
                let page = side.page.clone();
                points.push(SeriesPoint { report: report.to_owned(), candidate, other, page });
                points.drain(..points.len().saturating_sub(SERIES_POINTS));
            }
        }
        self.skills.retain(|_, points| !points.is_empty());
    }

    pub(crate) fn text(&self) -> String {
        pretty(self)
    }
}

#[cfg(test)]
mod tests {
    use super::ReportSeries;
    use crate::render::data::summary::Summary;

    fn summary(passed: usize) -> Summary {
        let side = |passed: usize| {
            serde_json::json!({
                "configuration": "c", "iteration": "i", "page": "p.html",
                "passed": passed, "failed": 4 - passed, "ungraded": 0,
            })
        };
        let workspace = serde_json::json!({
            "title": "skill", "name": "w", "page": "", "problems_page": "", "problems": 0,
            "iterations_total": 1, "iterations": [], "candidate": side(passed), "other": side(1),
            "gain": null, "flips": null,
        });
        let summary = serde_json::json!({
            "generator": "evalbook", "schema_version": 2, "noindex": false,
            "workspaces": [workspace],
        });
        serde_json::from_value(summary).expect("a summary")
    }

    #[test]
    fn a_report_that_is_gone_stays_and_one_that_is_made_again_is_replaced() {
        let mut series = ReportSeries::default();
        series.add([("a", &summary(1)), ("b", &summary(2))].into_iter());
        let mut series = ReportSeries::read(series.text().as_bytes());
        series.add([("b", &summary(3)), ("c", &summary(4))].into_iter());
        let points = series.skills["skill"].iter();
        let points: Vec<_> = points.map(|point| (point.report.as_str(), point.candidate)).collect();
        assert_eq!(points, [("a", 0.25), ("b", 0.75), ("c", 1.0)]);
    }

    #[test]
    fn a_report_of_another_skill_leaves_no_point_behind() {
        let mut series = ReportSeries::default();
        series.add([("a", &summary(1))].into_iter());
        let mut other = summary(2);
        other.workspaces[0].title = "other".to_owned();
        series.add([("a", &other)].into_iter());
        assert_eq!(series.skills.keys().collect::<Vec<_>>(), ["other"]);
    }

    #[test]
    fn the_oldest_of_many_go() {
        let mut series = ReportSeries::default();
        let names: Vec<String> = (0..300).map(|number| number.to_string()).collect();
        let summary = summary(1);
        series.add(names.iter().map(|name| (name.as_str(), &summary)));
        let points = &series.skills["skill"];
        assert_eq!((points.len(), points[0].report.as_str()), (super::SERIES_POINTS, "100"));
    }
}
