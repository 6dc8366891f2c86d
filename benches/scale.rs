//! How `check` and `build` grow: made-up workspaces, whole commands, ratios to `cp -r`.
//!
//! `cargo bench --bench scale [-- SCRIPTS]` prints a row per size, then what the report weighs, the
//! memory at its peak, and how the time grows with the runs. SCRIPTS is the
//! folder of a skill-creator, whose aggregator and viewer are timed on the same workspace. TMPDIR
//! says where the workspaces are made: a folder in memory keeps the disk out of it. The machine's own speed cancels out in the ratios;
//! the seconds are only good for an idea.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ::evalbook::Random;
use support::{best, evalbook, measured_build, megabytes, put, sizes};

/// How much of everything a made-up workspace has.
struct Size {
    iterations: usize,
    cases: usize,
    runs: usize,
    output_bytes: usize,
}

fn main() {
    let scripts = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let scripts = scripts.map(PathBuf::from);
    let sizes = [
        (
            "10,000 gradings, no outputs",
            Size { iterations: 10, cases: 100, runs: 5, output_bytes: 0 },
        ),
        (
            "5,000 runs with outputs",
            Size { iterations: 10, cases: 50, runs: 5, output_bytes: 8192 },
        ),
        ("250 runs with outputs", Size { iterations: 5, cases: 5, runs: 5, output_bytes: 8192 }),
    ];
    println!(
        "{:<30} {:>9} {:>9} {:>9} {:>12} {:>12}",
        "workspace", "cp -r", "check", "build", "check/cp", "build/cp"
    );
    let mut builds = Vec::new();
    for (name, size) in sizes {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workspace = folder.path().join("workspace");
        fill(&workspace, &size);
        let copy = best(|| copy(&workspace, folder.path()));
        let check = best(|| evalbook(&["check", "--format", "json"], &workspace, folder.path()));
        let build =
            best(|| evalbook(&["build", "--quiet", "-o", "report"], &workspace, folder.path()));
        builds.push(build);
        println!(
            "{name:<30} {:>7.0}ms {:>7.0}ms {:>7.0}ms {:>12.2} {:>12.2}",
            ms(copy),
            ms(check),
            ms(build),
            ratio(check, copy),
            ratio(build, copy)
        );
        weigh(&workspace, &folder.path().join("report"));
        let read = best(|| read_all(&workspace));
        println!(
            "  reading every file: {:.0} ms, check {:.1} times that",
            ms(read),
            ratio(check, read)
        );
        if let Some(scripts) = &scripts {
            let python = best(|| python(scripts, &workspace, folder.path()));
            println!(
                "  the scripts: {:.0} ms, build {:.2} times that",
                ms(python),
                ratio(build, python)
            );
        }
        let program = env!("CARGO_BIN_EXE_evalbook");
        let (_, memory) = measured_build(program, &workspace, folder.path());
        println!("  peak memory {:.2} MB", megabytes(memory));
    }
    println!("twenty times the runs take {:.1} times the time", ratio(builds[1], builds[2]));
}

/// Prints the bytes of the report and those of its workspace, and its largest pages.
fn weigh(workspace: &Path, report: &Path) {
    let (data, files) = (sizes(workspace), sizes(report));
    let sum = |files: &[(PathBuf, u64)]| files.iter().map(|(_, bytes)| bytes).sum::<u64>();
    let pages =
        files.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "html"));
    let overview = report.join("index.html");
    let largest =
        pages.clone().filter(|(path, _)| *path != overview).map(|(_, bytes)| *bytes).max();
    let first = pages.clone().find(|(path, _)| *path == overview).map(|(_, bytes)| *bytes);
    println!(
        "  report {:.2} MB in {} files, {:.2} times the workspace's {:.2} MB; overview {:.2} MB, \
         largest other page {:.2} MB",
        megabytes(sum(&files)),
        files.len(),
        sum(&files) as f64 / sum(&data) as f64,
        megabytes(sum(&data)),
        megabytes(first.unwrap_or_default()),
        megabytes(largest.unwrap_or_default())
    );
}

/// Every byte of `workspace` on one core.
#[allow(clippy::disallowed_methods, reason = "a benchmark reads its own input")]
fn read_all(workspace: &Path) {
    for (file, _) in sizes(workspace) {
        fs::read(file).expect("a file");
    }
}

/// The aggregator and the viewer of the skill-creator in `scripts`, for every iteration.
fn python(scripts: &Path, workspace: &Path, folder: &Path) {
    let run = |arguments: &[&std::ffi::OsStr]| {
        let mut command = Command::new("python3");
        let output = command.args(arguments).current_dir(scripts).output().expect("python3");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let mut iterations: Vec<PathBuf> = (1..)
        .map(|number| workspace.join(format!("iteration-{number}")))
        .take_while(|folder| folder.is_dir())
        .collect();
    iterations.sort();
    for iteration in &iterations {
        run(&["-m".as_ref(), "scripts.aggregate_benchmark".as_ref(), iteration.as_os_str()]);
        let page = folder.join("viewer.html");
        run(&[
            "eval-viewer/generate_review.py".as_ref(),
            iteration.as_os_str(),
            "--static".as_ref(),
            page.as_os_str(),
        ]);
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn copy(workspace: &Path, folder: &Path) {
    let target = folder.join("copy");
    let status = Command::new("cp").arg("-r").arg(workspace).arg(&target).status();
    assert!(status.expect("cp").success());
    #[allow(clippy::disallowed_methods, reason = "a benchmark cleans up after itself")]
    fs::remove_dir_all(&target).expect("the copy");
}

fn fill(workspace: &Path, size: &Size) {
    let mut random = Random::new(7);
    for iteration in 1..=size.iterations {
        for case in 1..=size.cases {
            let folder = format!("iteration-{iteration}/case-{case:03}");
            put(workspace, &format!("{folder}/eval_metadata.json"), &metadata(case));
            for configuration in ["with_skill", "without_skill"] {
                for run in 1..=size.runs {
                    let put = |name: &str, text: String| {
                        put(
                            workspace,
                            &format!("{folder}/{configuration}/run-{run}/{name}"),
                            &text,
                        );
                    };
                    put("grading.json", grading(&mut random));
                    if size.output_bytes > 0 {
                        put("timing.json", timing(&mut random));
                        put("outputs/report.md", prose(&mut random, size.output_bytes));
                        put("outputs/table.csv", table(&mut random, 400));
                    }
                }
            }
        }
    }
}

fn metadata(case: usize) -> String {
    format!(
        r#"{{"eval_id": {case}, "eval_name": "case-{case:03}", "prompt": "Solve task number {case}.", "assertions": []}}"#
    )
}

fn timing(random: &mut Random) -> String {
    let ms = 20_000 + random.below(60_000);
    let tokens = 8_000 + random.below(40_000);
    format!(
        r#"{{"total_tokens": {tokens}, "duration_ms": {ms}, "total_duration_seconds": {:.1}}}"#,
        ms as f64 / 1000.0
    )
}

/// About 2.7 kB: eight expectations with evidence, as in real gradings.
fn grading(random: &mut Random) -> String {
    let mut passed = 0;
    let expectations: Vec<String> = (1..=8)
        .map(|number| {
            let is_passed = random.below(10) < 7;
            passed += usize::from(is_passed);
            format!(
                r#"    {{"text": "The output meets requirement number {number} of the task", "passed": {is_passed}, "evidence": "{}"}}"#,
                prose(random, 200).replace('\n', " ")
            )
        })
        .collect();
    let rate = passed as f64 / 8.0;
    format!(
        "{{\n  \"expectations\": [\n{}\n  ],\n  \"summary\": {{\"passed\": {passed}, \"failed\": {}, \"total\": 8, \"pass_rate\": {rate}}}\n}}\n",
        expectations.join(",\n"),
        8 - passed
    )
}

fn prose(random: &mut Random, bytes: usize) -> String {
    const WORDS: [&str; 16] = [
        "the", "report", "shows", "a", "table", "of", "revenue", "by", "quarter", "and", "region",
        "with", "totals", "that", "match", "source",
    ];
    let mut text = String::with_capacity(bytes + 16);
    while text.len() < bytes {
        text.push_str(WORDS[random.below(WORDS.len())]);
        text.push(if random.below(12) == 0 { '\n' } else { ' ' });
    }
    text
}

fn table(random: &mut Random, rows: usize) -> String {
    let rows =
        (0..rows).map(|row| format!("{row},{},{}\n", random.below(1000), random.below(1000)));
    std::iter::once("id,before,after\n".to_owned()).chain(rows).collect()
}
