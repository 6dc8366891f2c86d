//! Sentences on where the quotations of graders were found.

use std::fmt::Display;

use crate::analyze::{Quote, QuoteCounts, QuoteLocation, Quotes};
use crate::language::Language;
use crate::text::cut_line;

/// Most quotations of a check that are named one by one.
const NAMED: usize = 3;

/// Remarks on the quotations of a check; nothing on unknown ones.
pub(crate) fn remarks(quotes: &[Quote], language: &Language) -> Vec<String> {
    let remark = |key: &str, quote: &Quote, more: &[(&str, &dyn Display)]| {
        language.fill(key, &[&[("quote", &short(quote) as &dyn Display)], more].concat())
    };
    let missing = quotes.iter().filter(|quote| quote.found == QuoteLocation::Missing).take(NAMED);
    let mut remarks: Vec<String> =
        missing.map(|quote| remark("quotes.missing", quote, &[])).collect();
    let mut places = Vec::new();
    for quote in quotes {
        match &quote.found {
            QuoteLocation::Elsewhere(Some(file)) => {
                remarks.push(remark("quotes.in_other_run", quote, &[("file", file)]));
            }
            QuoteLocation::InRun { file, line, distance, words } => {
                let place = match line {
                    Some(line) => language.fill("quotes.place", &[("file", file), ("line", line)]),
                    None => file.clone(),
                };
                if *distance == 0 {
                    places.push(place);
                } else {
                    let more: [(&str, &dyn Display); 3] =
                        [("place", &place), ("n", distance), ("words", words)];
                    remarks.push(remark("quotes.close", quote, &more));
                }
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

/// The quotation on one line, cut if long.
pub(crate) fn short(quote: &Quote) -> String {
    cut_line(&quote.text, 120)
}

/// `ann: of 40 quotations 38 are in the outputs …`.
pub(crate) fn grader_sentence(
    grader: Option<&str>,
    counts: &QuoteCounts,
    language: &Language,
) -> String {
    let grader = grader.unwrap_or_else(|| language.text("quotes.unnamed"));
    let QuoteCounts { exact, close, elsewhere, missing, unknown } = *counts;
    let quotations = language.count(counts.known(), "quotation");
    let sentence = language.fill(
        "quotes.of_grader",
        &[("grader", &grader), ("quotations", &quotations), ("found", &(exact + close))],
    );
    let others = [
        (close, "quotes.n_close"),
        (missing, "quotes.n_missing"),
        (elsewhere, "quotes.n_elsewhere"),
        (unknown, "quotes.n_unknown"),
    ];
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    let others = others.map(|(number, key)| language.fill(key, &[("n", &number)]));
    language.sentences([sentence].into_iter().chain(others))
}

/// The number of missing quotations of a case in an iteration, both by index; `None` for none.
pub(crate) fn case_sentence(
    quotes: &Quotes,
    (iteration, case): (usize, usize),
    language: &Language,
) -> Option<String> {
    let mut counts = QuoteCounts::default();
    quotes.in_case(iteration, case).for_each(|(_, quotes)| counts.add(quotes));
    let known = language.count(counts.known(), "quotation");
    let values: [(&str, &dyn Display); 2] = [("n", &counts.missing), ("quotations", &known)];
    (counts.missing > 0).then(|| language.fill("quotes.of_case", &values))
}
