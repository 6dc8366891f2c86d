//! Annotations of a GitHub workflow run: lines that the runner shows at the file they name.
//!
//! The runner keeps ten per level and step, so if there are more, the tenth counts the rest.

use std::fmt::Write;

use crate::analyze::{CaseHistory, Flip};
use crate::language::Rate;
use input::model::{Place, Problem, Severity};
use input::settings::KnownIssue;
use text::{count, printable};

/// Annotations of a level that the runner keeps.
const KEPT: usize = 10;

/// Characters of the evidence for a loss.
const EVIDENCE: usize = 600;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceLocation {
    /// The file, relative to the working directory; `None` if it is elsewhere.
    pub file: Option<String>,
    pub place: Option<Place>,
}

#[derive(Clone, Copy, Debug)]
pub struct AnnotatedLoss<'a> {
    pub flip: &'a Flip<'a>,
    pub line: &'a CaseHistory,
    /// Both sides, the earlier one first.
    pub sides: [&'a str; 2],
    /// The grader's evidence from a failed run.
    pub evidence: Option<&'a str>,
    pub known: Option<&'a KnownIssue>,
}

#[derive(Debug, Default)]
pub struct Annotations {
    lines: Vec<(Severity, String)>,
}

impl Annotations {
    /// Adds a problem. Its path is part of the message if the file is not in the repository.
    pub fn problem(&mut self, problem: &Problem, location: &SourceLocation) {
        let mut message = match location.file {
            Some(_) => problem.sentence(),
            None => format!("{}: {}", problem.path, problem.sentence()),
        };
        if let Some(help) = &problem.help {
            let _ = write!(message, "\n{help}");
        }
        self.add(problem.severity(), location, problem.code.word(), &message);
    }

    /// Adds an expectation that lost passes: an error, or a notice if the loss is known.
    pub fn loss(&mut self, loss: AnnotatedLoss<'_>, location: &SourceLocation) {
        let [before, after] = loss.sides;
        let text = loss.flip.text;
        let [old, new] = [loss.flip.before, loss.flip.after].map(Rate::counts_of);
        let mut message = format!("{text}\n{before} {old}, {after} {new}");
        if let Some(evidence) = loss.evidence {
            let short: String = evidence.chars().take(EVIDENCE).collect();
            let cut = if short.len() < evidence.len() { " …" } else { "" };
            let _ = write!(message, "\n{short}{cut}");
        }
        if let Some(known) = loss.known {
            let _ = write!(message, "\nknown until {}: {}", known.expires, known.reason);
        }
        // A loss that the team accepted must not turn the workflow red.
        let level = if loss.known.is_some() { Severity::Note } else { Severity::Error };
        self.add(level, location, &format!("regressed: {}", loss.line.name), &message);
    }

    pub fn into_text(self) -> String {
        let mut text = String::new();
        for level in [Severity::Error, Severity::Warning, Severity::Note] {
            let lines = self.lines.iter().filter(|(severity, _)| *severity == level);
            let lines: Vec<&str> = lines.map(|(_, line)| line.as_str()).collect();
            let shown = if lines.len() > KEPT { KEPT - 1 } else { lines.len() };
            text.extend(lines[..shown].iter().copied());
            if lines.len() > shown {
                let (word, rest) = (word(level), count(lines.len() - shown, word(level)));
                let _ = writeln!(text, "::{word} title=evalbook::{rest} more");
            }
        }
        text
    }

    fn add(&mut self, level: Severity, location: &SourceLocation, title: &str, message: &str) {
        let mut line = format!("::{} title={}", word(level), property(title));
        if let Some(file) = &location.file {
            let _ = write!(line, ",file={}", property(file));
            if let Some(Place { line: at, column }) = location.place {
                let _ = write!(line, ",line={at},col={column}");
            }
        }
        // One line for the runner, several lines when shown.
        let lines = message.lines().map(|line| printable(line).replace('%', "%25"));
        let _ = writeln!(line, "::{}", lines.collect::<Vec<_>>().join("%0A"));
        self.lines.push((level, line));
    }
}

fn word(level: Severity) -> &'static str {
    match level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

fn property(text: &str) -> String {
    let text = printable(text).replace('%', "%25");
    text.replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{Annotations, SourceLocation};
    use input::model::{Code, Place, Problem};

    fn at(file: &str) -> SourceLocation {
        SourceLocation { file: Some(file.to_owned()), place: Some(Place { line: 3, column: 7 }) }
    }

    fn text(problem: &Problem, location: &SourceLocation) -> String {
        let mut annotations = Annotations::default();
        annotations.problem(problem, location);
        annotations.into_text()
    }

    #[test]
    fn an_annotation_names_file_line_and_column() {
        let problem = Problem::new(Code::NotJson, "a.json", "no JSON").assuming("left out");
        let line = "::error title=not-json,file=b/a.json,line=3,col=7::no JSON; left out\n";
        assert_eq!(text(&problem, &at("b/a.json")), line);
        let line = "::error title=not-json::a.json: no JSON; left out\n";
        assert_eq!(text(&problem, &SourceLocation::default()), line);
    }

    #[test]
    fn nothing_of_the_data_ends_a_line_or_a_property() {
        let problem =
            Problem::new(Code::SummaryMismatch, "x", "50%\r\n::set-env name=a::b\u{1b}[1m");
        let line = text(&problem, &at("a,line=1::b%0A:c\n::error::.json"));
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        let (head, data) = line.split_once("::50").expect("the message");
        assert_eq!(data, "%25%0A::set-env name=a::b\u{fffd}[1m\n");
        let file = "file=a%2Cline=1%3A%3Ab%250A%3Ac %3A%3Aerror%3A%3A.json,line=3";
        assert!(head.contains(file), "{head}");
    }

    #[test]
    fn the_runner_shows_ten_of_a_level_and_the_last_counts_the_rest() {
        let mut annotations = Annotations::default();
        for _ in 0..12 {
            annotations.problem(&Problem::new(Code::NotJson, "a", "b"), &at("a"));
            annotations.problem(&Problem::new(Code::UngradedRun, "a", "b"), &at("a"));
        }
        for _ in 0..10 {
            annotations.problem(&Problem::new(Code::NearJson, "a", "b"), &at("a"));
        }
        let text = annotations.into_text();
        let number = |level: &str| text.matches(&format!("::{level} ")).count();
        assert_eq!([number("error"), number("warning"), number("notice")], [10, 10, 10]);
        assert!(text.contains("::error title=evalbook::3 errors more\n"), "{text}");
        assert!(text.contains("::notice title=evalbook::3 notices more\n"), "{text}");
        assert!(!text.contains("warnings more"), "{text}");
    }
}
