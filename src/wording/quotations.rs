//! Where the quotations of graders were found.

use crate::analyze::{Quote, QuoteCounts, QuoteLocation, Quotes};
use crate::language::{Language, say};
use text::cut_line;

/// `brief.html, line 25`: where a quotation is in the run. `marked_in` is the output in which it is marked.
pub(crate) fn place(quote: &Quote, marked_in: Option<&str>, language: &Language) -> Option<String> {
    match &quote.found {
        QuoteLocation::InRun { file, line: Some(line), .. } => {
            Some(say!(language, "quotes.place", file, line))
        }
        QuoteLocation::InRun { file, .. } => Some(file.clone()),
        _ => marked_in.map(str::to_owned),
    }
}

/// Remarks on the `quotes` of a check that are not in its run; nothing on unknown ones.
pub(crate) fn absent(quotes: &[&Quote], language: &Language) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut missing = Vec::new();
    for quote in quotes {
        match &quote.found {
            // A grader that quotes another run has looked into the wrong folder.
            QuoteLocation::Elsewhere(Some(file)) => {
                let quote = short(&quote.text);
                remarks.push(say!(language, "quotes.in_other_run", quote, file));
            }
            QuoteLocation::Missing => missing.push(short(&quote.text)),
            _ => {}
        }
    }
    // One example is enough to check the grader by.
    if let Some((first, others)) = missing.split_first() {
        let mut parts = vec![say!(language, "quotes.missing", quote = first)];
        if !others.is_empty() {
            parts.push(say!(language, "verdict.more", n = others.len()));
        }
        remarks.push(language.list(parts));
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
