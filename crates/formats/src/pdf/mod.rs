//! The text of a PDF, to search and compare: as printed on its pages, in printing order.
//!
//! A wrong text is worse than none. So some files have no text and are compared by their bytes:
//! those encrypted, packed in a rare way, or set in a font without a table of its letters.

pub mod ascii85;
mod font;
mod objects;
mod syntax;

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::limits::{MAX_ITEMS, MAX_NESTING, MAX_READ_BYTES};
use crate::pdf::font::Font;
use crate::pdf::objects::Objects;
use crate::pdf::syntax::{PdfReader, PdfValue};

/// A step back between letters, in thousandths of their size, that looks like a space.
const SPACE: f64 = -180.0;

/// The text of a PDF, with one line per line of its pages; `None` if unknown or empty.
pub fn text(content: &[u8]) -> Option<String> {
    read(content).filter(|text| !text.trim().is_empty())
}

/// The same, empty for pages without letters, such as scans; `None` if the file is damaged or
/// encrypted, or if its fonts do not say which letters it shows.
pub fn read(content: &[u8]) -> Option<String> {
    let objects = Objects::new(content)?;
    let catalog = objects.first_of("Catalog")?;
    let mut pages =
        Pages { objects: &objects, fonts: BTreeMap::new(), parts: 0, text: String::new() };
    pages.add(objects.entry(catalog, "Pages")?, None, MAX_NESTING)?;
    Some(pages.text)
}

/// The text, and each string in the objects and streams of a PDF on a line of its own: also its title,
/// notes and links. `None` if what its pages show cannot be read.
pub fn strings(content: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = read(content);
    if text.is_none() && memchr::memmem::find(content, b"/Page").is_some() {
        return None;
    }
    let mut strings = Vec::new();
    let objects = Objects::new(content)?;
    for (number, value) in objects.all() {
        add_strings(value, &mut strings);
        let stream = objects.stream(&PdfValue::Reference(number)).unwrap_or_default();
        let mut reader = PdfReader::new(&stream);
        while let Some(value) = reader.value() {
            add_strings(&value, &mut strings);
        }
    }
    Some(vec![text.unwrap_or_default().into_bytes(), strings])
}

/// The strings of a list are one word, with steps between its letters.
fn add_strings(value: &PdfValue, strings: &mut Vec<u8>) {
    match value {
        // Texts of an object may be in UTF-16.
        PdfValue::Text(text) => {
            strings.extend(text.iter().filter(|byte| (b' '..=b'~').contains(byte)))
        }
        PdfValue::List(values) => values.iter().for_each(|value| add_strings(value, strings)),
        PdfValue::Dictionary(entries) => {
            for value in entries.values() {
                add_strings(value, strings);
                strings.push(b'\n');
            }
        }
        PdfValue::Word(_) => strings.push(b'\n'),
        PdfValue::Name(_) | PdfValue::Number(_) | PdfValue::Reference(_) => {}
    }
}

struct Pages<'o> {
    objects: &'o Objects<'o>,
    fonts: BTreeMap<u32, Rc<Font>>,
    parts: usize,
    text: String,
}

impl<'o> Pages<'o> {
    /// A page, or all pages of a group. A page inherits what it does not define.
    fn add(
        &mut self,
        node: &'o PdfValue,
        inherited: Option<&'o PdfValue>,
        depth: usize,
    ) -> Option<()> {
        self.enter()?;
        let resources = self.objects.entry(node, "Resources").or(inherited);
        if let Some(PdfValue::List(kids)) = self.objects.entry(node, "Kids") {
            let depth = depth.checked_sub(1)?;
            for kid in kids {
                self.add(self.objects.resolved(kid), resources, depth)?;
            }
            return Some(());
        }
        let contents = node.get("Contents");
        let streams = match contents.map(|contents| self.objects.resolved(contents)) {
            Some(PdfValue::List(streams)) => streams.iter().collect(),
            _ => Vec::from_iter(contents),
        };
        // An operator may begin in one stream and end in the next.
        let mut content = Vec::new();
        for stream in streams {
            content.extend(self.objects.stream(stream)?);
            content.push(b'\n');
        }
        self.print(&content, resources, MAX_NESTING)?;
        self.text.push_str("\n\n");
        Some(())
    }

    /// Counts a page or form; `None` if there are too many, as in a ring of forms.
    fn enter(&mut self) -> Option<()> {
        self.parts += 1;
        let has_room = self.parts <= MAX_ITEMS && self.text.len() <= MAX_READ_BYTES;
        if has_room { Some(()) } else { None }
    }

    /// Adds the text printed by the operators in `content`.
    fn print(
        &mut self,
        content: &[u8],
        resources: Option<&'o PdfValue>,
        depth: usize,
    ) -> Option<()> {
        let mut reader = PdfReader::new(content);
        let (mut operands, mut pen) = (Vec::new(), TextCursor::default());
        while let Some(value) = reader.value() {
            let PdfValue::Word(operator) = value else {
                operands.push(value);
                continue;
            };
            match &operator[..] {
                b"Tf" => {
                    pen.font = self.font(operands.first()?, resources);
                    pen.size = operands.get(1).and_then(PdfValue::number).unwrap_or_default();
                }
                b"Do" => self.form(operands.first()?, resources, depth)?,
                // The bytes of an inline picture are not operators.
                b"ID" => reader = PdfReader::new(after_picture(reader.rest())),
                b"Tj" | b"TJ" | b"'" | b"\"" => {
                    if operator.len() == 1 {
                        pen.y -= 1.0;
                    }
                    pen.print(operands.last()?, &mut self.text)?;
                }
                operator => pen.go(operator, &operands),
            }
            operands.clear();
        }
        Some(())
    }

    /// Prints a form by its name.
    fn form(
        &mut self,
        name: &PdfValue,
        resources: Option<&'o PdfValue>,
        depth: usize,
    ) -> Option<()> {
        let forms = resources.and_then(|resources| self.objects.entry(resources, "XObject"));
        let Some(reference) = forms.and_then(|forms| named(forms, name)) else { return Some(()) };
        let form = self.objects.resolved(reference);
        if !form.get("Subtype").is_some_and(|kind| kind.is_name("Form")) {
            return Some(());
        }
        self.enter()?;
        let content = self.objects.stream(reference)?;
        let resources = self.objects.entry(form, "Resources").or(resources);
        self.print(&content, resources, depth.checked_sub(1)?)
    }

    fn font(&mut self, name: &PdfValue, resources: Option<&'o PdfValue>) -> Option<Rc<Font>> {
        let fonts = self.objects.entry(resources?, "Font")?;
        let reference = named(fonts, name)?;
        // Each page names its fonts again, and their tables are large.
        if let PdfValue::Reference(number) = reference
            && let Some(cached) = self.fonts.get(number)
        {
            return Some(Rc::clone(cached));
        }
        let font = Rc::new(Font::new(self.objects.resolved(reference), self.objects)?);
        if let PdfValue::Reference(number) = reference {
            self.fonts.insert(*number, Rc::clone(&font));
        }
        Some(font)
    }
}

fn named<'v>(dictionary: &'v PdfValue, name: &PdfValue) -> Option<&'v PdfValue> {
    match (dictionary, name) {
        (PdfValue::Dictionary(entries), PdfValue::Name(name)) => entries.get(name),
        _ => None,
    }
}

/// The part after the end mark of an inline picture, whose bytes may contain these letters too.
fn after_picture(bytes: &[u8]) -> &[u8] {
    for at in memchr::memmem::find_iter(bytes, b"EI") {
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let rest = &bytes[at + 2..];
        if before.is_some_and(|byte| byte.is_ascii_whitespace())
            && rest.first().is_none_or(u8::is_ascii_whitespace)
        {
            return rest;
        }
    }
    &[]
}

/// The position and font of the next letters. Only the distinction between lines and words matters
/// here, so widths are ignored.
#[derive(Default)]
struct TextCursor {
    font: Option<Rc<Font>>,
    size: f64,
    x: f64,
    y: f64,
    /// Where a single letter was printed last: some programs place each letter of a word.
    letter_x: Option<f64>,
    /// Where the last letters were printed.
    printed_y: Option<f64>,
    /// Whether the next letters begin apart from the last ones. A sideways move within one piece
    /// counts as a narrower or wider letter, as browsers write it.
    is_apart: bool,
}

impl TextCursor {
    /// Applies an operator that moves the pen.
    fn go(&mut self, operator: &[u8], operands: &[PdfValue]) {
        let mut numbers = operands.iter().rev().map(|operand| operand.number().unwrap_or_default());
        let (y, x) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
        match operator {
            b"BT" => (self.x, self.y, self.is_apart) = (0.0, 0.0, true),
            b"Td" | b"TD" => (self.x, self.y) = (self.x + x, self.y + y),
            b"Tm" => (self.x, self.y) = (x, y),
            b"T*" => self.y -= 1.0,
            // The page is moved below the pen, as browsers do for each paragraph.
            b"cm" => self.printed_y = None,
            _ => {}
        }
    }

    /// Adds a text, or a list of texts and steps between them; `None` if the font has no letters.
    fn print(&mut self, shown: &PdfValue, text: &mut String) -> Option<()> {
        let font = self.font.as_deref()?;
        let is_same_line = self.printed_y.is_some_and(|y| (y - self.y).abs() < 0.5);
        if !is_same_line && !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        } else if is_same_line && self.is_apart && !self.follows_letter() {
            add_space(text);
        }
        let shown_from = text.len();
        if text.len() > MAX_READ_BYTES {
            return None;
        }
        self.printed_y = Some(self.y);
        self.is_apart = false;
        let parts = match shown {
            PdfValue::List(parts) => parts,
            other => std::slice::from_ref(other),
        };
        for part in parts {
            match part {
                PdfValue::Text(codes) => text.push_str(&font.decode(codes)),
                PdfValue::Number(step) if *step < SPACE => add_space(text),
                _ => {}
            }
        }
        let is_letter = text[shown_from..].trim_start().chars().count() == 1;
        self.letter_x = if is_letter { Some(self.x) } else { None };
        Some(())
    }

    /// Whether the next letters are as near to a single one as in a word: no letter is wider than its
    /// size.
    fn follows_letter(&self) -> bool {
        self.letter_x.is_some_and(|x| self.x > x && self.x - x < self.size * 0.8)
    }
}

fn add_space(text: &mut String) {
    if !text.is_empty() && !text.ends_with(char::is_whitespace) {
        text.push(' ');
    }
}

#[cfg(test)]
mod tests;
