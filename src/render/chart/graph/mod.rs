//! The version graph: which version came from which, and what became of it.

mod draw;
mod layout;

use crate::render::chart::graph::draw::Screen;
use crate::render::chart::graph::layout::{Origin, origins};
use crate::render::chart::svg::is_plain_address;
use crate::render::chart::{Cell, Figure};
use crate::render::view::DASH;
use crate::text::count;

/// The versions of a skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Begins the ids in the drawing; unique on the page.
    pub prefix: String,
    /// What it shows, in words.
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
    /// What became of it.
    pub standing: Standing,
    /// Its pass rate as text, `82 %`, or empty.
    pub rate: String,
    /// Whether it is the best one.
    pub is_best: bool,
    /// Where it is explained.
    pub href: Option<String>,
}

/// What became of a version when it was compared with its parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// Better than its parent.
    Won,
    /// Worse.
    Lost,
    /// Neither.
    Tie,
    /// Where the work began: nothing to compare with.
    Baseline,
    /// Not recorded.
    #[default]
    Unknown,
}

impl Standing {
    /// The word for it.
    fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Tie => "tie",
            Self::Baseline => "baseline",
            Self::Unknown => "no result",
        }
    }
}

/// Draws `graph` from left to right, in as many bands below each other as its depth needs. A
/// parent that is not there, or that would close a circle, is drawn as a stub and named.
pub fn graph(graph: &Graph) -> Figure {
    let origins = origins(&graph.versions);
    let desc = desc(graph, &origins);
    let svg = Screen::BOTH.map(|screen| draw::drawn(graph, &origins, screen, &desc)).concat();
    let head = ["Version", "Parent", "Result", "Pass rate", "Note"].map(str::to_owned).to_vec();
    let rows = graph.versions.iter().zip(&origins);
    Figure { svg, head, rows: rows.map(|(version, origin)| row(version, *origin)).collect() }
}

fn row(version: &Version, origin: Origin) -> Vec<Cell> {
    let or_dash = |text: &str| if text.is_empty() { DASH.to_owned() } else { text.to_owned() };
    let notes = [version.is_best.then_some("best"), trouble(origin)];
    let notes: Vec<&str> = notes.into_iter().flatten().collect();
    let href = version.href.clone().filter(|href| is_plain_address(href));
    vec![
        Cell { text: version.name.clone(), href },
        Cell::plain(or_dash(version.parent.as_deref().unwrap_or_default())),
        Cell::plain(version.standing.word()),
        Cell::plain(or_dash(&version.rate)),
        Cell::plain(notes.join("; ")),
    ]
}

/// What is wrong with a parent, or nothing.
fn trouble(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Missing => Some("parent not recorded"),
        Origin::Circle => Some("parents form a circle"),
        Origin::Root | Origin::Of(_) => None,
    }
}

/// A version in words.
fn words(version: &Version, origin: Origin) -> String {
    let mut text = format!("{}: {}", version.name, version.standing.word());
    if !version.rate.is_empty() {
        text += &format!(", pass rate {}", version.rate);
    }
    if let Some(parent) = &version.parent {
        text += &format!(", made from {parent}");
    }
    if let Some(trouble) = trouble(origin) {
        text += &format!(" ({trouble})");
    }
    if version.is_best { text + ", best" } else { text }
}

fn desc(graph: &Graph, origins: &[Origin]) -> String {
    let versions = &graph.versions;
    let number = |standing| versions.iter().filter(|it| it.standing == standing).count();
    let mut text = format!(
        "{}, each to the right of the one it was made from: {} won, {} lost, {} tie.",
        count(versions.len(), "version"),
        number(Standing::Won),
        number(Standing::Lost),
        number(Standing::Tie),
    );
    if let Some(best) = versions.iter().find(|version| version.is_best) {
        text += &format!(" Best is {}.", words(best, Origin::Root).trim_end_matches(", best"));
    }
    for (origin, what) in [
        (Origin::Missing, "a parent that is not recorded"),
        (Origin::Circle, "a parent that would close a circle"),
    ] {
        let number = origins.iter().filter(|&&it| it == origin).count();
        if number > 0 {
            text += &format!(" {} with {what}.", count(number, "version"));
        }
    }
    text
}
