//! Problems in the style of a compiler: location, source line, assumption and help.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::language::Language;
use input::model::{Place, Problem, Severity};
use text::printable;

/// A problem followed by an empty line. `line` is the source line if the file could be read again,
/// and the column in it as displayed.
pub fn text(problem: &Problem, line: Option<(&str, usize)>) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    renderer.render(&[group(problem, line)]) + "\n\n"
}

fn group<'g>(problem: &'g Problem, line: Option<(&str, usize)>) -> Group<'g> {
    let level = match problem.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(printable(&problem.message)).id(problem.code.word());
    let path = printable(&problem.path);
    let assumed = problem.assumed.as_deref().map(printable);
    let mut group = Group::with_title(title);
    let origin = Origin::path(path.clone());
    let origin = match problem.place {
        Some(place) => origin.line(place.line).char_column(place.column),
        None => origin,
    };
    // A secret in the line is shown as a mark, so the column there is another one.
    match (problem.place, line) {
        (Some(place), Some((line, column))) if place.column == column => {
            group = group.element(snippet(place, line, assumed).path(path));
        }
        (Some(place), Some((line, column))) => {
            group = group.element(origin);
            group = group.element(snippet(Place { column, ..place }, line, assumed));
        }
        _ => {
            group = group.element(origin);
            if let Some(assumed) = assumed {
                group = group.element(Level::NOTE.message(assumed));
            }
        }
    }
    match &problem.help {
        Some(help) => {
            // Lines to copy stay lines.
            let lines: Vec<String> = help.lines().map(printable).collect();
            group.element(Level::HELP.message(lines.join("\n")))
        }
        None => group,
    }
}

fn snippet<'g>(
    place: Place,
    line: &str,
    assumed: Option<String>,
) -> Snippet<'g, annotate_snippets::Annotation<'g>> {
    let source = printable(line);
    let start = source.char_indices().nth(place.column - 1).map_or(source.len(), |(at, _)| at);
    let end = end_of_value(&source, start);
    let mut annotation = AnnotationKind::Primary.span(start..end);
    if let Some(assumed) = assumed {
        annotation = annotation.label(assumed);
    }
    Snippet::source(source).line_start(place.line).annotation(annotation)
}

/// The end of the value that begins at `start`: the closing quote of a string, else the end of a
/// word.
fn end_of_value(line: &str, start: usize) -> usize {
    let rest = &line[start..];
    let length = match rest.strip_prefix('"') {
        Some(inner) => inner.find('"').map_or(rest.len(), |at| at + 2),
        None => rest.find([',', '}', ']', ' ', '{', '[']).unwrap_or(rest.len()),
    };
    let first = rest.chars().next().map_or(0, char::len_utf8);
    start + length.max(first)
}

pub fn summary(problems: &[Problem]) -> String {
    Language::default().problem_counts(problems)
}
