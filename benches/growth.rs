//! How `build` grows with inputs that nobody should wait for: each shape at n, 2n and 4n.
//!
//! `cargo bench --bench growth [-- WORD [PROGRAM]]` makes the workspaces itself and prints a row per
//! size: what the workspace weighs, the time, the memory at its peak, the report's largest page. The
//! last row of a shape has what four times the input cost. WORD picks the shapes whose name has it,
//! PROGRAM is another evalbook to measure. Nothing is asserted: seconds depend on the machine.

#![allow(clippy::disallowed_methods, reason = "a bench makes its workspaces")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use support::{measured_build, megabytes, put};

/// One kind of input, made in a folder with so many of what its name says.
struct Shape {
    name: &'static str,
    /// The largest size; the others are a half and a quarter of it.
    most: usize,
    fill: fn(&Path, usize),
}

const SHAPES: [Shape; 18] = [
    Shape { name: "versions compared blindly", most: 4_000, fill: tournament },
    Shape { name: "comparisons of two versions", most: 4_000, fill: contest },
    Shape { name: "comments on unknown runs", most: 20_000, fill: feedback },
    Shape { name: "checks in one grading", most: 40_000, fill: checks },
    Shape { name: "checks in one grading, of 33 MB", most: 1_000_000, fill: short_checks },
    Shape { name: "runs of one case", most: 1_200, fill: runs },
    Shape { name: "iterations", most: 800, fill: iterations },
    Shape { name: "names that become one mark", most: 20_000, fill: marked_names },
    Shape { name: "lines that name a password", most: 60_000, fill: password_lines },
    Shape { name: "files with odd names", most: 2_000, fill: odd_names },
    Shape { name: "configurations", most: 800, fill: configurations },
    Shape { name: "runs in a benchmark", most: 300_000, fill: benchmark },
    Shape { name: "versions in a history", most: 20_000, fill: history },
    Shape { name: "checks worded anew 20 times", most: 2_000, fill: reworded },
    Shape { name: "outputs of one run", most: 200_000, fill: outputs },
    Shape { name: "cases", most: 4_000, fill: cases },
    Shape { name: "rows, a case for two of them", most: 20_000, fill: rows },
    Shape { name: "problems", most: 20_000, fill: problems },
];

/// What one build took. All but the time in bytes.
struct Cost {
    time: Duration,
    memory: u64,
    report: u64,
    largest_page: u64,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let wanted = arguments.next().unwrap_or_default();
    let program = arguments.next().unwrap_or(env!("CARGO_BIN_EXE_evalbook").to_owned());
    println!(
        "{:<34} {:>8} {:>9} {:>9} {:>9} {:>9} {:>13}",
        "shape", "n", "input", "time", "memory", "report", "largest page"
    );
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(&wanted)) {
        let costs = [4, 2, 1].map(|part| measured(shape, shape.most / part, &program));
        let ratio = |value: fn(&Cost) -> f64| value(&costs[2]) / value(&costs[0]);
        println!(
            "{:<34} {:>8} {:>9} {:>8.1}x {:>8.1}x {:>8.1}x {:>12.1}x",
            "",
            "4n / n",
            "",
            ratio(|cost| cost.time.as_secs_f64()),
            ratio(|cost| cost.memory as f64),
            ratio(|cost| cost.report as f64),
            ratio(|cost| cost.largest_page as f64)
        );
    }
}

/// Builds the report of `shape` at one size and prints the row.
fn measured(shape: &Shape, number: usize, program: &str) -> Cost {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let workspace = folder.path().join("workspace");
    (shape.fill)(&workspace, number);
    let (time, memory) = measured_build(program, &workspace, folder.path());
    let is_page = |path: &Path| path.extension().is_some_and(|kind| kind == "html" || kind == "md");
    let report = weight(&folder.path().join("report"), |_| true).0;
    let largest_page = weight(&folder.path().join("report"), is_page).1;
    println!(
        "{:<34} {number:>8} {:>6.2} MB {:>7.2} s {:>6.0} MB {:>6.1} MB {:>10.0} kB",
        shape.name,
        megabytes(weight(&workspace, |_| true).0),
        time.as_secs_f64(),
        megabytes(memory),
        megabytes(report),
        largest_page as f64 / 1e3
    );
    Cost { time, memory, report, largest_page }
}

/// Bytes of all files that are `meant`, and of the largest of them. What a run wrote is no page.
fn weight(folder: &Path, meant: impl Fn(&Path) -> bool) -> (u64, u64) {
    let is_stored = |entry: &walkdir::DirEntry| entry.file_name() == "files";
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_entry(|entry| !is_stored(entry));
    let files = entries.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    let sizes = files.filter(|entry| meant(entry.path()));
    let sizes = sizes.filter_map(|entry| Some(entry.metadata().ok()?.len()));
    sizes.fold((0, 0), |(sum, most), size| (sum + size, most.max(size)))
}

fn tournament(workspace: &Path, versions: usize) {
    let found = (0..versions).map(|number| {
        let (a, b) = (number, (number + 1) % versions);
        comparison(number, &format!("version-{a}"), &format!("version-{b}"))
    });
    put(workspace, "iteration-1/comparison.json", &list("pairs", found));
    graded(workspace);
}

fn contest(workspace: &Path, comparisons: usize) {
    let found = (0..comparisons).map(|number| comparison(number, "version-1", "version-2"));
    put(workspace, "iteration-1/comparison.json", &list("pairs", found));
    graded(workspace);
}

fn comparison(number: usize, a: &str, b: &str) -> Value {
    json!({
        "eval_id": number % 50,
        "winner": if number.is_multiple_of(3) { "B" } else { "A" },
        "mapping": { "A": a, "B": b },
        "reasoning": "the first one names its sources and is shorter",
    })
}

fn rows(workspace: &Path, rows: usize) {
    let mut lines = String::new();
    for row in 0..rows {
        let (task, arm) = (row / 2, ["with_skill", "without_skill"][row % 2]);
        let ok = !row.is_multiple_of(3);
        let line = json!({ "task": format!("task {task}"), "arm": arm, "ok": ok, "reason": row });
        lines += &format!("{line}\n");
    }
    put(workspace, "rows.jsonl", &lines);
    let mapping = "[[rows]]\nfiles = \"rows.jsonl\"\ncase = \"task\"\nconfiguration = \"arm\"\n\
                   passed = \"ok\"\nevidence = \"reason\"\n";
    put(workspace, "evalbook.toml", mapping);
}

fn feedback(workspace: &Path, comments: usize) {
    let found = (0..comments).map(|number| {
        json!({ "run_id": format!("unknown-{number}"), "feedback": "the totals are wrong" })
    });
    put(workspace, "iteration-1/feedback.json", &list("reviews", found));
    graded(workspace);
}

fn checks(workspace: &Path, checks: usize) {
    put(workspace, "iteration-1/case-1/with_skill/run-1/grading.json", &grading(checks, ""));
    put(workspace, "iteration-1/case-1/without_skill/run-1/grading.json", &grading(2, ""));
}

fn short_checks(workspace: &Path, checks: usize) {
    let found = (0..checks).map(|number| json!({ "text": format!("c{number}"), "passed": true }));
    put(
        workspace,
        "iteration-1/case-1/with_skill/run-1/grading.json",
        &list("expectations", found),
    );
    put(workspace, "iteration-1/case-1/without_skill/run-1/grading.json", &grading(2, ""));
}

/// So many runs on each side of one case.
fn runs(workspace: &Path, runs: usize) {
    for number in 1..=runs {
        for side in ["with_skill", "without_skill"] {
            let run = format!("iteration-1/case-1/{side}/run-{number}");
            put(workspace, &format!("{run}/grading.json"), &grading(3, ""));
            put(workspace, &format!("{run}/outputs/answer.md"), "# Answer\n\nThe total is 12.\n");
        }
    }
}

fn iterations(workspace: &Path, iterations: usize) {
    for number in 1..=iterations {
        for side in ["with_skill", "without_skill"] {
            let run = format!("iteration-{number}/case-1/{side}/run-1");
            put(workspace, &format!("{run}/grading.json"), &grading(3, ""));
        }
    }
}

/// Files whose names differ only in a secret.
fn marked_names(workspace: &Path, files: usize) {
    graded(workspace);
    for number in 0..files {
        let digits = format!("{:016x}", (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let name = format!("ghp_k8Qz4LmW2xTr9VbN6yHc{digits}.txt");
        put(workspace, &format!("iteration-1/case-1/with_skill/run-1/outputs/{name}"), "text");
    }
}

fn password_lines(workspace: &Path, lines: usize) {
    graded(workspace);
    let text = "password,\n".repeat(lines);
    put(workspace, "iteration-1/case-1/with_skill/run-1/outputs/list.csv", &text);
}

/// Names that are not UTF-8. Other systems than Linux refuse them.
#[cfg(target_os = "linux")]
fn odd_names(workspace: &Path, files: usize) {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    graded(workspace);
    let outputs = workspace.join("iteration-1/case-1/with_skill/run-1/outputs");
    fs::create_dir_all(&outputs).expect("a folder");
    for number in 0..files {
        let mut name = format!("{number:06}-").into_bytes();
        name.extend(b"\xff.txt");
        fs::write(outputs.join(OsStr::from_bytes(&name)), "text").expect("a file");
    }
}

#[cfg(not(target_os = "linux"))]
fn odd_names(workspace: &Path, _: usize) {
    graded(workspace);
}

fn configurations(workspace: &Path, configurations: usize) {
    for number in 0..configurations {
        let run = format!("iteration-1/case-1/configuration-{number:04}/run-1");
        put(workspace, &format!("{run}/grading.json"), &grading(42, ""));
    }
}

fn benchmark(workspace: &Path, runs: usize) {
    let found = (0..runs).map(|number| {
        let configuration = if number % 2 == 0 { "with_skill" } else { "without_skill" };
        json!({
            "eval_id": number / 2,
            "configuration": configuration,
            "run_number": 1,
            "result": { "pass_rate": 0.5, "passed": 1, "failed": 1, "total": 2 },
        })
    });
    put(workspace, "iteration-1/benchmark.json", &list("runs", found));
    graded(workspace);
}

fn history(workspace: &Path, versions: usize) {
    let found = (0..versions).map(|number| {
        json!({
            "version": format!("v{number}"),
            "parent": number.checked_sub(1).map(|parent| format!("v{parent}")),
            "description": format!("the instructions on step {number} were made shorter"),
            "expectation_pass_rate": (number % 100) as f64 / 100.0,
            "grading_result": "won",
            "timestamp": "2026-01-02T03:04:05Z",
            "notes": "kept, because no check was lost and the time went down a little",
        })
    });
    put(workspace, "history.json", &list("versions", found));
    graded(workspace);
}

fn reworded(workspace: &Path, checks: usize) {
    for iteration in 1..=20 {
        let words = format!(" in round {iteration}");
        for configuration in ["with_skill", "without_skill"] {
            let run = format!("iteration-{iteration}/case-1/{configuration}/run-1");
            put(workspace, &format!("{run}/grading.json"), &grading(checks, &words));
        }
    }
}

fn outputs(workspace: &Path, outputs: usize) {
    graded(workspace);
    let folder = workspace.join("iteration-1/case-1/with_skill/run-1/outputs");
    for number in 0..outputs {
        if number % 1_000 == 0 {
            fs::create_dir_all(folder.join(format!("{}", number / 1_000))).expect("a folder");
        }
        let path = folder.join(format!("{}/{number}.txt", number / 1_000));
        fs::write(path, "text").expect("a file");
    }
}

fn cases(workspace: &Path, cases: usize) {
    for case in 0..cases {
        for configuration in ["with_skill", "without_skill"] {
            let run = format!("iteration-1/case-{case}/{configuration}/run-1");
            put(workspace, &format!("{run}/grading.json"), &grading(3, ""));
        }
    }
}

fn problems(workspace: &Path, problems: usize) {
    let found = (0..problems)
        .map(|number| json!({ "text": format!("requirement {number}"), "passed": "perhaps" }));
    let run = "iteration-1/case-1/with_skill/run-1";
    put(workspace, &format!("{run}/grading.json"), &list("expectations", found));
    put(workspace, "iteration-1/case-1/without_skill/run-1/grading.json", &grading(2, ""));
}

/// A case with a run on each side.
fn graded(workspace: &Path) {
    for configuration in ["with_skill", "without_skill"] {
        let run = format!("iteration-1/case-1/{configuration}/run-1");
        put(workspace, &format!("{run}/grading.json"), &grading(3, ""));
    }
}

/// Every third check failed. Each is worded apart from the others.
fn grading(checks: usize, words: &str) -> String {
    let found = (0..checks).map(|number| {
        json!({
            "text": format!("requirement {number} of the task is met{words}"),
            "passed": number % 3 != 0,
            "evidence": "seen on line 4",
        })
    });
    list("expectations", found)
}

/// An object with one list.
fn list(name: &str, items: impl Iterator<Item = Value>) -> String {
    let mut text = format!("{{\"{name}\": [");
    for (at, item) in items.enumerate() {
        let comma = if at > 0 { "," } else { "" };
        write!(text, "{comma}\n{item}").expect("a text");
    }
    text + "\n]}\n"
}
