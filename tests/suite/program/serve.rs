//! `evalbook serve`: who is answered, and what follows a change.

use std::io::{Read, Write};

use super::comments::PAGE;
use crate::support;
use crate::support::served::Served;
use crate::support::waiting::wait_until;
use crate::support::{Workspace, evalbook, grading, hashes};
use serde_json::json;

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
    let paths = "../../etc/passwd ..%2f..%2fetc%2fpasswd %2e%2e/%2e%2e/etc/passwd /etc/passwd \
        %2Fetc%2Fpasswd ..\\..\\etc\\passwd assets/ assets iterations/ ./index.html \
        assets/../index.html index.html%00.png INDEX.HTML \
        iteration-1/good-case/with_skill/run-1/grading.json";
    for path in paths.split(' ') {
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
    assert!(wait_until(|| {
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
    let ran = place.run(["serve", "../workspace", "--port", &port]).assert_code(3);
    assert!(ran.stderr.contains("`--port`"), "{ran:?}");
    place.run(["serve", "../nowhere"]).assert_code(3);
}

#[test]
fn temporary_files_are_never_in_a_workspace() {
    let place = Workspace::good().folder("tmp");
    let mut command = evalbook(&place.elsewhere());
    let ran = support::CommandOutput::of(
        command.args(["serve", "../workspace"]).env("TMPDIR", place.path().join("tmp")),
    )
    .assert_code(2);
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
    assert!(wait_until(|| follow().1));
}
