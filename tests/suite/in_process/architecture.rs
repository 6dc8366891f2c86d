//! Rules of the source that the compiler does not check: imports point in one direction, also where
//! several modules share a crate, only the edges touch the disk and the terminal, every file says what
//! it is for and stays small.
//!
//! The rules read lines, not syntax; unit tests inside `src` are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support;
use crate::support::{project, read_text};
use testing::table::rows;

/// Each module with all it may import, in the order of the pipeline; a crate with one module is that
/// module. What a module sees is above it; the one exception is `write::Sink`, by which `preview` and `render` hand files on.
const MODULES: &str = "
    text:
    statistics:
    model: text statistics
    names: text
    diff: text
    json: text
    formats: text json
    files:
    budget:
    expression:
    page_policy:
    settings: text files
    discover: model names text files
    adapters: model names text json formats files settings discover
    read: model names text json formats files discover
    measured: model names
    assemble: model names text discover read measured
    guard: model names text json files formats settings discover
    pipeline: model names files settings discover adapters read measured assemble guard
    analyze: expression model text statistics diff formats files settings names
    gate: model settings statistics analyze
    digest: expression model text statistics names settings discover analyze gate
    report_json: model analyze digest statistics
    baseline_json: model text report_json
    language: model text
    wording: budget model text statistics settings names analyze gate digest language
    preview: budget page_policy model text json formats files language write::Sink
    chart: budget model text statistics language
    diff_view: budget model text diff files names language preview
    render: budget page_policy model names text statistics diff json formats files settings discover analyze gate digest report_json language wording preview chart diff_view write::Sink
    write: files discover
    serve: page_policy files formats
    schema: model read report_json baseline_json render
    scaffold: model names text json files discover read measured
    cli: model names text statistics diff json files settings discover read measured guard adapters pipeline analyze gate digest report_json baseline_json language wording render write schema serve scaffold
    benches: model gate files guard pipeline analyze digest render settings write
    main:
";

/// What may be used in some modules only, and why nowhere else.
const EDGES: &str = "
    std::fs => files write => the disk is reached through them
    walkdir => files write => the disk is reached through it
    tempfile => files write => the disk is reached through it
    rustix => files write => the disk is reached through it
    clap => cli settings main => only they know the arguments
    anstream => cli => only it prints
    println! => cli main => only they print
    eprintln! => cli main => only they print
    print! => cli main => only they print
    eprint! => cli main => only they print
    io::stdout => cli => only it prints
    io::stderr => cli => only it prints
    std::net => serve => only it answers a browser
    getrandom => serve => only its token is random
    signal_hook => cli => only it ends the program
    std::process => cli main => only they start and end processes
    std::env => cli main => nothing of the machine reaches a report
    toml:: => guard settings => only they read TOML: the rules for secrets and the settings
    tera => render => only it knows the template engine
    pulldown_cmark => formats preview => only they read Markdown
    include_dir => language => templates and tables come from there
    schemars => model analyze digest report_json baseline_json schema statistics => only what programs read has a schema
    clap_complete => cli => only it knows the arguments
    clap_mangen => cli => only it knows the arguments
    annotate_snippets => render => only it makes text of problems
";

/// Crates with several modules, each of which is in the table.
const SHARED_CRATES: [&str; 2] = ["input", "workspace"];

/// Crates that are one module of the table.
const CRATES: [&str; 7] = ["adapters", "diff", "formats", "guard", "json", "statistics", "text"];

/// The most lines a file may have, without its unit tests.
const MAX_LINES: usize = 450;

/// One line of the source that is neither a comment nor in a unit test.
struct Line {
    /// `src/file.rs:12`.
    place: String,
    /// The top module it lies in.
    module: String,
    text: String,
}

#[test]
fn imports_point_in_one_direction() {
    let modules = modules();
    let breaches: Vec<String> = lines()
        .iter()
        .flat_map(|line| imports(line).into_iter().map(move |path| (line, path)))
        .filter(|(line, path)| !may_import(&modules, &line.module, path))
        .map(|(line, path)| format!("{}: `{}` imports `{path}`", line.place, line.module))
        .collect();
    report(&breaches);
}

#[test]
fn the_table_of_modules_is_in_order_and_names_every_module() {
    let mut breaches = Vec::new();
    let modules = modules();
    for (index, (module, sees)) in modules.iter().enumerate() {
        let is_above = |seen: &str| modules[..index].iter().any(|(name, _)| *name == seen);
        let wrong = sees.iter().filter(|seen| !seen.contains("::") && !is_above(seen));
        breaches.extend(wrong.map(|seen| format!("`{module}` sees `{seen}`, which is not above")));
    }
    let known = |module: &str| {
        ["lib", "tests"].contains(&module) || modules.iter().any(|(name, _)| *name == module)
    };
    for (path, _) in sources() {
        let module = module_of(&path);
        if !known(&module) {
            breaches.push(format!("{path}: `{module}` is not in the table"));
        }
    }
    report(&breaches);
}

#[test]
fn imports_are_one_module_each() {
    let breaches: Vec<String> = lines()
        .iter()
        .filter(|line| line.text.contains("use crate::{"))
        .map(|line| format!("{}: {}", line.place, line.text.trim()))
        .collect();
    report(&breaches);
}

#[test]
fn modules_are_not_left_by_super() {
    let breaches: Vec<String> = lines()
        .iter()
        .filter(|line| longest_climb(&line.text) >= depth(&line.place))
        .map(|line| format!("{}: {}; write `crate::`", line.place, line.text.trim()))
        .collect();
    report(&breaches);
}

#[test]
fn only_the_edges_touch_the_disk_and_the_terminal() {
    let lines = lines();
    let mut breaches = Vec::new();
    for [what, modules, why] in rows(EDGES) {
        let is_allowed = |line: &&Line| modules.split(' ').any(|module| module == line.module);
        let wrong = lines.iter().filter(|line| holds_word(&line.text, &what) && !is_allowed(line));
        let breach = |line: &Line| format!("{}: `{what}` outside `{modules}`: {why}", line.place);
        breaches.extend(wrong.map(breach));
    }
    report(&breaches);
}

#[test]
fn every_file_says_what_it_is_for() {
    let breaches: Vec<String> = sources()
        .iter()
        .filter(|(_, text)| !text.starts_with("//! "))
        .filter(|(path, _)| !path.ends_with("/tests.rs"))
        .map(|(path, _)| format!("{path}:1: does not begin with `//! `"))
        .collect();
    report(&breaches);
}

#[test]
fn files_are_small() {
    let breaches: Vec<String> = sources()
        .iter()
        .map(|(path, text)| (path, without_tests(path, text).count()))
        .filter(|(_, count)| *count > MAX_LINES)
        .map(|(path, count)| format!("{path}:{MAX_LINES}: {count} lines without unit tests"))
        .collect();
    report(&breaches);
}

/// The compiler finds what nobody uses within a crate, not what no other crate uses. Types are left out: a
/// function may return one that nobody names.
#[test]
fn crates_publish_no_function_that_only_they_use() {
    let mut words: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in ["src", "crates", "tests", "benches"] {
        for file in support::files(&project().join(folder)) {
            if file.extension().is_some_and(|extension| extension == "rs") {
                let of_crate = words.entry(crate_of(&path_of(&file))).or_default();
                of_crate.extend(names_in(&read_text(&file)).map(str::to_owned));
            }
        }
    }
    let mut breaches = Vec::new();
    for line in lines() {
        let home = crate_of(&line.place);
        let Some(name) = public_function(&line.text) else { continue };
        let is_used = words.iter().any(|(other, words)| *other != home && words.contains(name));
        if home != "the root" && !is_used {
            breaches.push(format!("{}: only `{home}` uses `{name}`", line.place));
        }
    }
    report(&breaches);
}

/// The name of the function or constant that `line` makes public.
fn public_function(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("pub ")?;
    let name = item.strip_prefix("const fn ").or_else(|| item.strip_prefix("fn "));
    names_in(name.or_else(|| item.strip_prefix("const "))?).next()
}

fn names_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// `crates/text/src/slug.rs` is of `text`; all outside `crates` is of the root.
fn crate_of(path: &str) -> String {
    let below = path.strip_prefix("crates/").and_then(|below| below.split_once('/'));
    below.map_or("the root", |(name, _)| name).to_owned()
}

/// Each module with what it may import.
fn modules() -> Vec<(&'static str, Vec<&'static str>)> {
    let lines = MODULES.trim().lines().filter_map(|line| line.trim().split_once(':'));
    lines.map(|(module, sees)| (module, sees.split_whitespace().collect())).collect()
}

fn may_import(modules: &[(&str, Vec<&str>)], module: &str, path: &str) -> bool {
    let top = path.split("::").next().unwrap_or(path);
    let sees = modules.iter().find(|(name, _)| *name == module);
    top == module || sees.is_some_and(|(_, sees)| sees.contains(&top) || sees.contains(&path))
}

/// The paths behind every `crate::` of a line, and that of another crate which it uses, cut to module
/// and item. Below `crate::` of a crate that is one module, all is that module.
fn imports(line: &Line) -> Vec<String> {
    let mut found = Vec::new();
    let is_alone = CRATES.contains(&line.module.as_str());
    let line = line.text.as_str();
    let used = line.trim_start().strip_prefix("use ");
    if let Some(path) = used.map(|path| path.trim_start_matches("::")) {
        let shared =
            SHARED_CRATES.iter().find_map(|name| path.strip_prefix(name)?.strip_prefix("::"));
        let path = shared.unwrap_or(path).trim_end_matches(';').replace("::{", "::");
        let parts: Vec<&str> = path.split("::").take(2).collect();
        if shared.is_some() || CRATES.contains(&parts[0]) {
            found.push(parts.join("::"));
        }
    }
    for (at, start) in line.match_indices("crate::") {
        let is_word = !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let path: String = line[at + start.len()..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
            .collect();
        let path = path.trim_matches(':');
        if is_word && !path.is_empty() && !is_alone {
            found.push(path.split("::").take(2).collect::<Vec<_>>().join("::"));
        }
    }
    found
}

/// The most `super::` in a row in a line.
fn longest_climb(line: &str) -> usize {
    let mut longest = 0;
    let mut climb = String::from("super::");
    while line.contains(&climb) {
        longest += 1;
        climb.push_str("super::");
    }
    longest
}

/// How deep a file's module lies: 1 for `src/chart.rs`, `src/chart/mod.rs` and `crates/text/src/lib.rs`.
fn depth(place: &str) -> usize {
    let path = place.split(':').next().unwrap_or(place);
    let below = path.rsplit_once("src/").map_or(path, |(_, below)| below);
    let below = below.split('/').filter(|name| !["mod.rs", "lib.rs"].contains(name)).count();
    if CRATES.contains(&module_of(path).as_str()) { below + 1 } else { below.max(1) }
}

/// Whether `word` stands in `line` and is not part of a longer name.
fn holds_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}

/// Every line of code in the crates.
fn lines() -> Vec<Line> {
    let sources = sources();
    let of_file = |(path, text): &(String, String)| -> Vec<Line> {
        without_tests(path, text)
            .enumerate()
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .map(|(index, line)| Line {
                place: format!("{path}:{}", index + 1),
                module: module_of(path),
                text: line.to_owned(),
            })
            .collect()
    };
    sources.iter().flat_map(of_file).collect()
}

/// The lines of a file above its unit tests.
fn without_tests<'t>(path: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_tests = path.ends_with("/tests.rs") || path.contains("/tests/");
    text.lines().take_while(move |line| !is_tests && !line.starts_with("#[cfg(test)]"))
}

/// The files below the `src` of each crate that is shipped, with their text, by path.
fn sources() -> Vec<(String, String)> {
    let mut files = support::files(&project().join("src"));
    for name in CRATES.iter().chain(&SHARED_CRATES) {
        files.extend(support::files(&project().join("crates").join(name).join("src")));
    }
    files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .map(|file| (path_of(file), read_text(file)))
        .collect()
}

fn path_of(file: &Path) -> String {
    let below = file.strip_prefix(project()).expect("a file of the project");
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

/// The top module of `src/chart/line.rs` is `chart`, that of `crates/input/src/files.rs` is `files`, and
/// that of `crates/text/src/slug.rs` is `text`.
fn module_of(path: &str) -> String {
    let (home, below) = path.split_once("src/").unwrap_or(("", path));
    let name = home.trim_start_matches("crates/").trim_end_matches('/');
    if CRATES.contains(&name) {
        return name.to_owned();
    }
    let top = below.split('/').next().unwrap_or(below);
    top.trim_end_matches(".rs").to_owned()
}

fn report(breaches: &[String]) {
    let list = breaches.join("\n");
    assert!(breaches.is_empty(), "{} breaches:\n{list}", breaches.len());
}
