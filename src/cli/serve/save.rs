//! Saves comments sent by pages to the `feedback.json` they belong to, and judgements to the
//! `comparison-human.json` of their iteration.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::clock;
use crate::scaffold::comparison_file::{Judgement, save_judgement};
use crate::scaffold::feedback_file::{
    CheckMark, Comment, FeedbackError, mark_complete, save_comment, save_mark,
};
use crate::serve::{Reply, Status};
use crate::wording::judged;
use crate::write;
use guard::Guard;
use input::files::{self, Disk};
use input::model::Outcome;
use workspace::read::MAX_DOCUMENT_BYTES;

/// How often others may change the file between reading and writing.
const ATTEMPTS: usize = 16;

/// How often a file that is not JSON is read again: somebody may be writing it.
const LOOKS: usize = 3;
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub(super) struct FileOnDisk {
    /// The folder given by the user, and the path of the file in it.
    pub(super) disk: Disk,
    pub(super) path: String,
    pub(super) shown: String,
    /// Where judgements on the run go.
    pub(super) comparison_path: String,
    pub(super) comparison_shown: String,
    pub(super) names: Vec<String>,
    /// Keeps secrets out of the pages, and so out of answers to them.
    pub(super) guard: Arc<Guard>,
    /// Whether they mean it in any spelling.
    pub(super) folds: bool,
}

/// What a page hands in: words on a run, a judgement of it and another run, a doubt about the grader, or that
/// the review of an iteration is complete.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum Submission {
    Words {
        place: String,
        text: String,
        before: String,
    },
    State {
        place: String,
        state: SubmittedState,
    },
    Judgement {
        place: String,
        judgement: Judgement,
    },
    /// Whether the grader is wrong on a check of the run.
    Dispute {
        place: String,
        check: String,
        disputed: bool,
    },
    /// Whether the output passes a check, as somebody says who has not seen the verdict.
    Answer {
        place: String,
        check: String,
        judged: SubmittedAnswer,
    },
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SubmittedAnswer {
    Passed,
    Failed,
    Unknown,
    TakenBack,
}

impl SubmittedAnswer {
    /// As the file has it; `None` where there is nothing to say any more.
    fn word(self) -> Option<&'static str> {
        match self {
            Self::Passed => Some(judged::word(Outcome::Passed)),
            Self::Failed => Some(judged::word(Outcome::Failed)),
            Self::Unknown => Some(judged::word(Outcome::Ungraded)),
            Self::TakenBack => None,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum SubmittedState {
    Complete,
}

/// Why nothing was saved: the status and the answer, without the file.
type SaveError = (Status, Value);

pub(super) struct FeedbackSaver {
    places: Mutex<BTreeMap<String, FileOnDisk>>,
    /// Held while a file is changed, so that two pages take turns.
    turn: Mutex<()>,
    lines: Sender<String>,
}

impl FeedbackSaver {
    /// Reports what is saved to `lines`. Removes what a killed server left next to the files.
    pub(super) fn new(places: BTreeMap<String, FileOnDisk>, lines: Sender<String>) -> Self {
        let files: BTreeMap<&str, &FileOnDisk> =
            places.values().map(|place| (place.shown.as_str(), place)).collect();
        for place in files.into_values() {
            if let Ok(file) = place.disk.place(&place.path) {
                write::tidy(&file);
            }
        }
        Self { places: Mutex::new(places), turn: Mutex::default(), lines }
    }

    pub(super) fn places(&self) -> MutexGuard<'_, BTreeMap<String, FileOnDisk>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self, body: &[u8]) -> Reply {
        let Ok(handed) = serde_json::from_slice::<Submission>(body) else {
            return Reply::json(Status::BAD_REQUEST, &json!({ "error": "unknown" }));
        };
        let (Submission::Words { place, .. }
        | Submission::State { place, .. }
        | Submission::Dispute { place, .. }
        | Submission::Answer { place, .. }
        | Submission::Judgement { place, .. }) = &handed;
        let file = self.places().get(place).cloned();
        let is_run = !matches!(handed, Submission::State { .. });
        let Some(mut place) = file.filter(|place| place.names.is_empty() != is_run) else {
            return Reply::json(Status::NOT_FOUND, &json!({ "error": "gone", "file": "" }));
        };
        if matches!(handed, Submission::Judgement { .. }) {
            place.path.clone_from(&place.comparison_path);
            place.shown.clone_from(&place.comparison_shown);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        match save(&place, &handed) {
            Ok(()) => {
                // Nobody reads the lines once the program ends.
                let _ = self.lines.send(format!("saved to {}", place.shown));
                Reply::json(Status::OK, &json!({ "saved": true, "file": place.shown }))
            }
            Err((status, mut answer)) => {
                answer["file"] = json!(place.shown);
                Reply::json(status, &answer)
            }
        }
    }
}

fn save(place: &FileOnDisk, handed: &Submission) -> Result<(), SaveError> {
    // From here on, the open folder is used: it may be swapped for a link at any moment.
    let Ok(file) = place.disk.place(&place.path) else {
        return Err((Status::NOT_FOUND, json!({ "error": "gone" })));
    };
    let _lock = write::lock_folder_of(&file).map_err(|error| refused(error.to_string()))?;
    let time = clock::timestamp().map_err(|failure| refused(failure.message))?;
    let mut looks = 0;
    for _ in 0..ATTEMPTS {
        let before =
            file.read(MAX_DOCUMENT_BYTES + 1).map_err(|error| refused(files::reason(&error)))?;
        if before.as_ref().is_some_and(|bytes| bytes.len() as u64 > MAX_DOCUMENT_BYTES) {
            return Err(refused("it is too large".to_owned()));
        }
        let text = match changed(before.as_deref(), place, handed, &time) {
            Err(FeedbackError::NotJson) if looks < LOOKS => {
                looks += 1;
                std::thread::sleep(PAUSE);
                continue;
            }
            result => result.map_err(unchanged)?,
        };
        if before.as_deref() == Some(text.as_bytes()) {
            return Ok(());
        }
        let is_replaced = write::replace(&file, before.as_deref(), text.as_bytes());
        if is_replaced.map_err(|error| refused(error.to_string()))? {
            return Ok(());
        }
    }
    Err(refused("others go on changing it".to_owned()))
}

fn changed(
    before: Option<&[u8]>,
    place: &FileOnDisk,
    handed: &Submission,
    time: &str,
) -> Result<String, FeedbackError> {
    let text = before.map(std::str::from_utf8).transpose().map_err(|_| FeedbackError::NotJson)?;
    match handed {
        Submission::State { state: SubmittedState::Complete, .. } => mark_complete(text),
        Submission::Judgement { judgement, .. } => {
            save_judgement(text, judgement).ok_or(FeedbackError::Foreign)
        }
        Submission::Dispute { check, disputed, .. } => {
            save_mark(text, &wordless(place, time), CheckMark::Disputed { check, is: *disputed })
        }
        Submission::Answer { check, judged, .. } => {
            let mark = CheckMark::Judged { check, outcome: judged.word() };
            save_mark(text, &wordless(place, time), mark)
        }
        Submission::Words { text: words, before, .. } => {
            let comment = Comment { names: &place.names, folds: place.folds, before, words, time };
            save_comment(text, &comment, &|text| place.guard.clean(text).into_owned())
        }
    }
}

/// A comment without words on the run of a place.
fn wordless<'c>(place: &'c FileOnDisk, time: &'c str) -> Comment<'c> {
    Comment { names: &place.names, folds: place.folds, before: "", words: "", time }
}

fn refused(reason: String) -> SaveError {
    (Status::FAILED, json!({ "error": "refused", "reason": reason }))
}

fn unchanged(error: FeedbackError) -> SaveError {
    match error {
        FeedbackError::Other(text) => (Status::CONFLICT, json!({ "error": "other", "text": text })),
        FeedbackError::Shape => (Status::UNPROCESSABLE, json!({ "error": "shape" })),
        FeedbackError::NoState => (Status::UNPROCESSABLE, json!({ "error": "no_state" })),
        FeedbackError::Foreign => (Status::UNPROCESSABLE, json!({ "error": "foreign" })),
        FeedbackError::NotJson => (Status::UNPROCESSABLE, json!({ "error": "unreadable" })),
    }
}
