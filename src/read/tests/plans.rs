//! Planned cases: evals.json and eval_metadata.json of every dialect.

use super::{codes, outside_runs, place, read};
use crate::discover::Kind;
use crate::model::{Case, Code};

fn evals(text: &str) -> (Vec<Case>, String) {
    let record = outside_runs(Kind::Evals, text);
    (record.evals.unwrap_or_default().cases, codes(&record.problems))
}

#[test]
fn the_skill_creators_evals() {
    let text = r#"{"skill_name": "pdf", "evals": [{"id": 1, "name": "rotate",
        "prompt": "Rotate it", "expected_output": "a rotated file", "files": ["in/a.pdf"],
        "expectations": ["has pages", "is upright"]}]}"#;
    let record = outside_runs(Kind::Evals, text);
    assert_eq!(codes(&record.problems), "");
    let actual = record.evals.unwrap();
    assert_eq!(actual.skill.as_deref(), Some("pdf"));
    let case = &actual.cases[0];
    assert_eq!((case.id.as_deref(), case.stated_name()), (Some("1"), Some("rotate")));
    assert_eq!(case.prompt.as_deref(), Some("Rotate it"));
    assert_eq!(case.expected_output.as_deref(), Some("a rotated file"));
    assert_eq!(case.files, ["in/a.pdf"]);
    let texts: Vec<_> = case.planned.iter().map(|e| e.text.as_str()).collect();
    assert_eq!(texts, ["has pages", "is upright"]);
}

#[test]
fn the_scored_dialects_cases() {
    let text = r#"{"version": "1.0", "skill": "path/to/docker", "cases": [{"id": "case-01",
        "prompt": "p", "files": [], "expectations": [
        {"criterion": "frontmatter", "description": "valid YAML", "required": true},
        {"criterion": "brevity", "description": "short", "required": false}]}]}"#;
    let record = outside_runs(Kind::Evals, text);
    assert_eq!(codes(&record.problems), "");
    let actual = record.evals.unwrap();
    assert_eq!(actual.skill.as_deref(), Some("path/to/docker"));
    let [first, second] = &actual.cases[0].planned[..] else { panic!("two criteria") };
    assert_eq!((first.text.as_str(), first.required), ("frontmatter", Some(true)));
    assert_eq!(first.description.as_deref(), Some("valid YAML"));
    assert_eq!((second.text.as_str(), second.required), ("brevity", Some(false)));
}

#[test]
fn the_compact_dialects_metadata() {
    let text = r#"{"eval_id": 0, "eval_name": "rows", "prompt": "p",
        "assertions": [{"id": "assertion-1", "text": "valid JSON"}]}"#;
    let case = read(Kind::CaseMetadata, text).case.unwrap();
    assert_eq!((case.id.as_deref(), case.stated_name()), (Some("0"), Some("rows")));
    assert_eq!(case.planned[0].id.as_deref(), Some("assertion-1"));
    assert_eq!(case.planned[0].text, "valid JSON");
}

#[test]
fn ids_of_any_type() {
    for (id, expected) in
        [("7", Some("7")), ("\"a\"", Some("a")), ("1.5", Some("1.5")), ("null", None)]
    {
        let (cases, codes) =
            evals(&format!("{{\"evals\": [{{\"id\": {id}, \"prompt\": \"p\"}}]}}"));
        assert_eq!((cases[0].id.as_deref(), codes.as_str()), (expected, ""), "{id}");
    }
}

#[test]
fn expectations_in_every_shape() {
    let cases = [
        (r#"["a", "b"]"#, "a b"),
        (r#"[{"text": "a"}, {"check": "b"}]"#, "a b"),
        (r#"[{"name": "a", "type": "contains", "value": "x"}]"#, "a"),
        (r#"{"e1": "a", "e2": {"text": "b"}}"#, "a b"),
        (r#""a""#, "a"),
        (r#"[]"#, ""),
        (
            r#"{"required": ["f("], "forbidden": [], "behavioral_checks": ["b", "c"]}"#,
            "required: f( b c",
        ),
        (r#"{"structure": [{"text": "a"}, {"text": "b"}]}"#, "a b"),
        (r#"{"required": [], "forbidden": []}"#, ""),
    ];
    for (list, expected) in cases {
        let (cases, problems) =
            evals(&format!("{{\"evals\": [{{\"id\": 1, \"assertions\": {list}}}]}}"));
        let texts: Vec<_> = cases[0].planned.iter().map(|e| e.text.as_str()).collect();
        assert_eq!((texts.join(" ").as_str(), problems.as_str()), (expected, ""), "{list}");
    }
    let (cases, _) = evals(r#"{"evals": [{"id": 1, "expectations": [], "assertions": ["a"]}]}"#);
    assert_eq!(cases[0].planned.len(), 1, "an empty list hides no other");
}

#[test]
fn every_rule_on_ids_and_required_marks_has_its_place() {
    let twice = "{\"evals\": [{\"id\": 1},\n {\"id\": 1}]}";
    let record = outside_runs(Kind::Evals, twice);
    assert_eq!(place(&record.problems, Code::DuplicateCaseId), "2:9");
    let mixed = "{\"evals\": [{\"id\": 1},\n {\"id\": \"b\"}]}";
    let record = outside_runs(Kind::Evals, mixed);
    assert_eq!(place(&record.problems, Code::MixedIds), "2:9");
    let optional = "{\"cases\": [\n {\"id\": \"a\", \"expectations\": [{\"criterion\": \"c\", \"required\": false}]}]}";
    let record = outside_runs(Kind::Evals, optional);
    assert_eq!(place(&record.problems, Code::NoRequiredExpectation), "2:2");
}
