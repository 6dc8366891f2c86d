//! Scaffold: plans changes to a workspace: the next iteration and version, edits for a comment, and
//! the skill that agents need. Nothing is written here; `cli` puts it on disk through `write`.

pub mod feedback;
pub mod iteration;
pub mod version;

use std::borrow::Cow;
use std::ops::Range;

use crate::discover::{Document, FileLevels, Kind};
use crate::files::Source;
use crate::json::{Node, Spanned};
use crate::model::Problem;
use crate::read::alias::Field;
use crate::read::{self, EvalsRecord, Record, is_spelling};

/// Where a skill keeps its evals, in search order.
pub const EVALS: &[&str] = &["evals/evals.json", "evals.json", "assets/evals/evals.json"];

pub fn evals(source: &dyn Source, path: &str) -> (Option<EvalsRecord>, Vec<Problem>) {
    let record = record(source, path, Kind::Evals);
    (record.evals, record.problems)
}

fn record(source: &dyn Source, path: &str, kind: Kind) -> Record {
    let document = Document { path: path.to_owned(), kind, place: FileLevels::default(), bytes: 0 };
    read::records(&[document], source, "").pop().unwrap_or_default()
}

/// For Claude Code, for Codex and others that follow the Agent Skills format, for Copilot.
const AGENT_FOLDERS: [&str; 3] = [".claude/skills", ".agents/skills", ".github/skills"];

const AGENT_FILES: [(&str, &str); 3] = [
    ("SKILL.md", include_str!("../../skills/evalbook/SKILL.md")),
    ("evals/evals.json", include_str!("../../skills/evalbook/evals/evals.json")),
    (
        "evals/files/run-1/outputs/total.md",
        include_str!("../../skills/evalbook/evals/files/run-1/outputs/total.md"),
    ),
];

/// The files of the skill that teaches agents evalbook, by their paths in a project.
pub fn agent_files() -> impl Iterator<Item = (String, &'static str)> {
    AGENT_FOLDERS.into_iter().flat_map(|folder| {
        AGENT_FILES.into_iter().map(move |(path, text)| (format!("{folder}/evalbook/{path}"), text))
    })
}

struct Edit {
    at: Range<usize>,
    text: String,
}

/// One more item of a list, or entry of an object, on a line of its own.
fn appended(container: &Spanned<'_>, text: &str, indent: &str) -> Edit {
    let last = match &container.node {
        Node::List(items) => items.last().map(|item| item.span().end),
        Node::Object(entries) => entries.last().map(|(_, value)| value.span().end),
        _ => None,
    };
    match last {
        Some(end) => Edit { at: end..end, text: format!(",\n{indent}{text}") },
        None => {
            let inside = container.span().start + 1..container.span().end - 1;
            let closing = indent.strip_suffix("  ").unwrap_or_default();
            Edit { at: inside, text: format!("\n{indent}{text}\n{closing}") }
        }
    }
}

/// `text` with all `edits`; those at one place keep their order.
fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.at.start);
    let mut changed = String::with_capacity(text.len() + 512);
    let mut from = 0;
    for edit in edits {
        changed.push_str(&text[from..edit.at.start]);
        changed.push_str(&edit.text);
        from = edit.at.end;
    }
    changed + &text[from..]
}

fn items<'s, 't>(list: &'s Spanned<'t>) -> &'s [Spanned<'t>] {
    list.as_list().unwrap_or_default()
}

fn entries<'s, 't>(object: &'s Spanned<'t>) -> &'s [(Cow<'t, str>, Spanned<'t>)] {
    object.as_object().unwrap_or_default()
}

fn entry<'s, 't>(object: &'s Spanned<'t>, key: &str) -> Option<&'s Spanned<'t>> {
    entries(object).iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// The value of `field` under its first spelling whose value is `wanted`.
fn field_where<'s, 't>(
    object: &'s Spanned<'t>,
    field: &Field,
    wanted: impl Fn(&Spanned<'t>) -> bool,
) -> Option<&'s Spanned<'t>> {
    let entry_of = |key: &&str| entries(object).iter().find(|(name, _)| is_spelling(name, key));
    let mut values = field.spellings.iter().filter_map(entry_of).map(|(_, value)| value);
    values.find(|value| wanted(value))
}

/// Splits off the byte order mark that Windows tools put before JSON.
fn without_mark(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches('\u{feff}').len())
}
