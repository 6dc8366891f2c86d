//! Tests of the whole guard: files, names and folders without secrets.

mod documents;
mod samples;

use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::finder::Finder;
use crate::marked_file::{self, Findings};
use crate::secrets_in_text::Nature;
use crate::{Guard, Guarded};
use input::files::{Entry, Memory, Source};
use input::model::Place;
use input::settings::SecretRules;
use testing::secrets::expand;

fn finder() -> Finder {
    Finder::new(&[], &SecretRules::default())
}

/// This many random-looking letters and digits.
fn drawn(length: usize) -> String {
    expand(&format!("<a{length}>"))
}

#[test]
fn hashes_identifiers_and_images_stay() {
    let table = [
        "blake3 <h64> of commit <h40>",
        "data:image/png;base64,<a200>AKIA<a300>",
        "data:font/woff2;base64,d09GMgAB/EAAA<a60>/<a80>",
        "sha512-<a86>==",
        "<a24>.<a6>.<a27>",
        "gh\\_pages and a\\_b\\-c &#95;&#45; x&#8594;y 100%20",
        "if text.contains(\"-----BEGIN PRIVATE KEY-----\") { one(); }\nlet path = \
         \"/srv/Example/Documents/Project1/src/main_module.rs\";\n\"-----END PRIVATE KEY-----\"",
    ];
    for text in table {
        let text = expand(text);
        assert_eq!(finder().redact(&text), None, "{text}");
    }
}

/// Lines of a private key as other programs show them, each with the text before and after it.
#[test]
fn a_private_key_is_found_with_anything_around_its_lines() {
    let key = drawn(200);
    let lines: Vec<&str> = (0..6).map(|at| &key[at * 27..at * 27 + 64]).collect();
    let title = "RSA PRIVATE KEY";
    let all = [vec![format!("-----BEGIN {title}-----")]]
        .into_iter()
        .chain([lines.iter().map(|&line| line.to_owned()).collect()])
        .chain([vec![format!("-----END {title}-----")]])
        .flatten()
        .collect::<Vec<String>>();
    let shown = |before: &str, after: &str| {
        let line = |(at, line): (usize, &String)| {
            format!("{}{line}{after}", before.replace('#', &(at + 1).to_string()))
        };
        all.iter().enumerate().map(line).collect::<String>()
    };
    let table = [
        shown("     #→", "\n"),
        shown("     #\u{2192}", "\\n"),
        shown("│ ", " │\n"),
        shown("\u{1b}[32m", "\u{1b}[0m\n"),
        shown("- `", "`\n"),
        shown("&gt; ", "\n"),
        shown("<span class=\"line\">", "</span>\n"),
        shown("", "<br>"),
        shown("", ";\n"),
        shown("id_rsa-#-", "\n"),
        shown("-", "\n"),
        shown("", "\n").replacen('\n', "\nComment: https://keybase.io/crypto [x] {y}\n\n", 1),
    ];
    let index = finder();
    for text in table {
        let (redacted, shapes) = index.redact(&text).expect(&text);
        assert_eq!(shapes.len(), 1, "{redacted}");
        assert!(lines.iter().all(|line| !redacted.contains(&line[20..])), "{redacted}");
        assert!(redacted.contains("[redacted: private key]") && redacted.len() < 60, "{redacted}");
        let cut = &text[..text.len() * 2 / 3];
        let (redacted, _) = index.redact(cut).expect(cut);
        let kept = lines[..3].iter().find(|line| redacted.contains(&line[20..]));
        assert_eq!(kept, None, "{redacted}");
    }
}

/// All overlapping secrets are replaced, and the more specific one names the mark.
#[test]
fn secrets_that_overlap_are_one() {
    let token = expand("ghp_<a36>");
    let table = [
        (
            format!("https://{token}:x-oauth-basic@github.com"),
            "https://[redacted: github token]:x-oauth-basic@github.com",
        ),
        (format!("Cookie: session=x{token}y1;"), "Cookie: session=[redacted: cookie];"),
        (format!("password: '{token}!'"), "password: '[redacted: github token]'"),
    ];
    for (text, wanted) in table {
        let (redacted, _) = finder().redact(&text).unwrap();
        assert_eq!(redacted, wanted);
    }
}

#[test]
fn utf_16_needs_no_mark() {
    let text = format!("k npm_{} v", drawn(36));
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    assert_eq!(through(&wide(&text)).0, wide("k [redacted: npm token] v"));
}

#[test]
fn homes_and_the_workspace_become_relative() {
    let index =
        Finder::new(&["/home/bob/evals/ws".to_owned(), "/tmp".to_owned()], &SecretRules::default());
    let table = [
        ("/home/bob/evals/ws/iteration-1/x.md", "./iteration-1/x.md"),
        ("in /home/bob/evals/ws.", "in .."),
        ("/home/bob/evals/ws2/x", "~/evals/ws2/x"),
        ("cd /home/alice/work && ls", "cd ~/work && ls"),
        ("\"/Users/alice/a b.txt\"", "\"~/a b.txt\""),
        ("cwd=/home/alice", "cwd=~"),
        ("it is in /home/alice.", "it is in ~."),
        ("C:\\Users\\Alice\\x", "~\\x"),
        ("\"C:\\\\Users\\\\Alice\\\\x\"", "\"~\\\\x\""),
        ("c:/Users/Alice/x", "~/x"),
        ("file:///home/alice/x", "file://~/x"),
        ("/root/.ssh/id", "~/.ssh/id"),
        ("out\\n/home/alice/x", "out\\n~/x"),
        ("\"\\/home\\/alice\\/x\"", "\"~\\/x\""),
        ("/mnt/c/Users/alice/x", "~/x"),
        ("/tmp/a and /Users/Shared/x", "/tmp/a and /Users/Shared/x"),
    ];
    for (text, wanted) in table {
        let redacted = index.redact(text).map_or(text.to_owned(), |(text, _)| text);
        assert_eq!(redacted, wanted, "{text}");
    }
}

/// The files of `memory` behind a guard that scanned all of them.
fn guarded(memory: Memory) -> Guarded {
    let mut guard = Guard::new(memory.list(&|_| false), &[], &SecretRules::default());
    guard.scan(&memory, &|_| true);
    Guarded::new(std::sync::Arc::new(memory), guard)
}

/// The findings in a file with this content.
fn found(text: &str) -> Findings {
    marked_file::search(&finder(), "a.txt", Nature::new("a.txt"), text.as_bytes())
}

/// A file read through a guarded source, whole and byte by byte.
fn through(bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let guarded = guarded(Memory::new([("a.txt", bytes)]));
    let whole = guarded.read("a.txt", u64::MAX).unwrap();
    assert_eq!(guarded.list(&|_| false)[0].bytes, whole.len() as u64);
    let mut reader = guarded.open("a.txt").unwrap();
    let (mut single, mut byte) = (Vec::new(), [0]);
    while reader.read(&mut byte).unwrap() > 0 {
        single.push(byte[0]);
    }
    (whole, single)
}

#[test]
fn a_file_in_utf_16_stays_one() {
    let text = format!("\u{feff}größe: npm_{} ✓", drawn(36));
    let wanted = text.replace(&format!("npm_{}", drawn(36)), "[redacted: npm token]");
    let little =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let big = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    assert_eq!(through(&little(&text)).0, little(&wanted));
    assert_eq!(through(&big(&text)).1, big(&wanted));
}

#[test]
fn places_are_lines_and_columns_of_the_source() {
    let text = format!("é\n/home/bob/x né npm_{0}\nnpm_{0}", drawn(36));
    let findings = found(&text);
    let places = |findings: &Findings| -> Vec<(Place, Place)> {
        findings.places.iter().map(|found| (found.source, found.shown)).collect()
    };
    let place = |line, column| Place { line, column };
    assert_eq!(&*findings.places[0].label, "npm token");
    let wanted = [(place(2, 16), place(2, 8)), (place(3, 1), place(3, 1))];
    assert_eq!(places(&findings), wanted);
    let far = format!("{}{text}", "x\n".repeat(400_000));
    let findings = found(&far);
    assert_eq!(places(&findings)[0], (place(400_002, 16), place(400_002, 8)));
}

#[test]
fn files_with_irreplaceable_secrets_are_withheld() {
    let secret = format!("ghp_{}", drawn(36));
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0".to_vec();
    picture.extend(secret.as_bytes());
    let guarded = guarded(Memory::new([("a.png", picture.as_slice())]));
    assert!(guarded.read("a.png", 10).is_err());
}

/// Returns different content at every read.
#[derive(Default)]
struct Growing(AtomicUsize);

impl Growing {
    const PATHS: [&str; 2] = ["a.txt", "b.png"];

    fn content(&self, path: &str) -> Vec<u8> {
        let secrets = format!("ghp_{}\n", drawn(36)).repeat(self.0.fetch_add(1, Ordering::Relaxed));
        let beginning = if path == "a.txt" { "text\n" } else { "\x7fPNG\0\n" };
        format!("{beginning}{secrets}").into_bytes()
    }
}

impl Source for Growing {
    fn list(&self, _skip: &dyn Fn(&str) -> bool) -> Vec<Entry> {
        Self::PATHS.map(|path| Entry::file(path, 5)).to_vec()
    }

    fn read(&self, path: &str, _limit: u64) -> io::Result<Vec<u8>> {
        Ok(self.content(path))
    }

    fn open<'s>(&'s self, path: &str) -> io::Result<Box<dyn Read + 's>> {
        Ok(Box::new(io::Cursor::new(self.content(path))))
    }
}

#[test]
fn only_scanned_bytes_are_returned() {
    let before = Memory::new(Growing::PATHS.map(|path| (path, Growing::default().content(path))));
    let mut guard = Guard::new(before.list(&|_| false), &[], &SecretRules::default());
    guard.scan(&before, &|_| true);
    let guarded = Guarded::new(std::sync::Arc::new(Growing(AtomicUsize::new(1))), guard);
    let text = |times| format!("text\n{}", "[redacted: github token]\n".repeat(times));
    assert_eq!(guarded.read("a.txt", 999).unwrap(), text(1).into_bytes());
    let mut opened = String::new();
    guarded.open("a.txt").unwrap().read_to_string(&mut opened).unwrap();
    assert_eq!(opened, text(2));
    assert!(guarded.read("b.png", 999).is_err());
    assert!(guarded.open("b.png").is_err());
}

#[test]
fn names_are_shown_without_secrets_and_found_again() {
    let [one, two] = [drawn(36), drawn(37)[1..].to_owned()];
    let paths = [format!("run/npm_{one}.txt"), format!("run/npm_{two}.txt"), "z.txt".to_owned()];
    let memory = Memory::new(paths.iter().map(|path| (path.clone(), path.clone())));
    let guarded = guarded(memory);
    let shown: Vec<String> = guarded.list(&|_| false).into_iter().map(|entry| entry.path).collect();
    let wanted = ["run/[redacted: npm token] 2.txt", "run/[redacted: npm token].txt", "z.txt"];
    assert_eq!(shown, wanted);
    assert_eq!(guarded.read("z.txt", 9).unwrap(), b"z.txt");
    assert_eq!(guarded.read(wanted[1], 99).unwrap(), b"run/[redacted: npm token].txt");
}

#[test]
fn repeated_beginnings_cost_no_more_than_their_length() {
    let beginnings = [
        "-----BEGIN PRIVATE KEY-----\n",
        "eyJeyJ.eyJ.",
        "https://a:b",
        "api_key=\"",
        "Bearer ",
        "sk-",
        "/home/",
        "://",
        "hooks.slack.com/services/",
        "Authorization: Basic ",
        "AccountKey=",
        "1234567890",
        "-eyJ",
        "Authorization: x, ",
        "Private-Lines: ",
        "https://(",
        "xoxd-",
        "&#95;\\_",
        "token=",
        "token=1",
        "password=a&",
        "secret: '",
    ];
    for beginning in beginnings {
        let text = beginning.repeat(100_000 / beginning.len());
        assert!(found(&text).counts.values().sum::<usize>() < 200_002, "{beginning}");
    }
}

#[test]
fn users_add_rules_and_only_they_allow() {
    let text = "acme_qwertyuiopasdfgh and password = \"k8Qz4LmW2xTr\", ticket AB-1234";
    let rules = "[[rules]]\nid = 'acme-key'\nregex = 'acme_[a-z]{12,}'\nkeywords = ['ACME_']\n\
        [[rules]]\nid = 'ticket'\nregex = '[A-Z]{2}-([0-9]{4})'\n\
        [allowlist]\nstopwords = ['k8qz4']\n";
    let own: SecretRules = rules.parse().unwrap();
    let (clean, _) = Finder::new(&[], &own).redact(text).unwrap();
    let expected =
        "[redacted: acme key] and password = \"k8Qz4LmW2xTr\", ticket AB-[redacted: ticket]";
    assert_eq!(clean, expected);
    for wrong in ["[[rules]]\nid = 'a'\nregex = '('", "[[rules]]\nregex = 'a'", "rules = 3"] {
        assert!(wrong.parse::<SecretRules>().is_err(), "{wrong}");
    }
}
