//! The legend above a line chart: the shape and full name of each series, and what else is drawn.

use crate::chart::line::data::LineChart;
use crate::chart::line_style::LineStyle;
use crate::chart::svg::{Canvas, num, point};
use crate::chart::text_width::{shorten, width};

#[derive(Default)]
pub(super) struct Legend {
    items: Vec<LegendItem>,
    pub(super) height: f64,
}

struct LegendItem {
    sign: Sign,
    /// Left edge and baseline.
    at: (f64, f64),
    text: f64,
    shown: String,
    name: String,
}

enum Sign {
    Series(LineStyle),
    /// The mark of single runs.
    Outlined,
    /// An upright line of this class.
    Line(&'static str),
    /// A text alone.
    Nothing,
}

const ROW: f64 = 20.0;

/// Width of a sign with the gap after it.
const SIGN: f64 = 16.0;

impl Legend {
    /// The legend of a chart in lines of `line_width`, with what outlines, `intervals` and breaks mean
    /// if they are drawn without a label of their own.
    pub(super) fn new(
        chart: &LineChart,
        line_width: f64,
        outlines: Option<&str>,
        intervals: Option<&str>,
        breaks: Option<&str>,
    ) -> Self {
        let mut entries: Vec<(Sign, &str)> = Vec::new();
        for (style, series) in chart.styles().into_iter().zip(&chart.series) {
            entries.push((Sign::Series(style), &series.name));
        }
        entries.extend(outlines.map(|meaning| (Sign::Outlined, meaning)));
        entries.extend(intervals.map(|meaning| (Sign::Line("bar"), meaning)));
        entries.extend(breaks.map(|reason| (Sign::Line("break"), reason)));
        entries.push((Sign::Nothing, &chart.title));
        let (mut x, mut y) = (0.0, 13.0);
        let mut items = Vec::new();
        for (sign, name) in entries {
            let shown = shorten(name, (line_width - SIGN - 4.0).min(300.0));
            let sign_width = if matches!(sign, Sign::Nothing) { 0.0 } else { SIGN };
            let needed = sign_width + width(&shown);
            if x > 0.0 && x + needed > line_width {
                (x, y) = (0.0, y + ROW);
            }
            let text = x + sign_width;
            items.push(LegendItem { sign, at: (x, y), text, shown, name: name.to_owned() });
            x += needed + 20.0;
        }
        Self { items, height: y + 7.0 }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for LegendItem { sign, at: (x, y), text, shown, name } in &self.items {
            let middle = (x + 5.0, y - 4.0);
            match sign {
                Sign::Series(style) => {
                    canvas.group(style.class, |canvas| style.mark(canvas, middle, 5.0));
                }
                Sign::Outlined => LineStyle::CANDIDATE.outlined_mark(canvas, middle, 5.0),
                Sign::Line(class) => {
                    let top = point((middle.0, y - 10.0));
                    canvas.path(class, &format!("M{top}V{}", num(y + 2.0)));
                }
                Sign::Nothing => {}
            }
            canvas.shown_text("quiet", (*text, *y), "start", shown, name);
        }
    }
}
