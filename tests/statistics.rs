//! The statistics against reference values of independent libraries, and what must hold for every
//! input.

#[path = "statistics/properties.rs"]
mod properties;
#[path = "statistics/reference.rs"]
mod reference;
#[path = "statistics/walk.rs"]
mod walk;
