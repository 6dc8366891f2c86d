//! Metadata of cases: which of several descriptions counts.

use crate::assemble::draft::{Closeness, Draft, closeness};
use crate::discover::{Document, IterationKey, Kind, Place};
use crate::model::{Code, PlannedCase, Problem, Workspace};
use crate::read::Record;

impl Draft {
    /// Takes what the document says of its case, which is called `name` where that is known better.
    pub(super) fn take_case(
        &mut self,
        document: &Document,
        record: &mut Record,
        name: Option<String>,
    ) {
        let Some(mut planned) = record.case.take() else {
            return;
        };
        let place = &document.place;
        let Some(folder) = place.case.clone() else {
            self.take_case_above(place, planned);
            return;
        };
        if document.kind == Kind::Transcript {
            let key = (place.iteration.clone(), folder);
            self.asked.entry(key).or_insert(planned.prompt.unwrap_or_default());
            return;
        }
        self.known.entry(place.iteration.clone()).or_default().describe(&folder, &planned);
        planned.name = name.or(planned.name);
        let draft = self.case(&place.iteration, &folder);
        let contradiction = contradiction(&draft.planned, &planned, document);
        fill_case(&mut draft.planned, planned);
        self.problems.extend(contradiction);
    }

    /// Metadata above the cases is for those of its iteration, else for all.
    fn take_case_above(&mut self, place: &Place, planned: PlannedCase) {
        match &place.iteration {
            IterationKey::Folder(_) => {
                self.described.entry(place.iteration.clone()).or_default().push(planned);
            }
            IterationKey::Group(_) => self.planned.push(planned),
        }
    }

    /// Gives cases that nobody described the prompt of their transcript.
    pub(in crate::assemble) fn give_prompts(&self, workspace: &mut Workspace) {
        for ((iteration, folder), prompt) in &self.asked {
            let (path, implicit) = match iteration {
                IterationKey::Folder(path) => (path, false),
                IterationKey::Group(path) => (path, true),
            };
            let mut iterations = workspace.iterations.iter_mut();
            let found = iterations.find(|it| it.path == *path && it.implicit == implicit);
            let case = found.and_then(|it| it.cases.iter_mut().find(|case| case.folder == *folder));
            if let Some(case) = case.filter(|case| case.prompt.is_none()) {
                case.prompt = Some(prompt.clone());
            }
        }
    }
}

/// Metadata before prompts alone before figures, and of each kind the closest to the case.
pub(super) fn described_order(document: &Document) -> (u8, std::cmp::Reverse<Closeness>) {
    let rank = match document.kind {
        Kind::CaseMetadata => 0,
        Kind::Prompt => 1,
        _ => 2,
    };
    (rank, std::cmp::Reverse(closeness(&document.place)))
}

/// What metadata farther from the case says otherwise than what was taken.
fn contradiction(taken: &PlannedCase, other: &PlannedCase, document: &Document) -> Option<Problem> {
    let differs = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => a.trim() != b.trim(),
        _ => false,
    };
    let fields = [
        ("id", differs(&taken.id, &other.id)),
        ("name", differs(&taken.name, &other.name)),
        ("prompt", differs(&taken.prompt, &other.prompt)),
    ];
    let named: Vec<&str> =
        fields.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect();
    if named.is_empty() || document.kind != Kind::CaseMetadata {
        return None;
    }
    let message = format!("another {} than other metadata of the case", named.join(" and "));
    let problem = Problem::new(Code::CaseContradicts, &document.path, message);
    Some(
        problem
            .assuming("the metadata closest to the case was taken")
            .help("describe the case once"),
    )
}

/// Takes from `other` what is absent in `slot`.
pub(super) fn fill_case(slot: &mut PlannedCase, other: PlannedCase) {
    slot.id = slot.id.take().or(other.id);
    slot.name = slot.name.take().or(other.name);
    slot.prompt = slot.prompt.take().or(other.prompt);
    slot.expected_output = slot.expected_output.take().or(other.expected_output);
    if slot.files.is_empty() {
        slot.files = other.files;
    }
    if slot.expectations.is_empty() {
        slot.expectations = other.expectations;
    }
}
