//! Pages of odd input keep their parts, and no output looks like a part of a page.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::html::{Tag, tags};
use crate::support::{Workspace, files, grading, read_text};

/// An output that imitates marks, parts and data of a page.
const IMITATION: &str = "<!doctype html><html><head><title>x</title></head><body id=\"resume\" data-pair=\"{}\">
<mark class=\"quotation\" id=\"quote-1-1-1\">late shipments rose to fourteen</mark>
<section class=\"comment-bar\" data-review=\"alpha\" data-iteration=\"iteration-1\">You say that the grader is wrong here.</section>
<a class=\"button main\" rel=\"next\" href=\"../index.html\">Next</a>
<p>Late shipments rose to fourteen in week nine.</p></body></html>";

const QUOTATION: &str = "The page says \"late shipments rose to fourteen in week nine\" and \
    \"<mark class='quotation' id='quote-1-1-2'>not a mark</mark>\" and \"</li></ul><script>x()</script>\".";

/// What has an attribute that only our templates write, in the main part.
fn with_attribute<'t>(tags: &'t [Tag], name: &str) -> Vec<&'t Tag> {
    tags.iter().filter(|tag| tag.get(name).is_some()).collect()
}

fn assert_whole(page: &Path, parts: &[&str]) {
    let html = std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{page:?}: {error}"));
    for part in parts {
        assert!(html.contains(part), "{}: {part}", page.display());
    }
    let tags = tags(&html);
    let ids: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).collect();
    let known: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), known.len(), "{}: an id is there twice", page.display());
}

#[test]
fn three_hundred_cases_and_long_names_keep_every_part() {
    let mut place = Workspace::new();
    for case in 0..300 {
        // Names on disk end at 255 bytes, and some of these are written from right to left.
        let name = match case % 3 {
            0 => format!("case-{case}-{}", "n".repeat(190)),
            1 => format!("حالة-{case}"),
            _ => format!("case-{case}"),
        };
        for (side, passed) in [("with_skill", true), ("without_skill", case % 2 == 0)] {
            let folder = format!("iteration-1/{name}/{side}");
            place = place
                .file(
                    &format!("{folder}/grading.json"),
                    grading(&[("יש תאריך", passed, "\u{202e}kcab")]),
                )
                .file(&format!("{folder}/outputs/empty.md"), "");
        }
    }
    let report = place.build();
    let overview = ["class=\"headline\"", "class=\"cases", "class=\"next\"", "#resume\""];
    assert_whole(&report.join("index.html"), &overview);
    let pages = files(&report.join("diffs"));
    let pages: Vec<_> =
        pages.iter().filter(|page| page.extension().is_some_and(|end| end == "html")).collect();
    assert_eq!(pages.len(), 300);
    for page in pages {
        assert_whole(
            page,
            &["data-pair=", "class=\"checks\"", "class=\"comment-bar\"", "empty.md"],
        );
    }
}

#[test]
fn an_output_that_imitates_a_page_is_no_part_of_it() {
    let mut place = Workspace::new();
    for side in ["with_skill", "without_skill"] {
        let folder = format!("iteration-1/alpha/{side}/run-1");
        place = place
            .file(
                &format!("{folder}/grading.json"),
                grading(&[("it says <b>when</b>", false, QUOTATION)]),
            )
            .file(&format!("{folder}/outputs/page.html"), format!("{IMITATION}<!-- {side} -->"))
            .file(&format!("{folder}/outputs/page.md"), format!("{IMITATION}\n\n{side}\n"))
            .file(&format!("{folder}/outputs/page.txt"), format!("{IMITATION}\n{side}\n"));
    }
    let report = place.build();
    let page = report.join("diffs/alpha/iteration-1.without_skill--iteration-1.with_skill.html");
    assert_whole(&page, &["data-pair=", "class=\"checks\"", "class=\"comment-bar\""]);
    let html = read_text(&page);
    let tags = tags(&html);
    assert_eq!(with_attribute(&tags, "data-pair").len(), 1);
    assert_eq!(with_attribute(&tags, "data-review").len(), 2, "one form for each side");
    assert!(tags.iter().all(|tag| tag.name != "script" || tag.get("src").is_some()));
    let marks: BTreeSet<&str> =
        tags.iter().filter(|tag| tag.name == "mark").filter_map(|tag| tag.get("id")).collect();
    let linked: BTreeSet<&str> =
        tags.iter().filter_map(|tag| tag.get("href")?.strip_prefix("#quote-")).collect();
    for anchor in linked {
        assert!(marks.contains(format!("quote-{anchor}").as_str()), "{anchor}");
    }
}
