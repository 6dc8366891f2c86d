//! What to do where nothing is graded yet: `init`, help and a build without verdicts say the same.

use std::path::Path;

/// The way to a first report.
pub(super) const STEPS: &str = "\
No gradings yet? evalbook runs no agent and grades nothing. Do this once:
  1. evalbook init SKILL               makes a folder for each case, side and run
  2. run your agent on each prompt, with the skill and without, and keep its files in outputs/
  3. evalbook schema grading --prompt  prints a prompt for another agent, which grades each run
  4. evalbook build SKILL-workspace    writes the report";

/// The rest of the way where outputs are there.
pub(super) const GRADING_STEPS: &str = "\
The outputs are here. To grade them:
  1. evalbook schema grading --prompt  prints a prompt for an agent, which grades each run
  2. evalbook build WORKSPACE          writes the report again";

/// What follows once `init` made the folders of `workspace`.
pub(super) fn next_steps(workspace: &Path) -> String {
    format!(
        "next: run each case into `outputs/`, grade it into `grading.json` next to them (`evalbook \
         schema grading --prompt` prints a prompt for that), then `evalbook build {}`",
        workspace.display()
    )
}

/// What follows where every run counts again and only checks changed.
pub(super) fn regrading_steps(workspace: &Path) -> String {
    format!(
        "next: have the checks under `regrade` in each `reused.json` judged, write them to a \
         `grading.json` in the same folder, then `evalbook build {}`",
        workspace.display()
    )
}
