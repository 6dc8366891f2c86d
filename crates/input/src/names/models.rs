//! Names of models and of the harnesses that ran them.

use crate::names::{digits_only, is_timestamp};
use text::{folded_name, is_listed};

/// Families of models, and words that may follow one in a model's name besides numbers. A model that
/// is not known here is one by what lies beside it (`discover/roles/cases.rs`).
const MODEL_FAMILIES: &str = "model claude opus sonnet haiku gpt o1 o3 o4 codex gemini gemma llama mistral \
    qwen deepseek grok kimi glm minimax";
const MODEL_GRADES: &str =
    "mini nano micro small medium large flash lite pro max turbo preview latest";

/// Begins of the names of harnesses, folded.
const HARNESSES: &str = "claude_code codex copilot cursor gemini_cli goose opencode aider amp cline \
    windsurf kiro qwen_code";

/// Whether the name is that of a model: `opus`, `claude-sonnet-4-5`, `gpt-5-mini`, `model-ash`.
pub fn is_model(name: &str) -> bool {
    let folded = folded_name(name);
    if folded.strip_prefix("model_").is_some_and(|rest| !rest.is_empty()) {
        return true;
    }
    let mut words = folded.split('_');
    words.next().is_some_and(has_model_family)
        && words.all(|word| {
            let letters = before_number(word);
            has_model_family(word)
                || is_listed(MODEL_GRADES, letters)
                || matches!(letters, "" | "v" | "m")
        })
}

fn has_model_family(word: &str) -> bool {
    is_listed(MODEL_FAMILIES, word) || is_listed(MODEL_FAMILIES, before_number(word))
}

/// The letters before a number: `gpt` of `gpt5`, nothing of `4`.
fn before_number(word: &str) -> &str {
    word.split(|c: char| c.is_ascii_digit()).next().unwrap_or(word)
}

/// Whether the name begins as that of a model does, whatever follows: `gpt-5.6-sol`.
pub fn begins_as_model(name: &str) -> bool {
    folded_name(name).split('_').next().is_some_and(has_model_family)
}

/// Whether the name is that of a harness or begins with one. `codex` inside `gpt-5.3-codex` is none.
pub fn is_harness(name: &str) -> bool {
    let folded = folded_name(name);
    HARNESSES.split(' ').any(|known| {
        folded.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

/// Whether two names are those of one model: separators folded, what one has more is a date,
/// `preview` or `latest`. Folders are called `gemini-4-pro` where runs record `gemini-4-pro-preview`.
pub fn is_same_model(a: &str, b: &str) -> bool {
    let [a, b] = [a, b].map(folded_name);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let Some(more) = long.strip_prefix(&short) else { return false };
    let digits: String = more.chars().filter(char::is_ascii_digit).collect();
    let is_date = is_timestamp(&digits) || matches!(digits.len(), 0 | 4 | 6);
    let mut words = more.split('_').filter(|word| !word.is_empty());
    (more.is_empty() || more.starts_with('_'))
        && is_date
        && words.all(|word| {
            matches!(word, "preview" | "latest") || word.len() > 1 && digits_only(word).is_some()
        })
}
