use super::fingerprint::{likeness, tokens};
use super::{Likeness, Repeats, find_repeats};
use crate::analyze::{Texts, analysis};
use crate::files::Memory;
use crate::model::{Loading, LoadingState, Output, Snapshot, Workspace};
use crate::settings::Settings;
use crate::tests::gradings::verdicts;
use crate::tests::workspaces::{self, case, workspace};

/// A helper of about 30 lines, some words of which are specific to the case.
fn helper(case: usize, changed: usize) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    let word = |at: usize| format!("{}{}{}", letter(at), letter(at / 26), letter(at * 7 / 3));
    let line = |at: usize| {
        let own = word(if at < changed { case * 100 + at * 7 + 50 } else { at });
        let name = word(at);
        format!("    {name} = read{own}(rows[{case}], 'column{own}', {own}key)\n")
    };
    let body: String = (0..30).map(line).collect();
    format!("# for case {case}\nimport csv\n\ndef merge(rows):\n{body}    return field_1\n")
}

/// One run for each case with these outputs and this record.
fn found(cases: &[Vec<(&str, String)>], records: &[Loading], snapshots: Vec<Snapshot>) -> Repeats {
    let mut files = Vec::new();
    let mut all = Vec::new();
    for (at, outputs) in cases.iter().enumerate() {
        let mut run = workspaces::run("with_skill", 1, verdicts("p"));
        for (name, text) in outputs {
            let path = format!("case-{at}/{name}");
            files.push((path.clone(), text.clone()));
            run.outputs.push(Output { name: (*name).to_owned(), path, bytes: text.len() as u64 });
        }
        run.loading = records.get(at).cloned().unwrap_or_default();
        all.push(case(&format!("case-{at}"), vec![run]));
    }
    let workspace = Workspace { snapshots, ..workspace(vec![all]) };
    let texts = Texts { source: &Memory::new(files), prefix: "" };
    let analysis = analysis(&workspace, &Settings::default());
    find_repeats(&workspace, &analysis, texts).unwrap_or_default()
}

fn brief(found: &Repeats) -> Vec<(&str, usize, Likeness)> {
    found.made.iter().map(|made| (made.name.as_str(), made.cases, made.likeness)).collect()
}

#[test]
fn a_script_made_in_several_cases_is_found_under_any_name() {
    let names = ["merge.py", "merge.py", "combine.py", "merge.py"];
    let cases: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(at, name)| vec![(*name, helper(at, 6)), ("answer.md", format!("answer {at}"))])
        .collect();
    let repeats = found(&cases, &[], Vec::new());
    assert_eq!(brief(&repeats), [("merge.py", 4, Likeness::Similar)]);
    assert_eq!((repeats.made[0].lines, repeats.cases, repeats.made[0].runs), (35, 4, 4));
}

#[test]
fn scripts_of_other_content_are_not_found_even_under_one_name() {
    let cases: Vec<_> = (0..4).map(|at| vec![("run.py", helper(at, 30))]).collect();
    assert_eq!(brief(&found(&cases, &[], Vec::new())), []);
}

#[test]
fn code_within_texts_is_compared_block_by_block() {
    let text = |at: usize, changed: usize| {
        format!("# Answer {at}\n\n```python\n{}```\n\n```text\nno code\n```\n", helper(at, changed))
    };
    let cases =
        |changed| -> Vec<_> { (0..4).map(|at| vec![("answer.md", text(at, changed))]).collect() };
    let repeats = found(&cases(4), &[], Vec::new());
    assert_eq!(brief(&repeats), [("answer.md", 4, Likeness::Similar)]);
    assert!(repeats.made[0].is_block);
    assert_eq!(brief(&found(&cases(30), &[], Vec::new())), []);
}

#[test]
fn two_cases_of_many_are_too_few() {
    let mut cases: Vec<Vec<(&str, String)>> = vec![Vec::new(); 6];
    (cases[0], cases[1]) = (vec![("a.py", helper(0, 0))], vec![("a.py", helper(1, 0))]);
    assert_eq!(brief(&found(&cases, &[], Vec::new())), []);
    assert_eq!(brief(&found(&cases[..3], &[], Vec::new())).len(), 1, "two of three are most");
}

#[test]
fn equal_files_of_any_kind_are_found_and_like_texts_are_not() {
    let license = "You may copy this file as it is. ".repeat(20);
    let report =
        |at: usize| format!("{}The answer is {at}.", "Some words of a report. ".repeat(20));
    let cases: Vec<_> =
        (0..3).map(|at| vec![("LICENSE", license.clone()), ("report.md", report(at))]).collect();
    assert_eq!(brief(&found(&cases, &[], Vec::new())), [("LICENSE", 3, Likeness::Equal)]);
}

#[test]
fn scripts_that_only_records_name_count_by_name() {
    let record = |names: &[&str]| Loading {
        written: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Loading::default()
    };
    let records = [record(&["merge.py", "a.py"]), record(&["merge.py"]), record(&["merge.py"])];
    let cases = vec![Vec::new(); 3];
    assert_eq!(brief(&found(&cases, &records, Vec::new())), [("merge.py", 3, Likeness::Name)]);
}

#[test]
fn bundled_files_that_no_run_opened_are_named_only_where_records_show_the_runs() {
    let file = |name: &str| Output { name: name.to_owned(), path: name.to_owned(), bytes: 1 };
    let files = ["SKILL.md", "LICENSE", "scripts/a.py", "references/B.md", "assets/c/d.txt"];
    let copy =
        Snapshot { iteration: Some(0), files: files.map(file).into(), ..Snapshot::default() };
    let record = |state, opened: &[&str]| Loading {
        state,
        file: Some("t".to_owned()),
        opened: opened.iter().map(|opened| (*opened).to_owned()).collect(),
        ..Loading::default()
    };
    let unopened = |records: &[Loading]| {
        let repeats = found(&vec![Vec::new(); 2], records, vec![copy.clone()]);
        let names: Vec<String> =
            repeats.unopened.iter().map(|unopened| unopened.name.clone()).collect();
        (names.join(" "), repeats.watched_runs)
    };
    let loaded = |opened| record(LoadingState::Loaded, opened);
    let table: [(&[Loading], &str, usize); 5] = [
        (&[], "", 0),
        (&[record(LoadingState::NotLoaded, &[])], "", 0),
        (&[loaded(&[])], "scripts/a.py references/B.md assets/c/d.txt", 1),
        (&[loaded(&["scripts/a.py"]), loaded(&["assets/c"])], "references/B.md", 2),
        (&[loaded(&["references/*.md"])], "scripts/a.py assets/c/d.txt", 1),
    ];
    for (records, expected, watched) in table {
        assert_eq!(unopened(records), (expected.to_owned(), watched), "{records:?}");
    }
}

#[test]
fn likeness_is_the_share_in_common() {
    let range = |from: u64, to: u64| (from..to).collect::<Vec<u64>>();
    assert_eq!(likeness(&range(0, 10), &range(0, 10)), 1.0);
    assert_eq!(likeness(&range(0, 10), &range(10, 20)), 0.0);
    assert_eq!(likeness(&range(0, 15), &range(5, 20)), 0.5);
    assert_eq!(likeness(&[], &[]), 0.0);
    let actual: Vec<&str> = tokens("# note\n  x = 12; // y\n").collect();
    assert_eq!(actual, ["x", "=", "0", "/", "/", "y"]);
}
