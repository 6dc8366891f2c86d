//! Saving a judgement: the `comparison-human.json` of an iteration, in the fields of a blind comparison.
//!
//! The whole file is from review pages. One that says anything else belongs to somebody else, so it is
//! never changed.

use serde::{Deserialize, Serialize};

use crate::scaffold::json_edit::split_mark;

/// Who judges, as the file says it.
const JUDGE: &str = "human";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ComparisonFile {
    judge: String,
    pairs: Vec<Judgement>,
}

/// A person's choice between two runs, of which A was shown on the left.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The name of the case.
    pub eval_name: String,
    /// `A`, `B` or `TIE`; `None` takes back what was judged before.
    pub winner: Option<String>,
    /// The configurations or iterations behind the letters.
    pub mapping: Letters,
    /// The folders of the runs in the workspace.
    pub runs: Letters,
    /// Whether the names were hidden until the choice.
    pub blind: bool,
    pub timestamp: String,
}

/// What is behind the letters A and B.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Letters {
    #[serde(rename = "A")]
    pub a: String,
    #[serde(rename = "B")]
    pub b: String,
}

impl Judgement {
    fn is_on_same_pair(&self, other: &Self) -> bool {
        let Letters { a, b } = &other.runs;
        self.runs == other.runs || self.runs == Letters { a: b.clone(), b: a.clone() }
    }
}

/// The text of the file with `judgement` in place of an earlier one on the same two runs; `None` for a
/// file that is not from review pages.
pub fn save_judgement(text: Option<&str>, judgement: &Judgement) -> Option<String> {
    let mut file = ComparisonFile { judge: JUDGE.to_owned(), pairs: Vec::new() };
    if let Some(text) = text {
        let (_, text) = split_mark(text);
        file = serde_json::from_str(text).ok()?;
        if file.judge != JUDGE {
            return None;
        }
    }
    file.pairs.retain(|known| !known.is_on_same_pair(judgement));
    if judgement.winner.is_some() {
        file.pairs.push(judgement.clone());
    }
    let text = serde_json::to_string_pretty(&file).ok()?;
    Some(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::{Judgement, Letters, save_judgement};

    fn judgement(a: &str, b: &str, winner: Option<&str>) -> Judgement {
        let letters = |a: &str, b: &str| Letters { a: a.to_owned(), b: b.to_owned() };
        Judgement {
            eval_name: "alpha".to_owned(),
            winner: winner.map(str::to_owned),
            mapping: letters("with_skill", "without_skill"),
            runs: letters(a, b),
            blind: true,
            timestamp: "2026-01-02T03:04:05Z".to_owned(),
        }
    }

    #[test]
    fn a_judgement_replaces_only_one_on_the_same_two_runs() {
        let first = save_judgement(None, &judgement("1", "2", Some("A"))).expect("a file");
        let second = save_judgement(Some(&first), &judgement("1", "3", Some("B"))).expect("a file");
        let swapped = save_judgement(Some(&second), &judgement("2", "1", Some("TIE")));
        let swapped = swapped.expect("a file");
        let winners = |text: &str| text.matches("\"winner\"").count();
        assert_eq!([&first, &second, &swapped].map(|text| winners(text)), [1, 2, 2]);
        let taken_back =
            save_judgement(Some(&swapped), &judgement("1", "2", None)).expect("a file");
        assert_eq!((winners(&taken_back), taken_back.contains("\"B\": \"3\"")), (1, true));
    }

    #[test]
    fn a_file_of_others_is_never_changed() {
        for text in [
            "{}",
            "not JSON",
            r#"{"winner": "A", "reasoning": "x"}"#,
            r#"{"judge": "opus", "pairs": []}"#,
            r#"{"judge": "human", "pairs": [], "note": "mine"}"#,
            r#"{"judge": "human", "pairs": [{"eval_name": "alpha", "winner": "A"}]}"#,
        ] {
            assert_eq!(save_judgement(Some(text), &judgement("1", "2", Some("A"))), None, "{text}");
        }
    }
}
