//! For tests: figures of every kind and size.

use crate::chart::line::{ChartBreak, LineChart, Point, Series, SeriesRole, Tick};
use crate::chart::{Figure, Unit, line};
use crate::language::Language;
use statistics::Interval;

const HOSTILE: &str = "\"><script>alert(1)</script><b x='\u{202e}\u{0}\n&amp;";

/// A chart of rates over `count` iterations.
pub(in crate::chart) fn chart(count: usize, series: Vec<Series>) -> LineChart {
    LineChart {
        prefix: "rate".to_owned(),
        title: "Pass rate per iteration".to_owned(),
        unit: Unit::Fraction,
        ticks: (1..=count).map(|n| tick(format!("iteration-{n}"))).collect(),
        series,
        breaks: Vec::new(),
    }
}

fn tick(name: String) -> Tick {
    Tick { name, note: "+24 vs old_skill, 5 cases".to_owned(), short_note: "+24".to_owned() }
}

/// A series of these values.
pub(in crate::chart) fn series(name: &str, role: SeriesRole, values: &[Option<f64>]) -> Series {
    let point = |value: &Option<f64>| Some(Point { value: (*value)?, ..Point::default() });
    Series { name: name.to_owned(), role, points: values.iter().map(point).collect() }
}

/// A random walk with intervals and links, the same on every machine.
fn wandering(name: &str, role: SeriesRole, count: usize, start: u64) -> Series {
    let mut state = start.wrapping_mul(2_654_435_761) + 12_345;
    let mut level = 0.35 + (start % 5) as f64 * 0.1;
    let mut point = |index: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5;
        level = (level + noise * 0.12 + 0.01).clamp(0.05, 0.97);
        let end = |by: f64| (level + by).clamp(0.0, 1.0);
        Some(Point {
            value: level,
            name: String::new(),
            interval: Some(Interval { low: end(-0.12), high: end(0.1) }),
            label: format!("{}/77", (level * 77.0).round()),
            is_outlined: false,
            href: Some(format!("{}/index.html", index + 1)),
        })
    };
    let points = (0..count).map(&mut point).collect();
    Series { name: name.to_owned(), role, points }
}

fn pair(count: usize) -> Vec<Series> {
    vec![
        wandering("with_skill", SeriesRole::Candidate, count, 3),
        wandering("without_skill", SeriesRole::Baseline, count, 10),
    ]
}

pub(in crate::chart) fn rates(count: usize) -> LineChart {
    let mut chart = chart(count, pair(count));
    chart.prefix = format!("rates-{count}");
    let reason = "other model, no line drawn".to_owned();
    chart.breaks = vec![ChartBreak { index: count / 2, reason }];
    for index in [count / 4, count / 4 + 1] {
        if let (true, Some(point)) = (count > 8, chart.series[1].points.get_mut(index)) {
            *point = None;
        }
    }
    chart
}

fn scores_line() -> LineChart {
    let mut chart =
        chart(3, vec![series("v", SeriesRole::Candidate, &[Some(3.5), Some(4.25), None])]);
    chart.prefix = "score".to_owned();
    chart.unit = Unit::Score;
    chart
}

fn eight() -> LineChart {
    let role =
        |n| [SeriesRole::Candidate, SeriesRole::Baseline, SeriesRole::Other][usize::min(n, 2)];
    let wandering_series =
        |n: usize| wandering(&format!("configuration {n}"), role(n), 12, n as u64);
    let mut chart = chart(12, (0..8).map(wandering_series).collect());
    chart.prefix = "eight".to_owned();
    chart
}

fn named(prefix: &str, count: usize, name: impl Fn(usize) -> String) -> LineChart {
    let mut chart = chart(count, pair(count));
    chart.prefix = prefix.to_owned();
    chart.ticks = (1..=count).map(name).map(tick).collect();
    chart
}

fn hostile() -> LineChart {
    let mut chart = rates(6);
    chart.prefix = format!("h{HOSTILE}");
    chart.title = HOSTILE.to_owned();
    chart.ticks.iter_mut().for_each(|tick| tick.name.push_str(HOSTILE));
    chart.breaks = (0..9).map(|index| ChartBreak { index, reason: HOSTILE.to_owned() }).collect();
    for series in &mut chart.series {
        series.name = HOSTILE.repeat(4);
        let values = [f64::NAN, f64::INFINITY, -1.0, 0.5, 1e308, f64::MIN_POSITIVE];
        for (point, value) in series.points.iter_mut().flatten().zip(values) {
            point.value = value;
            point.interval = Some(Interval { low: f64::NEG_INFINITY, high: value });
            (point.label, point.href) =
                (HOSTILE.to_owned(), Some("javascript:alert(1)".to_owned()));
        }
    }
    chart
}

fn precision(language: &Language) -> Figure {
    let series = |key: &str, start| Series {
        name: language.text(key).to_owned(),
        ..wandering("", SeriesRole::Other, 5, start)
    };
    let mut chart = chart(5, vec![series("chart.precision", 4), series("chart.recall", 8)]);
    chart.prefix = "trigger".to_owned();
    chart.title = "Precision and recall of the trigger".to_owned();
    line(&chart, language)
}

/// All figures with their headings.
pub(in crate::chart) fn all(language: &Language) -> Vec<(String, Figure)> {
    let mut figures: Vec<(String, Figure)> = Vec::new();
    let mut add = |name: &str, figure: Figure| figures.push((name.to_owned(), figure));
    for count in [0, 1, 2, 5, 12, 30, 80, 300] {
        add(&format!("{count} iterations"), line(&rates(count), language));
    }
    let mut absent = chart(4, vec![series("with_skill", SeriesRole::Candidate, &[None; 4])]);
    absent.prefix = "absent".to_owned();
    add("all absent", line(&absent, language));
    let mut equal = chart(4, vec![series("with_skill", SeriesRole::Candidate, &[Some(0.5); 4])]);
    equal.prefix = "equal".to_owned();
    add("equal", line(&equal, language));
    add("scores", line(&scores_line(), language));
    add("eight", line(&eight(), language));
    add(
        "long names",
        line(&named("long", 14, |n| format!("{n} rewrite of the whole section on {n}")), language),
    );
    add("Chinese", line(&named("cjk", 14, |n| format!("第{n}版：重寫說明與範例")), language));
    add(
        "long, many",
        line(&named("many", 120, |n| format!("{n} rewrite of the whole section on {n}")), language),
    );
    add("precision and recall", precision(language));
    add("hostile", line(&hostile(), language));
    figures
}
