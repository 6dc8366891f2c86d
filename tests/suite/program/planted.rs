//! Two hundred secrets of twenty shapes, over every field, name and output: none of them is in a
//! byte of the report. Ordinary code and prose stay as they are.

use serde_json::{Value, json};

use crate::support::{Workspace, files, project, tree};

const SHAPES: usize = 20;
const EACH: usize = 10;

/// Letters and digits that look drawn at random, others for every secret. No secret stands in this
/// file as a whole, or other guards would find it.
pub(super) fn drawn(seed: usize, length: usize, alphabet: &[u8]) -> String {
    let mut state = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let letter = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[(state % alphabet.len() as u64) as usize] as char
    };
    (0..length).map(letter).collect()
}

pub(super) const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &[u8] = b"0123456789abcdef";
const DIGITS: &[u8] = b"123456789";

/// A secret as it is written, and the part of it that may be in no byte.
struct Secret {
    written: String,
    core: String,
}

fn secret(shape: usize, number: usize) -> Secret {
    let seed = 1 + shape * EACH + number;
    let letters = |length| drawn(seed, length, LETTERS);
    let after = |prefix: &str, core: String| Secret { written: format!("{prefix}{core}"), core };
    match shape {
        0 => after("ghp_", letters(36)),
        1 => after("github_pat_", format!("{}_{}", letters(22), drawn(seed + 999, 59, LETTERS))),
        2 => after("sk-ant-api03-", format!("{}AA", letters(91))),
        3 => after("sk-proj-", letters(48)),
        4 => after("npm_", letters(36)),
        5 => after("xoxb-123456789012-123456789012-", letters(24)),
        6 => after("hf_", drawn(seed, 34, &LETTERS[..52])),
        7 => after("glpat-", letters(20)),
        8 => after("sk_live_", letters(24)),
        9 => after("AKIA", drawn(seed, 16, UPPER)),
        10 => after("AIza", letters(35)),
        11 => after("SG.", format!("{}.{}", letters(22), drawn(seed + 999, 43, LETTERS))),
        12 => after("dop_v1_", drawn(seed, 64, HEX)),
        13 => after("shpat_", drawn(seed, 32, HEX)),
        14 => after("Authorization: Bearer ", letters(40)),
        15 => {
            let core = letters(18);
            Secret { written: format!("postgres://admin:{core}@db.example.com/x"), core }
        }
        16 => after(
            "https://hooks.slack.com/services/",
            format!("T{}/B{}/{}", drawn(seed, 10, UPPER), drawn(seed + 5, 10, UPPER), letters(24)),
        ),
        17 => after(&format!("{}:AA", drawn(seed, 10, DIGITS)), letters(33)),
        18 => {
            let core = letters(64);
            let written = format!("-----BEGIN PRIVATE KEY----- {core} -----END PRIVATE KEY-----");
            Secret { written, core }
        }
        _ => {
            let part = |add: usize, length| drawn(seed + add, length, LETTERS);
            let core = part(7, 43);
            Secret { written: format!("eyJ{}.eyJ{}.{core}", part(1, 33), part(2, 60)), core }
        }
    }
}

/// Lays the ten secrets of a shape over the fields, names and outputs of one case.
fn planted(workspace: Workspace, shape: usize, s: &[Secret]) -> Workspace {
    let at = |number: usize| s[number].written.as_str();
    let run = format!("iteration-1/case-{shape}/with_skill/run-1");
    let other = format!("iteration-1/case-{shape}/without_skill/run-1");
    let grading = json!({
        "expectations": [
            { "text": format!("uses {}", at(0)), "passed": true, "evidence": format!("saw {}", at(1)) },
        ],
        "claims": [{ "claim": at(2), "type": "factual", "verified": true, "evidence": at(2) }],
        "eval_feedback": { "suggestions": [{ "assertion": "a", "reason": at(3) }], "overall": at(3) },
    });
    let metadata =
        json!({ "eval_id": shape, "eval_name": format!("case-{shape}"), "prompt": at(4) });
    // What stands in a name must be one: no slash, no space at its ends.
    let named = at(5).replace(['/', ':'], "_").replace(' ', "-");
    let is_whole = !at(5).contains(['/', ':', ' ']);
    let name = if is_whole { named } else { format!("plain-{shape}") };
    let content = if is_whole { "named" } else { at(5) };
    let escaped: String = at(6).chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    workspace
        .file(&format!("{run}/grading.json"), grading.to_string())
        .file(
            &format!("{other}/grading.json"),
            r#"{"expectations": [{"text": "a", "passed": false}]}"#,
        )
        .file(&format!("iteration-1/case-{shape}/eval_metadata.json"), metadata.to_string())
        .file(&format!("{run}/outputs/{name}.txt"), content)
        .file(&format!("{run}/outputs/data.json"), format!("{{\"k\": \"{escaped}\"}}"))
        .file(&format!("{run}/outputs/table.csv"), format!("k,v\nx,{}\n", at(7)))
        .file(&format!("{run}/outputs/page.html"), format!("<p title='{0}'>{0}</p>", at(8)))
        .file(&format!("{run}/outputs/notes.md"), format!("# Notes\n\n- {}\n", at(9)))
        .file(&format!("{other}/outputs/notes.md"), format!("# Notes\n\n- {}, then\n", at(9)))
        .file(&format!("{run}/transcript.md"), format!("## Steps\n\n{}\n", at(9)))
}

#[test]
fn two_hundred_secrets_leave_no_byte() {
    let all: Vec<Vec<Secret>> =
        (0..SHAPES).map(|shape| (0..EACH).map(|number| secret(shape, number)).collect()).collect();
    let mut workspace = Workspace::new();
    for (shape, secrets) in all.iter().enumerate() {
        workspace = planted(workspace, shape, secrets);
    }
    let exports = ["--export", "csv,jsonl,junit"];
    workspace
        .run([&["build", "../workspace", "-o", "report"][..], &exports].concat())
        .assert_code(0);
    let report = tree(&workspace.elsewhere().join("report"));
    assert!(report.len() > 100 && report.contains_key("runs.csv"), "the report is there");
    let texts: Vec<(&String, String)> = report
        .iter()
        .map(|(path, bytes)| (path, String::from_utf8_lossy(bytes).into_owned()))
        .collect();
    let mut found = Vec::new();
    for (shape, secrets) in all.iter().enumerate() {
        for (number, secret) in secrets.iter().enumerate() {
            let escaped: String =
                secret.core.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
            let forms = [secret.core.as_str(), escaped.as_str()];
            let holds = |text: &str| forms.iter().any(|form| text.contains(form));
            let places = texts.iter().filter(|(path, text)| holds(path) || holds(text));
            found.extend(places.map(|(path, _)| format!("shape {shape}, place {number}: {path}")));
        }
    }
    assert!(found.is_empty(), "{} places: {found:#?}", found.len());
    let secrets: Value = serde_json::from_slice(&report["publish-manifest.json"]).expect("JSON");
    let counts = secrets["workspaces"][0]["secrets"].as_object().expect("counts by kind").clone();
    let sum: u64 = counts.values().filter_map(Value::as_u64).sum();
    assert!(sum >= (SHAPES * EACH) as u64, "{counts:?}");
}

/// A ZIP file whose parts are compressed, as office files are.
pub(super) fn archive(parts: &[(&str, String)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let packed = miniz_oxide::deflate::compress_to_vec(content.as_bytes(), 6);
        let offset = (bytes.len() as u32).to_le_bytes();
        let sizes = [packed.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let length = (name.len() as u16).to_le_bytes();
        let head = [20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let common = [&head[..], &sizes, &length, &[0, 0]].concat();
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        let entry = [b"PK\x01\x02\x14\0", &common[..], &[0; 10], &offset, name.as_bytes()].concat();
        directory.extend(entry);
    }
    let counts = [(parts.len() as u16).to_le_bytes(); 2].concat();
    let places = [directory.len() as u32, bytes.len() as u32].map(u32::to_le_bytes).concat();
    let end = [b"PK\x05\x06\0\0\0\0", &counts[..], &places, &[0, 0]].concat();
    [bytes, directory, end].concat()
}

/// A document of paragraphs; a `|` in one begins a run of its own.
pub(super) fn document(paragraphs: &[String]) -> Vec<u8> {
    let run = |text: &str| format!("<w:r><w:t>{}</w:t></w:r>", text.replace('"', "&quot;"));
    let paragraph =
        |text: &String| format!("<w:p>{}</w:p>", text.split('|').map(run).collect::<String>());
    let body: String = paragraphs.iter().map(paragraph).collect();
    archive(&[(
        "word/document.xml",
        format!("<w:document xmlns:w='w'><w:body>{body}</w:body></w:document>"),
    )])
}

fn workbook(cell: &str) -> Vec<u8> {
    let cell = cell.replace('"', "&quot;");
    archive(&[
        (
            "xl/workbook.xml",
            "<workbook xmlns:r='r'><sheets><sheet name='S' r:id='a'/></sheets></workbook>"
                .to_owned(),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships><Relationship Id='a' Target='worksheets/a.xml'/></Relationships>"
                .to_owned(),
        ),
        (
            "xl/worksheets/a.xml",
            format!(
                "<worksheet><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>{cell}</t></is></c></row></sheetData></worksheet>"
            ),
        ),
    ])
}

/// Secrets of one side that show once a format is taken apart, or in which something stands before
/// or between them.
fn taken_apart(workspace: Workspace, side: usize, cores: &mut Vec<String>) -> Workspace {
    let mut core = |length: usize| {
        cores.push(drawn(5_000 + side * 100 + cores.len(), length, LETTERS));
        cores.last().cloned().expect("one was added")
    };
    let run = format!("iteration-1/a/{}/run-1", ["with_skill", "without_skill"][side]);
    let paragraphs = [
        format!("see gh|p_{}", core(36)),
        format!("aws_secret_access_key = \"{}\"", core(40)),
        format!("Authorization: Token {}", core(40)),
    ];
    // In the file as it is stored they are in two parts.
    let split = [format!("ant-api03-{}", core(90)), format!("p_{}", core(36))];
    let notebook = json!({
        "cells": [
            { "cell_type": "markdown", "source": ["key sk-", split[0]] },
            { "cell_type": "code", "source": ["x = 'gh", format!("{}'", split[1])], "outputs": [] },
        ],
    });
    let wide = format!("x ghp_{} y {side}", core(36));
    let lines: Vec<String> = (0..4).map(|_| core(64)).collect();
    let numbered: String = ["-----BEGIN RSA PRIVATE KEY-----"]
        .into_iter()
        .chain(lines.iter().map(String::as_str))
        .chain(["-----END RSA PRIVATE KEY-----"])
        .enumerate()
        .map(|(at, line)| format!("     {}\u{2192}{line}\n", at + 1))
        .collect();
    let grading = json!({ "expectations": [{
        "text": "a",
        "passed": side == 0,
        "evidence": format!("-ghp_{}\n\u{1b}[32mghp_{}\n\u{2192}ghp_{}\n{numbered}", core(36), core(36), core(36)),
    }] });
    let yaml = format!("api_key: {}\naws_secret_access_key: {}\n", core(40), core(40));
    let escaped = format!("- ghp\\_{}\n- ghp&#95;{}\n", core(36), core(36));
    let drawing =
        format!("<svg xmlns='http://www.w3.org/2000/svg'><text>&#103;hp_{}</text></svg>", core(36));
    let [change, name, case, configuration] = [36; 4].map(&mut core);
    let (step, cell) = (core(90), core(40));
    cores.retain(|core| !split.iter().any(|part| part.contains(core.as_str())));
    cores.extend([format!("sk-{}", split[0]), format!("gh{}", split[1])]);
    workspace
        .file(&format!("{run}/grading.json"), grading.to_string())
        .file(&format!("{run}/outputs/d.docx"), document(&paragraphs))
        .file(&format!("{run}/outputs/s.xlsx"), workbook(&format!("api_key = \"{cell}\"")))
        .file(&format!("{run}/outputs/n.ipynb"), notebook.to_string())
        .file(
            &format!("{run}/outputs/wide.txt"),
            wide.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
        )
        .file(&format!("{run}/outputs/key.txt"), numbered)
        .file(&format!("{run}/outputs/settings.yaml"), yaml)
        .file(&format!("{run}/outputs/escaped.md"), escaped)
        .file(&format!("{run}/outputs/drawing.svg"), drawing)
        .file(&format!("{run}/outputs/change.diff"), format!("-ghp_{change}\n+x\n"))
        .file(&format!("{run}/outputs/name-ghp_{name}.txt"), "named")
        .file(&format!("{run}/transcript.md"), format!("## Steps\n\n-sk-ant-{step}\n"))
        .file(
            &format!("iteration-1/case-ghp_{case}/cfg-ghp_{configuration}/grading.json"),
            r#"{"expectations": [{"text": "a", "passed": true}]}"#,
        )
}

#[test]
fn secrets_that_show_once_a_format_is_taken_apart_leave_no_byte() {
    let mut cores = Vec::new();
    let mut workspace = Workspace::new();
    for side in 0..2 {
        workspace = taken_apart(workspace, side, &mut cores);
    }
    let exports = ["--export", "csv,jsonl,junit"];
    workspace
        .run([&["build", "../workspace", "-o", "report"][..], &exports].concat())
        .assert_code(0);
    let report = tree(&workspace.elsewhere().join("report"));
    let shows_wide = |(path, bytes): (&String, &Vec<u8>)| {
        path.starts_with("diffs/") && String::from_utf8_lossy(bytes).contains("wide.txt")
    };
    assert!(report.iter().any(shows_wide));
    let office = |path: &&String| path.ends_with(".docx") || path.ends_with(".xlsx");
    assert_eq!(report.keys().find(office), None, "held back, as they show secrets");
    let run = String::from_utf8_lossy(&report["iterations/iteration-1/a/with_skill-1.html"]);
    assert!(run.contains("[redacted: aws secret key]"), "{run}");
    let mut found = Vec::new();
    for (path, bytes) in &report {
        // What is stored as UTF-16 has a zero after each byte.
        let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        let text = format!("{path}\n{}", String::from_utf8_lossy(&narrow)).to_lowercase();
        let held = cores.iter().enumerate().filter(|(_, core)| text.contains(&core.to_lowercase()));
        found.extend(held.map(|(number, _)| format!("{number} in {path}")));
    }
    assert!(found.is_empty(), "{} places: {found:#?}", found.len());
}

#[test]
fn a_megabyte_of_code_and_prose_stays_as_it_is() {
    const WANTED: usize = 1_000_000;
    let guarded = |path: &str| path.contains("guard") || path.contains("planted");
    let mut workspace = Workspace::new().file(
        "iteration-1/a/with_skill/grading.json",
        r#"{"expectations": [{"text": "a", "passed": true}]}"#,
    );
    let mut bytes = 0;
    let sources = ["src", "crates", "templates", "assets", "tests"]
        .map(|folder| files(&project().join(folder)));
    let documents =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| project().join(name));
    for (at, file) in documents.into_iter().chain(sources.into_iter().flatten()).enumerate() {
        let path = file.to_string_lossy();
        let is_text =
            ["rs", "md", "html", "css", "js"].iter().any(|it| path.ends_with(&format!(".{it}")));
        if !is_text || guarded(&path) || path.contains("vendor") || bytes > WANTED {
            continue;
        }
        let content = std::fs::read(&file).expect("a readable file");
        bytes += content.len();
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        workspace =
            workspace.file(&format!("iteration-1/a/with_skill/outputs/{at}/{name}"), content);
    }
    assert!(bytes > WANTED, "{bytes} bytes are too few");
    let ran = workspace.run(["check", "../workspace", "--format", "json"]);
    let problems = ran.json()["workspaces"][0]["problems"].clone();
    let marks: Vec<&Value> = problems
        .as_array()
        .into_iter()
        .flatten()
        .filter(|problem| problem["code"] == "secret-redacted")
        .collect();
    assert!(marks.len() <= 1, "{} marks in {bytes} bytes: {marks:#?}", marks.len());
}
