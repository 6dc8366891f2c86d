//! Files for other programs: tables of runs and expectations, and verdicts for a CI system.
//!
//! Entry point: `streams`. A file is made piece by piece, case by case, so that memory does not
//! grow with the runs. Like `report.json` they are in English. Evidence stands in the
//! `benchmark.json` of each iteration; only `junit.xml`, which holds one iteration, repeats it.

mod cell;
mod csv;
mod expectations;
mod jsonl;
mod junit;
mod runs;
mod stream;

pub use crate::render::data::export::cell::Documented;
pub(crate) use crate::render::data::export::stream::Stream;

use crate::digest::Standings;
use crate::render::context::{Part, PartAddresses};
use crate::settings::Export;

/// The columns of `runs.csv` and the keys of `runs.jsonl`, for the documentation.
pub fn run_columns() -> Vec<Documented> {
    cell::documented(&runs::columns())
}

/// The columns of `expectations.csv`, for the documentation.
pub fn expectation_columns() -> Vec<Documented> {
    cell::documented(&expectations::columns())
}

/// One workspace, and where its pages lie.
#[derive(Clone, Copy)]
struct Place<'a> {
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
}

/// Adds the files that the settings of `part` ask for.
pub(crate) fn streams<'a>(
    part: &'a Part<'a>,
    addresses: &'a PartAddresses,
    standings: &'a [Standings],
    streams: &mut Vec<Stream<'a>>,
) {
    let place = Place { part, addresses };
    for export in &part.settings.export {
        for name in export.files() {
            let path = addresses.beside(name);
            streams.push(match (export, *name) {
                (Export::Csv, "runs.csv") => {
                    Stream::of(path, move || csv::pieces(runs::columns(), runs::by_case(place)))
                }
                (Export::Csv, _) => Stream::of(path, move || {
                    csv::pieces(expectations::columns(), expectations::by_case(place))
                }),
                (Export::Jsonl, _) => {
                    Stream::of(path, move || jsonl::pieces(runs::columns(), runs::by_case(place)))
                }
                (Export::Junit, _) => Stream::of(path, move || junit::pieces(place, standings)),
            });
        }
    }
}

impl<'a> Place<'a> {
    /// Every case of every iteration, by their places in the workspace.
    fn cases(self) -> impl Iterator<Item = (usize, usize)> + 'a {
        let iterations = self.part.workspace.iterations.iter().enumerate();
        iterations.flat_map(|(index, it)| (0..it.cases.len()).map(move |case| (index, case)))
    }
}
