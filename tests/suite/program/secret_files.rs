//! Files whose secrets cannot be replaced in them: office files, archives, PDF. They are kept back and
//! named, unless a flag says otherwise.

use serde_json::Value;

use super::planted::{LETTERS, archive, document, drawn};
use crate::support::{Workspace, tree};

fn token(seed: usize) -> String {
    format!("ghp_{}", drawn(900 + seed, 36, LETTERS))
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(content, 6);
    [b"\x1f\x8b\x08\0\0\0\0\0\0\x03", &packed[..], &[0; 8]].concat()
}

fn pdf(page: &str) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(page.as_bytes(), 6);
    let head =
        format!("%PDF-1.7\n1 0 obj\n<< /Filter /FlateDecode /Length {} >>\nstream\n", packed.len());
    [head.as_bytes(), &packed, b"\nendstream\nendobj\n%%EOF\n"].concat()
}

/// Files with a token in them, in each in another way.
fn with_tokens() -> Vec<(&'static str, Vec<u8>)> {
    let page = |seed| {
        let token = token(seed);
        format!("BT [({}) -12 ({})] TJ ET", &token[..9], &token[9..])
    };
    vec![
        ("a.docx", document(&[format!("see gh|{}", &token(1)[2..])])),
        ("b.zip", archive(&[("x/notes.txt", format!("a\nkey {}\n", token(2)))])),
        ("c.log.gz", gzip(format!("line\n{}\n", token(4)).as_bytes())),
        ("d.pdf", pdf(&page(5))),
        ("f.png", [b"\x89PNG\r\n\x1a\n\0\0\0\0".to_vec(), token(6).into_bytes()].concat()),
    ]
}

fn workspace(files: &[(&str, Vec<u8>)]) -> Workspace {
    let run = "iteration-1/one/with_skill/run-1";
    let grading = r#"{"expectations": [{"text": "a", "passed": true}]}"#;
    let mut workspace = Workspace::new().file(&format!("{run}/grading.json"), grading);
    for (name, content) in files {
        workspace = workspace.file(&format!("{run}/outputs/{name}"), content);
    }
    workspace
}

/// The names of the files with a problem of this code.
fn listed_files(workspace: &Workspace, flags: &[&str], code: &str) -> Vec<String> {
    let flags = ["check", "../workspace", "--format", "json"].iter().chain(flags);
    let problems = workspace.run(flags).json()["workspaces"][0]["problems"].clone();
    let problems = problems.as_array().cloned().unwrap_or_default().into_iter();
    let of_code = problems.filter(|problem| problem["code"] == code);
    let name = |problem: Value| {
        let path = problem["path"].as_str().expect("a path").to_owned();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    };
    of_code.map(name).collect()
}

/// How many of the files are somewhere in the report, byte by byte.
fn stored(workspace: &Workspace, flags: &[&str], files: &[(&str, Vec<u8>)]) -> usize {
    workspace.run(["build", "../workspace", "-o", "report"].iter().chain(flags)).assert_code(0);
    let report = tree(&workspace.elsewhere().join("report"));
    files.iter().filter(|(_, content)| report.values().any(|bytes| bytes == content)).count()
}

#[test]
fn files_with_tokens_are_kept_back_and_named() {
    let files = with_tokens();
    let workspace = workspace(&files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed_files(&workspace, &[], "secret-withheld"), names);
    assert_eq!(stored(&workspace, &[], &files), 0);
    let report = tree(&workspace.elsewhere().join("report"));
    let manifest: Value = serde_json::from_slice(&report["publish-manifest.json"]).expect("JSON");
    let kept = manifest["workspaces"][0]["unsafe_outputs"].as_array().map(Vec::len);
    assert_eq!(kept, Some(files.len()), "{manifest}");
}

#[test]
fn a_flag_publishes_them_and_a_setting_does_not() {
    let files = with_tokens();
    let workspace = workspace(&files);
    let flag = ["--keep-secret-files"];
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    assert_eq!(listed_files(&workspace, &flag, "secret-published"), names);
    assert_eq!(listed_files(&workspace, &flag, "secret-withheld"), [""; 0]);
    assert_eq!(stored(&workspace, &flag, &files), files.len());
    let workspace = workspace.file("evalbook.toml", "keep_secret_files = true\n");
    workspace.run(["build", "../workspace", "-o", "report"]).assert_code(2);
}

#[test]
fn files_without_a_token_are_published() {
    let files = [
        ("a.docx", document(&["password: required".to_owned()])),
        ("b.zip", archive(&[("a.txt", "api_key = example".to_owned())])),
        ("c.gz", gzip(b"nothing")),
        ("d.zip", archive(&[])),
        // Archives in archives are not opened.
        ("f.zip.gz", gzip(&archive(&[("a.txt", "words".to_owned())]))),
        ("g.7z", b"7z\xbc\xaf\x27\x1c\0\x04 of a kind that nothing opens".to_vec()),
        ("e.py", b"out.write(b'%PDF-1.4')\nout.write(b'<< /Type /Page >> stream')\n".to_vec()),
    ];
    let workspace = workspace(&files);
    assert_eq!(listed_files(&workspace, &[], "secret-withheld"), [""; 0]);
    assert_eq!(stored(&workspace, &[], &files), files.len());
}

#[test]
fn outputs_that_are_not_searched_are_kept_back_where_the_settings_say_so() {
    let files = [
        ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04 of a kind that nothing opens".to_vec()),
        ("b.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("c.txt", b"words".to_vec()),
        ("d.zip", archive(&[("a.txt", "words".to_owned())])),
    ];
    let workspace = workspace(&files);
    assert_eq!(stored(&workspace, &[], &files), 4);
    assert_eq!(stored(&workspace, &["--unsearched", "withhold"], &files), 2);
    let workspace = workspace.file("evalbook.toml", "unsearched = \"withhold\"\n");
    assert_eq!(stored(&workspace, &[], &files), 2);
}

/// What cannot be searched is held back: a gigabyte of zeros that is a megabyte in the workspace,
/// and an archive without its directory.
#[test]
fn an_archive_that_cannot_be_unpacked_is_held_back() {
    let zeros = gzip(&vec![0; 128 * 1024 * 1024]);
    let member = String::from_utf8_lossy(&[b'0'; 4096]).repeat(4096);
    let parts: Vec<(&str, String)> = (0..16).map(|_| ("zeros.txt", member.clone())).collect();
    let files = [
        ("a.gz", zeros),
        ("b.zip", archive(&parts)),
        ("c.zip", b"PK\x03\x04 and no archive".to_vec()),
    ];
    let workspace = workspace(&files);
    assert_eq!(stored(&workspace, &[], &files), 0);
}

#[test]
fn a_column_of_secrets_is_found_to_its_last_row() {
    let value = |row: usize| format!("Heron{}x{row}", drawn(row + 1, 4, b"abcdefgh"));
    let rows: String = (0..60_000).map(|row| format!("user{row},{},x\n", value(row))).collect();
    let files = [("users.csv", format!("user,password,note\n{rows}").into_bytes())];
    let workspace = workspace(&files);
    assert_eq!(stored(&workspace, &[], &files), 0);
    let report = tree(&workspace.elsewhere().join("report"));
    let texts: Vec<String> =
        report.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    let shown = |text: &String| text.contains("Heron");
    assert!(!texts.iter().any(shown));
    let marks = texts.iter().map(|text| text.matches("[redacted: column of secrets]").count());
    assert_eq!(marks.max(), Some(60_000));
}
