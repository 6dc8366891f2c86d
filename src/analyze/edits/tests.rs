//! Planted edits: one of five is about the check that changed. Then the same with checks of other
//! skills, which no edit is about.

use super::rare_words::{Weights, content_words};
use super::{Check, all_hunks, best_edit, blocks, edited_words, marked, unchecked, unmentioned};
use std::collections::{BTreeMap, BTreeSet};

/// Topics of skills, each with the nouns of its rules.
const TOPICS: [&str; 12] = [
    "invoice ledger currency vendor discount remittance accrual voucher rebate surcharge payee audit",
    "migration schema index column constraint rollback tenant partition replica trigger backfill lock",
    "lesson pupil quiz rubric syllabus homework seminar tutor essay semester glossary diagram",
    "recipe allergen portion oven marinade garnish calorie pantry broth spice dough yield",
    "contract clause indemnity warranty jurisdiction notary lessee covenant arbitration escrow lien deed",
    "shipment carrier pallet customs manifest depot tariff courier waybill container dock freight",
    "patient dosage allergy triage referral biopsy vaccine ward prescription symptom consent chart",
    "component hook props reducer selector viewport animation theme router modal tooltip keyboard",
    "incident pager severity runbook outage postmortem escalation latency throttle failover quota alarm",
    "campaign audience banner keyword funnel newsletter coupon persona slogan landing retention click",
    "turbine voltage relay transformer breaker feeder substation inverter grid meter insulator busbar",
    "sonnet stanza metaphor rhyme meter chapter narrator dialogue epilogue villain suspense prologue",
];

/// Wordings for two nouns, in pairs: the rule and the check.
const WORDINGS: [[&str; 2]; 8] = [
    ["Always state the {a} together with its {b}.", "The report gives the {b} of each {a}"],
    ["Never leave a {a} without a {b}; say so in the summary.", "No {a} is left without its {b}"],
    ["List every {a} in a table, sorted by {b}.", "A table has each {a} ordered by {b}"],
    ["Before writing, compare the {a} with the {b} of the last file.", "The {a} and the {b} agree"],
    [
        "Put the {b} first and explain the {a} in one sentence.",
        "One sentence explains the {a} and {b}",
    ],
    [
        "Use the {a} given by the user, else ask for the {b}.",
        "Asks for the {b} when the {a} is absent",
    ],
    [
        "Round the {a} to two decimals and name the {b}.",
        "The {a} has two decimals and names the {b}",
    ],
    ["Check that the {b} of each {a} is complete.", "Each {a} has a complete {b}"],
];

/// A number from a fixed sequence, below `most`.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// A skill before and after five edits, and a check that is about one of them.
struct Planted {
    old: String,
    new: String,
    check: String,
    /// A part of the edit that the check is about.
    cause: String,
    others: Vec<String>,
}

fn planted(seed: usize) -> Planted {
    let mut draw = Draw(seed as u64 * 7_919 + 17);
    let nouns: Vec<&str> = TOPICS[seed % TOPICS.len()].split(' ').collect();
    // Distinct pairs of nouns, though each noun is in several rules.
    let pairs: Vec<(usize, usize)> =
        (0..nouns.len()).flat_map(|a| [(a, (a + 1) % 12), (a, (a + 5) % 12)]).collect();
    let rule = |wording: usize, (a, b): (usize, usize), side: usize| {
        WORDINGS[wording][side].replace("{a}", nouns[a]).replace("{b}", nouns[b])
    };
    let wordings: Vec<usize> = pairs.iter().map(|_| draw.below(WORDINGS.len())).collect();
    let first = draw.below(5);
    let edited: Vec<usize> = (0..5).map(|at| first + at * 4).collect();
    let (mut old, mut new) = ("# Skill\n\n".to_owned(), "# Skill\n\n".to_owned());
    for (at, pair) in pairs.iter().enumerate() {
        let text = rule(wordings[at], *pair, 0);
        match edited.iter().position(|edit| *edit == at) {
            None => {
                old += &format!("- {text}\n");
                new += &format!("- {text}\n");
            }
            // Some rules are new, some are reworded.
            Some(edit) if edit % 2 == 0 => new += &format!("- {text}\n"),
            Some(_) => {
                old += &format!("- {}\n", text.split_once(' ').map_or("", |(_, rest)| rest));
                new += &format!("- {text} Do it for all of them.\n");
            }
        }
        if at % 6 == 5 {
            old += "\n## Next\n\n";
            new += "\n## Next\n\n";
        }
    }
    let chosen = edited[draw.below(5)];
    let other = |at: usize| rule(wordings[at], pairs[at], 1);
    Planted {
        check: other(chosen),
        cause: rule(wordings[chosen], pairs[chosen], 0),
        others: (0..pairs.len()).filter(|at| *at != chosen).map(other).collect(),
        old,
        new,
    }
}

/// The edit found for a check, as text.
fn found(planted: &Planted, check: &str) -> Option<String> {
    let copy = |text: &String| BTreeMap::from([("SKILL.md".to_owned(), text.clone())]);
    let (old, new) = (copy(&planted.old), copy(&planted.new));
    let hunks = all_hunks(&old, &new);
    assert_eq!(hunks.len(), 5, "{}", planted.new);
    let blocks = blocks(&new);
    let rules = blocks.iter().map(|block| block.text.as_str());
    let checks = planted.others.iter().map(String::as_str).chain([check]);
    let weights = Weights::new(rules.chain(checks));
    let edited: Vec<_> = hunks.iter().map(edited_words).collect();
    let link = best_edit(check, &edited, &weights);
    link.map(|(index, _)| hunks[index].added.clone())
}

#[test]
fn the_edit_that_a_check_is_about_comes_first() {
    let right = (0..60).filter(|seed| {
        let planted = planted(*seed);
        let actual = found(&planted, &planted.check);
        actual.is_some_and(|text| text.contains(&planted.cause))
    });
    let right = right.count();
    assert!(right >= 48, "{right} of 60");
}

#[test]
fn no_edit_is_named_for_a_check_that_none_is_about() {
    let none = (0..60).filter(|seed| {
        let own = planted(*seed);
        // One of another topic, and one of the same skill that no edit is about.
        let other = planted(seed + 1 + seed % 7);
        let check = if seed % 2 == 0 { other.check } else { untouched(&own) };
        found(&own, &check).is_none()
    });
    let none = none.count();
    assert!(none >= 54, "{none} of 60");
}

/// A check about a rule that did not change.
fn untouched(planted: &Planted) -> String {
    let stayed = planted.others.iter().find(|check| {
        let words = content_words(check);
        let edits = planted.new.lines().filter(|line| !planted.old.contains(line));
        let most = edits.map(|line| {
            content_words(line).keys().filter(|word| words.contains_key(*word)).count()
        });
        most.max().unwrap_or_default() < 2
    });
    stayed.cloned().expect("a rule that no edit is about")
}

#[test]
fn rules_without_a_check_and_failures_without_a_rule_are_found() {
    let text = "# Skill\n\n- Always round amounts to cents.\n- Never print the vendor's password.\n\
        - A remark on basilicas.\n";
    let copy = BTreeMap::from([("SKILL.md".to_owned(), text.to_owned())]);
    let checks = ["All amounts are rounded to cents", "The chart has a legend with units"];
    let blocks = blocks(&copy);
    let rules = blocks.iter().map(|block| block.text.as_str());
    let weights = Weights::new(rules.chain(checks));
    let actual = unchecked(blocks, &BTreeSet::from(checks), &weights);
    let actual: Vec<(usize, &str)> =
        actual.iter().map(|found| (found.line, found.text.as_str())).collect();
    assert_eq!(actual, [(4, "- Never print the vendor's password.")]);

    let check = |text: &'static str, has_passed| {
        let whole = text.to_owned();
        Check { case: 7, text, whole, has_passed }
    };
    let failed = checks.map(|text| check(text, false));
    let passed = check("The prologue names the villain", true);
    let checks: Vec<Check<'_>> = failed.into_iter().chain([passed]).collect();
    let actual: Vec<&str> =
        unmentioned(&copy, &checks, &weights).iter().map(|check| check.text).collect();
    assert_eq!(actual, ["The chart has a legend with units"]);
}

#[test]
fn shared_words_are_marked_with_any_ending() {
    let words = ["rounded".to_owned(), "amount".to_owned()];
    let expected = [("Round", true), (" all ", false), ("amounts", true), (".", false)];
    assert_eq!(marked("Round all amounts.", &words), expected);
    assert_eq!(marked("", &words), []);
}
