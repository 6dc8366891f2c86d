//! What the environment decides.

use std::env::{var, var_os};

/// Every variable with what it decides; manual and README are made from it.
pub const TABLE: &[(&str, &str)] = &[
    ("NO_COLOR", "no color, where it is set and not empty; `--color` stands above it"),
    ("CLICOLOR_FORCE", "color on what is no terminal too, where it is set and not empty"),
    ("CLICOLOR", "no color where it is `0`"),
    ("TERM", "no color and no bar of progress where it is `dumb`"),
    ("CI", "no bar of progress, where it is set and neither empty nor `false`"),
    (
        "SOURCE_DATE_EPOCH",
        "the time that `snapshot`, `benchmark` and `serve` write down, in seconds since 1970",
    ),
    ("TMPDIR", "where `serve` keeps its reports; not in a workspace"),
    ("COLUMNS", "how wide help is where there is no terminal"),
];

/// Whether a line on the terminal may be drawn again and again.
pub(super) fn allows_progress() -> bool {
    let is_dumb = var_os("TERM").is_some_and(|term| term == "dumb");
    let is_ci = var("CI").is_ok_and(|ci| !ci.is_empty() && ci != "false");
    !is_dumb && !is_ci
}
