//! Where the quotations of graders were found.

use crate::analyze::{Quote, QuoteCounts, QuoteLocation, Quotes};
use crate::language::{Language, say};
use crate::text::cut_line;

/// Quotations and places of a check that are named; the rest are counted.
const NAMED: usize = 3;

/// Remarks on the quotations of a check: missing ones, then found ones; nothing on unknown ones.
pub(crate) fn remarks(quotes: &[Quote], language: &Language) -> Vec<String> {
    let mut remarks = Vec::new();
    let missing = quotes.iter().filter(|quote| quote.found == QuoteLocation::Missing);
    for quote in missing.take(NAMED) {
        remarks.push(say!(language, "quotes.missing", quote = short(&quote.text)));
    }
    let mut exact_places = Vec::new();
    for quote in quotes {
        match &quote.found {
            QuoteLocation::Elsewhere(Some(file)) => {
                remarks.push(say!(
                    language,
                    "quotes.in_other_run",
                    quote = short(&quote.text),
                    file
                ));
            }
            QuoteLocation::InRun { file, line, distance, words } => {
                let place = match line {
                    Some(line) => say!(language, "quotes.place", file, line),
                    None => file.clone(),
                };
                if *distance == 0 {
                    exact_places.push(place);
                } else {
                    let (quote, n) = (short(&quote.text), distance);
                    remarks.push(say!(language, "quotes.close", quote, place, n, words));
                }
            }
            _ => {}
        }
    }
    // Graders quote neighboring lines one after another; several are often in one place.
    exact_places.dedup();
    if !exact_places.is_empty() {
        let places = language.first_few(exact_places, NAMED, "list.comma");
        remarks.push(say!(language, "quotes.found", places));
    }
    remarks
}

/// The quotation on one line, cut if long.
pub(crate) fn short(quotation: &str) -> String {
    cut_line(quotation, 120)
}

/// `ann: of 40 quotations 38 are in the outputs …`.
pub(crate) fn grader_sentence(
    grader: Option<&str>,
    counts: &QuoteCounts,
    language: &Language,
) -> String {
    let QuoteCounts { exact, close, elsewhere, missing, unknown } = *counts;
    let mut sentences = vec![say!(
        language,
        "quotes.of_grader",
        grader = grader.unwrap_or_else(|| language.text("quotes.unnamed")),
        quotations = language.count(counts.known(), "quotation"),
        found = exact + close,
    )];
    for (n, key) in [
        (close, "quotes.n_close"),
        (missing, "quotes.n_missing"),
        (elsewhere, "quotes.n_elsewhere"),
        (unknown, "quotes.n_unknown"),
    ] {
        if n > 0 {
            sentences.push(say!(language, key, n));
        }
    }
    language.sentences(sentences)
}

/// The number of missing quotations of a case in an iteration, both by index; `None` for none.
pub(crate) fn case_sentence(
    quotes: &Quotes,
    iteration: usize,
    case: usize,
    language: &Language,
) -> Option<String> {
    let mut counts = QuoteCounts::default();
    quotes.in_case(iteration, case).for_each(|(_, quotes)| counts.add(quotes));
    if counts.missing == 0 {
        return None;
    }
    let quotations = language.count(counts.known(), "quotation");
    Some(say!(language, "quotes.of_case", n = counts.missing, quotations))
}
