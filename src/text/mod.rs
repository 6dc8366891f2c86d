//! Text for people: order, counts and numbers. A leaf.

mod natural;
mod number;

pub use natural::natural_order;
pub use number::{bytes, count, fixed, percent, points, seconds, signed, tokens};
