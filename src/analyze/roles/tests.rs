use super::{BaselineReason, Roles, is_earlier_name, split};
use input::model::{Iteration, RecordedBenchmark};
use input::settings::Settings;

fn roles_of(names: &[&str], settings: &Settings) -> Roles {
    let configurations = names.iter().map(|name| (*name).to_owned()).collect();
    super::assign_roles(&Iteration { configurations, ..Iteration::default() }, settings)
}

#[test]
fn the_name_decides_not_the_order() {
    let table: [(&[&str], Option<&str>); 18] = [
        (&["opus/with_skill", "opus/without_skill"], Some("opus/without_skill")),
        (&["old_skill", "with_skill"], Some("old_skill")),
        (&["with_skill", "old_skill"], Some("old_skill")),
        (&["old_skill", "with_skill", "without_skill"], Some("without_skill")),
        (&["with_rule", "without_rule"], Some("without_rule")),
        (&["opus-baseline", "opus"], Some("opus-baseline")),
        (&["claude_with_skill", "claude_without_skill"], Some("claude_without_skill")),
        // Two could be meant.
        (&["skill_old", "skill_before"], None),
        (&["config_a", "config_b"], None),
        (&["gpt/with_skill", "opus/with_skill"], None),
        (&["with_skill_v2", "with_skill_v3", "without_skill"], Some("without_skill")),
        (&["with_skill_v2", "old_skill_v1"], Some("old_skill_v1")),
        (&["v2", "v1"], Some("v1")),
        (&["skill-v10", "skill-v9"], Some("skill-v9")),
        (&["tea v1.2", "tea v1.10"], Some("tea v1.2")),
        (&["tea-v1", "rice-v2"], None),
        (&["v1", "v2", "v3"], None),
        (&["glm-v4", "glm-v5"], None),
    ];
    for (names, expected) in table {
        let roles = roles_of(names, &Settings::default());
        assert_eq!(roles.baseline.as_deref(), expected, "{names:?}");
    }
    for (names, reason) in [
        (&[][..], BaselineReason::NoRun),
        (&["with_skill"], BaselineReason::Alone),
        (&[super::UNASSIGNED], BaselineReason::Alone),
    ] {
        let roles = roles_of(names, &Settings::default());
        assert_eq!((roles.baseline, roles.reason), (None, reason), "{names:?}");
    }
}

#[test]
fn a_number_names_an_earlier_version() {
    for name in ["v1", "skill-v3", "opus/v1", "Version 2", "opus/old_skill"] {
        assert!(is_earlier_name(name), "{name}");
    }
    for name in ["baseline-v1", "without-skill-v2", "glm-v4", "with_skill", "vase"] {
        assert!(!is_earlier_name(name), "{name}");
    }
}

#[test]
fn a_name_is_made_of_condition_and_arm() {
    for (name, expected) in [
        ("opus/with_skill", Some(("opus", "with_skill"))),
        ("gemini-without-skill", Some(("gemini", "without_skill"))),
        ("with_skill", None),
        ("candidate", None),
    ] {
        let expected = expected.map(|(condition, arm)| (condition.to_owned(), arm.to_owned()));
        assert_eq!(split(name), expected, "{name}");
    }
}

#[test]
fn sides_pair_within_a_condition() {
    let table: [(&[&str], &[(&str, &str)]); 4] = [
        // The configuration of the other model has no baseline of its own.
        (
            &["with_skill_haiku_4_5", "with_skill_gpt_5", "old_skill_gpt_5"],
            &[("with_skill_gpt_5", "old_skill_gpt_5")],
        ),
        (
            &["opus/with_skill", "opus/without_skill", "gpt/with_skill"],
            &[("opus/with_skill", "opus/without_skill")],
        ),
        (
            &["with_skill", "without_skill", "gpt/with_skill", "gpt/without_skill"],
            &[("gpt/with_skill", "gpt/without_skill"), ("with_skill", "without_skill")],
        ),
        (&["with_skill", "without_skill"], &[]),
    ];
    for (names, expected) in table {
        let roles = roles_of(names, &Settings::default());
        let baselines: Vec<(&str, &str)> =
            roles.own_baselines.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(baselines, expected, "{names:?}");
    }
}

#[test]
fn a_recorded_baseline_ranks_between_settings_and_names() {
    let names = ["with_skill", "without_skill", "v1"].map(str::to_owned);
    for (recorded, settings, baseline, reason) in [
        (&["V1"][..], "", "v1", BaselineReason::Recorded),
        (&["v1"], "baseline = 'with_skill'", "with_skill", BaselineReason::Settings),
        // They contradict each other.
        (&["v1", "with_skill"], "", "without_skill", BaselineReason::KnownName),
        (&["v7"], "", "without_skill", BaselineReason::KnownName),
    ] {
        let benchmarks = recorded.iter().map(|name| RecordedBenchmark {
            baseline: Some((*name).to_owned()),
            ..RecordedBenchmark::default()
        });
        let iteration = Iteration {
            configurations: names.to_vec(),
            benchmarks: benchmarks.collect(),
            ..Iteration::default()
        };
        let roles = super::assign_roles(
            &iteration,
            &Settings::read_file(settings, "evalbook.toml").unwrap(),
        );
        assert_eq!((roles.baseline.as_deref(), roles.reason), (Some(baseline), reason));
    }
}

#[test]
fn labels_play_the_parts_of_the_names_behind_them() {
    let labels = "labels = { with_skill = 'new', without_skill = 'candidate' }\n";
    for (settings, baseline) in
        [("", "candidate"), ("baseline = 'new'\n", "new"), ("baseline = 'With-Skill'\n", "new")]
    {
        let settings =
            Settings::read_file(&format!("{settings}{labels}"), "evalbook.toml").unwrap();
        let roles = roles_of(&["candidate", "new"], &settings);
        assert_eq!(roles.baseline.as_deref(), Some(baseline));
    }
}

#[test]
fn settings_override_names() {
    let names = ["with_skill", "old_skill", "without_skill"];
    let settings =
        Settings::read_file("baseline = 'Old-Skill'\norder = ['without_skill']", "evalbook.toml")
            .unwrap();
    let roles = roles_of(&names, &settings);
    assert_eq!(roles.order().collect::<Vec<_>>(), ["without_skill", "with_skill", "old_skill"]);
    assert_eq!(roles.reason, BaselineReason::Settings);
    let baseline = Some("with_skill".to_owned());
    let roles = roles_of(&names, &Settings { baseline, ..Settings::default() }.as_flags());
    assert_eq!(roles.baseline.as_deref(), Some("with_skill"));
    assert_eq!(roles.reason, BaselineReason::Flag);
    let elsewhere = Settings::read_file("baseline = 'v3'", "evalbook.toml").unwrap();
    assert_eq!(roles_of(&names, &elsewhere).reason, BaselineReason::KnownName);
}
