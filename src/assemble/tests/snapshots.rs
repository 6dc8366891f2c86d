//! Copies of the skill: which version and iteration each belongs to.

use super::{GRADING, workspace};

#[test]
fn copies_of_the_skill_are_read_wherever_they_lie() {
    let history = r#"{"versions": [{"version": 0, "path": "v0/skill/"},
        {"version": 1, "path": "elsewhere", "parent": "v0"}]}"#;
    let actual = workspace(&[
        ("history.json", history),
        ("v0/runs/eval-1/with_skill/run-1/grading.json", GRADING),
        ("v1/runs/eval-1/with_skill/run-1/grading.json", GRADING),
        ("v0/skill/SKILL.md", "a"),
        ("v1/skill/SKILL.md", "b"),
        ("v1/skill/scripts/run.py", "c"),
        ("skill-snapshot/SKILL.md", "d"),
        ("skill-snapshot-v1/SKILL.md", "e"),
        ("skill-v2/SKILL.md", "f"),
    ]);
    let snapshots: Vec<String> = actual
        .snapshots
        .iter()
        .map(|snapshot| {
            let iteration = snapshot.iteration.map(|index| actual.iterations[index].name.as_str());
            let files: Vec<&str> = snapshot.files.iter().map(|file| file.name.as_str()).collect();
            format!("{} {} {}", snapshot.name, iteration.unwrap_or("-"), files.join(","))
        })
        .collect();
    let expected = [
        "skill-snapshot - SKILL.md",
        "skill-v2 - SKILL.md",
        "v0 v0 SKILL.md",
        "skill-snapshot-v1 v1 SKILL.md",
        "v1 v1 scripts/run.py,SKILL.md",
    ];
    assert_eq!(snapshots, expected);
    assert!(actual.ignored.is_empty(), "{:?}", actual.ignored);
}
