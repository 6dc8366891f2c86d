//! evalbook turns a workspace of agent-skill evaluations into a review report.
//!
//! `ARCHITECTURE.md` names the modules in the order of the pipeline, with what each takes and gives.
//! Each imports only from those before it and from the leaves that it lists;
//! `tests/suite/in_process/architecture.rs` checks that.
//! `cli` puts them together.

mod analyze;
mod baseline_json;
mod benches;
mod budget;
mod chart;
mod cli;
mod diff_view;
mod digest;
mod expression;
mod gate;
mod language;
mod page_policy;
mod preview;
mod render;
mod report_json;
mod scaffold;
mod schema;
mod serve;
mod wording;
mod write;

#[cfg(test)]
mod tests;

// What is public counts as used, and so do its public methods and the types in its signatures.
// So nothing is but what `main`, the integration tests and the benches call: for all else rustc
// says what nobody uses.

pub use cli::run;

// Lists in the reference and in schemas, which tests compare with the code.
pub use analyze::verdict_words;
pub use cli::console::ENVIRONMENT;
pub use cli::exit::TABLE as EXIT_CODES;
pub use input::discover::kinds::{Kind, kind_of_path as kind_of};
pub use input::model::Code;
pub use input::settings::keys::keys as settings_keys;
pub use render::export::{expectation_columns, run_columns};
pub use schema::{KINDS as SCHEMAS, json_schema};

// What is measured.
pub use benches::{Alarms, CaseSides, MadeUpRun, alarms, headline};
pub use statistics::{
    CaseRuns, CaseWilson, ClaimScope, Evidence, Extension, Moves, NamedOutcome, PValues, Random,
    Rivals, RunNoise, Share, Shift, Verdict, adjusted, chance_to_settle, mean, mean_interval,
    normal_quantile, rerun_loss,
};
