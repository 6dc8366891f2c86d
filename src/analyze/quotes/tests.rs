//! Planted quotations, each in a workspace of its own kind.

use super::{QuoteLocation, find_quotes};
use crate::analyze::Texts;
use input::files::Memory;
use input::model::{Case, Expectation, Grading, Iteration, Outcome, Output, Run, Workspace};

const REPORT: &str = "# Orders\n\nLate shipments rose to fourteen in the second quarter.\n\n\
    They are counted by region, by carrier and by week, and each table names the sheet that it was \
    made from.\n";
const TRANSCRIPT: &str = "I ran the tests and all of them passed.\n\n\
    Then I opened the workbook, read every sheet, counted the orders that came after their day, \
    and wrote the report with one table for each region.\n";

/// A run with these files, and one check with this evidence.
fn run(number: u32, files: &[(&str, &str)], evidence: &str) -> Run {
    let check = Expectation {
        text: "The report counts the late shipments of the quarter".to_owned(),
        outcome: Outcome::Passed,
        evidence: Some(evidence.to_owned()),
        ..Expectation::default()
    };
    let path = format!("run-{number}");
    let file = |(name, text): &(&str, &str)| Output {
        name: (*name).to_owned(),
        path: format!("{path}/{name}"),
        bytes: text.len() as u64,
    };
    let (transcripts, outputs): (Vec<Output>, Vec<Output>) =
        files.iter().map(file).partition(|file| file.name == "transcript.md");
    Run {
        number,
        outputs,
        transcript: transcripts.into_iter().next(),
        gradings: vec![Grading { expectations: vec![check], ..Grading::default() }],
        path,
        ..Run::default()
    }
}

/// Where the quotations of the first of two runs were found.
fn found(files: &[(&str, &str)], evidence: &str) -> Vec<QuoteLocation> {
    let other = [("notes.md", "The other run says that nothing was late at all.")];
    let runs = vec![run(1, files, evidence), run(2, &other, "")];
    let prompt = Some("Count the late shipments in the attached workbook.".to_owned());
    let case = Case { prompt, runs, ..Case::default() };
    let iteration = Iteration { cases: vec![case], ..Iteration::default() };
    let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
    let all = files.iter().map(|(name, text)| (format!("w/run-1/{name}"), *text));
    let all = all.chain(other.iter().map(|(name, text)| (format!("w/run-2/{name}"), *text)));
    let source = Memory::new(all);
    let quotes = find_quotes(&workspace, Texts { source: &source, prefix: "w" });
    quotes.in_iteration(0).flat_map(|(_, quotes)| quotes).map(|quote| quote.found.clone()).collect()
}

fn there(file: &str, line: usize, distance: usize) -> QuoteLocation {
    let file = file.to_owned();
    QuoteLocation::InRun { file, line: Some(line), distance }
}

#[test]
fn packed_files_show_that_words_are_there_never_that_they_are_missing() {
    let pdf = "%PDF-1.4 1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Contents 3 0 R \
        /Resources << /Font << /F 4 0 R >> >> >> endobj 3 0 obj << >> stream\n\
        BT /F 9 Tf (Late shipments rose to fourteen) Tj ET\nendstream endobj 4 0 obj << >> endobj";
    let files = [("orders.pdf", pdf), ("report.md", REPORT)];
    let place = QuoteLocation::InRun { file: "orders.pdf".to_owned(), line: None, distance: 0 };
    assert_eq!(found(&files[..1], "States 'Late shipments rose to fourteen'."), [place]);
    assert_eq!(
        found(&files[..1], "States 'nothing was late in any region'."),
        [QuoteLocation::Unknown]
    );
    let line = there("report.md", 3, 0);
    assert_eq!(found(&files, "States 'Late shipments rose to fourteen'."), [line]);
    assert_eq!(found(&files, "States 'nothing was late in any region'."), [QuoteLocation::Unknown]);
    let named = "`orders.pdf` states 'nothing was late in any region'.";
    assert_eq!(found(&files, named), [QuoteLocation::Unknown]);
}

#[test]
fn each_quotation_is_found_where_it_is() {
    let files = [("report.md", REPORT), ("transcript.md", TRANSCRIPT)];
    let table = [
        ("States 'Late shipments rose to fourteen'.", there("report.md", 3, 0)),
        ("States 'late  shipments rose to **fourteen**'.", there("report.md", 3, 0)),
        (
            "States 'Late shipments rose to fifteen in the second quarter'.",
            there("report.md", 3, 1),
        ),
        ("Says 'all of them passed'.", there("transcript.md", 1, 0)),
        ("States 'Late shipments fell to four in May'.", QuoteLocation::Missing),
        ("The prompt is 'Count the late shipments'.", QuoteLocation::Elsewhere(None)),
        ("It is 'The report counts the late shipments'.", QuoteLocation::Elsewhere(None)),
        (
            "States 'nothing was late at all'.",
            QuoteLocation::Elsewhere(Some("run-2/notes.md".to_owned())),
        ),
        ("`report.md` states 'Late shipments fell to four'.", QuoteLocation::Missing),
        ("`summary.docx` states 'Late shipments fell to four'.", QuoteLocation::Unknown),
    ];
    for (evidence, expected) in table {
        assert_eq!(found(&files, evidence), [expected], "{evidence}");
    }
    for evidence in ["It never states 'Late shipments fell to four'.", "Says 'yes'.", "Late."] {
        assert_eq!(found(&files, evidence), [], "{evidence}");
    }
}

#[test]
fn an_unread_file_may_hold_the_quotation() {
    let evidence = "States 'Late shipments fell to four in May'.";
    let table: [(&[(&str, &str)], QuoteLocation); 5] = [
        (&[], QuoteLocation::Unknown),
        (&[("report.docx", "PK\x03\x04\0\0")], QuoteLocation::Unknown),
        (&[("report.md", REPORT), ("report.docx", "PK\x03\x04\0\0")], QuoteLocation::Unknown),
        (&[("report.md", REPORT)], QuoteLocation::Missing),
        (&[("transcript.md", TRANSCRIPT)], QuoteLocation::Missing),
    ];
    for (files, expected) in table {
        assert_eq!(found(files, evidence), [expected], "{files:?}");
    }
    let evidence = "The transcript shows 'Late shipments fell to four in May'.";
    assert_eq!(found(&[("report.md", REPORT)], evidence), [QuoteLocation::Unknown]);
}
