//! Paired bars: the scores of A and B by dimension, on a scale from zero to its maximum.

use std::fmt::Display;

use crate::chart::svg::{Canvas, SvgFrame, num};
use crate::chart::words::shorten;
use crate::chart::{Cell, DASH, Figure};
use crate::language::Language;
use crate::model::Dimension;
use crate::text::fixed;

const WIDTH: f64 = 300.0;
const LEFT: f64 = 18.0;
const RIGHT: f64 = 256.0;
const BAR: f64 = 12.0;

/// Height of a dimension: its name, two bars and space.
const GROUP: f64 = 58.0;
const TOP: f64 = 44.0;

/// Draws the scores of A and B in each dimension. `prefix` begins the ids in the drawing and must
/// be unique on the page. The columns of the table are dimension, A and B.
pub fn bars(
    prefix: &str,
    names: [&str; 2],
    dimensions: &[Dimension],
    language: &Language,
) -> Figure {
    let maximum = scale_end(dimensions);
    let bottom = TOP + dimensions.len().max(1) as f64 * GROUP;
    let mut canvas = Canvas::default();
    for (index, (letter, name)) in ["A", "B"].into_iter().zip(names).enumerate() {
        let y = 2.0 + index as f64 * 18.0;
        bar(&mut canvas, index, (0.0, y, 12.0));
        let text = side(language, letter, name);
        let shown = shorten(&text, WIDTH - LEFT);
        canvas.shown_text("", (LEFT, y + 10.5), "start", (&shown, &text));
    }
    // Grid and numbers: every point up to six, then every second, about ten at most.
    let whole = |number: f64| if number.fract() == 0.0 { number } else { 1.0 };
    let ticks = match maximum {
        few if few <= 6.0 => whole(maximum),
        some if some <= 20.0 => whole(maximum / 2.0),
        _ => 4.0,
    };
    for index in 0..=ticks as u32 {
        let part = f64::from(index) / ticks;
        let x = LEFT + part * (RIGHT - LEFT);
        let class = if index == 0 { "axis" } else { "grid" };
        canvas.line(class, (x, TOP), (x, bottom));
        canvas.text("quiet", (x, bottom + 16.0), "middle", &score(part * maximum));
    }
    for (index, dimension) in dimensions.iter().enumerate() {
        pair(&mut canvas, language, dimension, maximum, TOP + index as f64 * GROUP);
    }
    if dimensions.is_empty() {
        let at = (LEFT + 8.0, TOP + 32.0);
        canvas.text("quiet", at, "start", language.text("chart.nothing"));
    }
    let svg = canvas.into_svg(&SvgFrame {
        prefix,
        class: "chart-bars",
        size: (WIDTH, bottom + 22.0),
        title: language.text("comparisons.scores"),
        desc: &desc(names, dimensions, maximum, language),
    });
    let head = vec![
        language.text("bars.dimension").to_owned(),
        side(language, "A", names[0]),
        side(language, "B", names[1]),
    ];
    let row = |dimension: &Dimension| {
        let score = |value| Cell::plain(text(value, maximum, language));
        vec![Cell::plain(&dimension.name), score(dimension.a), score(dimension.b)]
    };
    Figure { svg, head, rows: dimensions.iter().map(row).collect(), more: 0 }
}

/// The smallest common scale that fits every score, as the judge's own is not recorded.
fn scale_end(dimensions: &[Dimension]) -> f64 {
    let scores = dimensions.iter().flat_map(|dimension| [dimension.a, dimension.b]).flatten();
    let largest = scores.filter(|score| score.is_finite()).fold(0.0, f64::max);
    [1.0, 5.0, 10.0, 100.0].into_iter().find(|scale| largest <= *scale).unwrap_or(largest)
}

/// A letter and the name behind it: `A: with_skill`.
pub fn side(language: &Language, letter: &str, name: &str) -> String {
    language.fill("bars.side", &[("letter", &letter), ("name", &name)])
}

fn pair(canvas: &mut Canvas, language: &Language, dimension: &Dimension, maximum: f64, top: f64) {
    let at = (LEFT + 6.0, top + 17.0);
    let shown = shorten(&dimension.name, RIGHT - LEFT);
    canvas.shown_text("halo", at, "start", (&shown, &dimension.name));
    for (index, (letter, value)) in [("A", dimension.a), ("B", dimension.b)].into_iter().enumerate()
    {
        let y = top + 24.0 + index as f64 * (BAR + 3.0);
        let length = on_scale(value, maximum).map_or(0.0, |share| share / maximum * (RIGHT - LEFT));
        let score = text(value, maximum, language);
        let places: [(&str, &dyn Display); 3] =
            [("dimension", &dimension.name), ("letter", &letter), ("score", &score)];
        let title = language.fill("bars.score", &places);
        canvas.link(None, &title, |canvas| {
            canvas.text("quiet", (LEFT - 6.0, y + 10.0), "end", letter);
            if length > 0.0 {
                bar(canvas, index, (LEFT, y, length));
            }
            let at = (LEFT + length + 6.0, y + 10.0);
            canvas.text("halo value", at, "start", &score);
        });
    }
}

/// A bar: solid for A, an outline with a light fill for B.
fn bar(canvas: &mut Canvas, index: usize, (x, y, length): (f64, f64, f64)) {
    let (class, opacity, stroke, inset) = match index {
        0 => ("series-1", "1", "none", 0.0),
        _ => ("series-2", "0.25", "currentColor", 0.5),
    };
    let (x, y) = (num(x + inset), num(y + inset));
    let (width, height) = (num((length - 2.0 * inset).max(0.5)), num(BAR - 2.0 * inset));
    canvas.add(format_args!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
         fill=\"currentColor\" fill-opacity=\"{opacity}\" stroke=\"{stroke}\"/>"
    ));
}

fn on_scale(value: Option<f64>, maximum: f64) -> Option<f64> {
    value.filter(|value| value.is_finite() && (0.0..=maximum).contains(value))
}

/// `4`, `3.5`, a dash, or the value with a remark when it is off the scale.
fn text(value: Option<f64>, maximum: f64, language: &Language) -> String {
    match value {
        Some(value) if on_scale(Some(value), maximum).is_some() => score(value),
        Some(value) if value.is_finite() && value.abs() < 1e6 => {
            language.fill("bars.beyond_scale", &[("score", &score(value))])
        }
        Some(value) if value.is_finite() => language.text("bars.far_beyond_scale").to_owned(),
        _ => DASH.to_owned(),
    }
}

fn score(value: f64) -> String {
    if value.abs() >= 1e6 {
        return format!("{value:.1e}");
    }
    let text = fixed(value, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn desc(names: [&str; 2], dimensions: &[Dimension], maximum: f64, language: &Language) -> String {
    let both = |dimension: &Dimension| {
        Some((on_scale(dimension.a, maximum)?, on_scale(dimension.b, maximum)?))
    };
    let pairs: Vec<(f64, f64)> = dimensions.iter().filter_map(both).collect();
    let number = |better: fn(&(f64, f64)) -> bool| pairs.iter().filter(|pair| better(pair)).count();
    let mut text = language.fill(
        "bars.sum",
        &[
            ("dimensions", &language.count(dimensions.len(), "dimension")),
            ("maximum", &score(maximum)),
            ("a", &names[0]),
            ("a_higher", &number(|(a, b)| a > b)),
            ("b", &names[1]),
            ("b_higher", &number(|(a, b)| b > a)),
            ("equal", &number(|(a, b)| a == b)),
        ],
    );
    let missing = dimensions.len() - pairs.len();
    if missing > 0 {
        let dimensions = language.count(missing, "dimension");
        text.push(' ');
        text += &language.fill("bars.missing", &[("dimensions", &dimensions)]);
    }
    text
}
