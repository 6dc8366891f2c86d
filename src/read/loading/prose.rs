//! The calls and results in a record written as Markdown or plain text.

use std::collections::VecDeque;

use crate::read::loading::events::{Call, Event, Record, Stated, input_of_text};
use crate::read::loading::judge::{is_loader, is_tool};
use crate::read::loading::shapes::{ECHOES, Speaker};

/// Words before the name of a tool.
const CALL_WORDS: &[&str] = &["tool_use", "ACTION", "Tool call", "Tool"];

/// Headings before what a tool gave back.
const RESULT_WORDS: &[&str] = &["tool_result", "Tool result", "result"];

/// What a harness writes that saw its agent end well.
const ENDS: &[&str] = &["**exit**: 0"];

/// What a harness writes that saw no skill load. It counts in a text without any call.
const NOT_LOADED: &[&str] = &["did not trigger the skill", "skill did not trigger"];

/// How an agent says that it read a file that it names in a span of code.
const READ_WORDS: &[&str] = &["Loaded `", "Read `", "Opened `"];

/// The end is looked for in so many lines of the beginning.
const HEAD: usize = 12;

/// What a text tells.
pub(super) fn read_record(text: &str) -> Record {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        reader.line(number + 1, line);
    }
    let is_ended = text.lines().take(HEAD).any(|line| ENDS.iter().any(|end| line.contains(end)));
    let is_cut = |(_, event): &(usize, Event)| matches!(event, Event::Call(call) if call.input.iter().any(|(_, value)| value.contains('…')));
    let is_complete = is_ended && !reader.events.iter().any(is_cut);
    let has_calls = reader.events.iter().any(|(_, event)| matches!(event, Event::Call(_)));
    let not_loaded = text.lines().enumerate().find_map(|(at, line)| {
        let words = NOT_LOADED.iter().find(|words| line.contains(**words))?;
        Some((*words, at + 1, Stated::Flag(false)))
    });
    let field = not_loaded.filter(|_| !has_calls);
    Record { events: reader.events, field, is_complete }
}

#[derive(Default)]
struct Reader {
    events: Vec<(usize, Event)>,
    fence: Option<Fence>,
    /// What the next block of code is of.
    next: Next,
    /// Whether the line before belongs to a result.
    is_in_result: bool,
    /// Calls that got no result yet.
    waiting: VecDeque<usize>,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Next {
    #[default]
    Nothing,
    /// The input of the call at this place in the list.
    Input(usize),
    Result,
}

struct Fence {
    mark: &'static str,
    of: Next,
    text: String,
    line: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let bare = line.trim();
        if let Some(fence) = &mut self.fence {
            if bare.starts_with(fence.mark) && bare.trim_matches(['`', '~']).is_empty() {
                self.close();
            } else {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            return;
        }
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark)) {
            let of = std::mem::take(&mut self.next);
            self.fence = Some(Fence { mark, of, text: String::new(), line: number + 1 });
            return;
        }
        let was_in_result = std::mem::take(&mut self.is_in_result);
        if let Some(text) = result_line(bare) {
            self.is_in_result = true;
            if !was_in_result {
                self.result(number, text.to_owned());
            }
        } else if let Some((call, wants_input)) = call_line(bare) {
            self.waiting.push_back(self.events.len());
            self.next = if wants_input { Next::Input(self.events.len()) } else { Next::Nothing };
            self.events.push((number, Event::Call(call)));
        } else {
            self.text(number, bare);
        }
    }

    /// A line that is neither a call nor what one gave back.
    fn text(&mut self, number: usize, bare: &str) {
        let heading = bare.trim_start_matches(['#', ' ', '*']);
        let is_short = heading.len() < 40;
        if is_short && RESULT_WORDS.iter().any(|word| heading.starts_with(word)) {
            self.next = Next::Result;
        } else if ECHOES.iter().any(|(start, ..)| bare.starts_with(start.trim_end())) {
            let (speaker, text) = (Speaker::Asker, bare.to_owned());
            self.events.push((number, Event::Message { speaker, text }));
        }
    }

    fn close(&mut self) {
        let Some(fence) = self.fence.take() else { return };
        match fence.of {
            Next::Nothing => {}
            Next::Result => self.result(fence.line, fence.text),
            Next::Input(at) => {
                if let Some((_, Event::Call(call))) = self.events.get_mut(at) {
                    call.input = input_of_text(&fence.text);
                }
            }
        }
    }

    /// The first call that waits for a result got this one.
    fn result(&mut self, number: usize, text: String) {
        let at = self.waiting.pop_front();
        let failed = super::judge::is_failure(&text);
        if let Some((_, Event::Call(call))) = at.and_then(|at| self.events.get_mut(at)) {
            call.failed |= failed;
        }
        self.events.push((number, Event::Result { id: String::new(), text, failed }));
    }
}

/// What a line says that shows what a call gave back.
fn result_line(bare: &str) -> Option<&str> {
    let marks = ["> ", "→ ", "- result: ", "⎿ "];
    let found = marks.iter().find_map(|mark| bare.strip_prefix(mark))?;
    Some(found.trim().trim_matches('`'))
}

/// The call that a line shows, and whether what it was given follows in a block of code.
fn call_line(bare: &str) -> Option<(Call, bool)> {
    let text = bare.trim_start_matches('#').trim_start();
    let text = text.strip_prefix(['-', '*']).filter(|rest| rest.starts_with(' ')).unwrap_or(text);
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = numbered.strip_prefix(['.', ')']).unwrap_or(text).trim_start();
    let word = CALL_WORDS.iter().find_map(|word| {
        let rest = text.trim_start_matches('*').strip_prefix(word)?;
        rest.starts_with([':', ' ', '*']).then(|| rest.trim_start_matches([':', ' ', '*']))
    });
    if let Some(rest) = word {
        let (tool, given) = split_name(rest)?;
        let given = given.trim_matches(['(', ')', ':', ' ', '`', '*']);
        return Some((call(tool, given), given.is_empty()));
    }
    if let Some(rest) = READ_WORDS.iter().find_map(|word| text.strip_prefix(word)) {
        return Some((call("Read", rest.split('`').next()?), false));
    }
    // `**Read** …`, a span of code with `Bash: …`, or `Read: ` with a span of code.
    let (tool, given) = if let Some(rest) = text.strip_prefix("**") {
        let (name, rest) = rest.split_once("**")?;
        let name = name.trim_end_matches(':');
        (split_name(name).filter(|(_, rest)| rest.is_empty())?.0, rest)
    } else if let Some(span) = text.strip_prefix('`') {
        let span = &span[..span.rfind('`')?];
        let (name, rest) = split_name(span)?;
        (name, rest.strip_prefix([':', '('])?)
    } else {
        let (name, rest) = split_name(text)?;
        let rest = rest.strip_prefix(':')?.trim_start();
        (name, Some(rest).filter(|part| part.starts_with(['`', '{']))?)
    };
    let exit = given.rsplit_once("→ exit ").and_then(|(_, code)| code.trim().parse::<i32>().ok());
    let given = given.rsplit_once("→ exit ").map_or(given, |(before, _)| before);
    let given = given.trim_matches([' ', ':', '—', '-', ')']);
    let span = given.strip_prefix('`').and_then(|rest| Some(&rest[..rest.find('`')?]));
    let given = if given.ends_with('`') { given.trim_matches('`') } else { span.unwrap_or(given) };
    let mut call = call(tool, given);
    call.failed = exit.is_some_and(|code| code != 0);
    // `**Skill**: pdf` is a heading of the record, not a call.
    let is_call = !given.is_empty() && (given.starts_with('{') || !is_loader(tool));
    is_call.then_some((call, false))
}

/// The name of a known tool at the beginning of `text`, and what follows.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    is_tool(name).then_some((name, rest))
}

fn call(tool: &str, given: &str) -> Call {
    Call { tool: tool.to_owned(), input: input_of_text(given), ..Call::default() }
}
