//! Where everything of a line chart goes, for a wide and for a narrow screen.

use crate::chart::Screen;
use crate::chart::axis::Axis;
use crate::chart::labels::Labels;
use crate::chart::line::data::Data;
use crate::chart::line::ends;
use crate::chart::line::legend::Legend;
use crate::chart::line::reasons::{Reasons, Room};
use crate::chart::words::width;

struct Sizes {
    width: f64,
    /// Room that the values of the axis have at least: on a wide screen so much that most charts
    /// of a page have their iterations at the same places.
    axis: f64,
    /// The same for the labels of the line ends.
    ends: f64,
    plot_height: f64,
}

const WIDE: Sizes = Sizes { width: 760.0, axis: 44.0, ends: 130.0, plot_height: 190.0 };

const NARROW: Sizes = Sizes { width: 300.0, axis: 28.0, ends: INSET, plot_height: 160.0 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intervals {
    /// A bar with ends at each point.
    Whiskers,
    /// An area around the line.
    Bands,
    /// In the titles and the table only.
    InTable,
}

pub(super) struct Frame {
    pub(super) screen: Screen,
    pub(super) axis: Axis,
    pub(super) labels: Labels,
    pub(super) legend: Legend,
    pub(super) intervals: Intervals,
    /// Texts at the line ends, one per series, or empty; none when there is no room for them.
    pub(super) ends: Vec<String>,
    pub(super) size: (f64, f64),
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    /// Pixels from one iteration to the next.
    pub(super) spacing: f64,
    /// Middle of the star above the best iteration.
    pub(super) best: f64,
    pub(super) reasons: Reasons,
    iterations: usize,
    series: usize,
}

/// Room above the plot for the marks of the best iteration and of breaks.
const MARKS: f64 = 20.0;

/// Room for a row of letters of its own, below the mark of the best iteration.
const LETTERS: f64 = 16.0;

/// Distance of the outermost points from the edges of the plot.
const INSET: f64 = 16.0;

impl Frame {
    pub(super) fn new(data: &Data<'_>, screen: Screen) -> Self {
        let sizes = if screen == Screen::Wide { WIDE } else { NARROW };
        let axis = Axis::new(data.chart.unit, data.largest(), data.language);
        let ticks = axis.ticks.iter().map(|(_, text)| width(text)).fold(sizes.axis, f64::max);
        let ends = ends::texts(data, screen);
        let room = ends.iter().map(|text| ends::width(text)).fold(sizes.ends, f64::max);
        let (left, right) = (ticks + 8.0, sizes.width - room);
        let iterations = data.chart.iterations.len();
        let spacing = match iterations {
            0 | 1 => right - left,
            many => (right - left - 2.0 * INSET) / (many - 1) as f64,
        };
        let mut frame = Self {
            screen,
            labels: Labels::new(&data.chart.iterations, spacing, left + INSET),
            legend: Legend::new(data, sizes.width),
            intervals: intervals(data, spacing),
            reasons: Reasons::Beside(Vec::new()),
            size: (sizes.width, 0.0),
            series: data.chart.series.len(),
            top: 0.0,
            bottom: 0.0,
            best: 0.0,
            axis,
            ends,
            left,
            right,
            spacing,
            iterations,
        };
        frame.stack(data, sizes.plot_height);
        frame
    }

    /// Puts what has a height above each other.
    fn stack(&mut self, data: &Data<'_>, plot_height: f64) {
        let (best, breaks) = (data.chart.best, &data.chart.breaks);
        let at: Vec<f64> = breaks.iter().map(|found| self.x_before(found.index)).collect();
        let taken = best.map(|index| best_room(self.x(index), self.right));
        self.reasons = Reasons::new(breaks, &at, taken, self.size.0);
        let caption = if self.axis.caption.is_some() { 16.0 } else { 0.0 };
        let marks = if best.is_none() && breaks.is_empty() { 0.0 } else { MARKS };
        let letters = match self.reasons {
            Reasons::Lettered(_) if best.is_some() => LETTERS,
            _ => 0.0,
        };
        self.top = self.legend.height + caption + marks + letters + 10.0;
        self.bottom = self.top + plot_height;
        self.size.1 = self.bottom + self.labels.height + self.reasons.height() + 6.0;
        self.best = self.top - 14.0 - letters;
    }

    /// Where the iteration with this index is.
    pub(super) fn x(&self, index: usize) -> f64 {
        if self.iterations < 2 {
            return (self.left + self.right) / 2.0;
        }
        self.left + INSET + index as f64 * self.spacing
    }

    /// Where it is for one of the series: whiskers stand beside each other.
    pub(super) fn x_of(&self, index: usize, series: usize) -> f64 {
        if self.intervals != Intervals::Whiskers {
            return self.x(index);
        }
        let step = (self.spacing * 0.6 / self.series as f64).min(7.0);
        self.x(index) + (series as f64 - (self.series as f64 - 1.0) / 2.0) * step
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.bottom - value / self.axis.top * (self.bottom - self.top)
    }

    /// Where a break before the iteration with this index is.
    pub(super) fn x_before(&self, index: usize) -> f64 {
        if index == 0 { self.left + INSET / 3.0 } else { self.x(index) - self.spacing / 2.0 }
    }

    /// Where the labels of the line ends begin: at the right edge, or beside an only iteration.
    pub(super) fn ends_at(&self) -> f64 {
        if self.iterations == 1 { self.x(0) + 18.0 } else { self.right + 6.0 }
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

/// How to show the intervals of `data` with points that are `spacing` apart.
fn intervals(data: &Data<'_>, spacing: f64) -> Intervals {
    let all = &data.chart.series;
    let with_intervals =
        all.iter().filter(|series| series.present().any(|(_, point)| point.interval().is_some()));
    match with_intervals.count() {
        0 => Intervals::InTable,
        some if all.len() as f64 * 7.0 <= spacing && some <= 4 => Intervals::Whiskers,
        few if few <= 3 => Intervals::Bands,
        _ => Intervals::InTable,
    }
}
