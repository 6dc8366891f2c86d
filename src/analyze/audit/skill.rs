//! What of SKILL.md a check may repeat.

use std::collections::BTreeSet;

use crate::analyze::audit::words::{self, longest_shared_run};
use input::files::Source;
use input::model::Workspace;
use input::names;

/// Words in a row that nobody writes twice by chance.
const COPIED_WORDS: usize = 8;

/// A larger SKILL.md is not looked at.
const MOST_BYTES: u64 = 1024 * 1024;

/// The text of SKILL.md in the folder itself, else of its newest copy; empty if there is none.
pub fn skill_text(workspace: &Workspace, source: &dyn Source, prefix: &str) -> String {
    const NAME: &str = "SKILL.md";
    let copy = workspace.snapshots.last();
    let copy = copy.and_then(|copy| copy.files.iter().find(|file| file.name == NAME));
    let paths = [Some(NAME), copy.map(|file| file.path.as_str())];
    for path in paths.into_iter().flatten() {
        if let Ok(bytes) = source.read(&names::join(prefix, path), MOST_BYTES) {
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    String::new()
}

/// What of SKILL.md a check may repeat.
pub(super) struct Skill {
    /// The words of its examples: fenced blocks, and what stands below a heading that says so.
    examples: Vec<String>,
    /// Each of these words once, and all runs of them that are long enough: a check is looked up, not
    /// searched for.
    words: BTreeSet<String>,
    runs: BTreeSet<String>,
    /// The words of all else.
    rest: BTreeSet<String>,
}

impl Skill {
    pub(super) fn new(text: &str) -> Self {
        let (mut examples, mut rest) = (Vec::new(), BTreeSet::new());
        let (mut is_fenced, mut is_example) = (false, false);
        for line in text.lines() {
            let trimmed = line.trim_start();
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                is_fenced = !is_fenced;
                continue;
            }
            if !is_fenced && trimmed.starts_with('#') {
                is_example = trimmed.to_lowercase().contains("example");
            }
            let words = words::in_order(line);
            if is_fenced || is_example {
                examples.extend(words);
            } else {
                rest.extend(words);
            }
        }
        let words = examples.iter().cloned().collect();
        let runs = examples.windows(COPIED_WORDS).map(|run| run.join(" ")).collect();
        Self { examples, words, runs, rest }
    }

    /// The words of an example that the check repeats: many in a row, or a name that is nowhere else.
    pub(super) fn example_in(&self, check: &str, prompt: &str) -> Option<String> {
        if self.examples.is_empty() {
            return None;
        }
        let words = words::in_order(check);
        if words.windows(COPIED_WORDS).any(|run| self.runs.contains(&run.join(" "))) {
            return Some(words[longest_shared_run(&words, &self.examples)].join(" "));
        }
        let asked: BTreeSet<String> = words::in_order(prompt).into_iter().collect();
        let copied = words.iter().find(|word| {
            words::is_identifier(word)
                && self.words.contains(*word)
                && !self.rest.contains(*word)
                && !asked.contains(*word)
        });
        copied.cloned()
    }
}
