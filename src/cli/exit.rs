//! Exit codes, the same for every command.

/// Everything is fine.
pub const FINE: u8 = 0;

/// A check or gate failed.
pub const FAILED: u8 = 1;

/// The arguments make no sense.
pub const USAGE: u8 = 2;

/// Nothing could be read or written.
pub const NOTHING: u8 = 3;
