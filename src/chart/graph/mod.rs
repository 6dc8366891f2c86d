//! The version graph: which version came from which, and what became of it.

mod draw;
mod layout;

use crate::chart::graph::layout::{Origin, origins};
use crate::chart::svg::is_plain_address;
use crate::chart::{Cell, DASH, Figure, MOST_VALUES, Screen, labelled};
use crate::language::Language;

/// The versions of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    pub title: String,
    /// The versions in the order of their making.
    pub versions: Vec<Version>,
}

/// One version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// Its name, `v2`. Of two with the same name the first is meant by a parent.
    pub name: String,
    /// Name of the version it was made from.
    pub parent: Option<String>,
    pub standing: Standing,
    /// Its pass rate as text, `82 %`, or empty.
    pub rate: String,
    pub is_best: bool,
    pub href: Option<String>,
}

/// What became of a version when it was compared with its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    Won,
    Lost,
    Tie,
    /// Where the work began: nothing to compare with.
    Baseline,
    /// Not recorded.
    #[default]
    Unknown,
}

impl Standing {
    fn word(self, language: &Language) -> &str {
        language.text(match self {
            Self::Won => "graph.won",
            Self::Lost => "graph.lost",
            Self::Tie => "graph.tie",
            Self::Baseline => "graph.baseline",
            Self::Unknown => "graph.unknown",
        })
    }

    fn class(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Tie => "tie",
            Self::Baseline => "base",
            Self::Unknown => "unknown",
        }
    }
}

/// Draws `graph` from left to right, in as many bands below each other as its depth needs. A
/// parent that is not there, or that would close a circle, is drawn as a stub and named.
pub fn graph(graph: &Graph, language: &Language) -> Figure {
    let origins = origins(&graph.versions);
    let more = graph.versions.len().saturating_sub(MOST_VALUES);
    // A part of the versions would have parents that are not there.
    let svg = if more == 0 {
        let desc = desc(&graph.versions, &origins, language);
        Screen::BOTH.map(|screen| draw::drawing(graph, &origins, screen, &desc, language)).concat()
    } else {
        String::new()
    };
    let head = ["graph.version", "graph.parent", "graph.result", "chart.pass_rate", "chart.note"];
    let head = head.map(|key| language.text(key).to_owned()).to_vec();
    let rows = graph.versions.iter().zip(&origins).skip(more);
    let rows = rows.map(|(version, origin)| row(version, *origin, language)).collect();
    Figure { svg, head, rows, more }
}

fn row(version: &Version, origin: Origin, language: &Language) -> Vec<Cell> {
    let or_dash = |text: &str| if text.is_empty() { DASH.to_owned() } else { text.to_owned() };
    let best = version.is_best.then(|| language.text("chart.best"));
    let notes: Vec<&str> = best.into_iter().chain(trouble(origin, language)).collect();
    let href = version.href.clone().filter(|href| is_plain_address(href));
    vec![
        Cell { text: version.name.clone(), href },
        Cell::plain(or_dash(version.parent.as_deref().unwrap_or_default())),
        Cell::plain(version.standing.word(language)),
        Cell::plain(or_dash(&version.rate)),
        Cell::plain(notes.join(language.text("list.semicolon"))),
    ]
}

/// What is wrong with a parent, or nothing.
fn trouble(origin: Origin, language: &Language) -> Option<&str> {
    match origin {
        Origin::Missing => Some(language.text("graph.parent_missing")),
        Origin::Circle => Some(language.text("graph.parents_circle")),
        Origin::Root | Origin::Of(_) => None,
    }
}

fn words(version: &Version, origin: Origin, language: &Language) -> String {
    let standing = version.standing.word(language);
    let mut parts = vec![
        language.fill("graph.standing", &[("version", &version.name), ("standing", &standing)]),
    ];
    if !version.rate.is_empty() {
        parts.push(language.fill("graph.rate", &[("rate", &version.rate)]));
    }
    if let Some(parent) = &version.parent {
        let made = language.fill("graph.made_from", &[("parent", parent)]);
        parts.push(labelled(made, trouble(origin, language).unwrap_or_default(), language));
    }
    if version.is_best {
        parts.push(language.text("chart.best").to_owned());
    }
    parts.join(language.text("list.comma"))
}

fn desc(versions: &[Version], origins: &[Origin], language: &Language) -> String {
    let number = |standing| versions.iter().filter(|it| it.standing == standing).count();
    let mut sentences = vec![language.fill(
        "graph.sum",
        &[
            ("versions", &language.count(versions.len(), "version")),
            ("won", &number(Standing::Won)),
            ("lost", &number(Standing::Lost)),
            ("tie", &number(Standing::Tie)),
        ],
    )];
    if let Some(best) = versions.iter().find(|version| version.is_best) {
        let plain = Version { is_best: false, ..best.clone() };
        let version = words(&plain, Origin::Root, language);
        sentences.push(language.fill("graph.best", &[("version", &version)]));
    }
    for (odd, key) in
        [(Origin::Missing, "graph.with_missing"), (Origin::Circle, "graph.with_circle")]
    {
        let number = origins.iter().filter(|&&origin| origin == odd).count();
        if number > 0 {
            let versions = language.count(number, "version");
            sentences.push(language.fill(key, &[("versions", &versions)]));
        }
    }
    sentences.join(" ")
}
