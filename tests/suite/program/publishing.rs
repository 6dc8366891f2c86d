//! Reports in a site: added, replaced and removed, several at once; what stands above them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support;
use crate::support::{
    CommandOutput, Workspace, evalbook, grading, hashes, name_of, read_text, site, tree,
};
use roxmltree::Document;
use serde_json::Value;

/// A workspace of two configurations over four cases, of which the candidate passes `passed`.
pub(super) fn workspace(passed: usize) -> Workspace {
    with_title("Tables", passed)
}

fn with_title(title: &str, passed: usize) -> Workspace {
    let title = Value::from(title).to_string();
    let workspace = Workspace::new().file("evalbook.toml", format!("title = {title}\n"));
    let workspace =
        workspace.runs("iteration-1/case-0,case-1,case-2,case-3/with_skill,without_skill -");
    (0..passed).fold(workspace, |workspace, case| {
        workspace.runs(&format!("iteration-1/case-{case}/with_skill +"))
    })
}

/// Builds into `site` beside the workspace with more `flags`.
fn into(workspace: &Workspace, flags: &[&str]) -> CommandOutput {
    workspace.run(["build", "../workspace", "--into", "site"].iter().chain(flags))
}

pub(super) fn built(workspace: &Workspace, flags: &[&str]) -> CommandOutput {
    into(workspace, flags).assert_code(0)
}

pub(super) fn root(workspace: &Workspace) -> PathBuf {
    workspace.elsewhere().join("site")
}

/// Folders of the site that hold a report, `latest` aside.
fn reports(site: &Path) -> BTreeSet<String> {
    let folders = support::folders(site).into_iter();
    let reports = folders.filter(|folder| folder.join("evalbook-manifest.json").is_file());
    reports.map(|folder| name_of(&folder)).filter(|name| name != "latest").collect()
}

/// Names of reports in the order in which the landing page links to them.
pub(super) fn listed(site: &Path) -> Vec<String> {
    let page = support::html::tags(&read_text(site.join("index.html")));
    let rows = page.iter().filter(|tag| tag.name == "a").filter_map(|tag| tag.get("href"));
    let overviews = rows.filter_map(|href| href.strip_suffix("/index.html"));
    let mut names: Vec<String> = overviews
        .filter(|name| !name.contains('/') && *name != "latest")
        .map(str::to_owned)
        .collect();
    names.dedup();
    names
}

fn names<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.map(str::to_owned).into()
}

#[test]
fn a_report_in_a_site_is_the_one_that_stands_alone() {
    let workspace = workspace(4);
    let alone = tree(&workspace.build());
    built(&workspace, &[]);
    let site = root(&workspace);
    assert_eq!(tree(&site.join("workspace")), alone);
    assert_eq!(tree(&site.join("latest")), alone);
    site::assert_sound(&site);
}

#[test]
fn reports_are_added_and_replaced_and_nothing_else_changes() {
    let (one, site) = (workspace(4), |it: &Workspace| root(it));
    built(&one, &["--name", "main"]);
    built(&one, &["--name", "pr-1"]);
    let main = hashes(&site(&one).join("main"));
    std::fs::write(site(&one).join("CNAME"), "me.example\n").unwrap();
    std::fs::create_dir(site(&one).join("docs")).unwrap();
    std::fs::write(site(&one).join("docs/index.html"), "mine").unwrap();
    let one = one.file("iteration-1/new/with_skill/grading.json", grading(&[("x", true, "")]));
    let ran = built(&one, &["--name", "pr-1"]);
    assert!(ran.stderr.contains("`docs`"), "{ran:?}");
    let site = site(&one);
    assert_eq!(hashes(&site.join("main")), main);
    assert_eq!(read_text(site.join("CNAME")), "me.example\n");
    assert_eq!(read_text(site.join("docs/index.html")), "mine");
    assert!(
        site.join("pr-1/cases/new.html").is_file() && site.join("latest/cases/new.html").is_file()
    );
    assert_eq!(listed(&site), ["pr-1", "main"]);
    built(&one, &["--name", "main"]);
    assert_eq!(listed(&site), ["main", "pr-1"]);
    assert_eq!(hashes(&site.join("latest")), hashes(&site.join("main")));
}

#[test]
fn the_same_builds_give_the_same_site() {
    let build = || {
        let workspace = workspace(3);
        for name in ["a", "b", "a", "a"] {
            built(&workspace, &["--name", name]);
        }
        hashes(&root(&workspace))
    };
    assert_eq!(build(), build());
    let workspace = workspace(3);
    built(&workspace, &["--name", "a"]);
    let once = hashes(&root(&workspace));
    built(&workspace, &["--name", "a"]);
    assert_eq!(hashes(&root(&workspace)), once);
}

#[test]
fn what_others_changed_or_wrote_is_neither_removed_nor_overwritten() {
    let workspace = workspace(4);
    built(&workspace, &["--name", "a"]);
    built(&workspace, &["--name", "b"]);
    let site = root(&workspace);
    std::fs::write(site.join("a/notes.txt"), "mine").unwrap();
    std::fs::write(site.join("b/index.html"), "changed").unwrap();
    let before = hashes(&site);
    for (name, file) in [("a", "notes.txt"), ("b", "index.html")] {
        let ran = into(&workspace, &["--name", name]).assert_code(3);
        assert!(ran.stderr.contains(&format!("{name}/{file}`")), "{ran:?}");
    }
    assert_eq!(hashes(&site), before);
    built(&workspace, &["--name", "c"]);
    assert_eq!(reports(&site), names(["a", "b", "c"]));
    assert_eq!(read_text(site.join("a/notes.txt")), "mine");
}

#[test]
fn files_of_others_above_the_reports_are_left_alone() {
    let foreign: [(&str, &[&str]); 5] = [
        ("index.html", &[]),
        ("robots.txt", &["--robots", "noindex"]),
        ("latest/page.html", &[]),
        ("pr-1/page.html", &["--name", "pr-1"]),
        ("assets/report.css", &[]),
    ];
    for (file, flags) in foreign {
        let workspace = workspace(4);
        let path = root(&workspace).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "mine").unwrap();
        let ran = into(&workspace, flags);
        assert_eq!(ran.code, Some(3), "{file}: {ran:?}");
        assert_eq!(tree(&root(&workspace)).len(), 1, "{file}");
        assert_eq!(read_text(&path), "mine");
    }
}

#[test]
fn a_report_is_no_site_and_a_site_no_report() {
    let workspace = workspace(4);
    workspace.build();
    let ran = workspace.run(["build", "../workspace", "--into", "report"]).assert_code(3);
    assert!(ran.stderr.contains("`report`"), "{ran:?}");
    built(&workspace, &[]);
    let ran = workspace.run(["build", "../workspace", "-o", "site"]).assert_code(3);
    assert!(ran.stderr.contains("`site`") && ran.stderr.contains("`--into site`"), "{ran:?}");
}

#[test]
fn a_site_that_lost_what_it_knows_is_made_again_from_its_reports() {
    let workspace = workspace(4);
    built(&workspace, &["--name", "a"]);
    let site = root(&workspace);
    let state = site.join("evalbook-site.json");
    std::fs::write(&state, "{\n<<<<<<< ours\n").unwrap();
    let ran = into(&workspace, &["--name", "b"]).assert_code(3);
    assert!(ran.stderr.contains("evalbook-site.json:2:1`"), "{ran:?}");
    let all = "`.nojekyll`, `assets`, `index.html`";
    assert!(ran.stderr.contains(all), "{ran:?}");
    std::fs::remove_file(&state).unwrap();
    let ran = into(&workspace, &["--name", "b"]).assert_code(3);
    assert!(ran.stderr.contains(all), "{ran:?}");
    for name in [".nojekyll", "index.html"] {
        std::fs::remove_file(site.join(name)).unwrap();
    }
    std::fs::remove_dir_all(site.join("assets")).unwrap();
    built(&workspace, &["--name", "b"]);
    assert_eq!(listed(&site), ["b", "a"]);
    site::assert_sound(&site);
}

#[test]
fn a_page_above_the_reports_that_was_changed_is_to_be_moved() {
    let workspace = workspace(4);
    built(&workspace, &[]);
    let page = root(&workspace).join("index.html");
    std::fs::write(&page, "mine now").unwrap();
    let ran = into(&workspace, &[]).assert_code(3);
    assert!(ran.stderr.contains("index.html`") && !ran.stderr.contains("--name"), "{ran:?}");
    std::fs::remove_file(&page).unwrap();
    built(&workspace, &[]);
}

#[test]
fn a_site_in_the_workspace_is_not_read() {
    let workspace = workspace(4);
    let inside = ["build", "../workspace", "--into", "../workspace/site"];
    workspace.run(inside).assert_code(0);
    let first = hashes(&workspace.path().join("site/workspace"));
    let ran = workspace.run(inside);
    assert!(ran.stderr.contains(" 8 runs"), "{ran:?}");
    let second = hashes(&workspace.path().join("site/workspace"));
    let differ = |path: &&String| first.get(*path) != second.get(*path);
    let differing: Vec<&String> = second.keys().filter(differ).collect();
    assert!(!differing.iter().any(|path| path.starts_with("iterations/")), "{differing:?}");
}

#[test]
fn names_are_safe_for_every_host_and_unique_without_case() {
    let workspace = workspace(4);
    let given =
        ["pr-12", "PR-12", "feature/new table", "../../etc", "CON", "com1", "_x", "會議", "a.b"];
    for name in given {
        built(&workspace, &[&format!("--name={name}")]);
    }
    let site = root(&workspace);
    let found = reports(&site);
    assert_eq!(found.len(), given.len(), "{found:?}");
    let folded: BTreeSet<String> = found.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), given.len());
    for path in tree(&site).keys() {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let is_safe =
            |name: &str| !name.starts_with('_') && name.chars().all(plain) && name.len() <= 100;
        assert!(path.split('/').all(is_safe), "{path}");
        assert!(
            path == ".nojekyll" || path.ends_with("/.nojekyll") || !path.contains("/."),
            "{path}"
        );
    }
    site::assert_sound(&site);
    for name in ["latest", "Assets", "", " "] {
        let ran = into(&workspace, &[&format!("--name={name}")]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
    }
    let ran = into(&workspace, &["--name="]);
    assert!(ran.stderr.contains("`--name`"), "{ran:?}");
    std::fs::create_dir(site.join("Release")).unwrap();
    assert_eq!(into(&workspace, &["--name", "release"]).code, Some(3));
}

#[test]
fn flags_that_make_no_sense_together_are_refused() {
    let workspace = workspace(4);
    for flags in [
        &["--name", "a"][..],
        &["--into", "site", "-o", "report"],
        &["--into", "site", "--format", "markdown", "--for", "pull-request"],
        &["../workspace/iteration-1", "--into", "site"],
        &["--into", "site", "--robots", "never"],
        &["--into", "site", "--url", "ftp://a.example/"],
    ] {
        let ran = workspace.run(["build", "../workspace"].iter().chain(flags));
        assert_eq!(ran.code, Some(2), "{flags:?}: {ran:?}");
        assert!(!root(&workspace).exists(), "{flags:?}");
    }
}

#[test]
fn builds_at_the_same_time_lose_nothing() {
    let workspace = workspace(4);
    let start = |name: &str| {
        let mut command = evalbook(&workspace.elsewhere());
        command.args(["build", "../workspace", "--into", "site", "--quiet", "--name", name]);
        command.spawn().expect("the program starts")
    };
    let all: Vec<String> = (0..8).map(|number| format!("pr-{number}")).collect();
    let running: Vec<_> = all.iter().map(|name| start(name)).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    let site = root(&workspace);
    assert_eq!(reports(&site), all.iter().cloned().collect());
    assert_eq!(listed(&site).into_iter().collect::<BTreeSet<_>>(), reports(&site));
    site::assert_sound(&site);
    // The same name at the same time.
    let running: Vec<_> = (0..8).map(|_| start("pr-0")).collect();
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(reports(&site).len(), 8);
    assert_eq!(listed(&site)[0], "pr-0");
    let hidden = support::children(&site).into_iter().filter(|path| name_of(path).starts_with('.'));
    assert_eq!(hidden.map(|path| name_of(&path)).collect::<Vec<_>>(), [".nojekyll"]);
    site::assert_sound(&site);
}

#[test]
fn what_a_killed_build_left_is_removed_and_what_looks_alike_is_not() {
    let workspace = workspace(4);
    let site = root(&workspace);
    let foreign = [".evalbook-new-theirs", ".evalbook-new-notes", ".evalbook"];
    for name in foreign.into_iter().chain([".evalbook-new-aB3xY9"]) {
        std::fs::create_dir_all(site.join(name)).unwrap();
        std::fs::write(site.join(name).join("file"), "x").unwrap();
    }
    std::fs::write(site.join(".evalbook-new-aB3xY9/lock"), "evalbook\n").unwrap();
    built(&workspace, &[]);
    assert!(!site.join(".evalbook-new-aB3xY9").exists());
    assert!(foreign.iter().all(|name| site.join(name).join("file").is_file()));
}

#[test]
fn a_broken_summary_keeps_a_report_from_the_landing_page_only() {
    let workspace = workspace(4);
    for name in ["a", "b", "c"] {
        built(&workspace, &["--name", name]);
    }
    let site = root(&workspace);
    std::fs::write(site.join("a/summary.json"), "{").unwrap();
    let summary = read_text(site.join("b/summary.json"));
    let evil = summary.replace("\"index.html\"", "\"javascript:alert(1)//.html\"");
    assert_ne!(evil, summary);
    std::fs::write(site.join("b/summary.json"), evil).unwrap();
    let ran = built(&workspace, &["--name", "d"]);
    for name in ["a", "b"] {
        assert!(ran.stderr.contains(&format!("`{name}`")), "{ran:?}");
    }
    assert_eq!(listed(&site), ["d", "c"]);
    assert_eq!(reports(&site), names(["a", "b", "c", "d"]));
}

#[test]
fn a_large_site_is_told_to_be_large() {
    let workspace = workspace(4);
    let ran = built(&workspace, &[]);
    assert!(!ran.stderr.contains("1 GB"), "{ran:?}");
    let large = std::fs::File::create(root(&workspace).join("video.bin")).unwrap();
    large.set_len(599_500_000).unwrap();
    let ran = built(&workspace, &[]);
    assert!(ran.stderr.contains("600 MB") && ran.stderr.contains("--outputs"), "{ran:?}");
    let alone = workspace.run(["build", "../workspace"]);
    assert!(!alone.stderr.contains("600 MB"), "{alone:?}");
}

#[test]
fn search_engines_are_asked_to_list_nothing() {
    let workspace = workspace(4);
    built(&workspace, &["--name", "open"]);
    let site = root(&workspace);
    let has_robots =
        |path: &Path| read_text(path).contains("<meta name=\"robots\" content=\"noindex\">");
    assert!(!site.join("robots.txt").exists() && !has_robots(&site.join("index.html")));
    built(&workspace, &["--name", "closed", "--robots", "noindex"]);
    for (path, _) in tree(&site.join("closed")).iter().filter(|(path, _)| path.ends_with(".html")) {
        assert!(has_robots(&site.join("closed").join(path)), "{path}");
    }
    assert!(has_robots(&site.join("index.html")) && !has_robots(&site.join("open/index.html")));
    assert!(read_text(site.join("robots.txt")).contains("Disallow: /\n"));
    // The report that is not to be listed is gone, and with it what was written for it.
    std::fs::remove_dir_all(site.join("closed")).unwrap();
    built(&workspace, &["--name", "open"]);
    assert!(!site.join("robots.txt").exists() && !has_robots(&site.join("index.html")));
    let workspace = workspace.file("evalbook.toml", "robots = \"noindex\"\n");
    let report = workspace.build();
    assert!(has_robots(&report.join("problems.html")) && report.join("robots.txt").is_file());
}

#[test]
fn hostile_titles_stay_text_everywhere() {
    let title =
        "</title>]]>&\"'<script>alert(1)</script>\u{7}\u{fffe}\u{202e} {{ t.x }} 會議 --> x";
    let workspace = with_title(title, 4);
    built(&workspace, &["--name", "a"]);
    let site = root(&workspace);
    site::assert_sound(&site);
    let badge = read_text(site.join("a/badge.svg"));
    let document = Document::parse(&badge).expect("a drawing");
    let known = ["svg", "title", "rect", "path", "g", "text"];
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    elements.for_each(|node| assert!(known.contains(&node.tag_name().name()), "{badge}"));
    assert!(read_text(site.join("index.html")).contains("&lt;script&gt;alert(1)"));
}

#[test]
fn several_workspaces_are_one_report_with_rows_of_their_own() {
    let (one, two) = (with_title("One", 4), with_title("Two", 1));
    let two_path = two.path();
    let two_path = two_path.to_str().unwrap();
    let ran = one.run(["build", "../workspace", two_path, "--into", "site"]);
    assert_eq!(ran.code, Some(2), "a name is needed: {ran:?}");
    one.run(["build", "../workspace", two_path, "--into", "site", "--name", "all"]).assert_code(0);
    let site = root(&one);
    site::assert_sound(&site);
    let page = read_text(site.join("index.html"));
    assert!(page.contains(">One<") && page.contains(">Two<"), "{page}");
}

#[test]
fn a_text_links_to_the_report_in_the_site() {
    let workspace = workspace(4);
    let comment = "build ../workspace --format markdown --for pull-request";
    let at = ["--url", "https://me.example/skills/", "--name", "pr-12"];
    let ran = workspace.run(comment.split(' ').chain(at)).assert_code(0);
    assert!(ran.stdout.contains("https://me.example/skills/pr-12/"), "{ran:?}");
}
