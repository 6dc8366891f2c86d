//! `benchmark.md`.

use crate::render::data::{
    benchmark::tests::{by, case, form, improved, iteration, page, run},
    benchmark::{self, Heading},
};
use input::model::Iteration;

#[test]
fn an_improvement() {
    insta::assert_snapshot!(page(&improved()), @r"
    # Skill Benchmark: quarterly-report

    - **Date**: 2026-07-06T12:12:00Z
    - **Evals**: 1, 2
    - **Runs per case and configuration**: 1 to 2

    ## Verdict

    **Not decided: 4 of 8 verdicts of with_skill are missing.**

    At worst, with_skill would have 38 % and old_skill 42 %.

    |  | answer | points | checks | cost |
    |:--|:--|:--|:--|:--|
    | **Did the last change help?**<br>with_skill vs old_skill | Not decided<br>4 verdicts missing; 1 of 2 cases compared | – | ◇ 1 unsteady | ≈ +55 % tokens<br>≈ 2.5× time |
    | **Does the skill help?**<br>with_skill | Not tested this time<br>no graded run without the skill | – |  |  |

    Next: Grade what has no verdict: `evalbook schema grading --prompt`.

    ## Summary

    | Metric | with_skill | old_skill | with_skill − old_skill |
    | :-- | --: | --: | --: |
    | Runs graded | 2/3 | 2/2 |  |
    | Expectations passed | 3/4 | 2/5 |  |
    | Pass rate | 75 % ± 35 points | 42 % ± 12 points | — |
    | Time (s) | 25.2 ± 6.7 | 10.0 (1 of 2 runs) | +15.2 |
    | Tokens | 1550 ± 71 | 1000 (1 of 2 runs) | +550 |

    The columns of a configuration are means over all its graded runs. The number after ± is the spread between runs (sample standard deviation over all cases); a single run has none. A dash means not recorded, or not decided. A change is over the cases that both sides have, every case with the same weight: it is the gain of the verdict above, and need not be the difference of the columns before it.

    ## Notes

    - with_skill 3/4 vs old_skill 2/5 expectations passed
    - with_skill: 1 of 3 runs not graded and left out of every mean
    - with_skill: 1 expectation without a verdict, left out of the pass rate
    - old_skill: duration recorded for 1 of 2 runs
    - old_skill: tokens recorded for 1 of 2 runs
    - 1 of 3 runs of with_skill has no verdict.

    ## Cases

    | Case | with_skill | old_skill |
    | :-- | --: | --: |
    | board-slides | 3/4 (2 runs) | 1/2 |
    | ops-memo | not graded | 1/3 |
    ");
}

#[test]
fn three_configurations_and_nothing_recorded() {
    let runs =
        vec![run("a_skill", 1, "++"), run("b_skill", 1, "+-"), run("without_skill", 1, "--")];
    let page = page(&iteration(vec![case(None, "one", runs)]));
    let header = "| Metric | a_skill | b_skill | without_skill | a_skill − without_skill | b_skill − without_skill |\n";
    assert!(page.contains(header), "{page}");
    assert!(page.contains("| Pass rate | 100 % | 50 % | 0 % | +100 points | +50 points |\n"));
    assert!(page.contains("| Tokens | — | — | — | — | — |\n"));
}

#[test]
fn an_empty_iteration() {
    let nothing = Iteration::default();
    let page = form(&nothing, &Heading::default(), benchmark::markdown);
    assert_eq!(page, "# Skill Benchmark\n\nThe iteration has no runs.\n");
}

#[test]
fn data_is_escaped() {
    let runs = vec![by("<m|1>", run("with|skill", 1, "+")), run("old`skill", 1, "-")];
    let mut hostile = iteration(vec![case(Some("@admin"), "a|b\n# <img> #12", runs)]);
    hostile.name = "ignored".to_owned();
    let page = page(&hostile);
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let bars = line.replace("\\|", "").matches('|').count();
        assert!(matches!(bars, 4 | 5), "{line}");
    }
    assert!(page.contains("| a\\|b \\# &lt;img&gt; #&#8203;12 | 0/1 | 1/1 |"), "{page}");
    assert!(page.contains("- **Evals**: @&#8203;admin\n"));
    assert!(!page.contains("<img>") && !page.contains("@admin"));
}
