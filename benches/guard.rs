//! What the leak guard costs: 60 MB of outputs with and without it, and texts made to be slow.
//!
//! `cargo bench --bench guard` prints how long `build` takes with the guard and with `--no-redact`,
//! the share that the guard adds, and the speed on each hostile text.

mod support;

use std::path::Path;

use support::{best, evalbook, put};

const LINE: &str =
    "The task asks for a token summary; see /home/alice/work and sk-learn (key: value).\n";

const GRADING: &str = r#"{"expectations": [{"text": "a", "passed": true, "evidence": "b"}]}"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let workspace = folder.path().join("workspace");
    fill(&workspace);
    let build = ["build", "--quiet", "-o", "report", "--no-redact"];
    let with = best(|| evalbook(&build[..4], &workspace, folder.path()));
    let without = best(|| evalbook(&build, &workspace, folder.path()));
    let share = (with.as_secs_f64() / without.as_secs_f64() - 1.0) * 100.0;
    println!("60 MB: {with:.2?} with the guard, {without:.2?} without: {share:+.1} %");
    let hostile = folder.path().join("hostile");
    put(&hostile, "iteration-1/case-1/with_skill/grading.json", GRADING);
    let check = ["check", "--format", "json", "--no-redact"];
    let beginnings = [
        LINE,
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJeyJ.eyJ.",
        "https://a:b",
        "api_key=\"",
        "Bearer ",
        "sk-sk-",
        "/home/",
        "://",
        "Authorization: Basic ",
        "\\u0061\\/",
        "a1B2c3D4",
        "token=",
        "@:@//",
    ];
    for beginning in beginnings {
        let text = beginning.repeat(4_000_000 / beginning.len());
        put(&hostile, "iteration-1/case-1/with_skill/outputs/answer.md", &text);
        let with = best(|| evalbook(&check[..3], &hostile, folder.path()));
        let without = best(|| evalbook(&check, &hostile, folder.path()));
        let seconds = with.as_secs_f64() - without.as_secs_f64();
        println!("{:>8.0} MB/s {beginning:?}", 4.0 / seconds);
    }
}

/// 600 runs with 100 KB each.
fn fill(workspace: &Path) {
    for case in 0..100 {
        for (configuration, runs) in [("with_skill", 1..=3), ("without_skill", 1..=3)] {
            for run in runs {
                let folder = format!("iteration-1/case-{case}/{configuration}/run-{run}");
                put(workspace, &format!("{folder}/grading.json"), GRADING);
                let text = format!("{case} {configuration} {run}\n{}", LINE.repeat(1_220));
                put(workspace, &format!("{folder}/outputs/answer.md"), &text);
            }
        }
    }
}
