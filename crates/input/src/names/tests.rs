use super::*;

#[test]
fn iterations() {
    for name in ["iteration-1", "iteration-3b", "iteration-master", "iter_2", "Iteration10"] {
        assert!(is_iteration(name), "{name}");
    }
    for name in
        ["iterations", "iteration", "iterator-pattern", "iter", "iter-tools", "rate-limiter"]
    {
        assert!(!is_iteration(name), "{name}");
    }
    assert_eq!(version_number("v12"), Some(12));
    assert_eq!(version_number("v1-vs-v0"), None);
    assert!(is_timestamp("2026-03-01_101500"));
    assert!(is_timestamp("20260704T140222Z"));
    assert!(!is_timestamp("1234-notes"));
}

#[test]
fn an_iteration_is_a_part_between_dots() {
    let split = |name| split_iteration(name).map(|(rest, round)| format!("{rest} {round}"));
    assert_eq!(split("eval-0.iter2").as_deref(), Some("eval-0 iter2"));
    assert_eq!(split("a.iteration-2.with_skill").as_deref(), Some("a.with_skill iteration-2"));
    for name in ["eval-0-iter2", "iter2", "eval-0.iterator", "a.with_skill"] {
        assert_eq!(split(name), None, "{name}");
    }
}

#[test]
fn runs_are_a_word_and_digits_only() {
    assert_eq!(run_number("run-3"), Some(3));
    assert_eq!(run_number("sample_12"), Some(12));
    assert_eq!(run_number("run1"), Some(1));
    for name in ["run-test-audit", "runs", "run-final", "running-1", "run-1b"] {
        assert_eq!(run_number(name), None, "{name}");
    }
}

#[test]
fn configurations() {
    for name in [
        "with_skill",
        "without-skill",
        "old_skill",
        "claude_with_skill",
        "config_a",
        "01_with_skill_gpt_5_4_mini",
        "with_rule",
        "baseline",
        "original_skill",
    ] {
        assert!(is_configuration(name), "{name}");
    }
    for name in [
        "eval-3",
        "config-hardening",
        "css-modules",
        "new-package-bootstrap-of-a-thing",
        "no",
        "detection-1",
    ] {
        assert!(!is_configuration(name), "{name}");
    }
    assert_eq!(
        split_configuration_suffix("eval-2-claims-with-skill"),
        Some(("eval-2-claims", "with-skill"))
    );
    assert_eq!(split_configuration_suffix("with_skill"), None);
}
