//! Statistics of evaluations: numbers in, numbers out. A leaf.

mod spread;

pub use spread::Spread;
