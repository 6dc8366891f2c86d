//! Exit codes, the same for every command.

/// Everything is fine.
pub const FINE: u8 = 0;

/// A check or gate failed.
pub const FAILED: u8 = 1;

/// The arguments make no sense.
pub const USAGE: u8 = 2;

/// Nothing could be read or written.
pub const NOTHING: u8 = 3;

/// Every code with what it says, in few words and in full; help, manual and README are made from it.
pub const TABLE: &[(u8, &str, &str)] = &[
    (FINE, "fine", "the command did what was asked; problems of the input do not change that"),
    (
        FAILED,
        "a check or gate failed",
        "`check` found an error, with `--strict` also a warning; a rule of a gate failed or could \
         not be checked",
    ),
    (USAGE, "wrong usage", "the arguments or the settings make no sense; nothing was written"),
    (
        NOTHING,
        "nothing could be read or written",
        "a folder cannot be opened or holds no results, or a file cannot be written; what stood \
         there before still does",
    ),
];

/// All codes in one sentence.
pub(super) fn sentence() -> String {
    let codes: Vec<String> = TABLE.iter().map(|(code, says, _)| format!("{code} {says}")).collect();
    format!("Exit codes: {}.", codes.join(", "))
}
