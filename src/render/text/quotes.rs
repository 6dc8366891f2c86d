//! Where the quotations of graders are, in words.

use std::fmt::Display;

use crate::analyze::{Found, Quote, QuoteCounts, Quotes};
use crate::language::Language;
use crate::render::context::cut_line;

/// So many quotations of a check are named one by one.
const NAMED: usize = 3;

/// The most characters of a quotation that are repeated.
const LONGEST: usize = 120;

/// What is worth saying of the quotations of a check: first those that are not there. Nothing is said
/// of what is not known.
pub(crate) fn remarks(quotes: &[Quote], language: &Language) -> Vec<String> {
    let missing = quotes.iter().filter(|quote| quote.found == Found::Missing);
    let mut remarks: Vec<String> =
        missing.take(NAMED).map(|quote| named("quotes.missing", quote, &[], language)).collect();
    for quote in quotes {
        match &quote.found {
            Found::Elsewhere(Some(file)) => {
                remarks.push(named("quotes.in_other_run", quote, &[("file", file)], language));
            }
            Found::There { file, line, distance: distance @ 1.., words } => {
                let place = language.fill("quotes.place", &[("file", file), ("line", line)]);
                let more: [(&str, &dyn Display); 3] =
                    [("place", &place), ("n", distance), ("words", words)];
                remarks.push(named("quotes.close", quote, &more, language));
            }
            _ => {}
        }
    }
    let places = quotes.iter().filter_map(|quote| match &quote.found {
        Found::There { file, line, distance: 0, .. } => {
            Some(language.fill("quotes.place", &[("file", file), ("line", line)]))
        }
        _ => None,
    });
    let mut places: Vec<String> = places.collect();
    places.dedup();
    if !places.is_empty() {
        let places = language.first_few(places, NAMED, "list.comma");
        remarks.push(language.fill("quotes.found", &[("places", &places)]));
    }
    remarks
}

fn named(key: &str, quote: &Quote, more: &[(&str, &dyn Display)], language: &Language) -> String {
    let text = short(quote);
    let values: Vec<(&str, &dyn Display)> =
        [("quote", &text as &dyn Display)].into_iter().chain(more.iter().copied()).collect();
    language.fill(key, &values)
}

/// The quoted words in one line, cut where they are many.
pub(crate) fn short(quote: &Quote) -> String {
    cut_line(&quote.text, LONGEST)
}

/// `ann: of 40 quotations 38 are in the outputs …`.
pub(crate) fn of_grader(grader: Option<&str>, counts: &QuoteCounts, language: &Language) -> String {
    let grader = grader.unwrap_or_else(|| language.text("quotes.unnamed"));
    let QuoteCounts { exact, close, elsewhere, missing, unknown } = *counts;
    let quotations = language.count(counts.known(), "quotation");
    let sentence = language.fill(
        "quotes.of_grader",
        &[("grader", &grader), ("quotations", &quotations), ("found", &(exact + close))],
    );
    let rest = [
        (close, "quotes.n_close"),
        (missing, "quotes.n_missing"),
        (elsewhere, "quotes.n_elsewhere"),
        (unknown, "quotes.n_unknown"),
    ];
    let rest = rest.into_iter().filter(|(number, _)| *number > 0);
    let rest = rest.map(|(number, key)| language.fill(key, &[("n", &number)]));
    language.sentences([sentence].into_iter().chain(rest))
}

/// How many quotations of a case in an iteration, both by index, are not there; `None` for none.
pub(crate) fn of_case(
    quotes: &Quotes,
    (iteration, case): (usize, usize),
    language: &Language,
) -> Option<String> {
    let of_case = quotes.of_case(iteration, case);
    let quotes: Vec<&Quote> = of_case.flat_map(|(_, quotes)| quotes).collect();
    let number =
        |is_meant: fn(&Found) -> bool| quotes.iter().filter(|quote| is_meant(&quote.found)).count();
    let missing = number(|found| *found == Found::Missing);
    let known = language.count(number(|found| *found != Found::Unknown), "quotation");
    let values: [(&str, &dyn Display); 2] = [("n", &missing), ("quotations", &known)];
    (missing > 0).then(|| language.fill("quotes.of_case", &values))
}
