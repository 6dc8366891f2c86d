//! Reads the record of a run in Markdown or plain text.

use std::collections::VecDeque;
use std::sync::LazyLock;

use regex::Regex;

use crate::read::loading::harness::ECHOES;
use crate::read::loading::judge::{is_failure, is_loader, is_tool};
use crate::read::loading::record::{Call, Event, RunRecord, input_of_text};

/// A line with a call, after the marks of a heading or a list: `tool_use Bash`, a read reported by
/// the agent, `**Bash** …`, a span of code with `Bash: …`, or `Bash: ` before a span of code.
static CALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let forms = [
        r"\**(?<word>tool_use|ACTION|Tool call|Tool)[: *]+([0-9A-Za-z_-]+)(.*)",
        r"(Loaded|Read|Opened) `([^`]*).*",
        r"\*\*([0-9A-Za-z_-]+):*\*\*(.*)",
        r"`([0-9A-Za-z_-]+)[:(](.*)`[^`]*",
        r"([0-9A-Za-z_-]+):[ \t]*([`{].*)",
    ];
    let begin = r"^#*[ \t]*(?:[-*] )?[ \t]*(?:[0-9]*[.)])?[ \t]*";
    Regex::new(&format!("{begin}(?:{})$", forms.join("|"))).ok()
});

/// Headings before a tool's result, and starts of its lines.
const RESULT_WORDS: &[&str] = &["tool_result", "Tool result", "result"];
const RESULT_MARKS: &[&str] = &["> ", "→ ", "- result: ", "⎿ "];

/// Written in the first lines by a harness whose agent ended well.
const SUCCESS_MARK: &str = "**exit**: 0";
const SUCCESS_LINES: usize = 12;

/// Written by a harness that saw no skill load. Only counts in a text without calls.
const NOT_LOADED: &[&str] = &["did not trigger the skill", "skill did not trigger"];

pub(super) fn read_prose(text: &str) -> RunRecord {
    let mut reader = ProseReader::default();
    let (mut has_end, mut not_loaded) = (false, None);
    for (at, line) in text.lines().enumerate() {
        reader.line(at + 1, line);
        has_end |= at < SUCCESS_LINES && line.contains(SUCCESS_MARK);
        if not_loaded.is_none() {
            let words = NOT_LOADED.iter().find(|words| line.contains(**words));
            not_loaded = words.map(|words| (*words, at + 1, false));
        }
    }
    let calls = reader.events.iter().filter_map(|(_, event)| match event {
        Event::Call(call) => Some(call),
        _ => None,
    });
    let is_cut = |call: &Call| call.input.iter().any(|(_, value)| value.contains('…'));
    RunRecord {
        is_complete: has_end && !calls.clone().any(is_cut),
        field: not_loaded.filter(|_| calls.count() == 0),
        events: reader.events,
    }
}

#[derive(Default)]
struct ProseReader {
    events: Vec<(usize, Event)>,
    /// The open block of code: its mark, its kind, its first line and its text.
    fence: Option<(&'static str, Next, usize, String)>,
    /// The kind of the next block of code.
    next: Next,
    /// Whether the line before belongs to a result.
    is_in_result: bool,
    /// Calls without a result so far.
    waiting: VecDeque<usize>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Next {
    #[default]
    Nothing,
    /// The input of the call at this index.
    Input(usize),
    Result,
}

impl ProseReader {
    fn line(&mut self, number: usize, line: &str) {
        let bare = line.trim();
        if let Some((mark, _, _, text)) = &mut self.fence {
            if bare.starts_with(*mark) && bare.trim_matches(['`', '~']).is_empty() {
                self.close_fence();
            } else {
                text.push_str(line);
                text.push('\n');
            }
            return;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            let block = std::mem::take(&mut self.next);
            self.fence = Some((mark, block, number + 1, String::new()));
            return;
        }
        let was_in_result = std::mem::take(&mut self.is_in_result);
        let heading = bare.trim_start_matches(['#', ' ', '*']);
        if let Some(text) = RESULT_MARKS.iter().find_map(|mark| bare.strip_prefix(mark)) {
            self.is_in_result = true;
            if !was_in_result {
                self.result(number, text.trim().trim_matches('`').to_owned());
            }
        } else if let Some((call, wants_input)) = call_in_line(bare) {
            let at = self.events.len();
            self.waiting.push_back(at);
            self.next = if wants_input { Next::Input(at) } else { Next::Nothing };
            self.events.push((number, Event::Call(call)));
        } else if heading.len() < 40 && RESULT_WORDS.iter().any(|word| heading.starts_with(word)) {
            self.next = Next::Result;
        } else if ECHOES.iter().any(|(start, ..)| bare.starts_with(start.trim_end())) {
            self.events.push((number, Event::Request(bare.to_owned())));
        }
    }

    fn close_fence(&mut self) {
        match self.fence.take() {
            Some((_, Next::Result, line, text)) => self.result(line, text),
            Some((_, Next::Input(at), _, text)) => {
                if let Some((_, Event::Call(call))) = self.events.get_mut(at) {
                    call.input = input_of_text(&text);
                }
            }
            _ => {}
        }
    }

    /// Assigns a result to the first call that waits for one.
    fn result(&mut self, number: usize, text: String) {
        let call = self.waiting.pop_front().and_then(|at| self.events.get_mut(at));
        let failed = is_failure(&text);
        if let Some((_, Event::Call(call))) = call {
            call.failed |= failed;
        }
        self.events.push((number, Event::Result { id: String::new(), text, failed }));
    }
}

/// The call in a line, and whether its input follows in a block of code.
fn call_in_line(bare: &str) -> Option<(Call, bool)> {
    let captures = CALL.as_ref()?.captures(bare)?;
    let has_word = captures.name("word").is_some();
    let mut groups = captures.iter().flatten().skip(1 + usize::from(has_word));
    let (tool, arguments) = (groups.next()?.as_str(), groups.next()?.as_str());
    let tool = if matches!(tool, "Loaded" | "Opened") { "Read" } else { tool };
    let (arguments, exit) = arguments.rsplit_once("→ exit ").unwrap_or((arguments, "0"));
    let arguments = arguments.trim_matches([' ', ':', '—', '-', '(', ')', '*']);
    let arguments = match arguments.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        Some((span, _)) if !arguments.ends_with('`') => span,
        _ => arguments.trim_matches('`'),
    };
    let wants_input = has_word && arguments.is_empty();
    // `**Skill**: pdf` is a heading of the record, not a call.
    let is_call = !arguments.is_empty() && (arguments.starts_with('{') || !is_loader(tool));
    let failed = exit.trim().parse::<i32>().is_ok_and(|code| code != 0);
    let input = input_of_text(arguments);
    let call = Call { tool: tool.to_owned(), input, failed, ..Call::default() };
    (is_tool(tool) && (wants_input || is_call)).then_some((call, wants_input))
}
