//! Links from the evidence of a check to the words that it quotes, where an output is shown.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::analyze::{Quote, QuoteLocation, Quotes};
use crate::language::{Language, say};
use crate::preview::Preview;
use crate::preview::evidence::{QuotationMark, Quotations};
use crate::wording::quotations::{absent, place};

/// What graders quote of a run, given the indices of its iteration, its case there, and itself in the
/// case.
pub(super) fn quotations_of_run(
    quotes: &Quotes,
    iteration: usize,
    case: usize,
    run: usize,
) -> Quotations<'_> {
    let mut found = Quotations::new(BTreeMap::new(), "quote-".to_owned());
    for (_, quotes) in quotes.in_case(iteration, case).filter(|(at, _)| at.run == run) {
        for quote in quotes {
            let texts = match &quote.found {
                QuoteLocation::InRun { file, .. } => found.by_output.entry(file).or_default(),
                // Tags between its words, or words that a grader changed, hide it from the analysis.
                QuoteLocation::Missing => &mut found.anywhere,
                _ => continue,
            };
            if !texts.contains(&quote.text.as_str()) {
                texts.push(&quote.text);
            }
        }
    }
    found
}

/// Where the quotations of a run are marked, by output and text.
#[derive(Debug, Default)]
pub(super) struct Marks(BTreeMap<String, BTreeMap<String, QuotationMark>>);

impl Marks {
    /// Adds the marks in the preview of the output called `file`.
    pub(super) fn add(&mut self, file: &str, preview: &Preview) {
        if !preview.marks.is_empty() {
            self.0.entry(file.to_owned()).or_default().extend(preview.marks.clone());
        }
    }

    /// The mark of a quotation, with its output.
    fn find(&self, quote: &Quote) -> Option<(&str, &QuotationMark)> {
        if let QuoteLocation::InRun { file, .. } = &quote.found {
            let (file, marks) = self.0.get_key_value(file)?;
            return Some((file, marks.get(&quote.text)?));
        }
        let mut marks =
            self.0.iter().filter_map(|(file, marks)| Some((file, marks.get(&quote.text)?)));
        marks.next().map(|(file, mark)| (file.as_str(), mark))
    }
}

/// A line below the evidence of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct QuotationLink {
    /// Before the place; empty if the words are there as quoted.
    doubt: String,
    /// `brief.html, line 25`; empty without a place.
    place: String,
    /// Where the words are marked; empty if they are not among what the page shows.
    href: String,
    /// The frame in which the address opens; empty for this page.
    frame: String,
    /// `1 of 4`, or empty.
    note: String,
}

/// The lines for the quotations of a check. What is not shown here may be on the page of the run, whose
/// transcript has the name and the address given.
pub(super) fn links(
    quotes: &[Quote],
    marks: &Marks,
    transcript: Option<[&str; 2]>,
    language: &Language,
) -> Vec<QuotationLink> {
    let mut links: Vec<QuotationLink> = Vec::new();
    let mut not_there = Vec::new();
    for quote in quotes {
        let mark = marks.find(quote);
        let Some(place) = place(quote, mark.map(|(file, _)| file), language) else {
            not_there.push(quote);
            continue;
        };
        // Graders quote neighboring lines one after another; several are often in one place.
        if links.iter().any(|known| known.place == place) {
            continue;
        }
        let is_near =
            mark.is_none() && matches!(quote.found, QuoteLocation::InRun { distance: 1.., .. });
        let doubt =
            if is_near { language.text("quotes.nearest").to_owned() } else { String::new() };
        let mut link = QuotationLink { doubt, place, ..QuotationLink::default() };
        if let Some((_, mark)) = mark {
            link.href.clone_from(&mark.href);
            link.frame.clone_from(&mark.frame);
            if mark.times > 1 {
                link.note = say!(language, "quotes.repeated", n = mark.times);
            }
        } else if let (Some([name, href]), QuoteLocation::InRun { file, .. }) =
            (transcript, &quote.found)
            && file == name
        {
            href.clone_into(&mut link.href);
        }
        links.push(link);
    }
    for doubt in absent(&not_there, language) {
        links.push(QuotationLink { doubt, ..QuotationLink::default() });
    }
    links
}
