//! Layouts as lists of paths: the role of each file.

use crate::discover::{IterationKey, Layout, layout};
use crate::files::Entry;
use testing::table::blocks;

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

#[test]
fn files_have_their_places() {
    for (name, lines) in blocks(include_str!("layouts.txt")) {
        check(name, "ws", &lines.join("\n"));
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
        assert!(crate::names::is_never_entered(name), "{name}");
    }
}
