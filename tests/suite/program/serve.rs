//! `evalbook serve`: who is answered, what follows a change, and what becomes of comments.

#![allow(clippy::disallowed_methods, reason = "tests prepare folders and look at what was written")]

use std::io::{Read, Write};
use std::path::PathBuf;

use crate::support;
use crate::support::chromium::Chromium;
use crate::support::patience::eventually;
use crate::support::served::Served;
use crate::support::{Workspace, copy, evalbook, grading, hashes, project, words};
use serde_json::{Value, json};

/// The page of the one run of the good case.
const PAGE: &str = "iterations/iteration-1/good-case/with_skill-1.html";

/// The name of that run in a file of feedback.
const RUN: &str = "good-case-with_skill-run-1";

fn feedback(place: &Workspace) -> PathBuf {
    place.path().join("iteration-1/feedback.json")
}

fn text(place: &Workspace) -> String {
    std::fs::read_to_string(feedback(place)).expect("a file of feedback")
}

fn reviews(place: &Workspace) -> Value {
    serde_json::from_str::<Value>(&text(place)).expect("JSON")["reviews"].clone()
}

#[test]
fn only_the_printed_address_leads_anywhere() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let (host, root) = (served.host().to_owned(), served.root().to_owned());
    assert_eq!(root.len(), 34, "{root}");
    let asked = |line: &str, host: &str| {
        served.raw(format!("{line} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).status
    };
    let get = |path: &str| asked(&format!("GET {path}"), &host);
    assert_eq!(get(&root), 200);
    assert_eq!(asked(&format!("GET {root}"), &host.replace("127.0.0.1", "localhost")), 200);
    for path in ["/", "/index.html", "/0123456789abcdef0123456789abcdef/", "/feedback"] {
        assert_eq!(get(path), 404, "{path}");
    }
    let port = host.rsplit(':').next().expect("a port");
    for other in ["evil.example", "127.0.0.1", "localhost", "[::1]", "127.0.0.1.evil.example", ""] {
        assert_eq!(asked(&format!("GET {root}"), other), 403, "{other}");
        assert_eq!(asked(&format!("GET {root}"), &format!("x{other}:{port}")), 403, "{other}");
    }
    assert_eq!(served.raw(format!("GET {root} HTTP/1.1\r\n\r\n").as_bytes()).status, 400);
    let twice = format!("GET {root} HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\n\r\n");
    assert_eq!(served.raw(twice.as_bytes()).status, 400);
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "POST"] {
        assert_eq!(asked(&format!("{method} {root}index.html"), &host), 405, "{method}");
    }
    assert_eq!(asked(&format!("GET {root}feedback"), &host), 405);
}

#[test]
fn nothing_but_the_built_files_is_served() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let paths = [
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "%2Fetc%2Fpasswd",
        "..\\..\\etc\\passwd",
        "assets/",
        "assets",
        "iterations/",
        "./index.html",
        "assets/../index.html",
        "index.html%00.png",
        "INDEX.HTML",
        "iteration-1/good-case/with_skill/run-1/grading.json",
    ];
    for path in paths {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    let report = place.build();
    for (path, content) in support::tree(&report) {
        if path.ends_with(".html") || path == "evalbook-manifest.json" || path == "assets/report.js"
        {
            continue;
        }
        let answer = served.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        if path != "publish-manifest.json" {
            assert_eq!(answer.body, String::from_utf8_lossy(&content), "{path}");
        }
    }
}

#[test]
fn every_answer_keeps_a_browser_from_more() {
    let place = Workspace::good().file(
        "iteration-1/good-case/with_skill/run-1/outputs/a.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    );
    let served = Served::start(&place.path(), &[]);
    let always = [
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "cross-origin-resource-policy: same-origin",
        "cross-origin-opener-policy: same-origin",
        "referrer-policy: no-referrer",
        "content-security-policy: default-src 'none'",
        "frame-ancestors",
    ];
    for path in ["", PAGE, "assets/report.css", "nothing", "feedback", "events"] {
        let answer = served.get(path);
        for header in always {
            assert!(answer.head.contains(header), "{path}: {header}: {answer:?}");
        }
        assert!(!answer.head.contains("access-control"), "{answer:?}");
    }
    assert!(served.get(PAGE).head.contains("frame-ancestors 'none'"));
    let page = served.get(PAGE).body;
    let stored = page.split("files/").filter_map(|rest| rest.split('"').next());
    for file in stored.filter(|file| file.ends_with(".svg")) {
        assert!(served.get(&format!("files/{file}")).head.contains("; sandbox;"), "{file}");
    }
}

#[test]
fn only_our_own_pages_hand_in() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let before = hashes(&place.path());
    let body = json!({ "place": PAGE, "text": "x", "before": "" });
    let host = served.host().to_owned();
    let port = host.rsplit(':').next().expect("a port");
    let headers = [
        (String::new(), 403),
        ("Origin: null\r\n".to_owned(), 403),
        ("Origin: https://evil.example\r\n".to_owned(), 403),
        (format!("Origin: http://localhost:{port}\r\n"), 403),
        (format!("Origin: http://{host}\r\nSec-Fetch-Site: cross-site\r\n"), 403),
        (format!("Origin: http://{host}\r\nOrigin: http://{host}\r\n"), 400),
        (format!("Origin: http://{host}\r\nTransfer-Encoding: chunked\r\n"), 411),
    ];
    for (headers, status) in headers {
        assert_eq!(served.post_with(&headers, &body).status, status, "{headers}");
    }
    let raw = |path: &str, kind: &str, length: usize| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        served.raw(head.as_bytes()).status
    };
    let length = body.to_string().len();
    let path = format!("{}feedback", served.root());
    assert_eq!(raw(&path, "text/plain", length), 415);
    assert_eq!(raw("/feedback", "application/json", length), 404);
    assert_eq!(raw("/0123456789abcdef0123456789abcdef/feedback", "application/json", length), 404);
    assert_eq!(raw(&path, "application/json", 1024 * 1024 + 1), 413);
    for body in [
        json!({}),
        json!([]),
        json!({ "place": PAGE, "text": 5, "before": "" }),
        json!({ "place": PAGE, "state": "open" }),
    ] {
        assert_eq!(served.post(&body).status, 400, "{body}");
    }
    for place in ["index.html", "../../feedback.json", "feedback.html#f-iteration-1", ""] {
        assert_eq!(served.say(place, "", "x").status, 404, "{place}");
    }
    assert_eq!(hashes(&place.path()), before, "nothing was written");
    assert_eq!(raw(&path, "application/json", length), 200);
}

#[test]
fn large_and_slow_requests_are_bounded() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let (host, root) = (served.host().to_owned(), served.root().to_owned());
    let head = |line: &str, more: &str| format!("{line} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    let large = format!("X: {}\r\n", "a".repeat(20_000));
    assert_eq!(served.raw(head(&format!("GET {root}"), &large).as_bytes()).status, 431);
    for junk in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\r\n\r\n"[..], b"\r\n\r\n", b"GET\r\n\r\n"] {
        assert_eq!(served.raw(junk).status, 400, "{junk:?}");
    }
    // Byte by byte, for ever: told to go after a while, and others are answered meanwhile.
    let mut slow: Vec<_> = (0..20).map(|_| served.connect()).collect();
    slow[0].set_nonblocking(true).expect("set");
    let (mut part, mut length) = ([0; 64], 0);
    assert!(eventually(|| {
        assert_eq!(served.get("").status, 200);
        // Read before anything is written: that would throw away an answer that is there already.
        length = slow[0].read(&mut part).unwrap_or_default();
        for stream in &mut slow {
            let _ = stream.write_all(b"G");
        }
        length > 0
    }));
    let answered = String::from_utf8_lossy(&part[..length]);
    assert!(answered.starts_with("HTTP/1.1 408"), "{answered}");
}

#[test]
fn connections_that_say_nothing_or_go_on_never_stop_a_reader() {
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    let mut held = Vec::new();
    for at in 0..200 {
        let mut stream = served.connect();
        let words: &[u8] = if at % 2 == 0 { b"BAD\r\n\r\n" } else { b"" };
        let _ = stream.write_all(words);
        held.push(stream);
        if at % 20 == 0 {
            assert_eq!(served.get("").status, 200, "{at}");
            // What drips after a refusal is not waited for.
            held.iter_mut().for_each(|stream| drop(stream.write_all(b"x")));
        }
    }
    assert_eq!(served.get("").status, 200);
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.child().id()));
    if let Some(line) = status.ok().as_deref().and_then(|text| text.split("Threads:").nth(1)) {
        let threads = line.lines().next().map_or("", str::trim).parse::<usize>().expect("a number");
        assert!(threads < 100, "{threads} threads");
    }
}

#[test]
fn a_change_is_built_and_told() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let version = served.version(PAGE);
    let mut news = served.news(PAGE, &version);
    assert_eq!(news.next().as_deref(), Some("event: fine"));
    assert_eq!(news.next().as_deref(), Some("data: \"\""));
    let run = "iteration-1/good-case/with_skill/run-1";
    let text = grading(&[("a quite new expectation", true, "seen")]);
    let place = place.file(&format!("{run}/grading.json"), text);
    assert_eq!(news.next().as_deref(), Some("event: changed"));
    assert!(served.get(PAGE).body.contains("a quite new expectation"));
    assert_ne!(served.version(PAGE), version);
    let mut reported = served.news(PAGE, &version);
    assert_eq!(reported.next().as_deref(), Some("event: changed"), "also who comes late");
    // What is wrong with the workspace as a whole keeps the last good report.
    let place = place.file("evalbook.toml", "titel = 1\n");
    let failed = news.find(|line| line == "event: failed");
    assert!(failed.is_some());
    let reason = news.next().expect("a reason");
    assert!(reason.contains("titel") && reason.contains("title"), "{reason}");
    assert_eq!(served.get(PAGE).status, 200);
    let _place = place.file("evalbook.toml", "title = \"Mended\"\n");
    assert!(news.any(|line| line == "event: changed"));
    assert!(served.get("").body.contains("Mended"));
}

#[test]
fn comments_are_saved_in_the_shape_of_the_file() {
    let table = [
        (
            None,
            json!({ "reviews": [{ "run_id": RUN, "feedback": "too long", "timestamp": "2026-01-02T03:04:05Z" }], "status": "in_progress" }),
        ),
        (
            Some(
                json!({ "x": [1], "reviews": [{ "run_id": "other", "feedback": "a" }, { "run_id": RUN, "feedback": "" }], "status": "complete" }),
            ),
            json!({ "x": [1], "reviews": [{ "run_id": "other", "feedback": "a" }, { "run_id": RUN, "feedback": "too long" }], "status": "in_progress" }),
        ),
        (Some(json!({ "good-case": "fine" })), json!({ "good-case": "fine", RUN: "too long" })),
        (
            Some(json!([{ "case": "b", "notes": "x" }])),
            json!([{ "case": "b", "notes": "x" }, { "case": RUN, "notes": "too long" }]),
        ),
        (
            Some(json!({ "reviews": { "GOOD_CASE/with_skill/run-1": { "text": "" } } })),
            json!({ "reviews": { "GOOD_CASE/with_skill/run-1": { "text": "too long" } }, "status": "in_progress" }),
        ),
    ];
    for (before, after) in table {
        let place = Workspace::good();
        let place = match &before {
            Some(before) => place.file("iteration-1/feedback.json", before.to_string()),
            None => place,
        };
        let served = Served::start(&place.path(), &[]);
        let version = served.version(PAGE);
        let mut news = served.news(PAGE, &version);
        let answer = served.say(PAGE, "", "too long");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json(), json!({ "saved": true, "file": "iteration-1/feedback.json" }));
        assert_eq!(serde_json::from_str::<Value>(&text(&place)).expect("JSON"), after);
        assert!(news.any(|line| line == "event: changed"));
        assert!(served.get(PAGE).body.contains("<p class=\"prose\">too long</p>"), "{after}");
    }
}

#[test]
fn a_review_is_completed_and_begun_again() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let state = || serde_json::from_str::<Value>(&text(&place)).expect("JSON")["status"].clone();
    let complete = json!({ "place": "feedback.html#f-iteration-1", "state": "complete" });
    assert_eq!(served.post(&complete).status, 200);
    assert_eq!(state(), "complete");
    assert_eq!(served.say(PAGE, "", "one more thing").status, 200);
    assert_eq!(state(), "in_progress");
    std::fs::write(feedback(&place), "{\"a\": \"x\"}").expect("written");
    let answer = served.post(&complete);
    assert_eq!((answer.status, answer.json()["error"].clone()), (422, json!("no_state")));
}

#[test]
fn judgements_are_saved_in_a_file_of_their_own() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let post = |winner: Value| {
        let judgement = json!({
            "eval_name": "alpha", "winner": winner, "blind": true, "timestamp": "2026-01-02T03:04:05Z",
            "mapping": { "A": "with_skill", "B": "without_skill" },
            "runs": { "A": "iteration-1/alpha/with_skill", "B": "iteration-1/alpha/without_skill" },
        });
        served.post(&json!({ "place": PAGE, "judgement": judgement }))
    };
    let file = place.path().join("iteration-1/comparison-human.json");
    let pairs = || -> Value {
        let text = std::fs::read_to_string(&file).expect("a file of judgements");
        serde_json::from_str::<Value>(&text).expect("JSON")["pairs"].clone()
    };
    for (winner, number) in [(json!("A"), 1), (json!("B"), 1), (Value::Null, 0)] {
        assert_eq!(post(winner).status, 200);
        assert_eq!(pairs().as_array().map(Vec::len), Some(number));
    }
    // What another judge wrote under that name stays.
    let other = r#"{"judge": "opus", "winner": "A"}"#;
    std::fs::write(&file, other).expect("written");
    let answer = post(json!("A"));
    assert_eq!(
        (
            answer.status,
            serde_json::from_str::<Value>(&answer.body).expect("JSON")["error"].as_str()
        ),
        (422, Some("foreign"))
    );
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), other);
}

#[test]
fn words_of_others_are_never_lost() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    assert_eq!(served.say(PAGE, "", "mine").status, 200);
    std::fs::write(feedback(&place), text(&place).replace("mine", "theirs")).expect("written");
    let answer = served.say(PAGE, "mine", "mine, longer");
    assert_eq!((answer.status, answer.json()["text"].clone()), (409, json!("theirs")));
    assert_eq!(reviews(&place)[0]["feedback"], "theirs");
    assert_eq!(served.say(PAGE, "theirs", "both").status, 200);
    assert_eq!(reviews(&place)[0]["feedback"], "both");
    for broken in ["{\"reviews\": [", "", "\u{1}\u{2}", "{\"a\": \"x\", \"a\": \"y\"}"] {
        std::fs::write(feedback(&place), broken).expect("written");
        let answer = served.say(PAGE, "both", "new");
        assert_eq!((answer.status, answer.json()["error"].clone()), (422, json!("unreadable")));
        assert_eq!(text(&place), broken, "not overwritten");
    }
    std::fs::remove_dir_all(place.path().join("iteration-1")).expect("removed");
    assert_eq!(served.say(PAGE, "both", "new").json()["error"], "gone");
    assert!(!place.path().join("iteration-1").exists(), "nothing is made anew");
}

#[cfg(unix)]
#[test]
fn words_that_the_guard_changed_are_edited_like_others() {
    let secret = ["ghp_", "k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeX"].concat();
    let words = format!("see /home/ann/x.txt key {secret}");
    let written = json!({ "reviews": [{ "run_id": RUN, "feedback": words }] }).to_string();
    let place = Workspace::good().file("iteration-1/feedback.json", written);
    let served = Served::start(&place.path(), &[]);
    let conflict = served.say(PAGE, "mine", "other");
    assert_eq!(conflict.status, 409, "{}", conflict.body);
    assert!(!conflict.body.contains("ghp_") && !conflict.body.contains("/home/ann"));
    let answer: Value = serde_json::from_str(&conflict.body).expect("JSON");
    let shown = answer["text"].as_str().expect("a text").to_owned();
    assert!(shown.starts_with("see ~/x.txt key [redacted"), "{shown}");
    assert!(served.get(PAGE).body.contains("see ~/x.txt key [redacted"));
    assert_eq!(served.say(PAGE, &shown, &shown).status, 200);
    assert!(text(&place).contains(&secret), "what was not edited stays");
    assert_eq!(served.say(PAGE, &shown, &format!("{shown} now")).status, 200);
    assert_eq!(reviews(&place)[0]["feedback"], format!("{shown} now"));
}

#[test]
fn a_link_is_never_written_through() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let outside = place.elsewhere().join("outside.json");
    std::fs::write(&outside, "{}").expect("written");
    std::os::unix::fs::symlink(&outside, feedback(&place)).expect("a link");
    let answer = served.say(PAGE, "", "new");
    assert_eq!((answer.status, answer.json()["error"].clone()), (500, json!("refused")));
    assert_eq!(std::fs::read_to_string(&outside).expect("there"), "{}");
    assert!(feedback(&place).is_symlink());
}

/// A workspace of so many cases, each with one run.
fn many(cases: usize) -> Workspace {
    (0..cases).fold(Workspace::new(), |place, at| {
        let path = format!("iteration-1/case-{at}/with_skill/run-1/grading.json");
        place.file(&path, grading(&[("it works", true, "seen")]))
    })
}

#[test]
fn two_servers_at_once_lose_nothing() {
    let place = many(24);
    let servers = [Served::start(&place.path(), &[]), Served::start(&place.path(), &[])];
    std::thread::scope(|scope| {
        for (index, served) in servers.iter().enumerate() {
            for part in 0..2 {
                scope.spawn(move || {
                    for case in (0..24).filter(|case| case % 4 == index * 2 + part) {
                        let page = format!("iterations/iteration-1/case-{case}/with_skill-1.html");
                        let answer = served.say(&page, "", &format!("on {case}"));
                        assert_eq!(answer.status, 200, "{answer:?}");
                    }
                });
            }
        }
    });
    let reviews = reviews(&place);
    let mut printed: Vec<&str> = reviews
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["feedback"].as_str())
        .collect();
    printed.sort_unstable();
    let mut expected: Vec<String> = (0..24).map(|case| format!("on {case}")).collect();
    expected.sort_unstable();
    assert_eq!(printed, expected);
}

#[test]
fn nothing_else_of_the_workspace_is_written() {
    for example in support::examples() {
        let place = Workspace::new().with(&example);
        let before = hashes(&place.path());
        let served = Served::start(&place.path(), &[]);
        assert_eq!(served.get("").status, 200);
        drop(served);
        assert_eq!(hashes(&place.path()), before);
    }
}

#[test]
fn a_taken_port_is_left_to_who_has_it() {
    let place = Workspace::good();
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = other.local_addr().expect("an address").port().to_string();
    let ran = place.run(["serve", "../workspace", "--port", &port]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("`--port`"), "{ran:?}");
    assert_eq!(place.run(["serve", "../nowhere"]).code, Some(3));
}

#[test]
fn temporary_files_are_never_in_a_workspace() {
    let place = Workspace::good().folder("tmp");
    let mut command = evalbook(&place.elsewhere());
    let ran = support::Ran::of(
        command.args(["serve", "../workspace"]).env("TMPDIR", place.path().join("tmp")),
    );
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("TMPDIR"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_and_leaves_nothing() {
    let place = Workspace::good();
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let mut child = evalbook(&place.elsewhere())
        .args(["serve", "../workspace"])
        .env("TMPDIR", temporary.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut line = [0; 8];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut line).expect("it serves");
    assert_eq!(support::children(temporary.path()).len(), 1);
    let ended = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("a signal to our own child");
    assert!(ended.success());
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert_eq!(support::children(temporary.path()).len(), 0);
}

/// Types into the field for comments, as a whole.
fn type_in(browser: &mut Chromium, text: &str) {
    browser.evaluate(&format!(
        "(() => {{ const field = document.querySelector('#comment'); field.focus(); field.value = {};
            field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
        json!(text)
    ));
}

/// Waits until the state of the comment says the text at `key`.
fn wait_for_state(browser: &mut Chromium, key: &str, values: &[(&str, &str)]) {
    let state = "document.querySelector('.review [role=status]').textContent";
    browser.wait_for(&words::in_script(state, key, values));
}

#[test]
fn a_comment_typed_in_a_page_is_in_the_file_and_in_the_page_after() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    type_in(&mut browser, "Shorter, \"please\" <b>");
    wait_for_state(&mut browser, "serve.saved", &[("file", "iteration-1/feedback.json")]);
    assert_eq!(reviews(&place)[0]["feedback"], "Shorter, \"please\" <b>");
    // While somebody writes, the page stays; it follows as soon as it is left.
    browser.wait_for("document.querySelector('.served button') !== null");
    assert_eq!(browser.evaluate("document.activeElement.id"), "comment");
    browser.evaluate("document.querySelector('#comment').blur()");
    browser.wait_for(
        "document.querySelector('.comments blockquote .prose').textContent.startsWith('Shorter')",
    );
    browser.wait_for("document.querySelector('#comment').value === 'Shorter, \"please\" <b>'");
    // Others write meanwhile.
    std::fs::write(feedback(&place), text(&place).replace("Shorter", "Longer")).expect("written");
    browser.wait_for("document.querySelector('#comment').value.startsWith('Longer')");
    // A file that is no JSON any more is left alone, and the words stay.
    std::fs::write(feedback(&place), "{\"reviews\": [").expect("written");
    type_in(&mut browser, "kept words");
    wait_for_state(&mut browser, "serve.unreadable", &[]);
    assert_eq!(text(&place), "{\"reviews\": [");
    std::fs::write(feedback(&place), "{\"reviews\": []}").expect("written");
    type_in(&mut browser, "kept words, more");
    wait_for_state(&mut browser, "serve.other_gone", &[]);
    type_in(&mut browser, "kept words, and more");
    wait_for_state(&mut browser, "serve.saved", &[]);
    assert_eq!(reviews(&place)[0]["feedback"], "kept words, and more");
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    type_in(&mut browser, "nobody there");
    wait_for_state(&mut browser, "serve.alone", &[]);
}

#[test]
fn a_review_is_ended_on_the_page_of_comments() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::new();
    copy(&project().join("examples/skill-creator"), &place.path());
    let served = Served::start(&place.path(), &["--lang", "zh-TW"]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}feedback.html"), &url);
    assert!(found.is_empty(), "{found:?}");
    let counts = "document.querySelector('#f-iteration-3 .counts').textContent";
    let before = browser.evaluate(counts);
    browser.evaluate("document.querySelector('#f-iteration-3 .review-tools button').click()");
    let file = place.path().join("iteration-3/feedback.json");
    let is_complete =
        || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"complete\""));
    assert!(eventually(is_complete));
    let now: Value =
        serde_json::from_str(&std::fs::read_to_string(file).expect("a file")).expect("JSON");
    assert_eq!(now["status"], "complete");
    browser.wait_for(&format!("{counts} !== {before}"));
}

/// Ends the server, and serves `workspace` at the port it had.
fn again(mut served: Served, workspace: &std::path::Path) -> Served {
    let port = served.host().rsplit(':').next().expect("a port").to_owned();
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    drop(served);
    Served::start(workspace, &["--port", &port])
}

/// Types words on the run while nobody answers.
fn type_in_vain(browser: &mut Chromium, served: &mut Served, words: &str) {
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    type_in(browser, words);
    wait_for_state(browser, "serve.alone", &[]);
    browser.open("about:blank", "");
}

#[test]
fn words_for_one_workspace_never_go_to_another() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let (place, other) = (Workspace::good(), Workspace::good());
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "words for the first");
    let served = again(served, &other.path());
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    assert_eq!(browser.evaluate("document.querySelector('#comment').value"), "");
    assert_eq!(served.say(PAGE, "", "for the second").status, 200, "nothing was saved before");
    assert_eq!(reviews(&other)[0]["feedback"], "for the second");
    let served = again(served, &place.path());
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    browser.wait_for("document.querySelector('.comments blockquote .prose') !== null");
    assert_eq!(reviews(&place)[0]["feedback"], "words for the first");
}

/// What a part of the page of comments says.
fn part(browser: &mut Chromium, selector: &str) -> String {
    let found =
        browser.evaluate(&format!("document.querySelector('#f-iteration-1 {selector}').innerText"));
    found.as_str().expect("a text").to_owned()
}

#[test]
fn any_page_sends_what_was_kept() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "kept words");
    let served = again(served, &place.path());
    let url = served.url.clone();
    let found = browser.open(&url, &url);
    assert!(found.is_empty(), "{found:?}");
    let kept = "Object.values(localStorage).some((kept) => kept.includes('kept words'))";
    browser.wait_for(&format!("!{kept}"));
    assert_eq!(reviews(&place)[0]["feedback"], "kept words");
}

#[test]
fn a_landing_page_sends_the_words_of_every_workspace() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let (place, other) = (Workspace::good(), Workspace::good());
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "kept words");
    let other = other.path();
    let port = served.host().rsplit(':').next().expect("a port").to_owned();
    let args = [other.to_str().expect("UTF-8"), "--port", &port];
    let served = Served::start(&place.path(), &args);
    let url = served.url.clone();
    let found = browser.open(&url, &url);
    assert!(found.is_empty(), "{found:?}");
    let kept = "Object.values(localStorage).some((kept) => kept.includes('kept words'))";
    browser.wait_for(&format!("!{kept}"));
    assert_eq!(reviews(&place)[0]["feedback"], "kept words");
    assert!(!other.join("iteration-1/feedback.json").exists());
}

#[test]
fn a_review_is_not_complete_before_its_comments_are_saved() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "mine");
    let theirs = json!({ "reviews": [{ "run_id": RUN, "feedback": "theirs" }] }).to_string();
    std::fs::write(feedback(&place), &theirs).expect("written");
    let served = again(served, &place.path());
    let url = served.url.clone();
    let found = browser.open(&format!("{url}feedback.html"), &url);
    assert!(found.iter().all(|it| it.contains("409")), "{found:?}");
    let listed = "document.querySelector('#f-iteration-1 div li')?.innerText";
    browser.wait_for(&words::in_script(listed, "serve.unsaved_other", &[]));
    let unsaved = part(&mut browser, "div");
    assert_eq!(words::place(&unsaved, "serve.unsaved", &[("count", "1")]), Some(0), "{unsaved}");
    browser.evaluate("document.querySelector('#f-iteration-1 .review-tools button').click()");
    browser.wait_for("document.querySelector('#f-iteration-1 > [role=status]').innerText !== ''");
    let printed = part(&mut browser, "> [role=status]");
    let reason = words::text("serve.unsaved_first", &[("count", "1")]);
    assert!(words::says(&printed, "serve.not_completed", &[("reason", &reason)]), "{printed}");
    assert_eq!(text(&place), theirs, "not called complete");
    // The run's own page shows both; what is written there replaces what was seen.
    browser.evaluate("document.querySelector('#f-iteration-1 div li a').click()");
    browser.wait_for("document.querySelector('#comment')?.value === 'mine'");
    wait_for_state(&mut browser, "serve.other", &[("text", "theirs")]);
    type_in(&mut browser, "theirs and mine");
    wait_for_state(&mut browser, "serve.saved", &[]);
    browser.wait_for("document.querySelector('.served button') !== null");
    browser.open(&format!("{url}feedback.html"), &url);
    assert_eq!(part(&mut browser, "div"), "");
    browser.evaluate("document.querySelector('#f-iteration-1 .review-tools button').click()");
    assert!(eventually(|| text(&place).contains("\"complete\"")));
    let now: Value = serde_json::from_str(&text(&place)).expect("JSON");
    assert_eq!(
        (&now["status"], &now["reviews"][0]["feedback"]),
        (&json!("complete"), &json!("theirs and mine"))
    );
}

#[test]
fn a_page_that_was_left_gives_up_its_seat() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let version = served.version(PAGE);
    let follow = || {
        let mut stream = served.connect();
        let (root, host) = (served.root(), served.host());
        let request = format!(
            "GET {root}events?page={PAGE}&version={version} HTTP/1.1\r\nHost: {host}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("an answer");
        (stream, String::from_utf8_lossy(&first).ends_with("200"))
    };
    let seats: Vec<_> = (0..24).map(|_| follow()).collect();
    assert!(seats.iter().all(|(_, has_seat)| *has_seat));
    assert!(!follow().1, "all are taken");
    drop(seats);
    assert!(eventually(|| follow().1));
}

#[test]
fn a_page_that_found_no_seat_asks_again() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let version = served.version(PAGE);
    let mut seats: Vec<_> = (0..24).map(|_| served.news(PAGE, &version)).collect();
    for seat in &mut seats {
        assert_eq!(seat.next().as_deref(), Some("event: fine"));
    }
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    let served_state = "document.querySelector('.served').innerText";
    browser.wait_for(&words::in_script(served_state, "serve.lost", &[]));
    drop(seats);
    browser.wait_for("document.querySelector('.served').innerText === ''");
    let run = "iteration-1/good-case/with_skill/run-1";
    let changed = grading(&[("a quite new expectation", true, "seen")]);
    let _place = place.file(&format!("{run}/grading.json"), changed);
    browser.wait_for("document.body.textContent.includes('a quite new expectation')");
}

#[test]
fn a_refusal_is_not_called_silence() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    // Half an emoji is not text that JSON could hold.
    browser.evaluate(
        "(() => { const field = document.querySelector('#comment'); field.value = 'half \\ud83d';
            field.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    wait_for_state(&mut browser, "serve.not_taken", &[("status", "400")]);
    assert!(!feedback(&place).exists());
    let _served = again(served, &place.path());
    type_in(&mut browser, "for the server before");
    wait_for_state(&mut browser, "serve.ended", &[]);
}

#[test]
fn runs_that_differ_in_spelling_alone_have_comments_of_their_own() {
    let cases = ["foo-bar", "foo_bar", "Foo-Bar"];
    let place = cases.iter().fold(Workspace::new(), |place, case| {
        let path = format!("iteration-1/{case}/with_skill/run-1/grading.json");
        place.file(&path, grading(&[("it works", true, "seen")]))
    });
    let served = Served::start(&place.path(), &[]);
    let list = served.get("feedback.html").body;
    let pages: Vec<&str> = list
        .split("href=\"")
        .filter_map(|rest| rest.split('"').next())
        .filter(|href| href.ends_with("/with_skill-1.html"))
        .collect();
    assert_eq!(pages.len(), 3, "{list}");
    let printed = |page: &str| {
        let body = served.get(page).body;
        let run = body.split("data-review=\"").nth(1).and_then(|rest| rest.split('"').next());
        format!("on {}", run.expect("a run"))
    };
    for page in &pages {
        assert_eq!(served.say(page, "", &printed(page)).status, 200, "{page}");
        assert_eq!(served.say(page, &printed(page), &printed(page)).status, 200, "{page}");
    }
    let reviews = reviews(&place);
    let reviews = reviews.as_array().expect("a list");
    assert_eq!(reviews.len(), 3, "{reviews:?}");
    for review in reviews {
        let run = review["run_id"].as_str().expect("a name");
        assert_eq!(review["feedback"], format!("on {run}"));
    }
    let last = pages.last().expect("a page");
    let shown = format!("<p class=\"prose\">{}</p>", printed(last));
    assert!(eventually(|| served.get(last).body.contains(&shown)));
    for page in &pages {
        let body = served.get(page).body;
        assert_eq!(body.matches("<p class=\"prose\">on ").count(), 1, "{page}");
        assert!(body.contains(&format!("<p class=\"prose\">{}</p>", printed(page))), "{page}");
    }
}
