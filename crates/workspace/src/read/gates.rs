//! Regression gates of another program, as `regression_gates.json` has them. They are not followed.

use crate::read::alias::gates;
use crate::read::cursor::Cursor;
use input::model::Code;

/// The problem names the settings that do the same.
pub(super) fn report(root: Cursor<'_>) {
    let forbids_loss = root.get(&gates::NON_NEGATIVE).and_then(|value| value.node().as_bool());
    let mut least = root.number(&gates::MIN_PASS_RATE_DELTA).unwrap_or(0.0);
    // The script that reads such files allows no loss unless the file says so.
    if forbids_loss != Some(false) {
        least = least.max(0.0);
    }
    let points = (least * 100.0 * 1e6).round() / 1e6;
    let mut settings = format!("`min_gain = {points}`");
    if let Some(seconds) = root.number(&gates::MAX_TIME) {
        settings += &format!(", `max_time_increase = {seconds}`");
    }
    if let Some(tokens) = root.number(&gates::MAX_TOKENS) {
        settings += &format!(", `max_token_increase = {tokens}`");
    }
    let message = "regression gates for another program, which evalbook does not follow";
    let assumed = "judged by the rules of evalbook.toml alone";
    let help = format!("write {settings} below `[gate]` in evalbook.toml");
    root.problem(Code::GatesNotFollowed, message, assumed, &help);
}
