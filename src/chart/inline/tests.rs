use super::{
    BarSide, Certainty, CheckCell, CheckColumn, CheckMark, ColumnRate, Tone, check_grid, columns,
    difference_bar, gain_axis, label_places, run_bar,
};
use crate::chart::pair::{both_sides, gain};
use crate::chart::tests::xml::checked;
use statistics::Interval;

#[test]
fn the_labels_of_an_interval_are_never_over_each_other() {
    for low in 0..=23 {
        for high in low..=23 {
            let [left, right] = label_places(f64::from(low) * 10.0, f64::from(high) * 10.0);
            assert!(right - left >= 44.0 && left >= 14.0 && right <= 216.0, "{low} {high}");
        }
    }
}

#[test]
fn an_interval_stays_on_its_axis() {
    let (ends, sides) = (["a", "<b>"], ["c", "d"]);
    let axis =
        gain_axis(0.24, Interval { low: 0.06, high: 0.41 }, Tone::Better, false, ends, sides);
    assert!(axis.contains("cx=\"170.2\""), "{axis}");
    assert!(axis.contains("&lt;b&gt;"), "texts are escaped");
    let wide = gain_axis(0.0, Interval { low: -3.0, high: 0.6 }, Tone::Neutral, true, ends, sides);
    assert!(wide.contains("x=\"0\" y=\"20\" width=\"184\""), "{wide}");
    assert!(wide.contains("<circle class=\"neutral hollow\"") && !axis.contains("hollow"));
}

#[test]
fn what_is_absent_has_no_square_and_no_column() {
    let cell = CheckCell {
        candidate: Some(1.0),
        other: None,
        other_side: BarSide::Other,
        mark: CheckMark::NotCompared,
        filters: "not-compared".to_owned(),
        is_single: false,
    };
    let column = CheckColumn { title: "a <b>: 1/1".to_owned(), href: "x.html#e-1".to_owned() };
    let grid = check_grid(&[cell], &[column], true);
    assert!(grid.contains("class=\"candidate\"") && !grid.contains("class=\"baseline"));
    assert!(grid.contains("href=\"x.html#e-1\"") && grid.contains("a &lt;b&gt;: 1/1"));
    let level = |rate, is_single| Some(ColumnRate { rate, is_single });
    let rates = [None, level(0.0, false), level(0.5, true), level(1.0, false)];
    let columns = columns(&rates, BarSide::Candidate);
    for drawn in ["past\" d=\"M20 31h", "outlined\" d=\"M40.5 16.5h", "candidate\" d=\"M60 1h"] {
        assert!(columns.contains(&format!("class=\"{drawn}")), "{columns}");
    }
}

#[test]
fn a_bar_is_hollow_where_runs_overlap() {
    assert!(difference_bar(-0.5, Certainty::Overlapping).contains("neutral hollow"));
    assert!(difference_bar(-0.5, Certainty::OneRun).contains("worse hollow\" x=\"31\""));
    assert!(!difference_bar(0.5, Certainty::Apart).contains("hollow"));
    assert!(!difference_bar(0.0, Certainty::Apart).contains("<rect"));
    let ticks = run_bar(0.5, &[0.0, 1.0, 1.0], BarSide::Other);
    assert!(ticks.contains("d=\"M1 0v14M169 0v14\""), "{ticks}");
    assert!(run_bar(0.5, &[0.5], BarSide::Other).contains("outlined baseline"));
}

#[test]
fn both_sides_lie_on_one_scale() {
    let svg = both_sides([Some(0.5), Some(1.0)], BarSide::Other, Tone::Better, false, "a \"b\"");
    checked(&svg);
    assert!(svg.contains("cx=\"65\"") && svg.contains("M65 8L124 8"), "{svg}");
    let single = both_sides([None, Some(1.0)], BarSide::Earlier, Tone::Neutral, true, "");
    assert!(!single.contains("joint") && single.contains("mark hollow"), "{single}");
}

#[test]
fn a_gain_stays_on_its_axis() {
    let svg = gain(0.25, Some(Interval { low: -0.9, high: 0.5 }), 0.5, Tone::Neutral, "+25");
    checked(&svg);
    assert!(svg.contains("x=\"6\"") && svg.contains("cx=\"154.5\""), "{svg}");
}
