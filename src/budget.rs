//! How much of a workspace one page shows. Past a limit a page says how much more there is and
//! links the stored file or the page that has all of it; exports and `report.json` are never cut.
//!
//! Limits are bytes of markup unless the name says otherwise.

use std::ops::{Range, RangeInclusive};

// A page, whatever is on it.

/// A page and a Markdown file. Lists and texts get shorter until a page fits.
pub(crate) const PAGE: usize = 480 * 1024;

/// The page of `--one-file`, which mail and chat take.
pub(crate) const ONE_FILE: usize = 5_000_000;

/// Rows of one list that are made for a page; of a list of runs, checks, comments or files.
pub(crate) const LIST_ROWS: usize = 2_000;

/// Columns that the data decides on, and cells of all such tables of a page.
pub(crate) const DATA_COLUMNS: usize = 400;
pub(crate) const DATA_CELLS: usize = 20_000;

/// Entries of a list of names that accompanies something else: runs, files, models, rounds, skills.
pub(crate) const SHORT_LIST: usize = 12;

/// Names in a sentence of the first screen, and in one of a longer text; the rest are counted.
pub(crate) const FEW_NAMES: usize = 3;
pub(crate) const SOME_NAMES: usize = 8;

/// Rows of a table that have a drawing each; a longer table has only numbers.
pub(crate) const DRAWN_ROWS: usize = 100;

/// Checks of a table whose columns have a tip and a link each; those of a longer table have neither.
pub(crate) const NAMED_CHECKS: usize = 150;

// Single pages.

/// Cases on an overview; the worst are shown, and a page of their own has all.
pub(crate) const OVERVIEW_CASES: usize = 20;

/// Iterations in the menu of the bar.
pub(crate) const MENU_ITERATIONS: usize = 20;

/// A longer brief is linked instead of shown.
pub(crate) const BRIEF: usize = 24 * 1024;

/// Skills of a catalogue with drawings; those after them have only numbers.
pub(crate) const CATALOGUE_DRAWINGS: usize = 500;

/// Feedback files, for the script that exports them with comments added. A file that does not fit is
/// left out, and the page says so.
pub(crate) const FEEDBACK_FILES: usize = 96 * 1024;

/// Comments on a whole case that are repeated on the page of each of its runs.
pub(crate) const CASE_COMMENTS: usize = 100;

/// Problems of files that the page of their run names.
pub(crate) const RUN_PROBLEMS: usize = 5;

// Outputs, inputs and notes of runs.

/// Runs of a side, or comparisons, that a page offers to choose from; the pages of case and iteration
/// have all.
const LINKED: usize = 12;

/// The range of those that the page of number `at` of `all` links: the ones around it.
pub(crate) fn linked(at: usize, all: usize) -> Range<usize> {
    let first = at.saturating_sub(LINKED / 2).min(all.saturating_sub(LINKED));
    first..all.min(first + LINKED)
}

/// Outputs of one run that are stored and shown, and files of two runs that are compared.
pub(crate) const RUN_OUTPUTS: usize = 300;
pub(crate) const COMPARED_FILES: usize = 150;

/// Previews on one page: all runs of a workspace share [`ALL_PREVIEWS`], within these bounds. So a report of
/// a hundred runs shows all that a reader may want, and one of five thousand the beginning of each output.
pub(crate) const PREVIEWS_OF_PAGE: RangeInclusive<usize> = 2 * 1024..=280 * 1024;
pub(crate) const ALL_PREVIEWS: usize = 11 * 1024 * 1024;

/// Reserved on a page for the preview of each later file.
pub(crate) const LATER_PREVIEW: usize = 700;

/// Agent's notes in Markdown.
pub(crate) const NOTES: usize = 32 * 1024;

/// Previews on the page of the verdicts that decide, and outputs of each run there.
pub(crate) const DECIDING_PREVIEWS: usize = 300 * 1024;
pub(crate) const DECIDING_OUTPUTS: usize = 4;

/// Input files of one case: previews, number, and bytes of a file.
pub(crate) const INPUTS: usize = 64 * 1024;
pub(crate) const INPUT_FILES: usize = 20;
pub(crate) const INPUT_BYTES: u64 = 8 * 1024 * 1024;

/// Rows and columns of a table in a preview; the style sheet has a rule for each column.
pub(crate) const TABLE_ROWS: usize = 200;
pub(crate) const TABLE_COLUMNS: usize = 50;

/// Values of a JSON tree, and bytes of one value.
pub(crate) const TREE_VALUES: usize = 2_000;
pub(crate) const VALUE: usize = 4_000;

/// The preview of one file.
pub(crate) const PREVIEW: usize = 1024 * 1024;

/// Text of one file, and of one part of it: a cell of a notebook, a part of a turn. In bytes of text.
pub(crate) const TEXT: usize = 128 * 1024;
pub(crate) const TEXT_OF_PART: usize = 32 * 1024;

/// Marks of quotations in one output.
pub(crate) const QUOTATION_MARKS: usize = 100;

/// Source code that is colored. In bytes of text.
pub(crate) const COLORED_CODE: usize = 64 * 1024;

/// A clean copy of an HTML output, and one picture embedded in it.
pub(crate) const HTML_COPY: usize = 512 * 1024;
pub(crate) const EMBEDDED_PICTURE: usize = 256 * 1024;

/// Larger files are named, not stored in the report. In bytes.
pub(crate) const STORED_FILE: u64 = 256 * 1024 * 1024;

// Differences between outputs, in bytes of markup. Review pages of the newest iteration and all
// other pages have a budget each.

/// Up to this many pages each have the full room: no comparison of files below 100 KB is cut.
pub(crate) const PAGES_WITH_FULL_ROOM: usize = 400;

/// Shared by more pages of the newest iteration: enough to show outputs of a few kilobytes whole.
/// 5,000 runs make about 500 such pages and 900 others.
pub(crate) const DIFFERENCES_OF_NEWEST: usize = 14 * 1024 * 1024;

/// Shared by more other pages.
pub(crate) const DIFFERENCES_OF_OTHERS: usize = 4 * 1024 * 1024;

/// For the differences of one page, however many there are.
pub(crate) const DIFFERENCES_OF_PAGE: RangeInclusive<usize> = 3 * 1024..=400 * 1024;

/// The columns of a table of differences.
pub(crate) const DIFFERENCE_COLUMNS: usize = 24;

/// Larger files are not read for comparison. In bytes.
pub(crate) const COMPARED_FILE: u64 = 16 * 1024 * 1024;

// Files for programs; the lengths of texts are in characters.

/// A text in a table for spreadsheets, which show no more of a cell; `report.json` has all of it.
pub(crate) const EXPORT_TEXT: usize = 500;

/// The evidence and the name of a test in JUnit files: servers keep every test, and cut long names.
pub(crate) const JUNIT_EVIDENCE: usize = 4_000;
pub(crate) const JUNIT_NAME: usize = 300;

/// A prompt in the search index.
pub(crate) const SEARCHED_PROMPT: usize = 2_000;

/// Checks of a workspace, and pieces of evidence of an iteration, in the search index: browsers load
/// scripts as a whole.
pub(crate) const SEARCHED_TEXTS: usize = 20_000;

/// The evidence of an iteration in the search index, and of one verdict: enough to be found by, and
/// no more than a result shows.
pub(crate) const SEARCHED_EVIDENCE: usize = 300_000;
pub(crate) const SEARCHED_EVIDENCE_LENGTHS: RangeInclusive<usize> = 60..=200;

/// Iterations in `summary.json`, and one of its texts.
pub(crate) const SUMMARY_ITERATIONS: usize = 100;
pub(crate) const SUMMARY_TEXT: usize = 400;
