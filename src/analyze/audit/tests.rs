//! Made-up cases with one fault each.

use input::model::{Case, PlannedExpectation, Workspace};

use super::{
    ASKS_FOR_SKILL, Audit, AuditKind, CLAIM, CLAUSE, FORMAT, MAKES_SKILLS, NEGATION,
    SKILL_OF_PEOPLE, TWO_THINGS, asks_for_skill, makes_skills,
};

fn case(name: &str, prompt: &str, checks: &[&str]) -> Case {
    let planned = checks.iter().map(|text| PlannedExpectation {
        id: None,
        text: (*text).to_owned(),
        description: None,
        required: None,
        avoid: false,
    });
    Case {
        name: name.to_owned(),
        prompt: Some(prompt.to_owned()),
        planned: planned.collect(),
        ..Case::default()
    }
}

/// The kinds found in one case with one check, without what is said of all cases.
fn found(prompt: &str, check: &str, skill: &str) -> Vec<AuditKind> {
    let workspace =
        Workspace { planned: vec![case("one", prompt, &[check])], ..Workspace::default() };
    let mut kinds: Vec<AuditKind> =
        Audit::new(&workspace, skill).findings.iter().map(|finding| finding.kind).collect();
    kinds.retain(|kind| *kind != AuditKind::NoCaseWithoutSkill);
    kinds
}

#[test]
fn patterns_compile() {
    for pattern in [
        &ASKS_FOR_SKILL,
        &MAKES_SKILLS,
        &NEGATION,
        &FORMAT,
        &CLAIM,
        &TWO_THINGS,
        &CLAUSE,
        &SKILL_OF_PEOPLE,
    ] {
        assert!(!pattern.as_str().is_empty());
    }
}

#[test]
fn a_check_whose_words_stand_in_the_prompt_is_answered() {
    use AuditKind::{AnsweredByPrompt, AsksForSkill, MostlyAnswered, TwoThings};
    let prompt = "Write the minutes of the board call, name the owner of each action, and save them in Oslo style.";
    let table: [(&str, &[AuditKind]); 13] = [
        ("Names the owner of each action", &[AnsweredByPrompt]),
        ("The owner of every action has a deadline", &[MostlyAnswered]),
        ("The quorum was reached", &[]),
        ("Names the 3 owners of each action", &[]),
        ("name_owner saves the minutes of each action", &[]),
        ("States that the board owns each action", &[]),
        ("Names commands and state of a rig", &[]),
        ("Does not name the owner of an action", &[]),
        ("There is a heading for the owner of each action", &[]),
        ("The board", &[]),
        ("The skill was invoked", &[AsksForSkill]),
        ("SKILL.md is not read twice", &[]),
        ("It lists three risks, and names a person for each", &[TwoThings]),
    ];
    for (check, kinds) in table {
        assert_eq!(found(prompt, check, ""), kinds, "{check}");
    }
    assert!(found("Write a skill for minutes", "SKILL.md was read", "").is_empty());
    for (check, expected) in [
        ("SKILL.md was read before the answer", true),
        ("Reads references/tides.md first", true),
        ("Uses the hive-book skill for the table", true),
        ("The skill file was opened first", true),
        ("Output uses the Skill Roast format with categories", false),
        ("Does not create a commit", false),
        ("Reads the skill matrix of the team", false),
        ("Follows the skill's checklist", true),
        ("The answer shows skill in rhetoric", false),
    ] {
        assert_eq!(asks_for_skill(check), expected, "{check}");
    }
    assert!(makes_skills("Write a small skill for tides"));
}

#[test]
fn two_things_are_two_verbs_about_the_output() {
    for (check, expected) in [
        ("The reminder has a link and names a contact", true),
        ("The subject is at most 72 characters and has no period", true),
        ("Lists pros and cons", false),
        ("Explains what it does and does not do", false),
        ("Describes how the tool creates and removes files", false),
        ("Covers setup, use and uninstall", false),
    ] {
        assert_eq!(super::asks_two_things(check), expected, "{check}");
    }
}

#[test]
fn scripts_without_spaces_are_compared_by_pieces() {
    let answered = [AuditKind::AnsweredByPrompt];
    assert_eq!(found("請把會議紀錄存成繁體中文摘要", "會議紀錄是繁體中文摘要", ""), answered);
    assert_eq!(found("請把會議紀錄存成摘要", "會議紀錄", ""), answered);
    assert_eq!(found("議事録を要約して表にまとめる", "要約して表にまとめる", ""), answered);
    assert!(found("회의록을 요약해 주세요", "담당자 이름이 적혀 있다", "").is_empty());
}

#[test]
fn a_pattern_that_cannot_hold_is_found() {
    let with = |check: &str, expected: &str| {
        let mut case = case("one", "Write the minutes", &[check]);
        case.expected_output = Some(expected.to_owned());
        let workspace = Workspace { planned: vec![case], ..Workspace::default() };
        let findings = Audit::new(&workspace, "").findings;
        findings
            .iter()
            .map(|finding| finding.kind)
            .filter(|kind| *kind != AuditKind::NoCaseWithoutSkill)
            .collect::<Vec<_>>()
    };
    let literal = "# Minutes\n## Decisions taken\n- one";
    assert_eq!(with("/^## Decisions($/m", literal), [AuditKind::BrokenPattern]);
    assert_eq!(with("/^## Decisions$/m", literal), [AuditKind::PatternMissesExpected]);
    assert!(with("/^## Decisions taken$/m", literal).is_empty());
    assert!(with("/^## Decisions$/m", "A list of decisions, and who takes them.").is_empty());
    // Engines of other languages know these.
    assert!(with("/(?=x)y(?<!z)/", literal).is_empty());
    assert!(with("The path is /usr/share/doc/", literal).is_empty());
}

#[test]
fn what_repeats_the_skill_or_another_check_is_found() {
    let skill = "# Minutes\nUse `owner_of_action` names.\n## Example\n```\nAnna orders twelve new chairs before the first of May\nmax_chairs_2024\n```\n";
    let copied = "Anna orders twelve new chairs before the first of May";
    assert_eq!(found("Write it", copied, skill), [AuditKind::CopiedFromSkill]);
    assert_eq!(found("Write it", "It sets max_chairs_2024", skill), [AuditKind::CopiedFromSkill]);
    assert!(found("Write it", "It sets owner_of_action", skill).is_empty());
    let cases =
        ["a", "b", "c"].map(|name| case(name, name, &["Dates are dates", "Dates are dates"]));
    let workspace = Workspace { planned: cases.into(), ..Workspace::default() };
    let audit = Audit::new(&workspace, "");
    let count = |kind| audit.findings.iter().filter(|finding| finding.kind == kind).count();
    assert_eq!((count(AuditKind::Repeated), count(AuditKind::InEveryCase)), (3, 1));
}

#[test]
fn a_thousand_prompts_of_one_template_are_no_million_pairs() {
    let mut cases = Vec::new();
    for number in 0..1000 {
        let prompt =
            format!("Summarize the transcript of the Lisbon board meeting number {number}");
        cases.push(case(&format!("case {number}"), &prompt, &[]));
    }
    let audit = Audit::new(&Workspace { planned: cases, ..Workspace::default() }, "");
    let alike = audit.findings.iter().filter(|found| found.kind == AuditKind::AlikePrompts);
    assert_eq!(alike.count(), 999);
}

#[test]
fn alike_prompts_and_a_missing_negative_case_are_found() {
    let mut cases = vec![
        case("a", "Summarize the transcript of the Lisbon board meeting in May", &[]),
        case("b", "Summarize the transcript of the Lisbon board meeting in June", &[]),
        case("c", "Translate this letter", &[]),
    ];
    let audit = Audit::new(&Workspace { planned: cases.clone(), ..Workspace::default() }, "");
    let kinds: Vec<_> = audit.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [AuditKind::AlikePrompts, AuditKind::NoCaseWithoutSkill]);
    cases[2].should_load = Some(false);
    let audit = Audit::new(&Workspace { planned: cases, ..Workspace::default() }, "");
    assert_eq!(audit.findings.len(), 1);
}
