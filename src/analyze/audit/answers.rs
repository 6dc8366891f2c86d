//! Where a prompt answers a check.

use crate::analyze::audit::answered_by;
use crate::analyze::audit::words::{content_words, longest_shared_part};

/// Bytes of a prompt in which an answer is looked for.
const READ_OF_PROMPT: usize = 8_000;

/// The words of a prompt that answer a check or most of it; `None` where it leaves the check open. Of
/// a prompt that is a whole document, only the beginning is read.
pub(crate) fn answer_in_prompt<'p>(prompt: &'p str, check: &str) -> Option<&'p str> {
    let prompt = &prompt[..prompt.floor_char_boundary(READ_OF_PROMPT)];
    answered_by(&content_words(prompt), check)?;
    longest_shared_part(prompt, check)
}

#[cfg(test)]
mod tests {
    use super::answer_in_prompt;

    #[test]
    fn the_words_are_those_of_the_prompt() {
        let prompt =
            "Write minutes of the call. Save it as Minutes.md in the folder notes, please.";
        let answer =
            answer_in_prompt(prompt, "The notes are saved as minutes.md in the folder notes");
        assert_eq!(answer, Some("as Minutes.md in the folder notes"));
        assert_eq!(answer_in_prompt(prompt, "Every action has an owner and a date"), None);
        assert_eq!(answer_in_prompt("", "Every action has an owner"), None);
    }
}
