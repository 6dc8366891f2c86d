//! All figures checked, small ones as snapshots.

pub(super) mod gallery;
mod xml;

use crate::chart::tests::gallery::{all, chart, graphs, of_unit, rates, scores, series, strips};
use crate::chart::tests::xml::checked;
use crate::chart::{Cell, Figure, Role, Strip, StripCell, Unit, bars, graph, line, strip};
use crate::language::Language;
use crate::language::theme::Theme;

#[test]
fn every_figure_is_well_formed_and_says_what_it_shows() {
    let figures = all(&Language::default());
    let chinese = all(&Language::of("zh-TW", &Theme::default()).unwrap());
    for (name, figure) in figures.iter().chain(&chinese) {
        let texts = checked(&figure.svg);
        assert!(texts.len() >= 2, "{name}");
        assert!(figure.rows.iter().all(|row| row.len() == figure.head.len()), "{name}");
        assert!(!figure.svg.contains("javascript:"), "{name}");
    }
    let page: String = figures.iter().map(|(_, figure)| figure.svg.as_str()).collect();
    checked(&page);
    assert_eq!(all(&Language::default()), figures, "the same input gives the same bytes");
}

#[test]
fn three_hundred_points_stay_small() {
    let size = line(&rates(300), &Language::default()).svg.len();
    assert!(size < 250_000, "{size}");
}

#[test]
fn a_small_strip_stays_as_it_is() {
    let cell = |iteration: &str, rate, label: &str| StripCell {
        iteration: iteration.to_owned(),
        rate,
        label: label.to_owned(),
        href: None,
    };
    let figure = strip(
        &Strip {
            prefix: "s".to_owned(),
            title: "csv-merge".to_owned(),
            cells: vec![
                cell("it-1", Some(0.5), "2/4"),
                cell("it-2", None, ""),
                cell("it-3", Some(0.0), "0/4"),
            ],
        },
        &Language::default(),
    );
    insta::assert_snapshot!(lines(&figure.svg), @r#"
    <svg class="chart chart-strip" role="img" aria-labelledby="s-title s-desc" viewBox="0 0 54 18" width="54" height="18" font-size="12">
    <title id="s-title">csv-merge</title>
    <desc id="s-desc">3 iterations; first 50 % (2/4) at it-1, last 0 % (0/4) at it-3; 1 iteration without a verdict.</desc>
    <g>
    <title>it-1: 50 % (2/4)</title>
    <rect class="cell" x="0" y="1" width="16" height="16" fill="none" pointer-events="all"/>
    <rect class="level" x="0" y="9" width="16" height="8" fill-opacity="0.7"/>
    </g>
    <g>
    <title>it-2: no verdict</title>
    <rect class="cell none" x="18" y="1" width="16" height="16" fill="none" pointer-events="all"/>
    <path class="none" d="M23 9L29 9" fill="none" stroke="currentColor"/>
    </g>
    <g>
    <title>it-3: 0 % (0/4)</title>
    <rect class="cell" x="36" y="1" width="16" height="16" fill="none" pointer-events="all"/>
    <path class="zero" d="M41 6L47 12M41 12L47 6" fill="none" stroke="currentColor"/>
    </g>
    </svg>
    "#);
}

#[test]
fn a_small_line_stays_as_it_is() {
    let mut chart = chart(2, vec![series("with_skill", Role::Candidate, &[Some(0.5), Some(0.75)])]);
    chart.best = Some(1);
    let figure = line(&chart, &Language::default());
    let wide = figure.svg.split("</svg>").next().unwrap();
    insta::assert_snapshot!(lines(&format!("{wide}</svg>")), @r#"
    <svg class="chart chart-wide" role="img" aria-labelledby="rate-title rate-desc" viewBox="0 0 760 264" width="760" height="264" font-size="12">
    <title id="rate-title">Pass rate per iteration</title>
    <desc id="rate-desc">2 iterations from iteration-1 to iteration-2; percent, axis from 0 % to 100 %. with_skill: 2 values, first 50 % at iteration-1, last 75 % at iteration-2, up by 25 points; highest 75 % at iteration-2, lowest 50 % at iteration-1. Best: iteration-2.</desc>
    <g class="series-1">
    <path class="track" d="M0 9h28" fill="none" stroke="currentColor"/>
    <circle class="mark" fill="currentColor" stroke="currentColor" cx="14" cy="9" r="4"/>
    </g>
    <text x="34" y="13" text-anchor="start">with_skill</text>
    <path class="axis" d="M52 238L630 238" fill="none" stroke="currentColor"/>
    <text class="quiet" x="46" y="242" text-anchor="end">0 %</text>
    <path class="grid" d="M52 190.5L630 190.5" fill="none" stroke="currentColor"/>
    <text class="quiet" x="46" y="194.5" text-anchor="end">25 %</text>
    <path class="grid" d="M52 143L630 143" fill="none" stroke="currentColor"/>
    <text class="quiet" x="46" y="147" text-anchor="end">50 %</text>
    <path class="grid" d="M52 95.5L630 95.5" fill="none" stroke="currentColor"/>
    <text class="quiet" x="46" y="99.5" text-anchor="end">75 %</text>
    <path class="grid" d="M52 48L630 48" fill="none" stroke="currentColor"/>
    <text class="quiet" x="46" y="52" text-anchor="end">100 %</text>
    <path class="axis" d="M68 238L68 242" fill="none" stroke="currentColor"/>
    <text class="quiet" x="68" y="256" text-anchor="middle">iteration-1</text>
    <path class="axis" d="M614 238L614 242" fill="none" stroke="currentColor"/>
    <text class="quiet" x="614" y="256" text-anchor="middle">iteration-2</text>
    <g>
    <title>best: iteration-2</title>
    <g class="best">
    <path class="best-line" d="M614 42L614 238" fill="none" stroke="currentColor"/>
    <path class="mark" fill="currentColor" stroke="currentColor" d="M614 27L615.8 31.6L620.6 31.9L616.9 35L618.1 39.6L614 37L609.9 39.6L611.1 35L607.4 31.9L612.2 31.6Z"/>
    </g>
    <text x="605" y="38" text-anchor="end">best</text>
    </g>
    <g class="series-1">
    <path class="track" d="M68 143L614 95.5" fill="none" stroke="currentColor"/>
    <g>
    <title>iteration-1, with_skill: 50 %</title>
    <circle class="mark" fill="currentColor" stroke="currentColor" cx="68" cy="143" r="4"/>
    </g>
    <g>
    <title>iteration-2, with_skill: 75 %</title>
    <circle class="mark" fill="currentColor" stroke="currentColor" cx="614" cy="95.5" r="4"/>
    </g>
    </g>
    <g class="series-1">
    <circle class="mark" fill="currentColor" stroke="currentColor" cx="641" cy="95.5" r="3.4"/>
    </g>
    <text class="halo" x="650" y="99.5" text-anchor="start">with_skill 75 %</text>
    </svg>
    "#);
}

#[test]
fn descriptions_say_the_result() {
    let desc = |figure: &Figure| checked(&figure.svg)[1].clone();
    insta::assert_snapshot!(desc(&line(&rates(12), &Language::default())), @"12 iterations from iteration-1 to iteration-12; percent, axis from 0 % to 100 %. with_skill: 12 values, first 69 % at iteration-1, last 87 % at iteration-12, not comparable because of a break; highest 87 % at iteration-12, lowest 67 % at iteration-7. without_skill: 10 values, first 34 % at iteration-1, last 39 % at iteration-12, not comparable because of a break; highest 44 % at iteration-6, lowest 34 % at iteration-1; 2 iterations without a value. Best: iteration-9. Not comparable with earlier iterations from iteration-7 on: another model.");
    insta::assert_snapshot!(desc(&line(&chart(0, Vec::new()), &Language::default())), @"No iterations; percent, axis from 0 % to 100 %.");
    insta::assert_snapshot!(desc(&line(&of_unit("t", Unit::Seconds, 340.0), &Language::default())), @"12 iterations from iteration-1 to iteration-12; seconds, axis from zero. with_skill: 12 values, first 3 min 55 s at iteration-1, last 4 min 55 s at iteration-12, up by 59.4 s; highest 4 min 55 s at iteration-12, lowest 3 min 47 s at iteration-7. without_skill: 12 values, first 1 min 54 s at iteration-1, last 2 min 13 s at iteration-12, up by 19.1 s; highest 2 min 31 s at iteration-6, lowest 1 min 54 s at iteration-1.");
    insta::assert_snapshot!(desc(&bars(&scores(), &Language::default())), @"5 dimensions on a scale from 0 to 5; A (with_skill) higher in 1, B (without_skill) higher in 0, equal in 1. 3 dimensions without both scores.");
    insta::assert_snapshot!(desc(&graph(&graphs()[2], &Language::default())), @"8 versions, each to the right of the one it was made from: 2 won, 3 lost, 1 tie. Best is v4: won, pass rate 85 %, made from v3.");
    insta::assert_snapshot!(desc(&strips(&Language::default())[0]), @"6 iterations; first 0 % (3/4) at iteration-1, last 100 % (3/4) at iteration-5; 1 iteration without a verdict.");
}

#[test]
fn the_table_has_the_same_numbers() {
    let figure = line(&rates(9), &Language::default());
    let row = |row: &[Cell]| {
        row.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(" | ").trim_end().to_owned()
    };
    let rows: Vec<String> = figure.rows[2..7].iter().map(|it| row(it)).collect();
    insta::assert_snapshot!(format!("{}\n{}", figure.head.join(" | "), rows.join("\n")), @r"
    Iteration | with_skill | without_skill | Note
    iteration-3 | 69 % (54/77), 57 % to 79 % | – |
    iteration-4 | 76 % (58/77), 64 % to 86 % | – |
    iteration-5 | 71 % (55/77), 59 % to 81 % | 41 % (32/77), 29 % to 51 % | break: another model
    iteration-6 | 68 % (53/77), 56 % to 78 % | 44 % (34/77), 32 % to 54 % |
    iteration-7 | 67 % (51/77), 55 % to 77 % | 41 % (32/77), 29 % to 51 % | best
    ");
}

/// One element per line.
fn lines(svg: &str) -> String {
    svg.replace("><", ">\n<")
}
