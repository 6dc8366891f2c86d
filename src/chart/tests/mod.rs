//! All figures checked, small ones as snapshots.

pub(super) mod gallery;
pub(super) mod xml;

use crate::chart::tests::gallery::{all, chart, rates, series};
use crate::chart::tests::xml::checked;
use crate::chart::{Cell, ChartBreak, Figure, SeriesRole, line};
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
fn a_small_line_has_its_marks_values_and_names() {
    let points = [Some(0.5), Some(0.75)];
    let figure = line(
        &chart(2, vec![series("with_skill", SeriesRole::Candidate, &points)]),
        &Language::default(),
    );
    let wide = format!("{}</svg>", figure.svg.split("</svg>").next().unwrap());
    let texts: Vec<String> =
        checked(&wide).iter().map(|text| text.replace('\u{202f}', " ")).collect();
    insta::assert_snapshot!(texts[2..].join(" | "), @"with_skill | Pass rate per iteration | 0 % | 25 % | 50 % | 75 % | 100 % | iteration-1 | iteration-2 | +24 vs old_skill, 5 cases | +24 vs old_skill, 5 cases | iteration-1, with_skill: 50 % | iteration-2, with_skill: 75 % | 50 | 75 | with_skill");
    assert!(wide.contains("class=\"track\" d=\"M317 161L847 102.5\""), "{wide}");
}

/// The place and the text of each label in the drawing.
fn labels(svg: &str) -> Vec<(f64, f64, String)> {
    let row = format!("<row>{svg}</row>");
    let document = roxmltree::Document::parse(&row).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let number = |node: &roxmltree::Node<'_, '_>, key| node.attribute(key)?.parse().ok();
    let label = |node: roxmltree::Node<'_, '_>| {
        Some((number(&node, "x")?, number(&node, "y")?, node.text()?.to_owned()))
    };
    texts.filter_map(label).collect()
}

#[test]
fn values_cover_neither_the_legend_nor_reasons_nor_names() {
    let both = [Some(1.0), Some(0.0)];
    let series = vec![
        series("with_skill", SeriesRole::Candidate, &both),
        series("without_skill", SeriesRole::Baseline, &[Some(0.0), Some(0.0)]),
    ];
    let mut chart = chart(2, series);
    chart.breaks =
        vec![ChartBreak { index: 1, reason: "other cases and other prompts".to_owned() }];
    let figure = line(&chart, &Language::default());
    for svg in figure.svg.split_inclusive("</svg>") {
        let labels = labels(svg);
        let y_of = |wanted: &str| {
            let places = labels.iter().filter(|(.., text)| text == wanted).map(|(_, y, _)| *y);
            places.collect::<Vec<_>>()
        };
        let values = y_of("100");
        assert!(values[0] - 12.0 >= y_of("Pass rate per iteration")[0], "{labels:?}");
        assert!(y_of("other cases and other prompts").iter().all(|y| values[0] - 12.0 >= *y));
        assert!(y_of("0").iter().all(|y| y_of("iteration-1")[0] - 12.0 >= *y), "{labels:?}");
    }
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
    iteration-3 | 69 %, 54/77, 57 % to 79 % | – |
    iteration-4 | 76 %, 58/77, 64 % to 86 % | – |
    iteration-5 | 71 %, 55/77, 59 % to 81 % | 41 %, 32/77, 29 % to 51 % | other model, no line drawn
    iteration-6 | 68 %, 53/77, 56 % to 78 % | 44 %, 34/77, 32 % to 54 % |
    iteration-7 | 67 %, 51/77, 55 % to 77 % | 41 %, 32/77, 29 % to 51 % |
    ");
}
