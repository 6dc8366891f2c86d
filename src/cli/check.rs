//! `evalbook check`: reads everything, prints the inventory and every problem, writes nothing.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::analyze::{Audit, AuditFinding, AuditKind, skill_text};
use crate::cli::merge::FoldersArgs;
use crate::cli::settings::{summed_up, warn_unguarded};
use crate::cli::workspaces::{OpenedWorkspace, OpenedWorkspaces, open_skill};
use crate::cli::{CommandResult, Console, exit};
use crate::digest::{self, Comparisons};
use crate::gate;
use crate::language::Language;
use crate::render::annotations::{AnnotatedLoss, Annotations, SourceLocation};
use crate::render::audit::{self, FindingPlace};
use crate::render::{diagnostic, inventory};
use crate::wording::Answer;
use crate::wording::{questions, recorded_results};
use input::files::Source;
use input::model::{Code, Outcome, Place, Problem, Severity};
use input::names;
use input::settings::Settings;
use text::printable;
use workspace::read;

/// Read everything, print what is there, what the cases can show and every problem; write nothing
///
/// Exits with 1 when there are errors, with --strict also when there are warnings or findings.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  evalbook check\n  evalbook check my-skill\n  evalbook check my-skill-workspace --strict\n  \
                        evalbook check my-skill-workspace --format json\n  \
                        evalbook check my-skill-workspace --format github"
)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    folders: FoldersArgs,

    /// Fail on warnings and findings too
    #[arg(long)]
    strict: bool,

    /// How to print
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    format: CheckFormat,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// What regressed and every problem, as annotations of a GitHub workflow run
    Github,
}

pub(super) fn run(args: &CheckArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.as_flags();
    let OpenedWorkspaces { opened, outside, remarks } =
        args.folders.open(&flags)?.checked()?.labelled()?;
    remarks.iter().for_each(|line| console.remark(line));
    let workspaces: Vec<_> = opened.iter().map(|opened| &opened.workspace).collect();
    let audits: Vec<LocatedAudit> = opened.iter().map(LocatedAudit::new).collect();
    // Of a skill that was given, whose workspace lies elsewhere.
    let skills: Vec<OpenedWorkspace> =
        args.folders.paths().iter().filter_map(|path| open_skill(path, &flags)).collect();
    let skills = skills
        .iter()
        .filter(|skill| !workspaces.iter().any(|one| one.path == skill.workspace.path));
    let of_skills: Vec<(String, LocatedAudit)> =
        skills.map(|skill| (skill.workspace.path.clone(), LocatedAudit::new(skill))).collect();
    let text = match args.format {
        CheckFormat::Json => {
            let audits: Vec<_> =
                audits.iter().map(|found| (&found.audit, &found.places[..])).collect();
            let of_skills: Vec<_> = of_skills
                .iter()
                .map(|(path, found)| (path.as_str(), &found.audit, &found.places[..]))
                .collect();
            inventory::json(&workspaces, &audits, &of_skills, &outside)
        }
        CheckFormat::Github => annotations(&opened),
        CheckFormat::Text => {
            let mut texts = Vec::new();
            for (path, found) in &of_skills {
                texts.push(audit::text(path, &found.audit, &found.places));
            }
            for (opened, found) in opened.iter().zip(&audits) {
                texts.push(print(opened, found));
            }
            texts.join("\n") + &inventory::outside(&outside)
        }
    };
    console.hide_secrets_of(&opened);
    console.result(&text)?;
    // The text ends with a line that says so.
    if args.format != CheckFormat::Text {
        warn_unguarded(&flags, console);
    }
    let problems = workspaces.iter().flat_map(|workspace| &workspace.problems);
    let worst = problems.map(Problem::severity).min();
    let audits = audits.iter().chain(of_skills.iter().map(|(_, found)| found));
    let kinds: Vec<AuditKind> =
        audits.flat_map(|found| &found.audit.findings).map(|finding| finding.kind).collect();
    let is_failed = worst == Some(Severity::Error)
        || kinds.iter().any(|kind| kind.is_error())
        || args.strict
            && (worst == Some(Severity::Warning) || kinds.iter().any(|kind| !kind.is_hint()));
    Ok(if is_failed { exit::FAILED } else { exit::FINE })
}

fn print(opened: &OpenedWorkspace, found: &LocatedAudit) -> String {
    let mut text = inventory::text(&opened.workspace);
    let (analysis, language) = (opened.analysis(), Language::default());
    let comparisons = Comparisons::empty(&opened.workspace, &analysis);
    let answer = Answer::new(&comparisons, &language);
    text += &format!("\n{}\n", printable(&answer.line(&language)));
    let mut lines = questions::lines(&comparisons, &language);
    lines.extend(answer.last_lines(&language));
    for line in lines {
        text += &format!("  {}\n", printable(&line));
    }
    if !answer.sides.is_empty() {
        text += &(printable(&answer.sides) + "\n");
    }
    // Iterations whose runs are gone are no part of an answer about the newest one.
    if analysis.newest().is_some()
        && let Some(recorded) = recorded_results::line(&opened.workspace, &language)
    {
        text += &format!("\n{}\n", printable(&recorded));
    }
    text.push('\n');
    if !found.audit.findings.is_empty() {
        text += &(audit::text(&opened.workspace.name, &found.audit, &found.places) + "\n");
    }
    let mut lines = SourceLines { opened, last: None };
    for problem in &opened.workspace.problems {
        // Secrets and homes in these lines are replaced by marks.
        let place = problem.place.map(|place| match problem.code {
            Code::SecretRedacted => {
                opened.source.guard().shown_place(&opened.path(&problem.path), place)
            }
            _ => place,
        });
        let line = place.and_then(|place| lines.get(&problem.path, place.line));
        let column = place.map_or(0, |place| place.column);
        text += &diagnostic::text(problem, line.as_deref().map(|line| (line, column)));
    }
    let summary = diagnostic::summary(&opened.workspace.problems);
    text + &summed_up(summary, &opened.settings) + "\n"
}

/// What the cases of a workspace can show, with the place of each finding.
struct LocatedAudit {
    audit: Audit,
    places: Vec<FindingPlace>,
}

impl LocatedAudit {
    fn new(opened: &OpenedWorkspace) -> Self {
        let skill = skill_text(&opened.workspace, &opened.source, &opened.path(""));
        let audit = Audit::new(&opened.workspace, &skill);
        let mut lines = SourceLines { opened, last: None };
        let places = audit.findings.iter().map(|finding| lines.place_of(finding)).collect();
        Self { audit, places }
    }
}

/// Lines of the documents with problems; only one document is kept, since problems are sorted.
struct SourceLines<'o> {
    opened: &'o OpenedWorkspace,
    last: Option<(String, Vec<String>)>,
}

impl<'o> SourceLines<'o> {
    fn get(&mut self, path: &str, line: usize) -> Option<String> {
        self.all(path).get(line.checked_sub(1)?).cloned()
    }

    /// Where a document states `text`: the first line with its JSON spelling.
    fn find(&mut self, path: &str, text: &str) -> Option<Place> {
        let quoted = serde_json::to_string(text).ok()?;
        for (index, line) in self.all(path).iter().enumerate() {
            if let Some(at) = line.find(quoted.trim_matches('"')) {
                return Some(Place { line: index + 1, column: line[..at].chars().count() + 1 });
            }
        }
        None
    }

    /// The plan that states the text of a finding, and where.
    fn place_of(&mut self, finding: &AuditFinding) -> FindingPlace {
        let mut paths = ["evals/evals.json", "evals.json"].map(str::to_owned).to_vec();
        for iteration in &self.opened.workspace.iterations {
            for case in iteration.cases.iter().filter(|case| finding.is_about(case)) {
                let metadata = names::join(&case.folder, "eval_metadata.json");
                paths.push(names::join(&iteration.path, &metadata));
                // Checks that no plan states are in the gradings.
                let graded = case.runs.iter().find_map(|run| run.grading());
                paths.extend(graded.map(|grading| grading.path.clone()));
            }
        }
        if finding.text.is_empty() {
            return None;
        }
        paths.into_iter().find_map(|path| {
            let place = self.find(&path, &finding.text)?;
            Some((path, place))
        })
    }

    fn all(&mut self, path: &str) -> &[String] {
        if self.last.as_ref().is_none_or(|(last, _)| last != path) {
            let bytes = self.opened.source.read(&self.opened.path(path), read::MAX_DOCUMENT_BYTES);
            let lines = bytes.map(|bytes| read::lines(&bytes)).unwrap_or_default();
            self.last = Some((path.to_owned(), lines));
        }
        self.last.as_ref().map_or(&[], |(_, lines)| lines)
    }
}

fn annotations(opened: &[OpenedWorkspace]) -> String {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let mut annotations = Annotations::default();
    for workspace in opened {
        losses(workspace, &here, &mut annotations);
    }
    for workspace in opened {
        for problem in &workspace.workspace.problems {
            let spot = SourceLocation {
                file: file(workspace, &problem.path, &here),
                place: problem.place,
            };
            annotations.problem(problem, &spot);
        }
    }
    annotations.into_text()
}

fn losses(opened: &OpenedWorkspace, here: &Path, annotations: &mut Annotations) {
    let analysis = opened.analysis();
    let Some(change) = digest::reference(&analysis) else { return };
    let workspace = &opened.workspace;
    // What an edit lost that was taken back is lost no more.
    if digest::stale(workspace, &change.after).is_some_and(|stale| stale.measured_in.is_some()) {
        return;
    }
    let [before, after] = change.sides().map(|side| {
        format!("{} {}", workspace.iterations[side.iteration].name, side.configuration)
    });
    let mut lines = SourceLines { opened, last: None };
    let changes = Comparisons::empty(workspace, &analysis).for_change(change);
    for flip in changes.regressed() {
        let line = &analysis.cases[flip.case];
        // The annotation is shown at the verdict of a run that failed.
        let failed = changes.verdicts(flip).find(|(_, check)| check.outcome == Outcome::Failed);
        let loss = AnnotatedLoss {
            flip,
            line,
            sides: [&before, &after],
            evidence: failed.and_then(|(_, check)| check.evidence.as_deref()),
            known: gate::known_issue(&opened.settings, line, flip),
        };
        let spot = failed.and_then(|(run, _)| run.grading()).map(|grading| SourceLocation {
            file: file(opened, &grading.path, here),
            place: lines.find(&grading.path, flip.text),
        });
        annotations.loss(loss, &spot.unwrap_or_default());
    }
}

/// The path of a file in the repository; `None` outside the current folder, or with a secret name.
fn file(opened: &OpenedWorkspace, path: &str, here: &Path) -> Option<String> {
    let below = opened.path(path);
    if opened.source.guard().in_source(&below) != below {
        return None;
    }
    // What was made of the results of several sides lies nowhere.
    let place = Some(opened.locate(path)).filter(|place| place.symlink_metadata().is_ok())?;
    let names = place.strip_prefix(here).ok()?.iter().map(|name| name.to_string_lossy());
    Some(names.collect::<Vec<_>>().join("/")).filter(|path| !path.is_empty())
}
