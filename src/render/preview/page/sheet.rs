//! Style sheets that can load nothing.
//!
//! A sheet is taken apart into rules and declarations and written anew: what stays has only known
//! functions, no escape, no `<`, no `@` but at the beginning of a known rule, and an address only
//! where it is a picture as data. Comments become spaces first, as browsers read them. Everything
//! else is left out and counted, one by one.

use crate::render::preview::page::picture;

/// Rules within rules.
const MAX_DEPTH: usize = 8;

/// Functions that a value may call; none of them loads anything.
const FUNCTIONS: &str = " rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc \
    min max clamp abs sign mod rem round pow sqrt hypot log exp sin cos tan asin acos atan atan2 var \
    env matrix matrix3d perspective translate translatex translatey translatez translate3d scale \
    scalex scaley scalez scale3d rotate rotatex rotatey rotatez rotate3d skew skewx skewy \
    linear-gradient radial-gradient conic-gradient repeating-linear-gradient \
    repeating-radial-gradient repeating-conic-gradient -webkit-linear-gradient cubic-bezier steps \
    linear repeat minmax fit-content counter counters blur brightness contrast drop-shadow grayscale \
    hue-rotate invert opacity saturate sepia circle ellipse polygon inset rect ";

/// Functions of selectors and conditions.
const CONDITIONS: &str = " not is where has matches nth-child nth-last-child nth-of-type \
    nth-last-of-type lang dir selector style calc min max var ";

/// What stands nowhere, not even in quotes: a second look at what the grammar lets through.
const NOWHERE: &[&str] = &[
    "url(",
    "src(",
    "image(",
    "image-set(",
    "@import",
    "@font-face",
    "expression(",
    "javascript:",
    "element(",
    "paint(",
];

/// Properties that some browser took for a place to load code from.
const PROPERTIES: &[&str] = &["behavior", "-ms-behavior", "-moz-binding"];

/// A style sheet or the declarations of an attribute, as they may be shown.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// The text.
    pub(super) css: String,
    /// Rules and declarations that were left out.
    pub(super) left_out: usize,
}

/// What may stand at a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Rules only.
    Rules,
    /// Declarations, and rules between them.
    Style,
    /// The steps of an animation.
    Steps,
    /// Declarations only.
    Plain,
}

/// How a part of a sheet ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Semicolon,
    Open,
    Close,
    Text,
}

/// A part of a sheet up to its end, without comments.
struct Item {
    text: String,
    /// Whether it is made of nothing that could be read in two ways.
    is_sound: bool,
    end: End,
}

/// The rules of `text` that can load nothing.
pub(super) fn rules(text: &str) -> Sheet {
    let text = text.trim();
    let text = text.strip_prefix("<!--").unwrap_or(text);
    clean(text.strip_suffix("-->").unwrap_or(text), Kind::Rules)
}

/// The declarations of `text` that can load nothing.
pub(super) fn declarations(text: &str) -> Sheet {
    clean(text, Kind::Plain)
}

/// The rules of `sheet` for the media that `condition` names; none where it is no condition.
pub(super) fn for_media(sheet: Sheet, condition: &str) -> Sheet {
    let mut scanner = Scanner { rest: condition };
    let item = scanner.item();
    let is_open = item.end != End::Text || condition.contains('@');
    if is_open || prelude(&format!("@media {}", item.text), &item).is_none() {
        return Sheet { css: String::new(), left_out: sheet.left_out + 1 };
    }
    Sheet { css: format!("@media {}{{{}}}", item.text.trim(), sheet.css), ..sheet }
}

fn clean(text: &str, kind: Kind) -> Sheet {
    let mut writer = Writer { scanner: Scanner { rest: text }, sheet: Sheet::default() };
    while !writer.scanner.rest.is_empty() {
        writer.block(kind, 0);
    }
    writer.sheet
}

struct Writer<'t> {
    scanner: Scanner<'t>,
    sheet: Sheet,
}

impl Writer<'_> {
    /// Writes what stands here up to the end of the block.
    fn block(&mut self, kind: Kind, depth: usize) {
        loop {
            let item = self.scanner.item();
            match item.end {
                End::Open => self.rule(&item, kind, depth),
                _ => self.declaration(&item, kind),
            }
            if matches!(item.end, End::Close | End::Text) {
                return;
            }
        }
    }

    fn rule(&mut self, item: &Item, kind: Kind, depth: usize) {
        let found = prelude(&item.text, item).filter(|_| kind != Kind::Plain && depth < MAX_DEPTH);
        let inner = match (found, kind) {
            (Some(Prelude::Selector), Kind::Steps) => Kind::Plain,
            (Some(Prelude::Selector), _) => Kind::Style,
            (Some(Prelude::Group), Kind::Rules | Kind::Style) => kind,
            (Some(Prelude::Steps), Kind::Rules) => Kind::Steps,
            (Some(Prelude::Page), Kind::Rules) => Kind::Plain,
            _ => {
                self.sheet.left_out += 1;
                self.scanner.skip_block();
                return;
            }
        };
        let start = self.sheet.css.len();
        self.sheet.css.push_str(item.text.trim());
        self.sheet.css.push('{');
        let begun = self.sheet.css.len();
        self.block(inner, depth + 1);
        if self.sheet.css.len() == begun {
            self.sheet.css.truncate(start);
        } else {
            self.sheet.css.push_str("}\n");
        }
    }

    fn declaration(&mut self, item: &Item, kind: Kind) {
        let text = item.text.trim();
        let lower = text.get(..9).unwrap_or_default().to_ascii_lowercase();
        if text.is_empty() || lower == "@charset " {
            return;
        }
        let may_stand = item.is_sound && matches!(kind, Kind::Style | Kind::Plain);
        match text.split_once(':').filter(|_| may_stand).and_then(declared) {
            Some(declaration) => {
                self.sheet.css.push_str(&declaration);
                self.sheet.css.push(';');
            }
            None => self.sheet.left_out += 1,
        }
    }
}

/// What a block is for, by what stands before it.
enum Prelude {
    Selector,
    Group,
    Steps,
    Page,
}

fn prelude(text: &str, item: &Item) -> Option<Prelude> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let is_known = item.is_sound
        && !text.is_empty()
        && !text.starts_with("--")
        && !text.contains(';')
        && calls_only(&lower, CONDITIONS)
        && !NOWHERE.iter().any(|word| lower.contains(word));
    let Some(name) = lower.strip_prefix('@').filter(|_| is_known) else {
        return is_known.then_some(Prelude::Selector);
    };
    let end = name.find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(name.len());
    match &name[..end] {
        "media" | "supports" | "container" | "layer" => Some(Prelude::Group),
        "keyframes" | "-webkit-keyframes" => Some(Prelude::Steps),
        "page" => Some(Prelude::Page),
        _ => None,
    }
}

/// A declaration written anew; `None` when it could load something or is none.
fn declared((property, value): (&str, &str)) -> Option<String> {
    let (property, value) = (property.trim(), value.trim());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let lower = property.to_ascii_lowercase();
    let is_known = !property.is_empty()
        && property.chars().all(is_name)
        && !property.starts_with(|c: char| c.is_ascii_digit())
        && !PROPERTIES.contains(&lower.as_str());
    if !is_known || value.is_empty() {
        return None;
    }
    let (plain, pictures) = without_pictures(value)?;
    let lower = plain.to_ascii_lowercase();
    let is_harmless =
        calls_only(&lower, FUNCTIONS) && !NOWHERE.iter().any(|word| lower.contains(word));
    is_harmless.then(|| format!("{property}:{}", with_pictures(&plain, &pictures)))
}

/// Stands for a picture while the rest of a value is looked at; no value holds it.
const PLACE: char = '\u{fffc}';

/// `value` with each address that is a picture as data taken out, and these; `None` where another
/// address stands.
fn without_pictures(value: &str) -> Option<(String, Vec<String>)> {
    if value.contains(PLACE) {
        return None;
    }
    let lower = value.to_ascii_lowercase();
    let (mut plain, mut pictures, mut done) = (String::new(), Vec::new(), 0);
    for (at, mark) in lower.match_indices("url(") {
        let from = at + mark.len();
        if at < done {
            return None;
        }
        let end = from + value[from..].find(')')?;
        let address = value[from..end].trim();
        let unquoted = |quote: char| address.strip_prefix(quote)?.strip_suffix(quote);
        let found = picture::of(unquoted('"').or_else(|| unquoted('\'')).unwrap_or(address))?;
        plain.push_str(&value[done..at]);
        plain.push(PLACE);
        pictures.push(format!("url({}{})", found.head, found.data));
        done = end + 1;
    }
    plain.push_str(&value[done..]);
    Some((plain, pictures))
}

fn with_pictures(plain: &str, pictures: &[String]) -> String {
    let mut pictures = pictures.iter();
    let mut value = String::with_capacity(plain.len());
    for (index, part) in plain.split(PLACE).enumerate() {
        if index > 0 {
            value.extend(pictures.next().map(String::as_str));
        }
        value.push_str(part);
    }
    value
}

/// Whether every function that `text` calls outside of quotes is of the list.
fn calls_only(text: &str, list: &str) -> bool {
    let mut quote = None;
    let mut name = 0;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if open == c => (quote, name) = (None, at + 1),
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None if c == '(' => {
                let called = &text[name..at];
                if !called.is_empty() && !list.contains(&format!(" {called} ")) {
                    return false;
                }
                name = at + 1;
            }
            // Every character that a name may hold counts as part of it.
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
    /// The text up to the next end outside of quotes and brackets.
    fn item(&mut self) -> Item {
        let mut item = Item { text: String::new(), is_sound: true, end: End::Text };
        let mut open: Vec<char> = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if self.rest.starts_with("/*") {
                self.skip_comment();
                item.text.push(' ');
                continue;
            }
            self.rest = &self.rest[c.len_utf8()..];
            let end = match c {
                '{' => Some(End::Open),
                '}' => Some(End::Close),
                ';' if open.is_empty() => Some(End::Semicolon),
                _ => None,
            };
            if let Some(end) = end {
                item.end = end;
                break;
            }
            self.character(c, &mut open, &mut item);
        }
        item.is_sound &= open.is_empty();
        item
    }

    fn character(&mut self, c: char, open: &mut Vec<char>, item: &mut Item) {
        match c {
            '"' | '\'' => return self.quoted(c, item),
            '(' => open.push(')'),
            '[' => open.push(']'),
            ')' | ']' => item.is_sound &= open.pop() == Some(c),
            '@' => item.is_sound &= item.text.trim().is_empty(),
            '\\' => {
                // What is escaped ends nothing.
                self.rest = self.rest.chars().next().map_or("", |c| &self.rest[c.len_utf8()..]);
                item.is_sound = false;
            }
            '<' => item.is_sound = false,
            '\n' | '\t' | '\r' | '\u{c}' => return item.text.push(' '),
            c if c.is_control() => item.is_sound = false,
            _ => {}
        }
        item.text.push(c);
    }

    /// Takes what stands in quotes, with numbered escapes undone.
    fn quoted(&mut self, quote: char, item: &mut Item) {
        item.text.push(quote);
        while let Some(c) = self.rest.chars().next() {
            self.rest = &self.rest[c.len_utf8()..];
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

    /// The character behind a backslash, where it is a number and no mark of the grammar.
    fn escaped(&mut self) -> Option<char> {
        let length = self.rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if length == 0 {
            self.rest = self.rest.chars().next().map_or("", |c| &self.rest[c.len_utf8()..]);
            return None;
        }
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest.strip_prefix([' ', '\n', '\t']).unwrap_or(rest);
        let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        let is_mark = c.is_control() || matches!(c, '"' | '\'' | '\\' | '<' | PLACE);
        (!is_mark).then_some(c)
    }

    fn skip_comment(&mut self) {
        let inner = &self.rest[2..];
        self.rest = inner.find("*/").map_or("", |at| &inner[at + 2..]);
    }

    /// Skips the block that has just begun.
    fn skip_block(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.item().end {
                End::Open => depth += 1,
                End::Close => depth -= 1,
                End::Semicolon => {}
                End::Text => return,
            }
        }
    }
}
