//! One side of a comparison.

/// One configuration of one iteration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side {
    pub iteration: usize,
    pub configuration: String,
}

impl Side {
    pub fn new(iteration: usize, configuration: &str) -> Self {
        Self { iteration, configuration: configuration.to_owned() }
    }

    /// Whether both are in one iteration, so that neither is earlier or later.
    pub fn is_within_iteration(&self, other: &Self) -> bool {
        self.iteration == other.iteration
    }
}
