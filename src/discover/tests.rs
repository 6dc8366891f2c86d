//! Layouts as lists of paths: the role of each file.

use crate::discover::{IterationKey, Layout, layout};
use crate::files::Entry;

fn layout_of(name: &str, paths: &[&str]) -> Layout {
    let entries: Vec<Entry> = paths.iter().map(|path| Entry::file(*path, 1)).collect();
    layout(&entries, name, &|_| None)
}

/// `path => iteration | case | configuration | run`, one per document and output.
fn placed(name: &str, paths: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for section in &layout_of(name, paths).sections {
        let documents = section.documents.iter().map(|d| (&d.path, &d.place));
        let outputs = section.outputs.iter().map(|o| (&o.file.path, &o.place));
        for (path, place) in documents.chain(outputs) {
            let iteration = match &place.iteration {
                IterationKey::Folder(path) => path.clone(),
                IterationKey::Group(group) => format!("({group})"),
            };
            let part = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
            let run = place.run.map_or("-".to_owned(), |run| run.to_string());
            let (case, configuration) = (part(&place.case), part(&place.configuration));
            lines.push(format!("{path} => {iteration} | {case} | {configuration} | {run}"));
        }
    }
    lines
}

fn check(what: &str, root: &str, table: &str) {
    let lines: Vec<&str> = table.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let paths: Vec<&str> = lines.iter().map(|line| line.split(" => ").next().unwrap()).collect();
    let mut actual = placed(root, &paths);
    let mut expected: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    actual.sort();
    expected.sort();
    assert_eq!(actual.join("\n"), expected.join("\n"), "{what}");
}

/// Folders as paths, with the iteration, case, configuration and run of each.
const LAYOUTS: &[(&str, &str)] = &[
    (
        "iteration case configuration run",
        "iteration-1/pdf/with_skill/run-1/grading.json => iteration-1 | pdf | with_skill | 1
         iteration-1/pdf/with_skill/run-10/outputs/a/b.md => iteration-1 | pdf | with_skill | 10
         iteration-1/pdf/old_skill/grading.json => iteration-1 | pdf | old_skill | -
         iteration-1/pdf/old_skill/outputs/grading.json => iteration-1 | pdf | old_skill | -
         iteration-1/pdf/eval_metadata.json => iteration-1 | pdf | - | -
         iteration-1/run-test-audit/with_skill/response.md => iteration-1 | run-test-audit | with_skill | -
         iteration-1/run-test-audit/with_skill/timing.json => iteration-1 | run-test-audit | with_skill | -
         iteration-1/benchmark.json => iteration-1 | - | - | -",
    ),
    (
        "flat names of parts",
        "evals/eval-0-code.metadata.json => () | - | - | -
         evals/eval-0-code.with_skill.grading.json => () | eval-0-code | with_skill | -
         evals/eval-0-code.with_skill.response.md => () | eval-0-code | with_skill | -
         evals/eval-0-code.iter2.grading.json => iter2 | eval-0-code | - | -
         evals/eval-0-code.iter2.response.md => iter2 | eval-0-code | - | -
         evals/eval-0-code.iter-3.without_skill.grading.json => iter-3 | eval-0-code | without_skill | -",
    ),
    (
        "grading at case level",
        "iteration-1/a/grading.json => iteration-1 | a | - | -
         iteration-1/a/with_skill/outputs/x.md => iteration-1 | a | with_skill | -
         iteration-1/b/grading_with_skill.json => iteration-1 | b | with_skill | -
         iteration-1/b/grading_without_skill.json => iteration-1 | b | without_skill | -
         iteration-1/eval-2-claims-with-skill/grading.json => iteration-1 | eval-2-claims | with_skill | -",
    ),
    (
        "configuration first",
        "iteration-3/with_skill/eval-3-grading.json => iteration-3 | eval-3 | with_skill | -
         iteration-3/with_skill/eval-3-config.json => iteration-3 | eval-3 | with_skill | -
         iteration-3/with_skill/eval-3-output.md => iteration-3 | eval-3 | with_skill | -
         iteration-3/with_skill/eval-30-grading.json => iteration-3 | eval-30 | with_skill | -
         iteration-3/gemini_without_skill/eval-3-grading.json => iteration-3 | eval-3 | gemini_without_skill | -
         iteration-4/with_skill/pdf/run-2/grading.json => iteration-4 | pdf | with_skill | 2",
    ),
    (
        "suites below a configuration are no cases",
        "runs/with_skill-1/invoice-reader/names/grading.json => () | names | with_skill-1 | -
         runs/with_skill-1/invoice-reader/slow/timing.json => () | slow | with_skill-1 | -
         runs/without_skill-1/invoice-reader/names/grading.json => () | names | without_skill-1 | -",
    ),
    (
        "run above configuration",
        "results/8/run-1/with_rule/grading.json => () | 8 | with_rule | 1
         results/8/run-1/without_rule/transcript.md => () | 8 | without_rule | 1
         results/eval5/run-1/grading.json => () | eval5 | - | 1
         results/eval5/run-1/with_rule/transcript.md => () | eval5 | with_rule | 1",
    ),
    (
        "groups above",
        "iteration-1/a/with_skill/grading.json => iteration-1 | a | with_skill | -
         batch2/iteration-1/a/with_skill/grading.json => batch2/iteration-1 | a | with_skill | -
         multi-model/opus/a/with_skill/grading.json => (multi-model/opus) | a | with_skill | -
         multi-model/opus/b/without_skill/outputs/r.md => (multi-model/opus) | b | without_skill | -",
    ),
    (
        "dated and versioned",
        "benchmarks/2026-01-02_101500/runs/eval-1/with_skill/run-1/grading.json => benchmarks/2026-01-02_101500 | eval-1 | with_skill | 1
         v0/runs/case-01/run-1/outputs/x.md => v0 | case-01 | - | 1
         v0/runs/run-2/outputs/x.md => v0 | - | - | 2
         grading/case-01_v0_run1.json => v0 | case-01 | - | 1
         grading/v1-vs-v0/comparison-1.json => (grading) | - | - | -",
    ),
    (
        "names that only structure explains",
        "iteration-1/a/alpha/grading.json => iteration-1 | a | alpha | -
         iteration-1/a/beta/grading.json => iteration-1 | a | beta | -
         iteration-1/b/alpha/outputs/x.md => iteration-1 | b | alpha | -
         iteration-1/b/beta/timing.json => iteration-1 | b | beta | -
         iteration-1/a/alpha/project/docs/index.md => iteration-1 | a | alpha | -
         iteration-1/a/without_skill/without_skill/grading.json => iteration-1 | a | without_skill | -",
    ),
    (
        "samples without configuration",
        "2026-07-04T03-53-57-344Z/fizz--c6/sample-1/grading.json => (2026-07-04T03-53-57-344Z) | fizz--c6 | - | 1
         2026-07-04T03-56-11-143Z/exact/sample-1/outputs/answer.md => (2026-07-04T03-56-11-143Z) | exact | - | 1
         runs/dataset/2026-06-28T09-38-02-759Z/exp-1/run-1/grading.json => (dataset/2026-06-28T09-38-02-759Z) | exp-1 | - | 1",
    ),
    (
        "groups below an iteration are part of the configuration where cases repeat",
        "iteration-1/first/pdf/with_skill/grading.json => iteration-1 | pdf | first/with_skill | -
         iteration-1/second/pdf/with_skill/outputs/x.md => iteration-1 | pdf | second/with_skill | -
         iteration-2/first/pdf/with_skill/grading.json => iteration-2 | pdf | first/with_skill | -
         iteration-3/rerun/eval-1/grading.json => iteration-3 | eval-1 | rerun | -
         iteration-3/eval-1/grading.json => iteration-3 | eval-1 | - | -
         iteration-4/suite-a/pdf/with_skill/grading.json => iteration-4 | pdf | with_skill | -
         iteration-4/suite-b/csv/with_skill/grading.json => iteration-4 | csv | with_skill | -
         iteration-5/grading/pdf/with_skill/grading.json => iteration-5 | pdf | with_skill | -
         iteration-5/pdf/with_skill/outputs/x.md => iteration-5 | pdf | with_skill | -",
    ),
    (
        "groups below a case narrow its configurations",
        "iteration-1/eval-1/slow/with_skill/grading.json => iteration-1 | eval-1 | slow/with_skill | -
         iteration-1/eval-2/slow/with_skill/grading.json => iteration-1 | eval-2 | slow/with_skill | -
         iteration-2/eval-1/runs/with_skill/grading.json => iteration-2 | eval-1 | with_skill | -
         iteration-2/eval-2/grading/with_skill/grading.json => iteration-2 | eval-2 | with_skill | -",
    ),
    (
        "models are configurations inside an iteration",
        "iteration-1/opus/pdf/with_skill/grading.json => iteration-1 | pdf | opus/with_skill | -
         iteration-1/gpt-5-mini/pdf/with_skill/grading.json => iteration-1 | pdf | gpt-5-mini/with_skill | -
         iteration-2/pdf/opus/with_skill/grading.json => iteration-2 | pdf | opus/with_skill | -
         iteration-3/pdf/opus/grading.json => iteration-3 | pdf | opus | -
         iteration-3/pdf/haiku/grading.json => iteration-3 | pdf | haiku | -
         iteration-3/pdf/claude-sonnet-4-5/grading.json => iteration-3 | pdf | claude-sonnet-4-5 | -
         iteration-4/opus/pdf-grading.json => iteration-4 | pdf | opus | -
         iteration-4/opus/csv-grading.json => iteration-4 | csv | opus | -
         iteration-5/pdf/grading_opus.json => iteration-5 | pdf | opus | -
         iteration-5/gemini-import/with_skill/grading.json => iteration-5 | gemini-import | with_skill | -",
    ),
    (
        "names of files tell runs apart",
        "iteration-1/one/pdf-grading.json => iteration-1 | one | pdf | -
         iteration-1/one/csv-grading.json => iteration-1 | one | csv | -
         iteration-2/fresh/eval-1-grading.json => iteration-2 | eval-1 | fresh | -
         iteration-2/fresh/eval-2-grading.json => iteration-2 | eval-2 | fresh | -
         iteration-3/eval-1/grading_strict.json => iteration-3 | eval-1 | strict | -
         iteration-3/eval-1/strict/outputs/x.md => iteration-3 | eval-1 | strict | -
         iteration-3/eval-1/loose/outputs/x.md => iteration-3 | eval-1 | loose | -
         iteration-4/pdf_with_skill_grading.json => iteration-4 | pdf | with_skill | -
         iteration-4/grading-pdf-old-skill.json => iteration-4 | pdf | old_skill | -
         iteration-5/pdf/grading-human.json => iteration-5 | pdf | - | -",
    ),
    (
        "gradings deeper than their configuration",
        "iteration-1/pdf/with_skill/runs/run-2/grading.json => iteration-1 | pdf | with_skill | 2
         iteration-1/pdf/without_skill/trials/2/grading.json => iteration-1 | pdf | without_skill | 2
         iteration-2/pdf/with_skill/fast/run-1/grading.json => iteration-2 | pdf | with_skill/fast | 1
         iteration-3/pdf/with_skill/run-1/grader/grading.json => iteration-3 | pdf | with_skill | 1
         iteration-3/pdf/with_skill/run-1/outputs/x.md => iteration-3 | pdf | with_skill | 1
         iteration-4/pdf/with_skill/results/grading.json => iteration-4 | pdf | with_skill | -
         iteration-5/pdf/run-1/fast/grading.json => iteration-5 | pdf | fast | 1",
    ),
    (
        "a folder of outputs may enclose the next level",
        "outputs/iteration-1/pdf/with_skill/grading.json => outputs/iteration-1 | pdf | with_skill | -
         iteration-2/outputs/pdf/with_skill/grading.json => iteration-2 | pdf | with_skill | -
         iteration-3/pdf/outputs/with_skill/grading.json => iteration-3 | pdf | with_skill | -
         iteration-4/pdf/with_skill/outputs/run-2/grading.json => iteration-4 | pdf | with_skill | 2
         iteration-5/pdf/with_skill/grading.json => iteration-5 | pdf | with_skill | -
         iteration-5/pdf/with_skill/outputs/run-2/grading.json => iteration-5 | pdf | with_skill | -
         iteration-5/pdf/with_skill/outputs/ws/iteration-1/a/with_skill/grading.json => iteration-5 | pdf | with_skill | -",
    ),
    (
        "a pass over all cases is a run of each",
        "iteration-1/run-2/pdf/with_skill/grading.json => iteration-1 | pdf | with_skill | 2
         iteration-1/run-3/pdf/with_skill/grading.json => iteration-1 | pdf | with_skill | 3
         iteration-2/with_skill/run-1/eval-1/grading.json => iteration-2 | eval-1 | with_skill | 1
         iteration-2/with_skill/run-2/eval-1/grading.json => iteration-2 | eval-1 | with_skill | 2
         iteration-3/run-1/pdf/with_skill/run-4/grading.json => iteration-3 | pdf | run-1/with_skill | 4
         iteration-3/run-2/pdf/with_skill/run-4/grading.json => iteration-3 | pdf | run-2/with_skill | 4
         iteration-4/sample-1/with_skill/run-1/grading.json => iteration-4 | sample-1 | with_skill | 1
         iteration-4/sample-2/run-1/grading.json => iteration-4 | sample-2 | - | 1
         run-1/eval-1/with_skill/grading.json => (run-1) | eval-1 | with_skill | -
         run-2/eval-1/with_skill/grading.json => (run-2) | eval-1 | with_skill | -",
    ),
    (
        "a case with configurations keeps its whole name",
        "iteration-1/create-new-skill/with_skill/grading.json => iteration-1 | create-new-skill | with_skill | -
         iteration-1/create-new-skill/without_skill/run-1/grading.json => iteration-1 | create-new-skill | without_skill | 1
         iteration-1/create-new-skill/eval_metadata.json => iteration-1 | create-new-skill | - | -
         iteration-1/eval-1-compare-baseline/run-1/with_skill/grading.json => iteration-1 | eval-1-compare-baseline | with_skill | 1
         iteration-1/find-candidate/runs/with_skill/grading.json => iteration-1 | find-candidate | with_skill | -",
    ),
    (
        "runs by number alone",
        "iteration-1/pdf/with_skill/1/grading.json => iteration-1 | pdf | with_skill | 1
         iteration-1/pdf/with_skill/2/response.md => iteration-1 | pdf | with_skill | 2
         iteration-1/pdf/without_skill/r1/grading.json => iteration-1 | pdf | without_skill | 1
         iteration-1/pdf/without_skill/seed-2/grading.json => iteration-1 | pdf | without_skill | 2
         iteration-2/pdf/with_skill/grading.json => iteration-2 | pdf | with_skill | -
         iteration-2/pdf/with_skill/1/page.html => iteration-2 | pdf | with_skill | -
         iteration-3/1/with_skill/grading.json => iteration-3 | 1 | with_skill | -
         iteration-4/pdf/with_skill/1/grading.json => iteration-4 | pdf | with_skill/1 | -
         iteration-4/pdf/with_skill/01/grading.json => iteration-4 | pdf | with_skill/01 | -",
    ),
    (
        "numbered gradings are of graders where nothing else has a number",
        "iteration-1/pdf/with_skill/grading.json => iteration-1 | pdf | with_skill | -
         iteration-1/pdf/with_skill/grading-1.json => iteration-1 | pdf | with_skill | -
         iteration-1/pdf/with_skill/grading_2.json => iteration-1 | pdf | with_skill | -
         iteration-1/pdf/with_skill/timing.json => iteration-1 | pdf | with_skill | -
         iteration-1/xls/with_skill/grading.json => iteration-1 | xls | with_skill | -
         iteration-1/xls/with_skill/grading-1.json => iteration-1 | xls | with_skill | -
         iteration-1/xls/with_skill/outputs/a.md => iteration-1 | xls | with_skill | -
         iteration-2/pdf/with_skill/grading-1.json => iteration-2 | pdf | with_skill | 1
         iteration-2/pdf/with_skill/grading-2.json => iteration-2 | pdf | with_skill | 2
         iteration-2/pdf/with_skill/timing.json => iteration-2 | pdf | with_skill | -
         iteration-3/pdf/with_skill/grading.json => iteration-3 | pdf | with_skill | -
         iteration-3/pdf/with_skill/grading-1.json => iteration-3 | pdf | with_skill | 1
         iteration-3/pdf/with_skill/grading-2.json => iteration-3 | pdf | with_skill | 2
         iteration-4/pdf/with_skill/grading.json => iteration-4 | pdf | with_skill | -
         iteration-4/pdf/with_skill/grading-1.json => iteration-4 | pdf | with_skill | 1
         iteration-4/pdf/with_skill/timing-1.json => iteration-4 | pdf | with_skill | 1
         iteration-4/pdf/with_skill/timing.json => iteration-4 | pdf | with_skill | -
         iteration-5/pdf/with_skill/grading.json => iteration-5 | pdf | with_skill | -
         iteration-5/pdf/with_skill/grading-1.json => iteration-5 | pdf | with_skill | 1
         iteration-5/pdf/with_skill/output-1.md => iteration-5 | pdf | with_skill | 1
         iteration-5/pdf/with_skill/timing.json => iteration-5 | pdf | with_skill | -",
    ),
    (
        "names that end in a run",
        "iteration-1/pdf/with_skill-run-2/grading.json => iteration-1 | pdf | with_skill | 2
         iteration-1/pdf/with_skill_run1/grading.json => iteration-1 | pdf | with_skill | 1
         iteration-2/eval-1-a-with_skill-run-2/grading.json => iteration-2 | eval-1-a | with_skill | 2
         iteration-3/without_skill-eval-1/grading.json => iteration-3 | eval-1 | without_skill | -
         iteration-3/with_skill-eval-1/grading.json => iteration-3 | eval-1 | with_skill | -",
    ),
    (
        "a folder named like an iteration inside one is a case",
        "iteration-1/iteration-planning/with_skill/grading.json => iteration-1 | iteration-planning | with_skill | -
         iteration-master/pdf/with_skill/grading.json => iteration-master | pdf | with_skill | -",
    ),
    (
        "a configuration without a grading is one",
        "iteration-1/pdf/with_skill/grading.json => iteration-1 | pdf | with_skill | -
         iteration-1/pdf/without_skill/response.md => iteration-1 | pdf | without_skill | -",
    ),
    (
        "scored gradings in other spellings",
        "grading/case-01-v0-run1.json => v0 | case-01 | - | 1
         grading/case-01_V1_Run1.json => v1 | case-01 | - | 1
         grading/case-01_v2_run-2.json => v2 | case-01 | - | 2
         grading/case-01_v3.json => v3 | case-01 | - | -
         grading/case-01_v4_run1_grading.json => v4 | case-01 | - | 1",
    ),
    (
        "rounds and versions by their words",
        "round-1/pdf/with_skill/grading.json => round-1 | pdf | with_skill | -
         version-2/pdf/with_skill/grading.json => version-2 | pdf | with_skill | -
         iteration-1/round-1/with_skill/grading.json => iteration-1 | round-1 | with_skill | -",
    ),
];

#[test]
fn files_have_their_places() {
    for (name, table) in LAYOUTS {
        check(name, "ws", table);
    }
}

#[test]
fn the_root_is_an_iteration_or_a_case() {
    check("a root", "iteration-3", "a/with_skill/grading.json =>  | a | with_skill | -");
    check(
        "eval-7",
        "eval-7",
        "with_skill/run-1/grading.json => () | eval-7 | with_skill | 1
         eval_metadata.json => () | eval-7 | - | -",
    );
}

#[test]
fn many_workspaces() {
    let paths = [
        "skills/pdf-workspace/iteration-1/a/with_skill/grading.json",
        "skills/csv-workspace/iteration-1/a/with_skill/grading.json",
        "README.md",
    ];
    let layout = layout_of("repo", &paths);
    let names: Vec<&str> = layout.sections.iter().map(|section| section.name.as_str()).collect();
    assert_eq!(names, ["csv-workspace", "pdf-workspace"]);
    assert_eq!(layout.outside.len(), 1);
}

#[test]
fn an_earlier_report_is_not_read_and_copies_of_the_skill_are_separate() {
    let paths = [
        "iteration-1/a/with_skill/grading.json",
        "iteration-1/skill-snapshot/evals/evals.json",
        "report/evalbook-manifest.json",
        "report/iteration-9/a/with_skill/grading.json",
        "v1/skill/SKILL.md",
    ];
    let section = &layout_of("ws", &paths).sections[0];
    assert_eq!(section.documents.len(), 1);
    assert_eq!(section.files, 5);
    let ignored: Vec<&str> = section.ignored.iter().map(|ignored| ignored.reason).collect();
    assert_eq!(ignored, ["an earlier report of evalbook"]);
    let snapshots: Vec<&str> = section.snapshots.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(snapshots, ["iteration-1/skill-snapshot", "v1/skill"]);
    assert_eq!(section.snapshots[0].files[0].path, "iteration-1/skill-snapshot/evals/evals.json");
}

fn iterations(paths: &[&str]) -> Vec<String> {
    let layout = layout_of("ws", paths);
    let iterations = layout.sections.iter().flat_map(|section| &section.iterations);
    iterations.map(|iteration| iteration.name.clone()).collect()
}

#[test]
fn a_copy_of_the_skill_is_a_round_only_where_versions_are_the_rounds() {
    let scored = ["grading/a_v0_run1.json", "v0/skill/SKILL.md", "v1/skill/SKILL.md"];
    assert_eq!(iterations(&scored), ["v0", "v1"]);
    let numbered = ["iteration-2/a/with_skill/grading.json", "v0/skill/SKILL.md"];
    assert_eq!(iterations(&numbered), ["iteration-2"]);
    let planned = ["iteration-1/a/eval_metadata.json", "v0/skill/SKILL.md"];
    assert_eq!(iterations(&planned), ["iteration-1"]);
    let loose = ["a/with_skill/run-1/grading.json", "v0/skill/SKILL.md"];
    assert_eq!(iterations(&loose), ["ws"]);
    let both = [&scored[..], &["iteration-1/a/with_skill/grading.json"]].concat();
    assert_eq!(iterations(&both), ["v0", "iteration-1"]);
}

#[test]
fn versions_precede_numbered_iterations() {
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        super::sort_iterations(&mut names, |name| name);
        names.join(" ")
    };
    assert_eq!(
        sorted(&["iteration-10", "v10", "iteration-2", "v2"]),
        "v2 v10 iteration-2 iteration-10"
    );
    assert_eq!(sorted(&["v1", "baseline", "v0"]), "baseline v0 v1");
    assert_eq!(sorted(&["b/v0", "a/iteration-1", "a/v3"]), "a/v3 a/iteration-1 b/v0");
}

#[test]
fn a_folder_around_iterations_is_not_a_configuration() {
    check(
        "repo",
        "repo",
        "no-code-workspace/iteration-1/pdf/with_skill/grading.json => no-code-workspace/iteration-1 | pdf | with_skill | -",
    );
    check(
        "repo",
        "repo",
        "old/iteration-1/pdf/with_skill/grading.json => old/iteration-1 | pdf | with_skill | -
         baseline/iteration-2/pdf/with_skill/grading.json => baseline/iteration-2 | pdf | with_skill | -
         run-1/iteration-1/pdf/with_skill/grading.json => run-1/iteration-1 | pdf | with_skill | -",
    );
}

#[test]
fn a_grading_buried_in_a_run_without_one_is_reported() {
    let problems = |paths: &[&str]| -> Vec<String> {
        let layout = layout_of("ws", paths);
        let problems = layout.sections.iter().flat_map(|section| &section.problems);
        problems.map(|problem| format!("{} {}", problem.code.word(), problem.path)).collect()
    };
    let buried = "iteration-1/pdf/with_skill/run-1/project/grading.json";
    let output = "iteration-1/pdf/with_skill/run-1/outputs/x.md";
    assert_eq!(problems(&[buried, output]), [format!("lost-verdicts {buried}")]);
    let graded = "iteration-1/pdf/with_skill/run-1/grading.json";
    assert_eq!(problems(&[buried, graded]), [format!("lost-verdicts {buried}")]);
    let product = "iteration-1/pdf/with_skill/run-1/project/tests/grading.json";
    assert!(problems(&[product, graded]).is_empty());
    let above = "iteration-1/pdf/grading.json";
    assert!(problems(&[product, output, above]).is_empty());
}

#[test]
fn sums_and_trigger_loops_make_no_case() {
    check(
        "ws",
        "ws",
        "iteration-1/timing_summary.json => iteration-1 | - | - | -
         iteration-1/pdf/with_skill/grading.json => iteration-1 | pdf | with_skill | -
         iteration-1/pdf/with_skill/timing_final.json => iteration-1 | pdf | with_skill | -
         description_optimization/run1/results.json => () | - | - | -",
    );
    assert_eq!(iterations(&["description_optimization/run1/results.json"]), [""; 0]);
}

#[test]
fn copies_that_tools_keep_take_no_part() {
    let paths = [
        "iteration-1/a/with_skill/grading.json",
        "iteration-1/a/with_skill/._grading.json",
        "iteration-1/b/._grading.json",
        ".claude/worktrees/x/iteration-1/a/with_skill/grading.json",
        ".claude/skills/s/iteration-1/a/with_skill/grading.json",
        "worktrees/iteration-1/a/with_skill/grading.json",
    ];
    let section = &layout_of("ws", &paths).sections[0];
    let read: Vec<&str> = section.documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(read, [paths[4], paths[0], paths[5]]);
    let ignored: Vec<_> =
        section.ignored.iter().map(|ignored| (ignored.path.as_str(), ignored.reason)).collect();
    let sidecar = "what macOS keeps beside a file";
    let checkouts = (".claude/worktrees", "other checkouts of the same files");
    assert_eq!(ignored, [checkouts, (paths[1], sidecar), (paths[2], sidecar)]);
    assert_eq!(section.files, 6);
    for name in [".history", ".ipynb_checkpoints", ".worktrees", ".Trash", ".cache", "__MACOSX"] {
        assert!(super::names::is_never_entered(name), "{name}");
    }
}
