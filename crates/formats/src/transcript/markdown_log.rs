//! Records in Markdown or plain text.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;

use super::harness::inputs_in_text;
use super::tools::is_failure;
use super::{Call, CallResult, Part, ToolKind, Transcript, Turn, announcement, tool_kind};
use text::is_listed;

/// A line with a call, after the marks of a heading or a list: `tool_use Bash`, a read reported by
/// the agent, `**Bash** …`, a span of code with `Bash: …`, or `Bash: ` before a span of code.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    let forms = [
        r"\**(?<word>tool_use|ACTION|Tool call|Tool)[: *]+([0-9A-Za-z_-]+)(.*)",
        r"(Loaded|Read|Opened) `([^`]*).*",
        r"\*\*([0-9A-Za-z_-]+):*\*\*(.*)",
        r"`([0-9A-Za-z_-]+)[:(](.*)`[^`]*",
        r"([0-9A-Za-z_-]+):[ \t]*([`{].*)",
    ];
    let begin = r"^#*[ \t]*(?:[-*] )?[ \t]*(?:[0-9]*[.)])?[ \t]*";
    Regex::new(&format!("{begin}(?:{})$", forms.join("|"))).expect("a valid pattern")
});

/// Reads a record in Markdown: calls with their inputs and results, and announcements of skills.
pub(super) fn read_markdown(text: &str) -> Transcript {
    // A harness writes this in the first lines if its agent ended well.
    const SUCCESS: &str = "**exit**: 0";
    const SUCCESS_LINES: usize = 12;
    let mut reader = MarkdownReader::default();
    for (index, line) in text.lines().enumerate() {
        reader.add_line(index + 1, line);
    }
    let has_ended = text.lines().take(SUCCESS_LINES).any(|line| line.contains(SUCCESS));
    let turns = reader.turns;
    let is_cut = turns
        .iter()
        .flat_map(Turn::calls)
        .any(|call| call.input.iter().any(|(_, value)| value.contains('…')));
    Transcript { is_conversation: false, is_complete: has_ended && !is_cut, turns }
}

#[derive(Default)]
struct MarkdownReader {
    turns: Vec<Turn>,
    /// The block of code that is open.
    fence: Option<Fence>,
    /// What the next block of code holds.
    next: Block,
    /// Whether the line before belongs to a result.
    is_in_result: bool,
    /// The turns of calls without a result so far.
    waiting: VecDeque<usize>,
}

struct Fence {
    mark: &'static str,
    block: Block,
    /// The line of its text.
    line: usize,
    text: String,
}

/// What a block of code holds.
#[derive(Clone, Copy, Default, PartialEq)]
enum Block {
    #[default]
    Unknown,
    /// The input of the call in this turn.
    Input(usize),
    Result,
}

impl MarkdownReader {
    fn add_line(&mut self, number: usize, line: &str) {
        const RESULT_HEADINGS: &[&str] = &["tool_result", "Tool result", "result"];
        const RESULT_MARKS: &[&str] = &["> ", "→ ", "- result: ", "⎿ "];
        let bare = line.trim();
        if let Some(fence) = &mut self.fence {
            if bare.starts_with(fence.mark) && bare.trim_matches(['`', '~']).is_empty() {
                self.close_fence();
            } else {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            return;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            let block = std::mem::take(&mut self.next);
            self.fence = Some(Fence { mark, block, line: number + 1, text: String::new() });
            return;
        }
        let was_in_result = std::mem::take(&mut self.is_in_result);
        let heading = bare.trim_start_matches(['#', ' ', '*']);
        if let Some(text) = RESULT_MARKS.iter().find_map(|mark| bare.strip_prefix(mark)) {
            self.is_in_result = true;
            // Only its first line can announce a skill; later ones may quote one.
            if !was_in_result {
                self.add_result(number, text.trim().trim_matches('`'));
            }
        } else if let Some((call, wants_input)) = call_in_line(bare) {
            let turn = self.turns.len();
            self.waiting.push_back(turn);
            self.next = if wants_input { Block::Input(turn) } else { Block::Unknown };
            self.add(number, "assistant", Part::Call(call));
        } else if heading.len() < 40 && RESULT_HEADINGS.iter().any(|word| heading.starts_with(word))
        {
            self.next = Block::Result;
        } else if announcement(bare).is_some() {
            self.add(number, "user", Part::Text(bare.to_owned()));
        }
    }

    fn add(&mut self, line: usize, speaker: &str, part: Part) {
        self.turns.push(Turn { line, speaker: speaker.to_owned(), parts: vec![part] });
    }

    fn close_fence(&mut self) {
        let Some(fence) = self.fence.take() else { return };
        match fence.block {
            Block::Result => self.add_result(fence.line, &fence.text),
            Block::Input(turn) => {
                if let Some(Part::Call(call)) = self.part_of(turn) {
                    call.input = inputs_in_text(&fence.text);
                }
            }
            Block::Unknown => {}
        }
    }

    /// Adds a result, which is that of the first call that waits for one.
    fn add_result(&mut self, line: usize, text: &str) {
        let has_failed = is_failure(text);
        if let Some(turn) = self.waiting.pop_front()
            && let Some(Part::Call(call)) = self.part_of(turn)
        {
            call.has_failed |= has_failed;
        }
        let result = CallResult { id: String::new(), text: text.to_owned(), has_failed };
        self.add(line, "tool", Part::Result(result));
    }

    fn part_of(&mut self, turn: usize) -> Option<&mut Part> {
        self.turns.get_mut(turn)?.parts.first_mut()
    }
}

/// The call in a line, and whether its input follows in a block of code.
fn call_in_line(bare: &str) -> Option<(Call, bool)> {
    let captures = CALL.captures(bare)?;
    let has_word = captures.name("word").is_some();
    let mut groups = captures.iter().flatten().skip(if has_word { 2 } else { 1 });
    let (tool, arguments) = (groups.next()?.as_str(), groups.next()?.as_str());
    let tool = if matches!(tool, "Loaded" | "Opened") { "Read" } else { tool };
    let kind = tool_kind(tool)?;
    let (arguments, exit) = arguments.rsplit_once("→ exit ").unwrap_or((arguments, "0"));
    let arguments = arguments.trim_matches([' ', ':', '—', '-', '(', ')', '*']);
    let arguments = match arguments.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((span, _)) if !arguments.ends_with('`') => span,
        _ => arguments.trim_matches('`'),
    };
    let wants_input = has_word && arguments.is_empty();
    if !wants_input {
        // `**Skill**: pdf` is a heading of the record, not a call.
        let is_heading = kind == ToolKind::Skill && !arguments.starts_with('{');
        if arguments.is_empty() || is_heading {
            return None;
        }
    }
    let has_failed = exit.trim().parse::<i32>().is_ok_and(|code| code != 0);
    let input = inputs_in_text(arguments);
    Some((Call { tool: tool.to_owned(), input, has_failed, ..Call::default() }, wants_input))
}

/// The turns in plain text with lines that name the speaker; `None` with fewer than two of these.
pub(crate) fn read_speakers(text: &str) -> Option<Vec<Turn>> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut named = 0;
    for (index, line) in text.lines().enumerate() {
        if let Some((speaker, rest)) = speaker_in_line(line) {
            named += 1;
            let part = if speaker.eq_ignore_ascii_case("tool") {
                Part::Result(CallResult { text: rest.to_owned(), ..CallResult::default() })
            } else {
                Part::Text(rest.to_owned())
            };
            turns.push(Turn { line: index + 1, speaker: speaker.to_owned(), parts: vec![part] });
            continue;
        }
        match turns.last_mut().and_then(|turn| turn.parts.last_mut()) {
            Some(Part::Text(text) | Part::Result(CallResult { text, .. })) => {
                text.push('\n');
                text.push_str(line);
            }
            _ => {
                let parts = vec![Part::Text(line.to_owned())];
                turns.push(Turn { line: index + 1, speaker: String::new(), parts });
            }
        }
    }
    // One such line is `Note: …` or a signature.
    if named >= 2 { Some(turns) } else { None }
}

/// The speaker and the rest of a line that begins with `User:` or the like.
fn speaker_in_line(line: &str) -> Option<(&str, &str)> {
    const SPEAKERS: &str = "user human assistant agent system tool claude model";
    let (name, rest) = line.split_once(':')?;
    let name = name.trim_matches(['*', '[', ']', ' ', '#']);
    let is_known = is_listed(SPEAKERS, &name.to_ascii_lowercase());
    if is_known { Some((name, rest.trim_matches(['*', ' ']))) } else { None }
}
