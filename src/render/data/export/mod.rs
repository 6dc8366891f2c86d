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

use crate::render::context::Site;
use crate::settings::Export;

/// The columns of `runs.csv` and the keys of `runs.jsonl`, for the documentation.
pub fn run_columns() -> Vec<Documented> {
    cell::documented(&runs::columns())
}

/// The columns of `expectations.csv`, for the documentation.
pub fn expectation_columns() -> Vec<Documented> {
    cell::documented(&expectations::columns())
}

/// Adds the files that the settings of `site` ask for.
pub(crate) fn streams<'a>(site: Site<'a>, streams: &mut Vec<Stream<'a>>) {
    let files = site.part.settings.export.iter();
    for (export, name) in files.flat_map(|it| it.files().iter().map(move |name| (it, *name))) {
        let path = site.addresses.beside(name);
        streams.push(match (export, name) {
            (Export::Csv, "runs.csv") => {
                Stream::of(path, move || csv::pieces(runs::columns(), runs::by_case(site)))
            }
            (Export::Csv, _) => Stream::of(path, move || {
                csv::pieces(expectations::columns(), expectations::by_case(site))
            }),
            (Export::Jsonl, _) => {
                Stream::of(path, move || jsonl::pieces(runs::columns(), runs::by_case(site)))
            }
            (Export::Junit, _) => Stream::of(path, move || junit::pieces(site)),
        });
    }
}
