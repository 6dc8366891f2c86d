//! All figures checked, small ones as snapshots.

pub(super) mod gallery;
pub(super) mod xml;

use crate::chart::tests::gallery::{all, chart, rates, series};
use crate::chart::tests::xml::checked;
use crate::chart::{Cell, Figure, SeriesRole, line};
use crate::language::Language;
use crate::language::theme::Theme;

#[test]
fn every_figure_is_well_formed_and_says_what_it_shows() {
    let figures = all(&Language::default());
    let chinese = all(&Language::new("zh-TW", &Theme::default()).unwrap());
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
fn a_small_line_stays_as_it_is() {
    let mut chart =
        chart(2, vec![series("with_skill", SeriesRole::Candidate, &[Some(0.5), Some(0.75)])]);
    chart.ticks[1].note = String::new();
    let figure = line(&chart, &Language::default());
    let wide = figure.svg.split("</svg>").next().unwrap();
    insta::assert_snapshot!(lines(&format!("{wide}</svg>")), @r#"
    <svg class="chart chart-wide" role="img" aria-labelledby="rate-chart-wide-title rate-chart-wide-desc" viewBox="0 0 1200 312" width="1200" height="312" font-size="12">
    <title id="rate-chart-wide-title">Pass rate per iteration</title>
    <desc id="rate-chart-wide-desc">with_skill over 2 iterations; the table below has the same numbers.</desc>
    <g class="series-1">
    <path class="mark" fill="currentColor" stroke="currentColor" d="M0.5 4.5L9.5 4.5L9.5 13.5L0.5 13.5Z"/>
    </g>
    <text class="quiet" x="16" y="13" text-anchor="start">with_skill</text>
    <text class="quiet" x="96" y="13" text-anchor="start">Pass rate per iteration</text>
    <path class="grid" d="M44 270L1112 270" fill="none" stroke="currentColor"/>
    <text class="quiet" x="38" y="274" text-anchor="end">0 %</text>
    <path class="grid" d="M44 211.5L1112 211.5" fill="none" stroke="currentColor"/>
    <text class="quiet" x="38" y="215.5" text-anchor="end">25 %</text>
    <path class="grid" d="M44 153L1112 153" fill="none" stroke="currentColor"/>
    <text class="quiet" x="38" y="157" text-anchor="end">50 %</text>
    <path class="grid" d="M44 94.5L1112 94.5" fill="none" stroke="currentColor"/>
    <text class="quiet" x="38" y="98.5" text-anchor="end">75 %</text>
    <path class="grid" d="M44 36L1112 36" fill="none" stroke="currentColor"/>
    <text class="quiet" x="38" y="40" text-anchor="end">100 %</text>
    <text class="name" x="317" y="288" text-anchor="middle">iteration-1</text>
    <text class="name" x="847" y="288" text-anchor="middle">iteration-2</text>
    <text class="quiet" x="317" y="304" text-anchor="middle">+24 vs old_skill, 5 cases</text>
    <g class="series-1">
    <path class="track" d="M317 153L847 94.5" fill="none" stroke="currentColor"/>
    </g>
    <g class="series-1">
    <g>
    <title>iteration-1, with_skill: 50 %</title>
    <path class="mark" fill="currentColor" stroke="currentColor" d="M312.5 148.5L321.5 148.5L321.5 157.5L312.5 157.5Z"/>
    </g>
    <g>
    <title>iteration-2, with_skill: 75 %</title>
    <path class="mark" fill="currentColor" stroke="currentColor" d="M842.5 90L851.5 90L851.5 99L842.5 99Z"/>
    </g>
    </g>
    <text class="name halo" x="317" y="143" text-anchor="middle">50</text>
    <text class="name halo" x="847" y="84.5" text-anchor="middle">75</text>
    <g class="series-1">
    <text class="end" x="1120" y="98.5" text-anchor="start">with_skill</text>
    </g>
    </svg>
    "#);
}

#[test]
fn descriptions_say_the_result() {
    let desc = |figure: &Figure| checked(&figure.svg)[1].clone();
    insta::assert_snapshot!(desc(&line(&rates(12), &Language::default())), @"with_skill, without_skill over 12 iterations; the table below has the same numbers. iteration-7: other model, no line drawn.");
    insta::assert_snapshot!(desc(&line(&chart(0, Vec::new()), &Language::default())), @"nothing recorded");
}

#[test]
fn the_table_has_the_same_numbers() {
    let figure = line(&rates(9), &Language::default());
    let row = |row: &[Cell]| {
        row.iter()
            .map(|row| row.text.as_str())
            .collect::<Vec<_>>()
            .join(" | ")
            .trim_end()
            .to_owned()
    };
    let rows: Vec<String> = figure.rows[2..7].iter().map(|cells| row(cells)).collect();
    insta::assert_snapshot!(format!("{}\n{}", figure.head.join(" | "), rows.join("\n")), @r"
    Iteration | with_skill | without_skill | Note
    iteration-3 | 69 % (54/77), 57 % to 79 % | – |
    iteration-4 | 76 % (58/77), 64 % to 86 % | – |
    iteration-5 | 71 % (55/77), 59 % to 81 % | 41 % (32/77), 29 % to 51 % | other model, no line drawn
    iteration-6 | 68 % (53/77), 56 % to 78 % | 44 % (34/77), 32 % to 54 % |
    iteration-7 | 67 % (51/77), 55 % to 77 % | 41 % (32/77), 29 % to 51 % |
    ");
}

/// One element per line.
fn lines(svg: &str) -> String {
    svg.replace("><", ">\n<")
}
