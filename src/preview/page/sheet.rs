//! Style sheets that cannot load anything.
//!
//! A sheet is split at its braces and semicolons and rewritten: it keeps only known functions, no
//! escape, no `<`, `@` only at the start of a known rule, and an address only for a picture as
//! data. Comments become spaces first, as browsers read them. Everything else is left out and
//! counted, one by one.

use crate::preview::page::picture;
use crate::text::listed;

const MAX_DEPTH: usize = 8;

/// Functions that a value, a selector or a condition may call; none of them loads anything.
const FUNCTIONS: &str = "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min \
    max clamp abs sign mod rem round pow sqrt hypot log exp sin cos tan asin acos atan atan2 var env \
    matrix matrix3d perspective translate translatex translatey translatez translate3d scale scalex \
    scaley scalez scale3d rotate rotatex rotatey rotatez rotate3d skew skewx skewy linear-gradient \
    radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient \
    repeating-conic-gradient -webkit-linear-gradient cubic-bezier steps linear repeat minmax \
    fit-content counter counters blur brightness contrast drop-shadow grayscale hue-rotate invert \
    opacity saturate sepia circle ellipse polygon inset rect not is where has matches nth-child \
    nth-last-child nth-of-type nth-last-of-type lang dir selector style";

/// Forbidden everywhere, even in quotes: a second check of what the grammar lets through.
const NOWHERE: &str = "url( src( image( image-set( @import @font-face expression( javascript: element( \
    paint(";

/// Properties from which some browser loaded code.
const PROPERTIES: &str = "behavior -ms-behavior -moz-binding";

/// Rules with a block that may begin with `@`.
const RULES: &str = "media supports container layer keyframes -webkit-keyframes page";

/// A style sheet or the declarations of an attribute, safe to show.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    pub(super) css: String,
    /// Number of rules and declarations left out.
    pub(super) left_out: usize,
}

/// The end of a part of a sheet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartEnd {
    Semicolon,
    Open,
    Close,
    Text,
}

/// A part of a sheet up to its end, without comments.
struct SheetPart {
    text: String,
    /// Whether it is free of anything ambiguous.
    is_sound: bool,
    end: PartEnd,
}

/// The rules of `text` that cannot load anything.
pub(super) fn rules(text: &str) -> Sheet {
    let text = text.trim();
    let text = text.strip_prefix("<!--").unwrap_or(text);
    clean(text.strip_suffix("-->").unwrap_or(text), MAX_DEPTH)
}

/// The rules of `sheet` for the media in `condition`; empty if that is not a condition.
pub(super) fn for_media(sheet: Sheet, condition: &str) -> Sheet {
    let item = Scanner { rest: condition }.item();
    let is_open = item.end != PartEnd::Text || condition.contains('@');
    let rule = SheetPart { text: format!("@media {}", item.text.trim()), ..item };
    if is_open || !may_begin_block(&rule) {
        return Sheet { css: String::new(), left_out: sheet.left_out + 1 };
    }
    Sheet { css: format!("{}{{{}}}", rule.text, sheet.css), ..sheet }
}

/// The safe part of `text`: rules nested up to this depth; declarations only at 0.
pub(super) fn clean(text: &str, max_depth: usize) -> Sheet {
    let mut scanner = Scanner { rest: text };
    let mut sheet = Sheet::default();
    // The start of each open rule, and of its content.
    let mut open: Vec<(usize, usize)> = Vec::new();
    while !scanner.rest.is_empty() || !open.is_empty() {
        let item = scanner.item();
        if item.end != PartEnd::Open {
            sheet.declaration(&item, max_depth == 0 || !open.is_empty());
        } else if open.len() < max_depth && may_begin_block(&item) {
            let start = sheet.css.len();
            sheet.css.push_str(item.text.trim());
            sheet.css.push('{');
            open.push((start, sheet.css.len()));
        } else {
            sheet.left_out += 1;
            scanner.skip_block();
        }
        if matches!(item.end, PartEnd::Close | PartEnd::Text)
            && let Some((start, inner)) = open.pop()
        {
            // An empty rule is removed as a whole.
            match sheet.css.len() == inner {
                true => sheet.css.truncate(start),
                false => sheet.css.push_str("}\n"),
            }
        }
    }
    sheet
}

impl Sheet {
    fn declaration(&mut self, item: &SheetPart, may_stand: bool) {
        let text = item.text.trim();
        let lower = text.get(..9).unwrap_or_default().to_ascii_lowercase();
        if text.is_empty() || lower == "@charset " {
            return;
        }
        match text.split_once(':').filter(|_| item.is_sound && may_stand).and_then(declared) {
            Some(declaration) => self.css += &(declaration + ";"),
            None => self.left_out += 1,
        }
    }
}

/// Whether a block may follow: after a selector, or a rule on the list.
fn may_begin_block(item: &SheetPart) -> bool {
    let text = item.text.trim();
    let lower = text.to_ascii_lowercase();
    let is_known = lower.strip_prefix('@').is_none_or(|rule| {
        let end = rule.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(rule.len());
        listed(RULES, &rule[..end]).is_some()
    });
    item.is_sound
        && is_known
        && !text.is_empty()
        && !text.starts_with("--")
        && !text.contains(';')
        && loads_nothing(&lower)
}

/// A rewritten declaration; `None` if it could load something or is invalid.
fn declared((property, value): (&str, &str)) -> Option<String> {
    let (property, value) = (property.trim(), value.trim());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_known = !property.is_empty()
        && property.chars().all(is_name)
        && !property.starts_with(|c: char| c.is_ascii_digit())
        && listed(PROPERTIES, &property.to_ascii_lowercase()).is_none();
    if !is_known || value.is_empty() {
        return None;
    }
    let (plain, written) = without_pictures(value)?;
    loads_nothing(&plain.to_ascii_lowercase()).then(|| format!("{property}:{written}"))
}

/// `value` without the addresses that are pictures as data, and these rewritten; `None` if it has
/// another address.
fn without_pictures(value: &str) -> Option<(String, String)> {
    let lower = value.to_ascii_lowercase();
    let (mut plain, mut written, mut done) = (String::new(), String::new(), 0);
    for (at, mark) in lower.match_indices("url(") {
        let from = at + mark.len();
        if at < done {
            return None;
        }
        let end = from + value[from..].find(')')?;
        let address = value[from..end].trim();
        let unquoted = |quote: char| address.strip_prefix(quote)?.strip_suffix(quote);
        let address = unquoted('"').or_else(|| unquoted('\'')).unwrap_or(address);
        let (head, data) = picture::embedded_picture(address)?;
        let before = &value[done..at];
        plain.extend([before, " "]);
        written.extend([before, "url(", head, &data, ")"]);
        done = end + 1;
    }
    Some((plain + &value[done..], written + &value[done..]))
}

/// Whether `text` calls only listed functions outside of quotes, and contains nothing that loads.
fn loads_nothing(text: &str) -> bool {
    if NOWHERE.split(' ').any(|word| text.contains(word)) {
        return false;
    }
    let mut quote = None;
    let mut name = 0;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if open == c => (quote, name) = (None, at + 1),
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '(' => {
                let called = &text[name..at];
                if !called.is_empty() && listed(FUNCTIONS, called).is_none() {
                    return false;
                }
                name = at + 1;
            }
            // Every character that a name may contain counts as part of it.
            None if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii() => {}
            None => name = at + 1,
        }
    }
    true
}

struct Scanner<'t> {
    rest: &'t str,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// The text up to the next end outside of quotes and brackets.
    fn item(&mut self) -> SheetPart {
        let mut item = SheetPart { text: String::new(), is_sound: true, end: PartEnd::Text };
        let mut open: Vec<char> = Vec::new();
        loop {
            if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.find("*/").map_or("", |at| &comment[at + 2..]);
                item.text.push(' ');
                continue;
            }
            let Some(c) = self.next() else { break };
            match c {
                '{' => item.end = PartEnd::Open,
                '}' => item.end = PartEnd::Close,
                ';' if open.is_empty() => item.end = PartEnd::Semicolon,
                '(' => open.push(')'),
                '[' => open.push(']'),
                ')' | ']' => item.is_sound &= open.pop() == Some(c),
                '@' => item.is_sound &= item.text.trim().is_empty(),
                '\\' => {
                    // An escaped character ends nothing.
                    self.next();
                    item.is_sound = false;
                }
                '<' => item.is_sound = false,
                c if c.is_control() && !c.is_ascii_whitespace() => item.is_sound = false,
                _ => {}
            }
            match c {
                _ if item.end != PartEnd::Text => break,
                '"' | '\'' => self.quoted(c, &mut item),
                '\n' | '\t' | '\r' | '\u{c}' => item.text.push(' '),
                _ => item.text.push(c),
            }
        }
        item.is_sound &= open.is_empty();
        item
    }

    /// Takes quoted text, with numeric escapes resolved.
    fn quoted(&mut self, quote: char, item: &mut SheetPart) {
        item.text.push(quote);
        while let Some(c) = self.next() {
            match c {
                _ if c == quote => return item.text.push(quote),
                '\n' | '\r' | '\u{c}' => break,
                '\\' => match self.escaped() {
                    Some(c) => item.text.push(c),
                    None => item.is_sound = false,
                },
                c => {
                    item.is_sound &= !c.is_control() && c != '<';
                    item.text.push(c);
                }
            }
        }
        item.is_sound = false;
    }

    /// The character after a backslash, if it is numeric and not part of the grammar.
    fn escaped(&mut self) -> Option<char> {
        let length = self.rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if length == 0 {
            self.next();
            return None;
        }
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest.strip_prefix([' ', '\n', '\t']).unwrap_or(rest);
        let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        let is_mark = c.is_control() || matches!(c, '"' | '\'' | '\\' | '<');
        (!is_mark).then_some(c)
    }

    /// Skips the block that has just begun.
    fn skip_block(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.item().end {
                PartEnd::Open => depth += 1,
                PartEnd::Close => depth -= 1,
                PartEnd::Semicolon => {}
                PartEnd::Text => return,
            }
        }
    }
}
