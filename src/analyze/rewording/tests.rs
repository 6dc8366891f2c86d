use super::matched;
use crate::analyze::statements::Statement;
use crate::model::Tally;
use crate::text::folded;

fn statement(text: &str) -> Statement<'_> {
    let key = folded(text);
    Statement { key, has_id: false, text, tally: Tally::default(), by_run: Vec::new(), run: 0 }
}

fn named<'t>(id: &str, text: &'t str) -> Statement<'t> {
    Statement { key: format!("id {id}").into(), has_id: true, ..statement(text) }
}

fn are_matched(old: &str, new: &str) -> bool {
    let found = matched(&[statement(old)], &[statement(new)]);
    let back = matched(&[statement(new)], &[statement(old)]);
    assert_eq!(found, back, "{old} / {new}");
    !found.is_empty()
}

#[test]
fn the_same_in_other_words() {
    for (old, new) in [
        ("The output is valid JSON", "Output should be valid JSON."),
        ("Includes a summary table", "The summary table is included"),
        ("The response contains a summary table", "Output includes the summary tables"),
        ("Lists at least 3 rows", "lists at least three rows of data"),
        (
            "Deeplink generated via Bash (not shown as code block)",
            "Deeplink is generated via Bash execution (not shown as copy-paste code block)",
        ),
        ("Question asked at most 3 times total", "Question asked at most 3 times in total overall"),
        ("Copies the header row", "The header row is copied"),
        ("Passes session_id to the component", "passes sessionid to component"),
        ("All headings are preserved", "Every heading is preserved"),
        ("輸出包含摘要表格", "輸出的檔案包含摘要表格"),
        ("報告列出三位最大的客戶", "報告會列出 3 位最大客戶"),
        ("摘要不超過兩百字", "摘要文字不超過兩百字"),
    ] {
        assert!(are_matched(old, new), "{old} / {new}");
    }
}

#[test]
fn another_demand_is_another_statement() {
    for (old, new) in [
        ("The output is valid", "The output is not valid"),
        ("The output file is valid JSON", "The output file isn't valid JSON"),
        ("The output file is valid JSON", "The output file is invalid JSON"),
        ("The report has at least 3 rows", "The report has at least 5 rows"),
        ("The report has at least 3 rows", "The report has at most 3 rows"),
        ("The report has three rows", "The report has four rows"),
        ("The table has 3 rows and 5 columns", "The table has 5 rows and 3 columns"),
        ("Output is valid and not complete", "Output is complete and not valid"),
        ("Output lists the risks of the plan", "Output excludes the risks of the plan"),
        (
            "The final report in the outputs folder names the author",
            "The final report in the outputs folder names the date",
        ),
        ("Converts CSV files to JSON files", "Converts JSON files to CSV files"),
        ("Python calls Rust", "Rust calls Python"),
        ("Some headings are preserved", "All headings are preserved"),
        ("Every heading has a number or a letter", "Every heading has a number and a letter"),
        ("The total is 12.5", "The total is 12.6"),
        ("The file has a summary", "The file has a summary before the first table"),
        ("Runs under 5 s", "Runs under 50 s"),
        ("Latency < 200 ms in every run", "Latency > 200 ms in every run"),
        ("Opens report-1.csv", "Opens report-2.csv"),
        ("The exit code is -1", "The exit code is 1"),
        ("Holds below \u{2212}5 degrees", "Holds below 5 degrees"),
        ("The margin is price-cost", "The margin is cost-price"),
        ("Draws sales → costs", "Draws costs → sales"),
        ("Files lie in /src/lib", "Files lie in /lib/src"),
        ("輸出有效的檔案", "輸出無效的檔案"),
        ("輸出的檔案包含摘要", "輸出的檔案不包含摘要"),
        ("報告至少三筆資料", "報告至少五筆資料"),
        ("報告至少三筆資料", "報告至多三筆資料"),
        ("報告包含作者的名稱", "報告包含日期的名稱"),
        ("Does not overwrite the input file", "The input file is not overwritten"),
        ("", "a statement"),
        ("the", "a"),
    ] {
        assert!(!are_matched(old, new), "{old} / {new}");
    }
}

#[test]
fn ids_win_over_words() {
    let old = [named("1", "The output is valid JSON"), named("2", "Has a title page")];
    let new = [named("1", "Something else entirely"), named("3", "Has the title page")];
    assert_eq!(matched(&old, &new), [(0, 0)]);
    let new = [statement("Has a title page"), statement("Output is valid JSON")];
    assert_eq!(matched(&old, &new), [(1, 0), (0, 1)]);
}

#[test]
fn each_has_one_partner_and_the_order_decides_nothing() {
    let old = ["The chart has a title", "The chart has axis labels", "Unrelated"];
    let new = ["The chart has axis labels in bold", "The chart has a legible title", "Other"];
    let [old, new] = [old, new].map(|texts| texts.map(statement));
    let texts = |old: &[Statement<'_>], new: &[Statement<'_>]| {
        let owned = |(a, b): (usize, usize)| (old[a].text.to_owned(), new[b].text.to_owned());
        let mut actual: Vec<_> = matched(old, new).into_iter().map(owned).collect();
        actual.sort();
        actual
    };
    let expected = texts(&old, &new);
    assert_eq!(expected.len(), 2);
    let [mut old_reversed, mut new_reversed] = [old.clone(), new.clone()];
    old_reversed.reverse();
    new_reversed.reverse();
    assert_eq!(texts(&old_reversed, &new), expected);
    assert_eq!(texts(&old, &new_reversed), expected);
}

#[test]
fn between_equals_nothing_is_chosen() {
    let old = [statement("The report has a title")];
    let new =
        [statement("The report has a short title"), statement("The report has a clear title")];
    assert_eq!(matched(&old, &new), []);
}

#[test]
fn too_many_are_not_paired_by_words() {
    let texts = |of: &str| (0..201).map(|at| format!("{of} is {at} times as long")).collect();
    let (old, new): (Vec<String>, Vec<String>) = (texts("text"), texts("the text"));
    let [old, new] = [&old, &new]
        .map(|texts| texts.iter().map(|text| statement(text)).collect::<Vec<Statement<'_>>>());
    assert_eq!(matched(&old[..200], &new[..200]).len(), 200);
    assert_eq!(matched(&old[..200], &new), []);
    let long = "number nine is long ".repeat(5_000);
    let long = Statement { text: &long, ..statement("word") };
    assert_eq!(matched(&[long], &[statement("number nine is long")]), []);
}
