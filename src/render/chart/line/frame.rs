//! Where everything of a line chart goes, for a wide and for a narrow screen.

use crate::render::chart::axis::Axis;
use crate::render::chart::labels::Labels;
use crate::render::chart::line::data::{Data, Track};
use crate::render::chart::line::legend::Legend;
use crate::render::chart::line::reasons::{Reasons, Room};
use crate::render::chart::words::{shorten, width};

/// The screen a drawing is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    Wide,
    Narrow,
}

impl Screen {
    /// In the order of the page.
    pub(super) const BOTH: [Self; 2] = [Self::Wide, Self::Narrow];

    /// Width of the drawing in pixels at full size.
    pub(super) fn width(self) -> f64 {
        match self {
            Self::Wide => 760.0,
            Self::Narrow => 300.0,
        }
    }

    /// Room that the values of the axis and the labels of the line ends have at least: on a wide
    /// screen so much that most charts of a page have their iterations at the same places.
    fn least(self) -> (f64, f64) {
        match self {
            Self::Wide => (44.0, 130.0),
            Self::Narrow => (28.0, INSET),
        }
    }

    fn plot_height(self) -> f64 {
        match self {
            Self::Wide => 190.0,
            Self::Narrow => 160.0,
        }
    }

    /// Class of the drawing.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Wide => "chart-wide",
            Self::Narrow => "chart-narrow",
        }
    }
}

/// How intervals are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intervals {
    /// A bar with ends at each point.
    Whiskers,
    /// An area around the line.
    Bands,
    /// In the titles and the table only.
    InTable,
}

/// The geometry of one drawing.
pub(super) struct Frame {
    pub(super) screen: Screen,
    pub(super) axis: Axis,
    pub(super) labels: Labels,
    pub(super) legend: Legend,
    pub(super) intervals: Intervals,
    /// Texts at the line ends, one per series, or empty; none when there is no room for them.
    pub(super) ends: Vec<String>,
    /// Edges of the plot.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// Height of the whole drawing.
    pub(super) height: f64,
    /// Pixels from one iteration to the next.
    pub(super) spacing: f64,
    /// Middle of the star above the best iteration.
    pub(super) best: f64,
    /// How the reasons of breaks are shown.
    pub(super) reasons: Reasons,
    columns: Columns,
    tracks: usize,
}

/// Where the iterations stand.
#[derive(Clone, Copy)]
struct Columns {
    left: f64,
    right: f64,
    spacing: f64,
    count: usize,
}

impl Columns {
    fn x(self, index: usize) -> f64 {
        if self.count < 2 {
            return (self.left + self.right) / 2.0;
        }
        self.left + INSET + index as f64 * self.spacing
    }

    fn x_before(self, index: usize) -> f64 {
        if index == 0 { self.left + INSET / 3.0 } else { self.x(index) - self.spacing / 2.0 }
    }
}

/// Room above the plot for the marks of the best iteration and of breaks.
const MARKS: f64 = 20.0;

/// Room for a row of letters of its own, below the mark of the best iteration.
const LETTERS: f64 = 16.0;

/// Room for the shape of a series before its label.
pub(super) const MARK: f64 = 14.0;

/// From this many series on, the line ends have no labels.
const MANY_SERIES: usize = 9;

/// Distance of the outermost points from the edges of the plot.
const INSET: f64 = 16.0;

impl Frame {
    pub(super) fn new(data: &Data<'_>, screen: Screen) -> Self {
        let axis = Axis::new(data.chart.unit, data.largest(), data.language);
        let ticks = axis.ticks.iter().map(|(_, text)| width(text)).fold(screen.least().0, f64::max);
        let ends = ends(data, screen);
        let room =
            ends.iter().map(|text| width(text) + MARK + 10.0).fold(screen.least().1, f64::max);
        let (left, right) = (ticks + 8.0, screen.width() - room);
        let count = data.chart.iterations.len();
        let spacing = spacing(right - left, count);
        let labels = Labels::new(&data.chart.iterations, spacing, left + INSET);
        let legend = Legend::new(data, screen.width());
        let caption = if axis.caption.is_some() { 16.0 } else { 0.0 };
        let columns = Columns { left, right, spacing, count };
        let at: Vec<f64> = data.breaks.iter().map(|&(at, _)| columns.x_before(at)).collect();
        let taken = data.best.map(|index| best_room(columns.x(index), right));
        let reasons = Reasons::new(data, &at, taken, screen.width());
        let marks = if data.best.is_none() && data.breaks.is_empty() { 0.0 } else { MARKS };
        let letters = if taken.is_some() && reasons.has_letters() { LETTERS } else { 0.0 };
        let top = legend.height + caption + marks + letters + 10.0;
        let bottom = top + screen.plot_height();
        let height = bottom + labels.height + reasons.height() + 6.0;
        let intervals = intervals(data, spacing);
        let tracks = data.tracks.len();
        Self {
            screen,
            axis,
            labels,
            legend,
            intervals,
            ends,
            left,
            right,
            top,
            bottom,
            height,
            spacing,
            best: top - 14.0 - letters,
            reasons,
            columns,
            tracks,
        }
    }

    /// Where the iteration with this index is.
    pub(super) fn x(&self, index: usize) -> f64 {
        self.columns.x(index)
    }

    /// Where it is for one of the series: whiskers stand beside each other.
    pub(super) fn x_of(&self, index: usize, track: usize) -> f64 {
        if self.intervals != Intervals::Whiskers {
            return self.x(index);
        }
        let step = (self.spacing * 0.6 / self.tracks as f64).min(7.0);
        self.x(index) + (track as f64 - (self.tracks as f64 - 1.0) / 2.0) * step
    }

    /// Where `value` is.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - value / self.axis.top * (self.bottom - self.top)
    }

    /// Where a break before the iteration with this index is.
    pub(super) fn x_before(&self, index: usize) -> f64 {
        self.columns.x_before(index)
    }

    /// Where the labels of the line ends begin: at the right edge, or beside an only iteration.
    pub(super) fn ends_at(&self) -> f64 {
        if self.columns.count == 1 { self.x(0) + 18.0 } else { self.right + 6.0 }
    }

    /// Radius of the points: small where they are dense.
    pub(super) fn radius(&self) -> f64 {
        match self.spacing {
            wide if wide >= 14.0 => 4.0,
            narrow if narrow >= 7.0 => 3.0,
            _ => 1.4,
        }
    }
}

/// What the mark of the best iteration takes of the row of marks: it stands after the star where
/// there is room before the right edge of the plot.
pub(super) fn best_room(x: f64, right: f64) -> Room {
    if x + 44.0 < right { (x - 8.0, x + 44.0) } else { (x - 44.0, x + 8.0) }
}

fn spacing(room: f64, count: usize) -> f64 {
    if count < 2 { room } else { (room - 2.0 * INSET) / (count - 1) as f64 }
}

/// How to show the intervals of `data` with points that are `spacing` apart.
fn intervals(data: &Data<'_>, spacing: f64) -> Intervals {
    let has_interval =
        |track: &&Track<'_>| track.values.iter().flatten().any(|value| value.interval.is_some());
    match data.tracks.iter().filter(has_interval).count() {
        0 => Intervals::InTable,
        some if data.tracks.len() as f64 * 7.0 <= spacing && some <= 4 => Intervals::Whiskers,
        few if few <= 3 => Intervals::Bands,
        _ => Intervals::InTable,
    }
}

/// What stands at the line ends: name and value, on a narrow screen the value; nothing for a series
/// that ended before the others, since beside the last iteration its value would pass for one of it.
fn ends(data: &Data<'_>, screen: Screen) -> Vec<String> {
    if data.tracks.len() >= MANY_SERIES {
        return Vec::new();
    }
    let end = |track: &Track<'_>| track.present().next_back().map(|(index, _)| index);
    let newest = data.tracks.iter().filter_map(end).max();
    let text = |track: &Track<'_>| {
        let last = track.present().next_back().filter(|(index, _)| Some(*index) == newest);
        let Some((_, last)) = last else {
            return String::new();
        };
        let value = data.short(last.value);
        match screen {
            Screen::Wide => format!("{} {value}", shorten(track.name, 104.0)),
            Screen::Narrow => value,
        }
    };
    data.tracks.iter().map(text).collect()
}
