//! What people said, each comment beside its run and what became of its case afterwards.

use std::fmt::Display;

use serde::Serialize;

use crate::model::{About, Case, Feedback, Iteration, Review, ReviewState, Run};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::html::feedback_text;
use crate::render::html::overview::tally;
use crate::render::pages::Site;
use crate::render::view::{Frame, Link, Rate};

/// So many runs are listed on the page, those of the newest iterations first; of the others only
/// those with a comment.
const LISTED: usize = 2000;

#[derive(Serialize)]
struct FeedbackView {
    frame: Frame,
    lead: String,
    iterations: Vec<IterationView>,
}

#[derive(Serialize)]
struct IterationView {
    anchor: String,
    link: Link,
    name: String,
    shape: &'static str,
    /// The file that an export replaces, or empty.
    file: String,
    /// Its text, or empty where the page does not carry it along.
    document: String,
    files: Vec<String>,
    comments: Vec<Comment>,
    unattached: Vec<Comment>,
    runs: Vec<RunItem>,
    unlisted: String,
}

#[derive(Serialize)]
struct Comment {
    run_id: String,
    run: String,
    about: Option<Link>,
    text: String,
    time: String,
    effect: String,
    /// Whether it is from another file than the one that an export replaces.
    is_elsewhere: bool,
}

#[derive(Serialize)]
struct RunItem {
    id: String,
    link: Link,
}

/// A comment on the page of its run.
#[derive(Serialize)]
pub(super) struct RunComment {
    run_id: String,
    text: String,
    time: String,
    is_on_case: bool,
}

/// Adds the page.
pub(super) fn page<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.feedback();
    let render = {
        let path = path.clone();
        move || site.templates.fill("feedback.html", &path, &view(site, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

/// The line on the page of an iteration that leads to its comments; `None` without any feedback.
pub(super) fn line(site: Site<'_>, path: &str, index: usize) -> Option<Link> {
    let all = &site.part.workspace.iterations[index].feedback;
    let number: usize = all.iter().map(|feedback| feedback.reviews.len()).sum();
    let text = site.language.count(number, "comment");
    (!all.is_empty()).then(|| Link { href: href(site, path, index), text })
}

/// The way from the page at `path` to the comments of one iteration.
pub(super) fn href(site: Site<'_>, path: &str, index: usize) -> String {
    let page = link(path, &site.addresses.feedback());
    format!("{page}#{}", site.addresses.feedback_anchor(index))
}

/// What was said on one run, and on its case as a whole.
pub(super) fn comments_on(iteration: &Iteration, case: usize, run: usize) -> Vec<RunComment> {
    comments(iteration, |about| about == About::Run { case, run } || about == About::Case { case })
}

/// What was said on a case and on any of its runs.
pub(super) fn comments_of(iteration: &Iteration, case: usize) -> Vec<RunComment> {
    comments(iteration, |about| match about {
        About::Run { case: other, .. } | About::Case { case: other } => other == case,
        About::Unknown => false,
    })
}

fn comments(iteration: &Iteration, is_meant: impl Fn(About) -> bool) -> Vec<RunComment> {
    let reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    let comment = |review: &Review| RunComment {
        run_id: review.run_id.clone(),
        text: review.text.clone(),
        time: review.timestamp.clone().unwrap_or_default(),
        is_on_case: matches!(review.about, About::Case { .. }),
    };
    reviews.filter(|review| is_meant(review.about)).map(comment).collect()
}

fn view(site: Site<'_>, path: &str) -> FeedbackView {
    let iterations = &site.part.workspace.iterations;
    let title = site.language.text("feedback.title");
    let all = iterations.iter().flat_map(|it| &it.feedback);
    let number: usize = all.map(|feedback| feedback.reviews.len()).sum();
    let mut left = Left { runs: LISTED, bytes: feedback_text::ROOM };
    FeedbackView {
        frame: site.frame(path, title, &[(site.addresses.overview(), site.title())]),
        lead: site.language.count(number, "comment"),
        iterations: (0..iterations.len())
            .rev()
            .map(|index| iteration(site, path, index, &mut left))
            .collect(),
    }
}

/// What still finds room on the page.
struct Left {
    runs: usize,
    /// Bytes of the files themselves.
    bytes: usize,
}

fn iteration(site: Site<'_>, path: &str, index: usize, left: &mut Left) -> IterationView {
    let iteration = &site.part.workspace.iterations[index];
    let first = iteration.feedback.first();
    let reviews = iteration.feedback.iter().enumerate();
    let reviews = reviews.flat_map(|(at, file)| file.reviews.iter().map(move |it| (at > 0, it)));
    let (attached, unattached): (Vec<_>, Vec<_>) =
        reviews.partition(|(_, review)| review.about != About::Unknown);
    let comment = |(is_elsewhere, review): &(bool, &Review)| Comment {
        is_elsewhere: *is_elsewhere,
        ..comment(site, path, index, review)
    };
    let number = iteration.runs().count();
    let is_listed = number <= left.runs;
    left.runs -= if is_listed { number } else { 0 };
    let document = first.and_then(|it| feedback_text::of(site, it, &mut left.bytes));
    let runs = runs(site, path, index, is_listed);
    let unlisted = number - runs.len();
    IterationView {
        anchor: site.addresses.feedback_anchor(index),
        link: Link {
            href: link(path, &site.addresses.iteration(index)),
            text: iteration.name.clone(),
        },
        name: iteration.name.clone(),
        shape: if first.is_some_and(|it| it.flat) { "flat" } else { "reviews" },
        file: first.map(|it| it.path.clone()).unwrap_or_default(),
        document: document.unwrap_or_default(),
        files: iteration.feedback.iter().map(|feedback| file(site, feedback)).collect(),
        comments: attached.iter().map(comment).collect(),
        unattached: unattached.iter().map(comment).collect(),
        runs,
        unlisted: match unlisted {
            0 => String::new(),
            _ => {
                let number = site.language.count(unlisted, "run");
                site.language.fill("feedback.unlisted", &[("number", &number)])
            }
        },
    }
}

/// One file of feedback: its name, how far the reviewer got, how many reviews have no words.
fn file(site: Site<'_>, feedback: &Feedback) -> String {
    let state = match feedback.state {
        ReviewState::Complete => "feedback.complete",
        ReviewState::InProgress => "feedback.in_progress",
        ReviewState::Unknown => "feedback.unknown_state",
    };
    let blank = site.language.count(feedback.blank, "blank_review");
    let parts = [feedback.path.as_str(), site.language.text(state)];
    let blank = (feedback.blank > 0).then_some(blank.as_str());
    parts.into_iter().chain(blank).collect::<Vec<_>>().join(" · ")
}

fn comment(site: Site<'_>, path: &str, index: usize, review: &Review) -> Comment {
    Comment {
        run_id: review.run_id.clone(),
        run: match review.about {
            About::Run { case, run } => name_of(&site.part.workspace.iterations[index], case, run),
            _ => String::new(),
        },
        about: about(site, path, index, review.about),
        text: review.text.clone(),
        time: review.timestamp.clone().unwrap_or_default(),
        effect: review
            .about
            .case()
            .map(|case| effect(site, index, case, review.about))
            .unwrap_or_default(),
        is_elsewhere: false,
    }
}

/// The page of what a review is about.
fn about(site: Site<'_>, path: &str, index: usize, about: About) -> Option<Link> {
    let cases = &site.part.workspace.iterations[index].cases;
    let line = site.addresses.line(index, about.case()?);
    Some(match about {
        About::Run { case, run } => {
            let of = site.run_link(path, index, line, &cases[case].runs[run]);
            Link { text: format!("{}: {}", cases[case].name, of.text), ..of }
        }
        _ => {
            let case = &cases[about.case()?];
            Link { href: link(path, &site.addresses.case(line)), text: case.name.clone() }
        }
    })
}

/// How the case fared when the comment was written, and the next time it was graded.
fn effect(site: Site<'_>, index: usize, at: usize, about: About) -> String {
    let iterations = &site.part.workspace.iterations;
    let case = &iterations[index].cases[at];
    let Some(name) = configuration(site, index, case, about) else {
        return String::new();
    };
    let line = &site.part.analysis.lines[site.addresses.line(index, at)];
    let graded = line
        .meetings
        .iter()
        .filter(|met| met.iteration > index)
        .find(|met| tally(&iterations[met.iteration].cases[met.case], name).graded() > 0);
    let before = Rate::of(tally(case, name), site.language).counts;
    let first = &iterations[index].name;
    let Some(met) = graded else {
        let values: [(&str, &dyn Display); 3] =
            [("name", &name), ("before", &before), ("first", first)];
        return site.language.fill("feedback.effect_open", &values);
    };
    let after =
        Rate::of(tally(&iterations[met.iteration].cases[met.case], name), site.language).counts;
    let values: [(&str, &dyn Display); 5] = [
        ("name", &name),
        ("before", &before),
        ("first", first),
        ("after", &after),
        ("next", &iterations[met.iteration].name),
    ];
    let changed = if met.expectations_changed || met.prompt_changed {
        site.language.text("feedback.effect_changed")
    } else {
        ""
    };
    site.language.fill("feedback.effect", &values) + changed
}

/// The configuration a comment is about: its run's, else the iteration's candidate.
fn configuration<'s>(
    site: Site<'s>,
    index: usize,
    case: &'s Case,
    about: About,
) -> Option<&'s str> {
    match about {
        About::Run { run, .. } => Some(&case.runs[run].configuration),
        _ => site.part.analysis.iterations[index].roles.candidates.first().map(String::as_str),
    }
}

/// The runs of an iteration as a feedback file names them: all, or those with a comment.
fn runs(site: Site<'_>, path: &str, index: usize, is_all: bool) -> Vec<RunItem> {
    let iteration = &site.part.workspace.iterations[index];
    let known: Vec<&Review> = iteration.feedback.iter().flat_map(|it| &it.reviews).collect();
    let mut found = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        let line = site.addresses.line(index, at);
        for (number, run) in case.runs.iter().enumerate() {
            let about = About::Run { case: at, run: number };
            if is_all || known.iter().any(|review| review.about == about) {
                let of = site.run_link(path, index, line, run);
                let link = Link { text: format!("{}: {}", case.name, of.text), ..of };
                found.push(RunItem { id: name_of(iteration, at, number), link });
            }
        }
    }
    found
}

/// The name under which a run is commented: that of its review, where there is one.
pub(super) fn name_of(iteration: &Iteration, case: usize, run: usize) -> String {
    let about = About::Run { case, run };
    let mut reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    let known = reviews.find(|review| review.about == about).map(|review| review.run_id.clone());
    let case = &iteration.cases[case];
    known.unwrap_or_else(|| run_id(iteration, case, &case.runs[run]))
}

/// Whether the workspace has a comment on a run.
pub(super) fn is_commented(iteration: &Iteration, case: usize, run: usize) -> bool {
    let mut reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    reviews.any(|review| review.about == About::Run { case, run })
}

/// A run's name in a feedback file: its folder below the iteration with `-` for `/`; made from its
/// case, configuration and number where it has no folder of its own.
fn run_id(iteration: &Iteration, case: &Case, run: &Run) -> String {
    let below = match iteration.path.as_str() {
        "" => Some(run.path.as_str()),
        folder => run.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    match below.filter(|below| !below.is_empty() && !below.ends_with(".json")) {
        Some(below) => below.replace('/', "-"),
        None => {
            let name = if case.folder.is_empty() { &case.name } else { &case.folder };
            format!("{name}-{}-run-{}", run.configuration, run.number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run_id;
    use crate::model::{Case, Iteration, Run};

    fn id(iteration: &str, run: &str) -> String {
        let iteration = Iteration { path: iteration.to_owned(), ..Iteration::default() };
        let case = Case { name: "A case".to_owned(), folder: "a".to_owned(), ..Case::default() };
        let (path, configuration) = (run.to_owned(), "with_skill".to_owned());
        run_id(&iteration, &case, &Run { path, configuration, number: 2, ..Run::default() })
    }

    #[test]
    fn a_run_is_named_by_its_folder_below_the_iteration() {
        assert_eq!(id("iteration-1", "iteration-1/a/with_skill/run-2"), "a-with_skill-run-2");
        assert_eq!(id("", "a/with_skill"), "a-with_skill");
        assert_eq!(id("iteration-1", "iteration-1/a-grading.json"), "a-with_skill-run-2");
        assert_eq!(id("iteration-1", "elsewhere/run-2"), "a-with_skill-run-2");
    }
}
