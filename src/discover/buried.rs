//! Gradings that lie deeper in a run than a grading is read from.
//!
//! Deep in a run that has a grading they are something that the run made. In a run that has none,
//! or right below its folder, they may be its own, so they are told of rather than passed over.

use std::collections::BTreeSet;

use crate::discover::{FoundOutput, Kind, Place, Section, kinds, names};
use crate::model::{Code, Problem};

/// What tells runs apart: case, configuration and number, each where it is known.
type Levels<'a> = (Option<&'a str>, Option<&'a str>, Option<u32>);

/// One problem per grading among the loose files of a run that may be meant for it.
pub(super) fn problems(section: &Section) -> Vec<Problem> {
    let gradings = section.documents.iter().filter(|document| document.kind == Kind::Grading);
    let graded: BTreeSet<_> =
        gradings.map(|document| (&document.place.iteration, levels(&document.place))).collect();
    let is_graded = |place: &Place| {
        let (case, configuration, run) = levels(place);
        let mut above = [(case, configuration, run), (case, configuration, None)]
            .into_iter()
            .chain([(case, None, None), (None, None, None)]);
        above.any(|levels| graded.contains(&(&place.iteration, levels)))
    };
    let outputs = section.outputs.iter().filter(|output| !output.place.in_outputs);
    outputs
        .filter(|output| kinds::of_path(&output.file.path) == Some(Kind::Grading))
        .filter(|output| !is_graded(&output.place) || is_right_below(output))
        .map(|output| problem(&output.file.path))
        .collect()
}

fn is_right_below(output: &FoundOutput) -> bool {
    names::below(names::folder(&output.file.path), &output.place.folder)
        .is_some_and(|folder| !folder.contains('/'))
}

fn levels(place: &Place) -> Levels<'_> {
    (place.case.as_deref(), place.configuration.as_deref(), place.run)
}

fn problem(path: &str) -> Problem {
    let message = "a grading lies in a folder of its run, not beside what the run left".to_owned();
    Problem::new(Code::LostVerdicts, path, message)
        .assuming("shown as an output; its verdicts are not counted")
        .help("move it into the run's folder, or into a run of its own")
}
