//! From the bytes of a file to its rows, each with its place and all that encloses it.

use std::borrow::Cow;

use json::{LineIndex, Node, RepairKind, Spanned};
use serde_json::Value;

use input::model::{Code, Place, Problem};
use input::names;
use input::settings::rows::{FieldPath, ListStep, Parts};

/// One row.
pub(super) struct Row<'s> {
    object: &'s Spanned<'s>,
    above: Option<&'s Scope<'s>>,
    /// Where it begins.
    pub(super) place: Place,
    /// The lines before its document in JSON Lines and tables, else 0.
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

impl<'s> Scope<'s> {
    /// The scope of what lies at `step` in `object`.
    fn new(object: &'s Spanned<'s>, above: Option<&'s Self>, step: &ListStep) -> Self {
        let mut hasher = blake3::Hasher::new();
        if let Some(above) = above {
            hasher.update(above.digest.as_bytes());
        }
        if let ListStep::Key(inner) = step {
            let entries = object.as_object().unwrap_or_default().iter();
            let others = entries.filter(|(key, _)| key != inner);
            let others = others.map(|(key, value)| (key.to_string(), Value::from(&**value)));
            hasher.update(Value::Object(others.collect()).to_string().as_bytes());
        }
        Self { object, above, digest: hasher.finalize() }
    }
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
        self.enclosing().find_map(|object| {
            Some((value(object, field)?, Some((self.document, object.span().start))))
        })
    }

    /// The objects around the row, the nearest first.
    fn enclosing(&self) -> impl Iterator<Item = &Spanned<'_>> {
        std::iter::successors(self.above, |scope| scope.above).map(|scope| scope.object)
    }

    /// Tells the row from every other that differs in a field, an enclosing field or a placeholder.
    pub(super) fn digest(&self) -> blake3::Hash {
        let above = self.above.map(|scope| scope.digest.to_hex().to_string());
        let all = (self.parts.texts(), above, Value::from(self.node()));
        blake3::hash(serde_json::json!(all).to_string().as_bytes())
    }

    /// The fields of the row and of what encloses it, as a mapping names them.
    pub(super) fn fields(&self) -> Vec<FieldPath> {
        let mut fields = Vec::new();
        for object in std::iter::once(self.object).chain(self.enclosing()) {
            list_fields(object, &mut Vec::new(), &mut fields);
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

/// What reads the rows of one file, one after the other.
pub(super) trait RowSink {
    fn take_row(&mut self, row: &Row<'_>);

    /// A guess is silent on what it cannot read.
    fn take_problem(&mut self, _: Problem) {}
}

/// Hands each row in the file at `path` to `rows`, and what could not be read.
pub(super) fn read(
    path: &str,
    bytes: &[u8],
    steps: &[ListStep],
    parts: &Parts,
    rows: &mut dyn RowSink,
) {
    let (text, _) = json::decode(bytes);
    let walk = Walk { path, steps, parts };
    let name = names::file_name(path).to_lowercase();
    if name.ends_with(".csv") || name.ends_with(".tsv") {
        walk.table(&text, rows);
    } else if name.ends_with(".jsonl") || name.ends_with(".ndjson") {
        for (number, line) in text.lines().enumerate() {
            if !line.trim().is_empty() {
                walk.document(line, number, rows);
            }
        }
    } else {
        walk.document(&text, 0, rows);
    }
}

/// A document of a file, which may have one a line.
struct Document<'d> {
    /// The lines before it in JSON Lines and tables, else 0.
    before: usize,
    is_table: bool,
    text: &'d str,
    lines: LineIndex,
}

impl<'d> Document<'d> {
    fn new(text: &'d str, before: usize, is_table: bool) -> Self {
        Self { before, is_table, text, lines: LineIndex::new(text) }
    }

    fn place(&self, offset: usize) -> Place {
        let (line, column) = self.lines.place(self.text, offset);
        Place { line: self.before + line, column }
    }
}

struct Walk<'w> {
    path: &'w str,
    steps: &'w [ListStep],
    parts: &'w Parts,
}

impl Walk<'_> {
    /// Reads one document. One that breaks off is not read: what is left of a row that was cut could say
    /// something else.
    fn document(&self, text: &str, before: usize, rows: &mut dyn RowSink) {
        let document = Document::new(text, before, false);
        let parsed = match json::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let place = Place { line: before + error.line, column: error.column };
                rows.take_problem(self.problem(Code::NotJson, error.message, place));
                return;
            }
        };
        for repair in &parsed.repairs {
            if let RepairKind::CutOff(_) = repair.kind {
                let [message, ..] = repair.kind.explain();
                rows.take_problem(self.problem(Code::CutOff, message, document.place(repair.at)));
                return;
            }
        }
        if let Some(repair) = parsed.repairs.first() {
            let [message, assumed, help] = repair.kind.explain();
            let problem = self.problem(Code::NearJson, message, document.place(repair.at));
            rows.take_problem(problem.assuming(assumed).help(help));
        }
        self.value(&parsed.root, self.steps, None, self.parts, &document, rows);
    }

    fn problem(&self, code: Code, message: impl Into<String>, place: Place) -> Problem {
        Problem::new(code, self.path, message).at(Some(place)).assuming("not read")
    }

    fn value(
        &self,
        value: &Spanned<'_>,
        steps: &[ListStep],
        above: Option<&Scope<'_>>,
        parts: &Parts,
        document: &Document<'_>,
        rows: &mut dyn RowSink,
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
                let scope = Scope::new(value, above, step);
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
                rows.take_row(&Row {
                    object: value,
                    above,
                    place: document.place(value.span().start),
                    document: document.before,
                    parts: parts.clone(),
                    is_of_table: document.is_table,
                });
            }
            (Node::Null, _) | (_, [_, ..]) => {}
            (other, []) => {
                let message = format!("expected a row, an object, and found {}", other.kind());
                let place = document.place(value.span().start);
                rows.take_problem(self.problem(Code::RowNotRead, message, place));
            }
        }
    }

    fn table(&self, text: &str, rows: &mut dyn RowSink) {
        let mut reader = csv::ReaderBuilder::new()
            .flexible(true)
            .delimiter(delimiter(text))
            .from_reader(text.as_bytes());
        let Ok(header) = reader.headers().cloned() else { return };
        let index = LineIndex::new(text);
        for record in reader.records() {
            let Ok(record) = record else { continue };
            let start = record.position().map_or(0, |position| position.byte() as usize);
            // The second half of a line end of Windows is counted to the record after it.
            let ends = text.bytes().skip(start).take_while(|byte| b"\r\n".contains(byte));
            let (line, _) = index.place(text, start + ends.count());
            // Places in a cell are those of its record.
            let document = Document::new("", line - 1, true);
            if record.len() > header.len() {
                let (cells, names) = (record.len(), header.len());
                let message =
                    format!("the row has {cells} cells, and the first line names {names}");
                let problem = self.problem(Code::RowNotRead, message, document.place(0));
                rows.take_problem(
                    problem.help("put a cell with a comma in it between quotation marks"),
                );
                continue;
            }
            let cells = header.iter().zip(&record);
            let cells = cells.map(|(name, text)| (Cow::Borrowed(name.trim()), cell(text.trim())));
            let object = Spanned::new(0..0, Node::Object(cells.collect()));
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
    match nested {
        Some(parsed) if parsed.repairs.iter().all(|repair| is_python(&repair.kind)) => parsed.root,
        _ => Spanned::new(0..0, Node::Text(Cow::Borrowed(text))),
    }
}

fn is_python(kind: &RepairKind) -> bool {
    use RepairKind::{BooleanCase, NoValue, SingleQuotes};
    matches!(kind, SingleQuotes | BooleanCase(_) | NoValue(_))
}

/// What separates the cells of a table: the one that its first line has most of.
fn delimiter(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or_default().as_bytes();
    // The last of several greatest ones counts.
    let signs = b"\t;,".iter();
    *signs.max_by_key(|sign| head.iter().filter(|byte| byte == sign).count()).unwrap_or(&b',')
}
