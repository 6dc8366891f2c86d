//! From the bytes of a file to its rows, each with its place and all that encloses it.

use std::borrow::Cow;

use json::{LineIndex, Node, RepairKind, Spanned};

use input::discover::names;
use input::model::{Code, Place, Problem};
use input::settings::rows::{FieldPath, ListStep, Parts};

/// One row.
pub(super) struct Row<'s> {
    object: &'s Spanned<'s>,
    above: Option<&'s Scope<'s>>,
    /// Where it begins.
    pub(super) place: Place,
    /// The line of its document in JSON Lines and tables, else 0.
    document: usize,
    /// What the placeholders of the mapping stand for.
    pub(super) parts: Parts,
    /// Whether its fields are cells of a table: texts that may be numbers.
    pub(super) is_of_table: bool,
}

/// An object that encloses rows.
struct Scope<'s> {
    object: &'s Spanned<'s>,
    above: Option<&'s Self>,
    /// Tells its other fields, and those above, from those of other objects.
    digest: blake3::Hash,
}

/// The enclosing object that a value is from: the number of its document and its place there.
pub(super) type Owner = (usize, usize);

impl Row<'_> {
    /// The row itself.
    pub(super) fn node(&self) -> &Node<'_> {
        self.object
    }

    /// The value of a field of the row itself.
    pub(super) fn own(&self, field: &FieldPath) -> Option<&Node<'_>> {
        value(self.object, field)
    }

    /// The value of a field: of the row, else of the nearest object around it that has the field.
    pub(super) fn find(&self, field: &FieldPath) -> Option<(&Node<'_>, Option<Owner>)> {
        if let Some(own) = self.own(field) {
            return Some((own, None));
        }
        let mut scope = self.above;
        while let Some(Scope { object, above, .. }) = scope {
            if let Some(found) = value(object, field) {
                return Some((found, Some((self.document, object.span().start))));
            }
            scope = *above;
        }
        None
    }

    /// Tells the row from every other that differs in a field, an enclosing field or a placeholder.
    pub(super) fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for text in self.parts.texts() {
            feed_text(&mut hasher, text.as_deref().unwrap_or_default());
        }
        if let Some(above) = self.above {
            hasher.update(above.digest.as_bytes());
        }
        feed(&mut hasher, self.object);
        hasher.finalize()
    }

    /// The fields of the row and of what encloses it, as a mapping names them.
    pub(super) fn fields(&self) -> Vec<FieldPath> {
        let mut fields = Vec::new();
        list_fields(self.object, &mut Vec::new(), &mut fields);
        let mut scope = self.above;
        while let Some(Scope { object, above, .. }) = scope {
            list_fields(object, &mut Vec::new(), &mut fields);
            scope = *above;
        }
        fields
    }
}

/// The deepest field that is listed, in keys.
const LISTED_LEVELS: usize = 3;

fn list_fields(object: &Node<'_>, above: &mut Vec<String>, fields: &mut Vec<FieldPath>) {
    for (key, value) in object.as_object().unwrap_or_default() {
        above.push(key.to_string());
        if value.as_object().is_some() && above.len() < LISTED_LEVELS {
            list_fields(value, above, fields);
        } else {
            fields.push(FieldPath::new(above.clone()));
        }
        above.pop();
    }
}

fn value<'n>(object: &'n Node<'n>, field: &FieldPath) -> Option<&'n Node<'n>> {
    field.keys().iter().try_fold(object, |value, key| value.get(key))
}

/// Hashes a value so that the order of keys and the place in the file make no difference.
fn feed(hasher: &mut blake3::Hasher, node: &Node<'_>) {
    match node {
        Node::Null => feed_text(hasher, "null"),
        Node::Bool(flag) => feed_text(hasher, if *flag { "true" } else { "false" }),
        Node::Number(number) => feed_text(hasher, &number.to_string()),
        Node::Text(text) => {
            hasher.update(b"\"");
            feed_text(hasher, text);
        }
        Node::List(items) => {
            hasher.update(b"[").update(&(items.len() as u64).to_le_bytes());
            items.iter().for_each(|item| feed(hasher, item));
        }
        Node::Object(_) => feed_fields(hasher, node, None),
    }
}

/// Hashes the fields of an object except the one named `except`.
fn feed_fields(hasher: &mut blake3::Hasher, object: &Node<'_>, except: Option<&str>) {
    let entries = object.as_object().unwrap_or_default().iter();
    let mut entries: Vec<_> = entries.filter(|(key, _)| Some(&**key) != except).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    hasher.update(b"{").update(&(entries.len() as u64).to_le_bytes());
    for (key, value) in entries {
        feed_text(hasher, key);
        feed(hasher, value);
    }
}

fn feed_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
}

/// What reads the rows of one file, one after the other.
pub(super) trait Rows {
    fn row(&mut self, row: &Row<'_>);
    fn problem(&mut self, problem: Problem);
}

/// Hands each row in the file at `path` to `rows`, and what could not be read.
pub(super) fn read(
    path: &str,
    bytes: &[u8],
    steps: &[ListStep],
    parts: &Parts,
    rows: &mut dyn Rows,
) {
    let (text, _) = json::decode(bytes);
    let walk = Walk { path, text: &text, steps, parts };
    let name = names::file_name(path).to_lowercase();
    if name.ends_with(".csv") || name.ends_with(".tsv") {
        walk.table(rows);
    } else if name.ends_with(".jsonl") || name.ends_with(".ndjson") {
        walk.lines(rows);
    } else {
        walk.document(rows);
    }
}

/// A document of a file.
struct Document<'d> {
    /// Its line in JSON Lines and tables, else 0.
    line: usize,
    is_table: bool,
    place: &'d dyn Fn(usize) -> Place,
}

struct Walk<'w> {
    path: &'w str,
    text: &'w str,
    steps: &'w [ListStep],
    parts: &'w Parts,
}

impl Walk<'_> {
    fn document(&self, rows: &mut dyn Rows) {
        let index = LineIndex::new(self.text);
        let place = |offset| {
            let (line, column) = index.place(self.text, offset);
            Place { line, column }
        };
        if let Some(root) = self.parse(self.text, &place, rows) {
            let document = Document { line: 0, is_table: false, place: &place };
            self.value(&root, self.steps, None, self.parts, &document, rows);
        }
    }

    fn lines(&self, rows: &mut dyn Rows) {
        for (number, line) in self.text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let place = |offset| {
                let before = line.get(..offset).unwrap_or_default();
                Place { line: number + 1, column: before.chars().count() + 1 }
            };
            if let Some(root) = self.parse(line, &place, rows) {
                let document = Document { line: number + 1, is_table: false, place: &place };
                self.value(&root, self.steps, None, self.parts, &document, rows);
            }
        }
    }

    /// The document in `text`; `None`, with a problem, if it is none or breaks off: what is left of a row
    /// that was cut could say something else.
    fn parse<'t>(
        &self,
        text: &'t str,
        place: &dyn Fn(usize) -> Place,
        rows: &mut dyn Rows,
    ) -> Option<Spanned<'t>> {
        let problem =
            |code, message: String, at| Problem::new(code, self.path, message).at(Some(at));
        let parsed = match json::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let Place { line, .. } = place(0);
                let at = Place { line: line + error.line - 1, column: error.column };
                rows.problem(problem(Code::NotJson, error.message, at).assuming("not read"));
                return None;
            }
        };
        let is_cut = |kind: &RepairKind| matches!(kind, RepairKind::CutOff(_));
        if let Some(cut) = parsed.repairs.iter().find(|repair| is_cut(&repair.kind)) {
            let [message, ..] = cut.kind.explain();
            rows.problem(problem(Code::CutOff, message, place(cut.at)).assuming("not read"));
            return None;
        }
        if let Some(repair) = parsed.repairs.first() {
            let [message, assumed, help] = repair.kind.explain();
            let problem = problem(Code::NearJson, message, place(repair.at));
            rows.problem(problem.assuming(assumed).help(help));
        }
        Some(parsed.root)
    }

    fn value(
        &self,
        value: &Spanned<'_>,
        steps: &[ListStep],
        above: Option<&Scope<'_>>,
        parts: &Parts,
        document: &Document<'_>,
        rows: &mut dyn Rows,
    ) {
        match (&value.node, steps) {
            (Node::List(items), _) => {
                for (index, item) in items.iter().enumerate() {
                    let own = match steps.first() {
                        Some(ListStep::Every(part)) => parts.with(*part, &(index + 1).to_string()),
                        _ => None,
                    };
                    let rest = if own.is_some() { &steps[1..] } else { steps };
                    self.value(item, rest, above, own.as_ref().unwrap_or(parts), document, rows);
                }
            }
            (Node::Object(entries), [step, rest @ ..]) => {
                let only = if let ListStep::Key(key) = step { Some(key.as_str()) } else { None };
                let mut hasher = blake3::Hasher::new();
                if let Some(above) = above {
                    hasher.update(above.digest.as_bytes());
                }
                if only.is_some() {
                    feed_fields(&mut hasher, value, only);
                }
                let scope = Scope { object: value, above, digest: hasher.finalize() };
                for (key, inner) in entries {
                    match step {
                        ListStep::Key(wanted) if wanted != key => continue,
                        ListStep::Key(_) => {
                            self.value(inner, rest, Some(&scope), parts, document, rows);
                        }
                        ListStep::Every(part) => {
                            let Some(parts) = parts.with(*part, key) else { continue };
                            self.value(inner, rest, Some(&scope), &parts, document, rows);
                        }
                    }
                }
            }
            (Node::Object(_), []) => {
                rows.row(&Row {
                    object: value,
                    above,
                    place: (document.place)(value.span().start),
                    document: document.line,
                    parts: parts.clone(),
                    is_of_table: document.is_table,
                });
            }
            (Node::Null, _) | (_, [_, ..]) => {}
            (other, []) => {
                let message = format!("expected a row, an object, and found {}", other.kind());
                let problem = Problem::new(Code::RowNotRead, self.path, message);
                rows.problem(
                    problem.at(Some((document.place)(value.span().start))).assuming("not read"),
                );
            }
        }
    }

    fn table(&self, rows: &mut dyn Rows) {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .delimiter(delimiter(self.text))
            .from_reader(self.text.as_bytes());
        let Ok(header) = reader.headers().cloned() else { return };
        let index = LineIndex::new(self.text);
        for record in reader.records() {
            let Ok(record) = record else { continue };
            let start = record.position().map_or(0, |position| position.byte() as usize);
            // The second half of a line end of Windows is counted to the record after it.
            let ends = self.text.bytes().skip(start).take_while(|byte| b"\r\n".contains(byte));
            let (line, column) = index.place(self.text, start + ends.count());
            let place = Place { line, column };
            if record.len() > header.len() {
                let message = format!(
                    "the row has {} cells, and the first line names {}",
                    record.len(),
                    header.len()
                );
                let help = "put a cell with a comma in it between quotation marks";
                let problem = Problem::new(Code::RowNotRead, self.path, message);
                rows.problem(problem.at(Some(place)).assuming("not read").help(help));
                continue;
            }
            let cells = header.iter().zip(&record);
            let cells = cells.map(|(name, text)| (Cow::Borrowed(name.trim()), cell(text.trim())));
            let object = Spanned::new(0..0, Node::Object(cells.collect()));
            let document = Document { line, is_table: true, place: &|_| place };
            self.value(&object, self.steps, None, self.parts, &document, rows);
        }
    }
}

/// The value of a cell. A spreadsheet of trials may have the checks of each in one, as JSON or as Python
/// prints it.
fn cell(text: &str) -> Spanned<'_> {
    if text.is_empty() {
        return Spanned::new(0..0, Node::Null);
    }
    let nested = if text.starts_with(['{', '[']) { json::parse(text).ok() } else { None };
    let is_python = |kind: &RepairKind| {
        matches!(
            kind,
            RepairKind::SingleQuotes | RepairKind::BooleanCase(_) | RepairKind::NoValue(_)
        )
    };
    match nested {
        Some(parsed) if parsed.repairs.iter().all(|repair| is_python(&repair.kind)) => parsed.root,
        _ => Spanned::new(0..0, Node::Text(Cow::Borrowed(text))),
    }
}

/// What separates the cells of a table: the one that its first line has most of.
fn delimiter(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or_default().as_bytes();
    let count = |sign: &u8| head.iter().filter(|byte| *byte == sign).count();
    // The last of several greatest ones counts.
    *b"\t;,".iter().max_by_key(|sign| count(sign)).unwrap_or(&b',')
}
