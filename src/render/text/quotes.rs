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
    let missing = quotes.iter().filter(|quote| quote.found == Found::Missing).take(NAMED);
    let mut remarks: Vec<String> =
        missing.map(|quote| language.fill("quotes.missing", &[("quote", &short(quote))])).collect();
    let mut places = Vec::new();
    for quote in quotes {
        match &quote.found {
            Found::Elsewhere(Some(file)) => {
                let quote = short(quote);
                remarks.push(
                    language.fill("quotes.in_other_run", &[("quote", &quote), ("file", file)]),
                );
            }
            Found::There { file, line, distance, words } => {
                let place = language.fill("quotes.place", &[("file", file), ("line", line)]);
                if *distance == 0 {
                    places.push(place);
                    continue;
                }
                let quote = short(quote);
                let values: [(&str, &dyn Display); 4] =
                    [("quote", &quote), ("place", &place), ("n", distance), ("words", words)];
                remarks.push(language.fill("quotes.close", &values));
            }
            _ => {}
        }
    }
    places.dedup();
    if !places.is_empty() {
        let places = language.first_few(places, NAMED, "list.comma");
        remarks.push(language.fill("quotes.found", &[("places", &places)]));
    }
    remarks
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
    let rest = rest
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, key)| language.fill(key, &[("n", &number)]));
    language.sentences([sentence].into_iter().chain(rest))
}

/// How many quotations of a case in an iteration, both by index, are not there; `None` for none.
pub(crate) fn of_case(
    quotes: &Quotes,
    (iteration, case): (usize, usize),
    language: &Language,
) -> Option<String> {
    let quotes: Vec<&Quote> =
        quotes.of_case(iteration, case).flat_map(|(_, quotes)| quotes).collect();
    let number =
        |is_meant: fn(&Found) -> bool| quotes.iter().filter(|quote| is_meant(&quote.found)).count();
    let missing = number(|found| *found == Found::Missing);
    let known = language.count(number(|found| *found != Found::Unknown), "quotation");
    (missing > 0)
        .then(|| language.fill("quotes.of_case", &[("n", &missing), ("quotations", &known)]))
}
