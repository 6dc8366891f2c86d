//! Several stages together, without running the program: reports in memory, examples, and real
//! workspaces if available.

mod agreement;
mod bounds;
mod growth;
mod memory;
mod one_number;
mod pull_request;
mod python_tools;
mod report_json;
#[allow(dead_code, reason = "tests of the program use the rest")]
#[path = "../../tests/suite/support/words.rs"]
mod words;
pub(crate) mod workspaces;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analyze;
use crate::render::{self, Part, RenderError, RenderOptions};
use crate::write::MemorySink;
use input::files::{Disk, Source};
use input::settings::Settings;
use workspace::pipeline::{self, Input, Loaded, LoadedWorkspace};

/// The workspaces in `examples/`; the folders of pipelines contain none.
fn examples() -> Vec<PathBuf> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    #[allow(clippy::disallowed_methods, reason = "tests look at the files of the project")]
    let folders = std::fs::read_dir(examples).expect("the examples");
    let folders = folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    let mut example_folders: Vec<PathBuf> =
        folders.filter(|folder| !load(&open(folder)).workspaces.is_empty()).collect();
    example_folders.sort();
    assert!(example_folders.len() > 3, "{example_folders:?}");
    example_folders
}

/// The folder of real workspaces that contains `file`: next to the project under `shared/corpus`,
/// or at `EVALBOOK_CORPUS`.
pub(crate) fn corpus(file: &str) -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let named = std::env::var_os("EVALBOOK_CORPUS").map(PathBuf::from);
    let folder = [Some(shared), named].into_iter().flatten().find(|path| path.join(file).exists());
    if folder.is_none() {
        println!("skipped: no corpus");
    }
    folder
}

pub(crate) fn open(folder: &Path) -> Disk {
    Disk::open(folder).expect("the folder is there")
}

/// The workspaces in `source`, with whatever secrets they hold.
fn load(source: &(impl Source + Clone + 'static)) -> Loaded {
    let flags = Settings { no_redact: true, ..Settings::default() };
    let input = Input::new(Arc::new(source.clone()), "workspace", &flags);
    pipeline::load(input).expect("good settings")
}

/// The report of the only workspace in `source`: how many pages and files were rendered, and all
/// files in it.
fn report(source: &(impl Source + Clone + 'static)) -> (usize, BTreeMap<String, Vec<u8>>) {
    rendered(source, |parts, sink| render::report(parts, &RenderOptions::default(), sink, &|_| ()))
}

/// The result of `render` for the only workspace in `source`, and all files put into the sink.
fn rendered<T>(
    source: &(impl Source + Clone + 'static),
    render: impl FnOnce(&[Part<'_>], &MemorySink) -> Result<T, RenderError>,
) -> (T, BTreeMap<String, Vec<u8>>) {
    let loaded = load(source);
    let [LoadedWorkspace { workspace, source, prefix, settings, .. }] = &loaded.workspaces[..]
    else {
        panic!("{} workspaces", loaded.workspaces.len());
    };
    let texts = analyze::Texts { source, prefix };
    let analysis = analyze::analysis_with_texts(workspace, settings, texts);
    let part = Part::new(workspace, &analysis, source, prefix, settings);
    let sink = MemorySink::default();
    (render(&[part], &sink).expect("it can be rendered"), sink.into_pages())
}

#[test]
fn pages_on_their_own_are_as_in_the_report() {
    for example in examples() {
        let disk = open(&example);
        let (_, whole) = report(&disk);
        let wanted = whole.keys().filter(|path| path.starts_with("iterations/"));
        let mut wanted: Vec<String> = wanted.step_by(7).cloned().collect();
        wanted.push("index.html".to_owned());
        let (_, actual) = rendered(&disk, |parts, sink| {
            render::pages(parts, &RenderOptions::default(), &wanted, sink)
        });
        assert!(wanted.iter().all(|path| actual.contains_key(path)), "{}", example.display());
        assert!(actual.iter().all(|(path, bytes)| whole.get(path) == Some(bytes)));
        assert!(actual.keys().all(|path| wanted.contains(path) || path.starts_with("files/")));
    }
}

/// The part of `text` after `start`, up to `end`.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no {start}: {text:.300}")).1;
    rest.split_once(end).map_or(rest, |(part, _)| part)
}

#[test]
fn a_changed_check_opens_a_pair_that_shows_the_change() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/skill-creator");
    let (_, pages) = report(&open(&example));
    let page = |path: &str| std::str::from_utf8(&pages[path]).expect("text");
    let overview = page("index.html");
    let rows: Vec<&str> = between(overview, "id=\"repaired\"", "</section>")
        .split("<div class=\"changed-check\">")
        .skip(1)
        .collect();
    assert!(!rows.is_empty());
    let mut links: Vec<&str> =
        rows.iter().map(|row| between(row, "</details>", "</div>")).collect();
    // The columns of the grids lead to the same places.
    let columns = overview.split("<a class=\"column\"").skip(1);
    let improved = columns.filter(|column| column.contains("0/3 → 3/3"));
    links.extend(improved);
    for link in links {
        let (path, anchor) = between(link, "href=\"", "\"").split_once('#').expect("an anchor");
        let check = between(page(path), &format!("id=\"{anchor}\""), "</li>");
        let marks: Vec<&str> = check.split("aria-hidden=\"true\">").skip(1).collect();
        // The older one is left.
        assert!(marks[0].starts_with('✗') && marks[1].starts_with('✓'), "{path}: {check:.500}");
    }
}
