//! The workspaces in `examples/`: what is found in them, and reports whose pages are sound.

use crate::support;
use crate::support::{CommandOutput, evalbook, examples, html, name_of, project, site};
use serde_json::Value;

#[test]
fn totals_and_problems_are_as_before() {
    for example in examples() {
        let name = name_of(&example);
        let mut command = evalbook(&project());
        command.args(["check", "--format", "json"]).arg(format!("examples/{name}"));
        let inventory = CommandOutput::of(&mut command).json();
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&inventory).expect("JSON"));
    }
}

#[test]
fn every_page_is_sound_and_every_link_leads_to_a_file_of_the_report() {
    for example in examples() {
        let place = tempfile::tempdir().expect("a temporary folder");
        build(&place, &[&example]);
        site::assert_sound(&place.path().join("report"));
    }
}

#[test]
fn a_report_of_all_examples_is_sound() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let examples = examples();
    let all: Vec<&std::path::Path> = examples.iter().map(AsRef::as_ref).collect();
    build(&place, &all);
    site::assert_sound(&place.path().join("report"));
}

#[test]
fn the_manifest_names_every_file_with_its_size_and_hash() {
    for example in examples() {
        let place = tempfile::tempdir().expect("a temporary folder");
        build(&place, &[&example]);
        let mut files = support::tree(&place.path().join("report"));
        let manifest = files.remove("evalbook-manifest.json").expect("a manifest");
        let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
        let found: serde_json::Map<String, Value> = files
            .into_iter()
            .map(|(path, bytes)| {
                let blake3 = blake3::hash(&bytes).to_hex().to_string();
                (path, serde_json::json!({ "bytes": bytes.len(), "blake3": blake3 }))
            })
            .collect();
        assert_eq!(manifest["files"], Value::Object(found));
    }
}

#[test]
fn every_file_of_a_report_is_linked_to() {
    for example in examples() {
        let place = tempfile::tempdir().expect("a temporary folder");
        build(&place, &[&example]);
        let unlinked = site::unlinked(&place.path().join("report"));
        assert!(unlinked.is_empty(), "{}: {unlinked:#?}", name_of(&example));
    }
}

fn build(place: &tempfile::TempDir, workspaces: &[&std::path::Path]) {
    let mut command = evalbook(place.path());
    CommandOutput::of(command.arg("build").args(workspaces).args(["-o", "report"])).assert_code(0);
}

mod scan {
    //! The scan of pages itself.

    use super::html::{tags, unescaped};

    #[test]
    fn tags_and_their_attributes_are_found() {
        let page = "<!doctype html><a href='x?a&amp;b' hidden>1 &lt; 2</a><!-- <b> --><br/>\
                    <script>if (a<b) {}</script><I ID=x>";
        let found = tags(page);
        let names: Vec<&str> = found.iter().map(|tag| tag.name.as_str()).collect();
        assert_eq!(names, ["a", "br", "script", "i"]);
        assert_eq!(found[0].get("href"), Some("x?a&b"));
        assert_eq!(found[0].get("hidden"), Some(""));
        assert_eq!(found[0].text, "1 < 2");
        assert_eq!(found[3].get("id"), Some("x"));
    }

    #[test]
    fn odd_pages_end() {
        for page in ["<", "<a", "<a b", "<a b=", "<a b='", "<a =\"", "<!--", "<script>", "<a \"'"] {
            let _ = tags(page);
        }
    }

    #[test]
    fn references_are_resolved() {
        assert_eq!(unescaped("&#x2F;&#39;&amp;lt;&unknown;&"), "/'&lt;&unknown;&");
    }
}
