//! What runs make again and again, from their files to pages, report.json and brief.

use crate::support::{Workspace, html, read_text};
use serde_json::{Value, json};

/// A script in which only the name of the case differs.
fn helper(case: &str) -> String {
    let names = ["region", "product", "month", "amount", "kind", "currency", "owner", "status"];
    let lines = names.map(|it| format!("    {it} = clean(row['{it}'], strict={it}_rules)\n"));
    format!("import csv\n\ndef load_{case}(row):\n{}    return region, amount\n", lines.concat())
}

fn workspace(script: &dyn Fn(&str) -> String) -> Workspace {
    let mut workspace = Workspace::new();
    for case in ["alpha", "beta", "gamma"] {
        let folder = format!("iteration-1/{case}/with_skill/run-1");
        workspace = workspace
            .runs(&format!("{folder} +"))
            .file(&format!("{folder}/outputs/merge.py"), script(case))
            .file(&format!("{folder}/outputs/answer.md"), format!("The answer of {case}."));
    }
    workspace
}

fn read(workspace: &Workspace) -> (Value, String, String) {
    let folder = workspace.build();
    let read = |name: &str| read_text(folder.join(name));
    let page = html::spoken_texts(&read("iterations/iteration-1/index.html")).join("\n");
    let data: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    (data["workspaces"][0].clone(), html::spoken_texts(&read("index.html")).join("\n"), page)
}

#[test]
fn a_planted_helper_is_on_every_page_that_names_it() {
    let workspace = workspace(&helper);
    let (data, overview, page) = read(&workspace);
    let made = &data["repeats"]["made"];
    assert_eq!(made.as_array().map(Vec::len), Some(1), "{made}");
    assert_eq!((&made[0]["name"], &made[0]["cases"]), (&json!("merge.py"), &json!(3)));
    assert_eq!(made[0]["copies"][0], "iteration-1/alpha/with_skill/run-1/outputs/merge.py");
    assert!(overview.contains("such as merge.py in 3 cases"), "{overview}");
    assert!(page.contains("merge.py, 12 lines, in similar form in 3 of 3 cases"), "{page}");
    let brief = workspace.run(["brief", "../workspace"]).stdout;
    assert!(brief.contains("merge.py"), "{brief}");
}

#[test]
fn scripts_of_different_content_are_not_named() {
    let other = |case: &str| {
        let word = |at: usize| format!("{case}{}", char::from(b'a' + at as u8));
        (0..12).map(|at| format!("{}({}, {})\n", word(at), word(at + 7), word(at * 2))).collect()
    };
    let (data, overview, _) = read(&workspace(&other));
    assert!(data.get("repeats").is_none(), "{data}");
    assert!(!overview.contains("again and again"), "{overview}");
}
