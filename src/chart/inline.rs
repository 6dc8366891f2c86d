//! One-line drawings for tables and the first screen. The numbers are next to them as text, so
//! there is no table below. Colors come from the classes in `chart.css`.

use std::collections::BTreeMap;

use crate::chart::svg::{escaped, num};
use statistics::Interval;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarSide {
    /// The candidate, or the later side.
    Candidate,
    /// The side without the skill.
    Other,
    /// An earlier state of the same skill: an old version, or a previous round.
    Earlier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Better, and sure enough for color.
    Better,
    /// Worse, and sure enough for color.
    Worse,
    /// Not sure, or no difference.
    Neutral,
}

/// One check of a case on both sides: the share of runs that pass it, `None` without a verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckCell {
    pub candidate: Option<f64>,
    pub other: Option<f64>,
    /// Which side the other one is.
    pub other_side: BarSide,
    pub mark: CheckMark,
    /// The ids of the filters that keep it, separated by spaces.
    pub filters: String,
    /// Whether no side has more than one run of it: then it is drawn in outlines.
    pub is_single: bool,
}

/// How much the runs of a case say about its difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// A side has one run only.
    OneRun,
    /// The runs of both sides overlap.
    Overlapping,
    /// The worst run of one side beats the best of the other.
    Apart,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckMark {
    /// Every run passed it on the other side, and none does.
    Regressed,
    /// No run passed it on the other side, and every one does.
    Improved,
    /// Some runs of a side pass it, and others do not.
    Unsteady,
    /// Every run fails it on both sides.
    Failing,
    /// Every run passes it on both sides.
    Unchanged,
    /// It is not on both sides.
    NotCompared,
    /// The sides differ, and neither is known as the baseline.
    Differs,
}

/// What a column of a grid tells a pointer.
pub struct CheckColumn {
    pub title: String,
    pub href: String,
}

/// At most this many checks are drawn one by one.
pub const GRID_CHECKS: usize = 24;

impl BarSide {
    pub fn class(self) -> &'static str {
        ["candidate", "baseline", "previous"][self as usize]
    }
}

impl Tone {
    pub fn class(self) -> &'static str {
        ["better", "worse", "neutral"][self as usize]
    }
}

impl CheckMark {
    /// The name of the filter that keeps the check, where no question has another one.
    pub fn class(self) -> &'static str {
        match self {
            Self::Regressed => "regressed",
            Self::Improved => "improved",
            Self::Unsteady => "unsteady",
            Self::Failing => "failing",
            Self::Unchanged => "unchanged",
            Self::NotCompared => "not-compared",
            Self::Differs => "differs",
        }
    }
}

/// A gain with its interval, in shares of 1; the axis spans ±0.5 if everything fits, else ±1.
/// `ends` are the labels of the interval's ends, `sides` those left and right of zero. A gain of single
/// runs is hollow.
pub fn gain_axis(
    gain: f64,
    Interval { low, high }: Interval,
    tone: Tone,
    is_hollow: bool,
    ends: [&str; 2],
    sides: [&str; 2],
) -> String {
    let extent = [low, high, gain].into_iter().fold(0.0, |most: f64, end| most.max(end.abs()));
    // Most gains are below 50 points, and a longer axis would squeeze them.
    let end = if extent <= 0.5 { 0.5 } else { 1.0 };
    let [low, high, gain] =
        [low, high, gain].map(|value| 115.0 + value.clamp(-end, end) / end * 115.0);
    let class = tone.class();
    let (range, dot) = if is_hollow { ("hollow", " hollow") } else { ("pale", "") };
    let (from, to, width, at) = (num(low), num(high), num(high - low), num(gain));
    let [left, right] = label_places(low, high).map(num);
    let ([low, high], [worse, better]) = (ends.map(escaped), sides.map(escaped));
    let body = format!(
        "<path class=\"axis\" d=\"M0 26H230M.5 22v8M229.5 22v8\"/>\
         <rect class=\"{class} {range}\" x=\"{from}\" y=\"20\" width=\"{width}\" height=\"12\"/>\
         <path class=\"zero-line\" d=\"M115 16v20\"/>\
         <path class=\"{class} end\" d=\"M{from} 18v16M{to} 18v16\"/>\
         <circle class=\"{class}{dot}\" cx=\"{at}\" cy=\"26\" r=\"5.5\"/>\
         <text class=\"strong\" x=\"{left}\" y=\"12\" text-anchor=\"middle\">{low}</text>\
         <text class=\"strong\" x=\"{right}\" y=\"12\" text-anchor=\"middle\">{high}</text>\
         <text x=\"0\" y=\"50\">{worse}</text><text x=\"115\" y=\"50\" text-anchor=\"middle\">0</text>\
         <text x=\"230\" y=\"50\" text-anchor=\"end\">{better}</text>"
    );
    svg("gain-axis", [230, 54], false, &body)
}

/// The middles of two labels at the ends of an interval: on the axis, and never over each other.
fn label_places(low: f64, high: f64) -> [f64; 2] {
    const LEAST: f64 = 14.0;
    const MOST: f64 = 216.0;
    const APART: f64 = 44.0;
    let spread = ((APART - (high - low)) / 2.0).max(0.0);
    let left = (low - spread).clamp(LEAST, MOST);
    let right = (high + spread).clamp(LEAST, MOST);
    // At an end of the axis only one of them has room to give way.
    [left.min(right - APART).max(LEAST), right.max(left + APART).min(MOST)]
}

pub fn level_bar(rate: f64, interval: Option<Interval>, side: BarSide) -> String {
    let mut body = bar([240, 16], 12, rate, side);
    if let Some(Interval { low, high }) = interval {
        let [low, high] = [low, high].map(|end| num(end * 240.0));
        body += &format!("<path class=\"tick\" d=\"M{low} 8H{high}M{low} 3v10M{high} 3v10\"/>");
    }
    svg("level-bar", [240, 16], true, &body)
}

/// A rate as a bar with a tick for each run; that of a single run as an outline.
pub fn run_bar(rate: f64, runs: &[f64], side: BarSide) -> String {
    if runs.len() == 1 {
        return outlined_bar(rate, side, false);
    }
    let mut body = bar([170, 14], 8, rate, side);
    let mut ticks: Vec<String> =
        runs.iter().map(|run| num((run * 170.0).clamp(1.0, 169.0))).collect();
    // Runs of one case often have the same rate: one tick is enough.
    ticks.dedup();
    // More would run into one block.
    ticks.truncate(50);
    if !ticks.is_empty() {
        let d: String = ticks.iter().map(|x| format!("M{x} 0v14")).collect();
        body += &format!("<path class=\"tick\" d=\"{d}\"/>");
    }
    svg("run-bar", [170, 14], true, &body)
}

/// A rate that somebody recorded and nobody can check: gray and hatched.
pub fn recorded_bar(rate: f64, side: BarSide) -> String {
    outlined_bar(rate, side, true)
}

/// A bar in the outline of its side, dashed for the side without the skill; hatched in gray.
pub fn outlined_bar(rate: f64, side: BarSide, is_hatched: bool) -> String {
    let width = 170.0;
    let filled = rate.clamp(0.0, 1.0) * width;
    let mut body = format!("<rect class=\"rest\" y=\"3\" width=\"{}\" height=\"8\"/>", num(width));
    let mut hatches = String::new();
    if is_hatched {
        let mut x = 8.0;
        while x < filled {
            hatches += &format!("M{} 11l8 -8", num(x - 8.0));
            x += 6.0;
        }
    }
    let recorded = if is_hatched { " recorded" } else { "" };
    body += &format!(
        "<path class=\"outlined {}{recorded}\" d=\"M.5 3.5h{}v7H.5z{hatches}\"/>",
        side.class(),
        num((filled - 1.0).max(0.0)),
    );
    svg("run-bar", [170, 14], true, &body)
}

fn bar([width, height]: [u32; 2], thickness: u32, rate: f64, side: BarSide) -> String {
    let (y, class) = ((height - thickness) / 2, side.class());
    let filled = num(rate.clamp(0.0, 1.0) * f64::from(width));
    format!(
        "<rect class=\"rest\" y=\"{y}\" width=\"{width}\" height=\"{thickness}\"/>\
         <rect class=\"{class}\" y=\"{y}\" width=\"{filled}\" height=\"{thickness}\"/>"
    )
}

/// A bar from zero in the middle, in shares of the scale; gray and hollow where the runs of both sides
/// overlap, and an outline in color where a side has one run.
pub fn difference_bar(difference: f64, certainty: Certainty) -> String {
    let end = 60.0 + difference.clamp(-1.0, 1.0) * 58.0;
    let (x, width) = (num(end.min(60.0)), num((end - 60.0).abs()));
    let class = match certainty {
        Certainty::Overlapping => "neutral",
        _ if difference > 0.0 => "better",
        _ => "worse",
    };
    let hollow = if certainty == Certainty::Apart { "" } else { " hollow" };
    let bar = match difference {
        // A bar without width would still show its outline.
        0.0 => String::new(),
        _ => format!(
            "<rect class=\"{class}{hollow}\" x=\"{x}\" y=\"6\" width=\"{width}\" height=\"12\"/>"
        ),
    };
    let body = bar + "<path class=\"zero-line\" d=\"M60 2v20\"/>";
    svg("difference-bar", [120, 24], false, &body)
}

/// One column per check: the candidate's square above the other side's, filled by the share of runs
/// that pass, and a mark below for the change. Equal shapes share one path, as pages have many.
/// `columns` are the tips and links of the checks, or none.
pub fn check_grid(checks: &[CheckCell], columns: &[CheckColumn], has_other: bool) -> String {
    let (marks, height) = if has_other { (30, 38) } else { (15, 23) };
    let mut groups: BTreeMap<&str, Paths> = BTreeMap::new();
    for (at, check) in checks.iter().take(GRID_CHECKS).enumerate() {
        let x = at as u32 * 16;
        let paths = groups.entry(&check.filters).or_default();
        let draw = if check.is_single { outlined_square } else { square };
        draw(paths, x, 0, check.candidate, BarSide::Candidate);
        if has_other {
            draw(paths, x, 14, check.other, check.other_side);
        }
        let tones =
            if check.is_single { ["worse hollow", "better hollow"] } else { ["worse", "better"] };
        match check.mark {
            CheckMark::Regressed => add(paths, tones[0], format!("M{} {marks}h8l-4 7z", x + 2)),
            CheckMark::Improved => {
                add(paths, tones[1], format!("M{} {}h8l-4 -7z", x + 2, marks + 7));
            }
            CheckMark::Unsteady => {
                add(paths, "neutral hollow", format!("M{} {}l4 4l-4 4l-4-4z", x + 6, marks));
            }
            CheckMark::Failing => {
                add(paths, "neutral", format!("M{} {}h6v6h-6z", x + 3, marks + 1));
            }
            CheckMark::Differs => {
                add(paths, "neutral", format!("M{} {}h8v2h-8z", x + 2, marks + 2))
            }
            CheckMark::Unchanged | CheckMark::NotCompared => {}
        }
    }
    let mut body = String::new();
    for (mark, paths) in groups {
        body += &format!("<g class=\"check {mark}\">");
        body += &drawn(&paths);
        body += "</g>";
    }
    for (at, CheckColumn { title, href }) in columns.iter().take(GRID_CHECKS).enumerate() {
        // Beyond the reach of the tab key: the page of the case has the same checks as text.
        body += &format!(
            "<a class=\"column\" href=\"{}\" tabindex=\"-1\"><title>{}</title>\
             <path d=\"M{} 0h16v{height}h-16z\"/></a>",
            escaped(href),
            escaped(title),
            at * 16,
        );
    }
    let width = checks.len().min(GRID_CHECKS) as u32 * 16;
    svg("check-grid", [width.max(16), height], false, &body)
}

/// A bar of parts, each with its class and its number.
pub fn parts_bar(parts: &[(String, usize)]) -> String {
    const WIDTH: f64 = 1000.0;
    let all: usize = parts.iter().map(|(_, number)| number).sum();
    let mut body = String::new();
    let mut x = 0.0;
    for (class, number) in parts {
        let width = WIDTH * *number as f64 / all.max(1) as f64;
        let drawn = num((width - 3.0).max(1.0));
        body += &format!(
            "<rect class=\"{}\" x=\"{}\" y=\"1\" width=\"{drawn}\" height=\"12\"/>",
            escaped(class),
            num(x + 1.0),
        );
        x += width;
    }
    svg("parts-bar", [WIDTH as u32, 14], true, &body)
}

/// A dashed square for each of `number` checks that nobody has judged, in one row for each side.
pub fn waiting_grid(number: usize, has_other: bool) -> String {
    let mut d = String::new();
    let rows: &[u32] = if has_other { &[0, 14] } else { &[0] };
    for y in rows {
        for at in 0..number.min(GRID_CHECKS) {
            d += &format!("M{}.5 {y}.5h11v11h-11z", at * 16);
        }
    }
    let size = [number.clamp(1, GRID_CHECKS) as u32 * 16, rows.len() as u32 * 14];
    svg("check-grid", size, false, &format!("<path class=\"waiting\" d=\"{d}\"/>"))
}

/// Paths by the class of their color.
type Paths = BTreeMap<&'static str, String>;

fn add(paths: &mut Paths, class: &'static str, path: String) {
    paths.entry(class).or_default().push_str(&path);
}

fn drawn(paths: &Paths) -> String {
    paths.iter().map(|(class, d)| format!("<path class=\"{class}\" d=\"{d}\"/>")).collect()
}

/// A square filled from below; a dash where there is no verdict.
fn square(paths: &mut Paths, x: u32, y: u32, share: Option<f64>, side: BarSide) {
    let Some(share) = share else {
        return add(paths, "none", format!("M{} {}h6", x + 3, y + 6));
    };
    let height = (share * 12.0).round() as u32;
    if height < 12 {
        add(paths, hollow(side), format!("M{x}.5 {y}.5h11v11h-11z"));
    }
    if height > 0 {
        let top = y + 12 - height;
        add(paths, side.class(), format!("M{x} {top}h12v{height}h-12z"));
    }
}

/// The outline of a square for a single run, with a tick in it where the check passed.
fn outlined_square(paths: &mut Paths, x: u32, y: u32, share: Option<f64>, side: BarSide) {
    let Some(share) = share else { return square(paths, x, y, share, side) };
    add(paths, hollow(side), format!("M{x}.5 {y}.5h11v11h-11z"));
    if share > 0.0 {
        add(paths, ticked(side), format!("M{} {}l2.5 2.5l4-5", x + 3, y + 6));
    }
}

/// The class of an outline in the hue of `side`.
fn hollow(side: BarSide) -> &'static str {
    ["candidate hollow", "baseline hollow", "previous hollow"][side as usize]
}

/// The class of a tick in the hue of `side`.
fn ticked(side: BarSide) -> &'static str {
    ["candidate stroke", "baseline stroke", "previous stroke"][side as usize]
}

/// The rate of a configuration in an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnRate {
    /// In shares of 1.
    pub rate: f64,
    /// Whether one run gave it: then it is drawn as a gray outline.
    pub is_single: bool,
}

/// The rate of a configuration per iteration, the newest one in the color of `side`, the others gray.
/// A dash for no verdict.
pub fn columns(rates: &[Option<ColumnRate>], side: BarSide) -> String {
    let step = if rates.len() <= 6 { 20 } else { 10 };
    let bar = step - step / 4;
    let mut paths = Paths::new();
    for (at, rate) in rates.iter().enumerate() {
        let x = at as u32 * step;
        let Some(ColumnRate { rate, is_single }) = rate else {
            add(&mut paths, "none", format!("M{} 30h{}", x + 1, bar - 2));
            continue;
        };
        // A rate of 0 % is a verdict, and so has a line.
        let height = (rate.clamp(0.0, 1.0) * 31.0).round().max(1.0) as u32;
        let y = 32 - height;
        if *is_single {
            let width = bar - 1;
            add(&mut paths, "outlined", format!("M{x}.5 {y}.5h{width}v{height}h-{width}z"));
        } else {
            let class = if at + 1 == rates.len() { side.class() } else { "past" };
            add(&mut paths, class, format!("M{x} {y}h{bar}v{height}h-{bar}z"));
        }
    }
    let width = (rates.len().max(1) as u32 - 1) * step + bar;
    add(&mut paths, "axis", format!("M0 32.5H{width}"));
    svg("columns", [width, 34], false, &drawn(&paths))
}

/// A drawing that screen readers skip; when stretched, it takes the full width.
fn svg(class: &str, [width, height]: [u32; 2], is_stretched: bool, body: &str) -> String {
    let (mut size, mut stretch) = (format!("width=\"{width}\" height=\"{height}\""), "");
    if is_stretched {
        (size, stretch) = (format!("height=\"{height}\""), " preserveAspectRatio=\"none\"");
    }
    format!(
        "<svg class=\"inline {class}\" {size} viewBox=\"0 0 {width} {height}\"{stretch} \
         aria-hidden=\"true\">{body}</svg>"
    )
}

#[cfg(test)]
mod tests;
