//! Transcripts as a conversation: who said what, with tool calls folded.
//!
//! Transcripts in Markdown keep their headings; sections about tools fold, and so does long code.

use crate::budget::TEXT_OF_PART;
use crate::preview::markdown;
use crate::preview::markup::Markup;
use crate::preview::text::head;
use formats::markdown::sections;
use formats::transcript::{Part, Turn};

/// Code of more lines than this is folded.
const FOLD_BEYOND: usize = 12;

/// Words in a heading that make its section one about a tool.
const TOOL_WORDS: &[&str] = &["tool", "stdout", "stderr", "result", "observation", "command"];

const TOOLS: &[&str] =
    &["bash", "read", "write", "edit", "grep", "glob", "shell", "task", "webfetch"];

/// Adds a conversation to `out`; returns whether all of it was shown.
pub(super) fn write(turns: &[Turn], out: &mut Markup) -> bool {
    let (mut is_whole, mut last) = (true, None);
    out.raw("<div class=\"conversation\">");
    let shown = out.each(turns, |turn, out| {
        // Harnesses write a turn for each part, so one speaker often has many in a row.
        if last != Some(&turn.speaker) && !turn.speaker.is_empty() {
            out.wrap("<p class=\"speaker\">", &turn.speaker, "</p>");
        }
        last = Some(&turn.speaker);
        for part in &turn.parts {
            is_whole &= write_part(part, out);
        }
    });
    out.raw("</div>");
    is_whole && shown == turns.len()
}

fn write_part(part: &Part, out: &mut Markup) -> bool {
    let text = part.text();
    let shown = head(&text, TEXT_OF_PART);
    let is_whole = shown.len() == text.len();
    let Some(title) = part.title() else {
        return markdown::write(shown, FOLD_BEYOND, out) && is_whole;
    };
    out.raw("<details class=\"fold\"><summary>");
    if title.is_empty() {
        out.word("preview.tool");
    } else {
        out.text(title);
    }
    let hint = hint(&text);
    if !hint.is_empty() {
        out.wrap(" <span class=\"counts\">", &hint, "</span>");
    }
    out.wrap("</summary><pre>\n", shown, "</pre></details>");
    is_whole
}

/// The beginning of the first line with words.
fn hint(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    // Agents write whole scripts into one command.
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Adds a transcript in Markdown to `out`; returns whether all of it was shown.
pub(super) fn write_markdown(text: &str, out: &mut Markup) -> bool {
    let (mut is_whole, sections) = (true, sections(text));
    out.raw("<div class=\"conversation\">");
    let shown = out.each(&sections, |section, out| {
        if is_tool(section.title) {
            out.wrap("<details class=\"fold\"><summary>", section.title, "</summary>");
            is_whole &= markdown::write(section.body(), usize::MAX, out);
            out.raw("</details>");
        } else {
            is_whole &= markdown::write(section.text, FOLD_BEYOND, out);
        }
    });
    out.raw("</div>");
    is_whole && shown == sections.len()
}

/// Whether a heading names a tool: `Tool call: x`, `Bash: ls`, `Read(a.md)`; not `Read the inputs`.
fn is_tool(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    // A longer heading is a sentence about the work, in which `result` is a common word.
    let words: Vec<&str> = words.take(3).collect();
    if words.iter().any(|word| TOOL_WORDS.contains(&word.trim_end_matches('s'))) {
        return true;
    }
    let first = words.first().copied().unwrap_or_default();
    let after = lower.trim_start_matches('`').strip_prefix(first).unwrap_or_default();
    TOOLS.contains(&first) && (after.is_empty() || after.starts_with([':', '(', '`']))
}

#[cfg(test)]
mod tests {
    use super::{is_tool, write, write_markdown};
    use crate::preview::markup::Markup;
    use formats::transcript::{Call, Part, Turn};

    fn html(show: impl Fn(&mut Markup) -> bool) -> String {
        let mut out = Markup::default();
        show(&mut out);
        out.finish().as_str().to_owned()
    }

    #[test]
    fn speakers_and_tools() {
        let turn = |speaker: &str, text: &str| Turn {
            line: 1,
            speaker: speaker.to_owned(),
            parts: vec![Part::Text(text.to_owned())],
        };
        let mut turns = vec![turn("user", "hi <b>"), turn("assistant", "*yes*")];
        let input = vec![(String::new(), "ls".to_owned())];
        turns[1].parts.push(Part::Call(Call { tool: "Bash".to_owned(), input, ..Call::default() }));
        let expected = "<div class=\"conversation\"><p class=\"speaker\">user</p>\
            <div class=\"markdown\"><p>hi &lt;b&gt;</p></div><p class=\"speaker\">assistant</p>\
            <div class=\"markdown\"><p><em>yes</em></p></div><details class=\"fold\"><summary>Bash \
            <span class=\"counts\">ls</span></summary><pre>\nls</pre></details></div>";
        assert_eq!(html(|out| write(&turns, out)), expected);
    }

    #[test]
    fn sections_about_tools_fold() {
        let text = "# Transcript\n\n## Eval Prompt\n\nDo it.\n\n## Tool call: Bash\n\n```\n# no heading\n```\n\n## Done\n";
        let actual = html(|out| write_markdown(text, out));
        assert!(actual.contains("<h5>Eval Prompt</h5>"), "{actual}");
        assert!(actual.contains("<summary>Tool call: Bash</summary>"), "{actual}");
        for heading in ["Tool call: x", "Bash: ls", "`Read`", "Write(a.md)", "2. Tool results"] {
            assert!(is_tool(heading), "{heading}");
        }
        for heading in ["Step 1: Read the inputs", "Write the report", "Final message", ""] {
            assert!(!is_tool(heading), "{heading}");
        }
    }
}
