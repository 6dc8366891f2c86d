//! `--lang`, `--theme` and `evalbook theme --eject`: how a report looks is chosen, and a choice
//! that could have no effect is refused.

use std::path::Path;

use crate::support::{CommandOutput, Workspace, read_text, tree};

fn build(workspace: &Workspace, more: &[&str]) -> CommandOutput {
    workspace.run([&["build", "../workspace", "-o", "report"], more].concat())
}

/// A file of a theme beside the workspace.
fn put(workspace: &Workspace, path: &str, content: &str) {
    let file = workspace.elsewhere().join("theme").join(path);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder for the file");
    std::fs::write(file, content).expect("a written file");
}

fn page(workspace: &Workspace, path: &str) -> String {
    let file = workspace.elsewhere().join("report").join(path);
    read_text(file)
}

#[test]
fn an_unknown_language_is_refused_with_those_there_are() {
    let workspace = Workspace::good();
    let ran = build(&workspace, &["--lang", "de"]).assert_code(2);
    for tag in ["`de`", "`en`", "`zh-TW`"] {
        assert!(ran.stderr.contains(tag), "{tag}: {}", ran.stderr);
    }
    assert!(!workspace.elsewhere().join("report").exists());
}

#[test]
fn the_language_is_chosen_by_its_tag_in_any_spelling() {
    for tag in ["zh-TW", "zh_tw.UTF-8", "zh-Hant"] {
        let workspace = Workspace::good();
        build(&workspace, &["--lang", tag]).assert_code(0);
        assert!(page(&workspace, "index.html").contains("<html lang=\"zh-TW\""), "{tag}");
        assert!(tree(&workspace.elsewhere().join("report")).keys().any(|path| path == "report.md"));
        assert!(page(&workspace, "report.md").contains("## 迭代"), "{tag}");
    }
}

#[test]
fn what_the_program_says_of_the_input_stays_english_and_says_so() {
    let workspace = Workspace::good().file("iteration-1/broken/with_skill/grading.json", "{");
    build(&workspace, &["--lang", "zh-TW"]).assert_code(0);
    let problems = page(&workspace, "problems.html");
    assert!(problems.contains("<li class=\"error\" lang=\"en\">"), "{problems}");
}

#[test]
fn a_theme_is_ejected_once_and_changes_nothing_as_it_is() {
    let workspace = Workspace::good();
    let eject = || workspace.run(["theme", "--eject"]);
    eject().assert_code(0);
    let written = tree(&workspace.elsewhere().join("theme"));
    for path in ["templates/base.html", "language/zh-TW.json", "assets/style.css"] {
        assert!(written.contains_key(path), "{path}");
        assert!(!written[path].is_empty(), "{path}");
    }
    let again = eject().assert_code(3);
    assert!(again.stderr.contains("exists"), "{}", again.stderr);
    assert_eq!(tree(&workspace.elsewhere().join("theme")), written);

    assert_eq!(build(&workspace, &[]).code, Some(0));
    let plain = tree(&workspace.elsewhere().join("report"));
    assert_eq!(build(&workspace, &["--theme", "theme"]).code, Some(0));
    assert_eq!(tree(&workspace.elsewhere().join("report")), plain);
}

#[test]
fn one_taken_file_keeps_all_others_from_being_written() {
    let workspace = Workspace::good();
    put(&workspace, "assets/style.css", "mine");
    workspace.run(["theme", "--eject", "theme"]).assert_code(3);
    let left = tree(&workspace.elsewhere().join("theme"));
    assert_eq!(left.keys().collect::<Vec<_>>(), ["assets/style.css"]);
    assert_eq!(left["assets/style.css"], b"mine");
}

#[test]
fn changed_templates_assets_and_words_show() {
    let workspace = Workspace::good();
    put(
        &workspace,
        "templates/problems.html",
        "{% extends \"base.html\" %}{% block main %}<h1>{{ t.page.problems }}!</h1>{% endblock %}",
    );
    put(&workspace, "assets/style.css", "body { color: teal }");
    put(&workspace, "assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    put(&workspace, "language/en.json", r#"{"page": {"problems": "What is wrong"}}"#);
    build(&workspace, &["--theme", "theme"]).assert_code(0);
    assert!(page(&workspace, "problems.html").contains("<h1>What is wrong!</h1>"));
    assert!(page(&workspace, "index.html").contains(">What is wrong</a>"));
    assert!(page(&workspace, "assets/report.css").starts_with("body { color: teal }\n"));
    assert!(Path::new(&workspace.elsewhere().join("report/assets/logo.svg")).exists());
}

#[test]
fn what_a_theme_cannot_be_is_refused() {
    let table = [
        ("templates/chapters.html", "x"),
        ("language/de.json", "{}"),
        ("pages/case.html", "x"),
        ("language/en.json", "{"),
    ];
    for (path, content) in table {
        let workspace = Workspace::good();
        put(&workspace, path, content);
        let ran = build(&workspace, &["--theme", "theme"]);
        assert_eq!(ran.code, Some(2), "{path}: {ran:?}");
        assert!(ran.stderr.contains(&format!("`{path}`")), "{path}: {}", ran.stderr);
    }
    let workspace = Workspace::good();
    let ran = build(&workspace, &["--theme", "nowhere"]).assert_code(2);
    assert!(ran.stderr.contains("`nowhere"), "{}", ran.stderr);
}

#[test]
fn a_wrong_template_is_shown_at_its_place() {
    let table = [
        (
            "{% extends \"base.html\" %}\n{% block main %}\n<h1>{{ oops | }}</h1>\n{% endblock %}\n",
            3,
        ),
        ("{% extends \"base.html\" %}\n{% block main %}\n{{ no.such.thing }}{% endblock %}\n", 3),
    ];
    for (template, line) in table {
        let workspace = Workspace::good();
        put(&workspace, "templates/problems.html", template);
        let ran = build(&workspace, &["--theme", "theme"]).assert_code(3);
        let printed = &ran.stderr;
        assert!(!printed.contains(char::REPLACEMENT_CHARACTER), "{printed}");
        assert!(
            printed.contains("problems.html") && printed.contains(&format!("{line}")),
            "{printed}"
        );
        let wrong = template.lines().nth(line - 1).expect("that line");
        assert!(printed.lines().any(|text| text.ends_with(wrong)), "{printed}");
        assert!(!workspace.elsewhere().join("report").exists());
    }
}
