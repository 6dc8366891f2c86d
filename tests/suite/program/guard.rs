//! The leak guard, from the outside: a report holds no secret of its workspace, in no byte.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support;
use crate::support::{Workspace, program, words};

/// Letters and digits that look drawn at random, others for every place. No secret stands in this
/// file as a whole, or other guards would find it.
fn drawn(place: usize, length: usize) -> String {
    let alphabet = b"k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeXoKqMiBrNsPuD";
    let step = [5, 7, 11, 13, 17, 19, 23, 25, 29, 31][place % 10];
    let at = |index: usize| alphabet[(place + index * step + index / 48) % alphabet.len()];
    (0..length).map(|index| at(index) as char).collect()
}

/// A secret for a place, of another shape for each of the first.
fn secret(place: usize) -> String {
    match place % 7 {
        0 => format!("ghp_{}", drawn(place, 36)),
        1 => format!("sk-ant-api03-{}", drawn(place, 90)),
        2 => format!("npm_{}", drawn(place, 36)),
        3 => format!("xoxb-123456789012-{}", drawn(place, 24)),
        4 => format!("hf_{}", drawn(place, 34)),
        5 => format!("glpat-{}", drawn(place, 20)),
        _ => format!("sk_live_{}", drawn(place, 24)),
    }
}

/// The same text with its letters in escapes of JSON.
fn escaped(text: &str) -> String {
    text.chars().map(|c| format!("\\u{:04x}", c as u32)).collect()
}

/// The secrets by where they stand, and a workspace that has them there.
fn workspace() -> (Vec<String>, Workspace) {
    let s: Vec<String> = (0..29).map(secret).collect();
    let run = "iteration-1/one/with_skill/run-1";
    let grading = format!(
        r#"{{"expectations": [{{"text": "uses {}", "passed": false, "evidence": "saw {} and {} in /home/alice/x"}}],
        "claims": [{{"claim": "c {}", "type": "factual", "verified": true, "evidence": "{}"}}],
        "user_notes_summary": {{"uncertainties": ["{}"], "needs_review": [], "workarounds": []}},
        "eval_feedback": {{"suggestions": [{{"assertion": "a", "reason": "{}"}}], "overall": "{}"}},
        "overview": "{}", "execution_metrics": {{"tool_calls": {{"Bash": 3}}, "total_tool_calls": 3}}}}"#,
        s[0],
        s[1],
        escaped(&s[2]),
        s[3],
        s[4],
        s[5],
        s[6],
        s[7],
        s[8]
    );
    let metadata = format!(
        r#"{{"eval_id": 1, "eval_name": "one {}", "prompt": "use {}", "assertions": ["uses {}"]}}"#,
        s[9], s[10], s[0]
    );
    let comparison = format!(
        r#"{{"winner": "A", "reasoning": "{} and {}", "rubric": {{"A": {{"content": {{"clarity": 4}}, "overall_score": 4}}, "B": {{"content": {{"clarity": 2}}, "overall_score": 2}}}}}}"#,
        s[11], s[12]
    );
    let feedback = format!(
        r#"{{"reviews": [{{"run_id": "one-with_skill-run-1", "feedback": "why {}?", "timestamp": "x"}}], "status": "complete"}}"#,
        s[13]
    );
    let skill = |secret: &str| format!("---\nname: s\ndescription: d\n---\n\nkey {secret}\n");
    let file = |name: &str| format!("{run}/outputs/{name}");
    let other = |name: &str| format!("iteration-1/one/without_skill/run-1/outputs/{name}");
    let plain = r#"{"expectations": [{"text": "a", "passed": true}]}"#;
    let utf_16: Vec<u8> =
        format!("\u{feff}k {}", s[28]).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let workspace = Workspace::new()
        .file(&format!("{run}/grading.json"), &grading)
        .file("iteration-1/one/without_skill/run-1/grading.json", plain)
        .file("iteration-1/one/eval_metadata.json", &metadata)
        .file("iteration-1/comparison.json", &comparison)
        .file("iteration-1/feedback.json", &feedback)
        .file(&file("a.txt"), format!("old\n{}\nend /home/alice/work\n", s[14]))
        .file(&other("a.txt"), format!("new\n{}\nend\n", s[15]))
        .file(&file("b.csv"), format!("k,v\nx,{}\n", s[16]))
        .file(&other("b.csv"), format!("k,v\nx,{}\n", s[17]))
        .file(&file("c.json"), format!(r#"{{"a": "{}", "b": "{}"}}"#, s[18], escaped(&s[19])))
        .file(&other("c.json"), format!(r#"{{"a": "{}"}}"#, s[20]))
        .file(&file("d.md"), format!("# {}\n\n- [x](http://h/?k={})\n", s[21], s[21]))
        .file(&file("e.html"), format!("<p title='{}'>{}</p>", s[22], s[22]))
        .file(&file(&format!("out {}.txt", s[23])), "named")
        .file(&file("f.ipynb"), format!(r##"{{"cells": [{{"cell_type": "code", "source": ["k = '{}'"], "outputs": []}}]}}"##, s[24]))
        .file(&format!("{run}/transcript.md"), format!("## Eval Prompt\n\nuse {}\n\n## Steps\n\n{}\n", s[25], s[25]))
        .file("v1/skill/SKILL.md", skill(&s[26]))
        .file("v2/skill/SKILL.md", skill(&s[27]))
        .file(&file("g.txt"), &utf_16);
    (s, workspace)
}

fn report(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    support::tree(&folder.join("report"))
}

/// How many secrets the manifest counts.
fn replaced(report: &BTreeMap<String, Vec<u8>>) -> u64 {
    let manifest: Value = serde_json::from_slice(&report["publish-manifest.json"]).expect("JSON");
    let kinds = manifest["workspaces"][0]["secrets"].as_object();
    kinds.into_iter().flatten().filter_map(|(_, number)| number.as_u64()).sum()
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sextet = |part: &[u8], at: usize| {
        let bits = part.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        ALPHABET[(bits >> (18 - 6 * at) & 63) as usize] as char
    };
    let whole = bytes.chunks_exact(3);
    whole.flat_map(|part| (0..4).map(move |at| sextet(part, at)).collect::<Vec<_>>()).collect()
}

/// How a secret may be written in a file.
fn forms(secret: &str) -> Vec<Vec<u8>> {
    let wide = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let in_base64 = (0..3).map(|skipped| base64(&secret.as_bytes()[skipped..]).into_bytes());
    let body = secret.rsplit(['_', '-']).next().unwrap_or(secret);
    [secret.as_bytes().to_vec(), escaped(secret).into_bytes(), wide, body.as_bytes().to_vec()]
        .into_iter()
        .chain(in_base64)
        .collect()
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[test]
fn no_byte_of_a_report_is_of_a_secret() {
    let (secrets, workspace) = workspace();
    let ran = workspace.run(["build", "../workspace", "-o", "report"]).assert_code(0);
    let report = report(&workspace.elsewhere());
    for (place, secret) in secrets.iter().enumerate() {
        for (path, bytes) in &report {
            for form in forms(secret) {
                assert!(!holds(bytes, &form), "the secret of place {place} stands in {path}");
                assert!(!holds(path.as_bytes(), &form), "in the name {path}");
            }
        }
    }
    for (path, bytes) in &report {
        assert!(!holds(bytes, b"/home/alice"), "{path}");
    }
    let replaced = replaced(&report);
    assert!(replaced > 0 && ran.stderr.contains(&format!(" {replaced} ")), "{replaced}: {ran:?}");
}

#[test]
fn the_caret_stands_under_the_mark_of_its_secret() {
    let [one, two] = [secret(0), secret(1)];
    let words = format!("see /home/ann/x.txt, key {one} and {two}");
    let grading = json!({"expectations": [{"text": words, "passed": true}]});
    let feedback =
        json!({"reviews": [{"run_id": "good-case-with_skill-run-1", "feedback": words}]});
    for (name, document) in [("a/with_skill/grading", grading), ("feedback", feedback)] {
        let (path, document) = (format!("iteration-1/{name}.json"), document.to_string());
        let column = |secret: &str| document.find(secret).expect("the secret") + 1;
        let columns = [column(&one), column(&two)];
        let ran = Workspace::good().file(&path, &document).run(["check", "../workspace"]);
        let lines: Vec<&str> = ran.stdout.lines().collect();
        let carets: Vec<&str> = (0..lines.len())
            .filter(|at| lines[*at].contains('^') && lines[*at - 1].contains("[redacted: "))
            .map(|at| &lines[at - 1][lines[at].find('^').expect("a caret")..])
            .collect();
        assert_eq!(carets.len(), 2, "{}", ran.stdout);
        assert!(carets.iter().all(|shown| shown.starts_with("[redacted: ")), "{carets:?}");
        assert!(carets[0].len() > carets[1].len(), "each its own: {carets:?}");
        for column in columns {
            assert!(ran.stdout.contains(&format!("{path}:1:{column}\n")), "{}", ran.stdout);
        }
    }
}

#[test]
fn secrets_are_told_by_place_and_never_by_value() {
    let (secrets, workspace) = workspace();
    let ran = workspace.run(["check", "../workspace"]);
    let reported = |line: &str| ran.stdout.contains(line);
    assert!(reported("iteration-1/one/with_skill/run-1/outputs/a.txt:2:1"), "{}", ran.stdout);
    assert!(reported("warning[secret-redacted]: "), "{}", ran.stdout);
    let places = ran.stdout.lines().filter_map(|line| line.trim_start().strip_prefix("--> "));
    // A name has neither line nor column.
    let of_name = |place: &str| place.ends_with("npm token].txt");
    assert!(places.into_iter().any(of_name), "{}", ran.stdout);
    let shown = secrets.iter().filter(|secret| reported(secret)).count();
    assert_eq!(shown, 0, "{}", ran.stdout);
}

#[test]
fn without_the_guard_everything_stands_as_it_is() {
    let (secrets, workspace) = workspace();
    let ran =
        workspace.run(["build", "../workspace", "-o", "report", "--no-redact"]).assert_code(0);
    let report = report(&workspace.elsewhere());
    for place in [0, 1, 10, 14, 16, 18, 25, 27] {
        let stands = report.values().any(|bytes| holds(bytes, secrets[place].as_bytes()));
        assert!(stands, "the secret of place {place}");
    }
    assert_eq!(replaced(&report), 0, "{ran:?}");
    let check = workspace.run(["check", "../workspace", "--no-redact"]);
    assert!(!check.stdout.contains("secret-redacted"), "{check:?}");
}

#[test]
fn the_manifest_names_what_is_stored_and_counts_what_was_replaced() {
    let (_, workspace) = workspace();
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice();
    let workspace = workspace.file("iteration-1/one/with_skill/run-1/outputs/p.png", picture);
    workspace.run(["build", "../workspace", "-o", "report"]);
    let report = report(&workspace.elsewhere());
    let manifest: Value = serde_json::from_slice(&report["publish-manifest.json"]).unwrap();
    let files = manifest["files"].as_array().unwrap();
    assert!(files.len() > 10, "{manifest}");
    for file in files {
        let bytes = &report[file["path"].as_str().unwrap()];
        assert_eq!(file["bytes"].as_u64(), Some(bytes.len() as u64));
        assert_eq!(file["blake3"].as_str(), Some(blake3::hash(bytes).to_hex().as_str()));
        assert!(!file["sources"].as_array().unwrap().is_empty());
    }
    let stored = report.keys().filter(|path| path.starts_with("files/")).count();
    assert_eq!(stored, files.len(), "every stored file is named");
    let own = &manifest["workspaces"][0];
    assert!(own["secrets"]["github token"].as_u64() >= Some(3), "{own}");
    assert!(own["folders"].as_u64() >= Some(2), "{own}");
    assert_eq!(own["not_scanned"][0], "iteration-1/one/with_skill/run-1/outputs/p.png");
    let problems = String::from_utf8_lossy(&report["problems.html"]).into_owned();
    assert!(words::says(&problems, "problems.not_scanned", &[]) && problems.contains("p.png"));
}

#[test]
fn outputs_that_are_kept_back_are_listed_and_not_stored() {
    let grading = |passed| format!(r#"{{"expectations": [{{"text": "a", "passed": {passed}}}]}}"#);
    let workspace = Workspace::new()
        .file("iteration-1/one/a/grading.json", grading(true))
        .file("iteration-1/one/a/outputs/x.md", "passed words")
        .file("iteration-1/one/b/grading.json", grading(false))
        .file("iteration-1/one/b/outputs/x.md", "failed words")
        .file("iteration-1/one/b/outputs/y.log", "logged words");
    let outputs = ["passed words", "failed words", "logged words"];
    let table: [(&[&str], [bool; 3]); 5] = [
        (&[], [true, true, true]),
        (&["--outputs", "none"], [false, false, false]),
        (&["--outputs", "failed"], [false, true, true]),
        (&["--exclude", "*.log"], [true, true, false]),
        (&["--exclude", "*.log", "--no-redact"], [true, true, false]),
    ];
    for (flags, wanted) in table {
        workspace.run(["build", "../workspace", "-o", "report"].iter().chain(flags)).assert_code(0);
        let report = report(&workspace.elsewhere());
        let stands = outputs.map(|word| report.values().any(|it| holds(it, word.as_bytes())));
        assert_eq!(stands, wanted, "{flags:?}");
        let says = report.iter().any(|(path, bytes)| {
            let withheld = words::raw("preview.withheld").as_bytes();
            path.starts_with("iterations/") && holds(bytes, withheld)
        });
        assert_eq!(says, wanted.contains(&false), "{flags:?}");
    }
    workspace.run(["build", "../workspace", "--outputs", "some"]).assert_code(2);
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_cores() {
    let (_, workspace) = workspace();
    let reports = ["1", "4"].map(|threads| {
        let place = tempfile::tempdir().unwrap();
        let ran = std::process::Command::new(program())
            .args(["build", "--quiet", "-o", "report"])
            .arg(workspace.path())
            .current_dir(place.path())
            .env("RAYON_NUM_THREADS", threads)
            .status()
            .unwrap();
        assert!(ran.success());
        report(place.path())
    });
    assert!(reports[0] == reports[1]);
}
