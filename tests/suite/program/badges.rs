//! Badges: no more than the verdict, in the data and in the drawing.

use super::publishing::workspace;
use crate::support::{Workspace, read_text, words};
use roxmltree::Document;
use serde_json::Value;

/// Label, message and color of a badge; the drawing says the same.
fn badge(workspace: &Workspace, lang: &str) -> [String; 3] {
    workspace.run(["build", "../workspace", "-o", "report", "--lang", lang]).assert_code(0);
    let report = workspace.elsewhere().join("report");
    let json: Value = serde_json::from_str(&read_text(report.join("badge.json"))).expect("JSON");
    assert_eq!(json["schemaVersion"], 1);
    let found =
        ["label", "message", "color"].map(|key| json[key].as_str().expect("a text").to_owned());
    let drawing = read_text(report.join("badge.svg"));
    let document = Document::parse(&drawing).expect("a drawing");
    let texts: Vec<_> = document
        .descendants()
        .filter(|it| it.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .collect();
    assert_eq!(
        [texts[0].text(), texts[1].text()],
        [Some(found[0].as_str()), Some(found[1].as_str())]
    );
    assert!(drawing.contains(&format!("fill=\"#{}\"", found[2])));
    let title = document.descendants().find(|it| it.tag_name().name() == "title").expect("a title");
    assert_eq!(document.root_element().attribute("aria-label"), title.text());
    found
}

#[test]
fn badges_say_no_more_than_the_verdict() {
    const GRAY: &str = "5c6370";
    let says = |message: &str, key: &str, values: &[(&str, &str)]| {
        assert!(words::says(message, &format!("badge.{key}"), values), "{key}: {message}");
    };
    let [label, message, color] = badge(&workspace(4), "en");
    assert_eq!((label.as_str(), color.as_str()), ("Tables", "17703a"));
    says(&message, "verdict", &[("verdict", "probably better"), ("counts", "100 % (4/4)")]);
    let many = "iteration-1/a,b,c,d,e,f,g,h/with_skill +\n iteration-1/a/with_skill -
        iteration-1/a,b,c,d,e,f,g,h/without_skill -";
    let many = Workspace::new().runs(many);
    let [_, message, color] = badge(&many, "en");
    says(&message, "verdict", &[("verdict", "better"), ("counts", "88 % (7/8)")]);
    assert!(message.contains("+88 ") && color == "17703a", "{message}, {color}");
    let message = &badge(&many, "zh-TW")[1];
    assert!(message.contains("+88 ") && message.contains("7/8"), "{message}");
    assert!(!message.contains(|c: char| c.is_ascii_alphabetic()), "{message}");
    let [_, message, color] = badge(&workspace(0), "en");
    says(&message, "verdict", &[("verdict", "about the same"), ("counts", "0 % (0/4)")]);
    assert_eq!(color, GRAY);
    let alone = Workspace::good();
    assert_eq!(badge(&alone, "en")[2], GRAY);
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/a.md", "x");
    assert_eq!(badge(&ungraded, "en")[1..], [words::raw("badge.nothing_graded"), GRAY]);
}
