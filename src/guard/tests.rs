use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::files::{Entry, Memory, Source};
use crate::guard::scan::redact;
use crate::guard::shapes::Index;
use crate::guard::stream::{Findings, Stream};
use crate::guard::{Guard, Guarded};
use crate::model::Place;

/// So many letters and digits that look drawn at random. No secret stands in this file as a whole,
/// or other guards would find it.
fn drawn(length: usize) -> String {
    let alphabet = b"k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeXoKqMiBrNsPuD";
    (0..length).map(|at| alphabet[(at * 7 + at / 48) % alphabet.len()] as char).collect()
}

fn hex(length: usize) -> String {
    (0..length).map(|at| b"9f3a7c1e5b8d2046"[(at * 5 + at / 16) % 16] as char).collect()
}

/// Text with secrets between `{` and `}`, and what it is without them.
#[allow(clippy::too_many_lines, reason = "a table")]
fn positives() -> Vec<(String, &'static str)> {
    let d = drawn;
    let jwt = format!("eyJ{}.eyJ{}.{}", d(20), d(40), d(43));
    let key = format!("{}{}", d(48), d(16));
    let pem = |title: &str| format!("-----BEGIN {title}-----\n{key}\n{key}\n-----END {title}-----");
    vec![
        (format!("id {{AKIA{}}}.", "Z7QK2M5XR9BF4TWN"), "aws access key"),
        (format!("aws_secret_access_key = {{{}}}\n", d(40)), "aws secret key"),
        (format!("\"SecretAccessKey\": \"{{{}}}\"", d(40)), "aws secret key"),
        (
            format!("SecretAccessKey: \"{{{}}}\"", "HwBSyfRu0sXJpA".repeat(3).split_at(40).0),
            "aws secret key",
        ),
        (format!("?key={{AIza{}}}&x", d(35)), "google api key"),
        (
            format!("\"private_key\": \"{{{}}}\\n\"", pem("PRIVATE KEY").replace('\n', "\\n")),
            "private key",
        ),
        (format!("a\n{{{}}}\nb", pem("RSA PRIVATE KEY")), "private key"),
        (format!("{{{}}}", pem("OPENSSH PRIVATE KEY")), "private key"),
        (format!("{{{}}}", pem("PGP PRIVATE KEY BLOCK")), "private key"),
        (format!("{{-----BEGIN EC PRIVATE KEY-----\n{key}\n}}"), "private key"),
        (format!("AccountName=x;AccountKey={{{}==}};", d(86)), "azure key"),
        (format!("token {{ghp_{}}}", d(36)), "github token"),
        (format!("'{{gho_{}}}'", d(36)), "github token"),
        (format!("{{ghs_{}}}", d(36)), "github token"),
        (format!("{{ghr_{}}}", d(76)), "github token"),
        (format!("line\\n{{github_pat_{}_{}}}", d(22), d(59)), "github token"),
        (format!("{{glpat-{}}}", d(20)), "gitlab token"),
        (format!("{{xoxb-123456789012-1234567890123-{}}}", d(24)), "slack token"),
        (format!("{{xoxp-1234567890-1234567890-{}}}", d(24)), "slack token"),
        (
            format!("https://hooks.slack.com/services/{{T0AB1CD2E/B0AB1CD2E/{}}}", d(24)),
            "slack webhook",
        ),
        (
            format!("https://discord.com/api/webhooks/{{123456789012345678/{}}}", d(68)),
            "discord webhook",
        ),
        (format!("{{MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{}}}", d(27)), "discord token"),
        (format!("bot {{123456789:AA{}}}", d(33)), "telegram token"),
        (format!("{{sk_live_{}}}", d(24)), "stripe key"),
        (format!("{{rk_live_{}}}", d(24)), "stripe key"),
        (format!("{{pk_live_{}}}", d(24)), "stripe key"),
        (format!("{{sk-ant-api03-{}}}", d(93)), "anthropic key"),
        (format!("{{sk-{}}}", d(48)), "openai key"),
        (format!("{{sk-proj-{}}}", d(48)), "openai key"),
        (format!("{{hf_{}}}", d(34)), "hugging face token"),
        (format!("{{gsk_{}}}", d(52)), "groq key"),
        (format!("{{npm_{}}}", d(36)), "npm token"),
        (format!("{{pypi-AgEIcHlwaS5vcmc{}}}", d(120)), "pypi token"),
        (format!("cookie={{{jwt}}};"), "json web token"),
        (format!("Authorization: Bearer {{{}}}", d(40)), "bearer token"),
        (format!("-H 'Authorization: Bearer {{{jwt}}}'"), "json web token"),
        (
            format!("\"Authorization\": \"Basic {{{}}}\"", "Ym9iOmh1bnRlcjJodW50ZXI="),
            "basic credentials",
        ),
        ("postgres://bob:{q7Zt2Lk9}@db.internal:5432/x".to_owned(), "url password"),
        (format!("https://oauth2:{{glpat-{}}}@gitlab.com/a.git", d(20)), "gitlab token"),
        (format!("api_key = \"{{{}}}\"", d(32)), "assigned secret"),
        (format!("\\\"client_secret\\\": \\\"{{{}}}\\\"", d(32)), "assigned secret"),
        (format!("DB_PASSWORD={{{}}}\n", d(20)), "assigned secret"),
        (format!("os.environ[\"API_TOKEN\"] = '{{{}}}'", d(24)), "assigned secret"),
        (format!("{{SG.{}.{}}}", d(22), d(43)), "sendgrid key"),
        (format!("{{dop_v1_{}}}", hex(64)), "digitalocean token"),
        (putty(&key), "private key"),
        (
            format!(
                "{{---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{key}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----}}"
            ),
            "private key",
        ),
        (format!("{{eyJ{}..{}.{}.{}}}", d(60), d(16), d(80), d(22)), "json web token"),
    ]
}

/// A key of PuTTY between braces.
fn putty(key: &str) -> String {
    format!("{{Private-Lines: 2\n{key}\n{key}\n}}Private-MAC: {}", hex(40))
}

/// Shapes that were met after a name, a sign of a difference or an escape, in headers, settings and
/// addresses, and those of more makers.
#[allow(clippy::too_many_lines, reason = "a table")]
fn more_positives() -> Vec<(String, &'static str)> {
    let d = drawn;
    let ghp = || format!("{{ghp_{}}}", d(36));
    let uuid = "550e8400-e29b-41d4-a716-446655440000";
    let github: Vec<String> = [
        "-",
        "--",
        "my_",
        "case-",
        "cfg-",
        "\u{1b}[32m",
        "\\u001b[0;32m",
        "\\x1b[1m",
        "\\u2192",
        "     1→",
        "\\n-",
        "%3D",
        "\\t",
        "x=",
    ]
    .iter()
    .map(|before| format!("{before}{}", ghp()))
    .collect();
    let mut all: Vec<(String, &'static str)> =
        github.into_iter().map(|text| (text, "github token")).collect();
    all.extend([
        (format!("run-{{AKIA{}}}-x", "Z7QK2M5XR9BF4TWN"), "aws access key"),
        (format!("a-{{glpat-{}}}", d(20)), "gitlab token"),
        (format!("k_{{sk-ant-api03-{}}}", d(93)), "anthropic key"),
        (format!("-{{eyJ{}.eyJ{}.{}}}", d(20), d(40), d(43)), "json web token"),
        (format!("name-{{MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{}}}", d(27)), "discord token"),
        (format!("ghp\\_x {{ghp\\_{}}}", d(36)), "github token"),
        (format!("{{ghp\\\\_{}}}", d(36)), "github token"),
        (format!("{{ghp&#95;{}}}", d(36)), "github token"),
        (format!("<text>{{&#x67;hp_{}}}</text>", d(36)), "github token"),
        (format!("{{sk\\-ant\\-{}}}", d(40)), "anthropic key"),
        (format!("Authorization: Token {{{}}}", hex(40)), "authorization header"),
        (format!("authorization: token {{{}}}\n", hex(40)), "authorization header"),
        (format!("-H 'Authorization: {{{}}}' https://x", d(40)), "authorization header"),
        (format!("\"Authorization\": \"ApiKey {{{}==}}\"", d(40)), "authorization header"),
        (
            format!(
                "Authorization: Digest username=\"a\", nonce=\"{{{}\", response=\"{}}}\"",
                hex(32),
                hex(32)
            ),
            "authorization header",
        ),
        (
            format!(
                "Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature={{{}}}",
                hex(64)
            ),
            "authorization header",
        ),
        (format!("Authorization: Bearer  {{{}}}", d(40)), "bearer token"),
        (format!("Authorization:\tBearer\t{{{}}}", d(40)), "bearer token"),
        (format!("Authorization: Bearer\\t{{{}}}", d(40)), "bearer token"),
        (format!("Authorization: Bearer {{{uuid}}}"), "bearer token"),
        (format!("Authorization: Bearer {{12|{}}}", d(40)), "bearer token"),
        (format!("x-api-key: {{{}}}\n", d(40)), "assigned secret"),
        (format!("api-key: {{{}}}", hex(32)), "assigned secret"),
        (format!("PRIVATE-TOKEN: {{{}}}'", d(40)), "assigned secret"),
        (format!("api_key: {{{}}}\n", d(40)), "assigned secret"),
        (format!("aws_secret_access_key: {{{}}}\n", d(40)), "aws secret key"),
        (format!("//registry.npmjs.org/:_authToken={{{uuid}}}\n"), "assigned secret"),
        (format!("mongodb+srv://u:{{a({})}}@h/x", d(8)), "url password"),
        (format!("(see https://u:{{ab,{}}}@h)", d(8)), "url password"),
        (format!("https://{{{}}}@github.com/a/b.git", hex(40)), "url password"),
        (format!("https://{{ghp_{}}}:@github.com", d(36)), "github token"),
        (format!("https://{{{}}}:@github.com", d(40)), "url password"),
    ]);
    all.extend(of_makers());
    all
}

fn of_makers() -> Vec<(String, &'static str)> {
    let d = drawn;
    let lower = |length: usize| d(length).to_lowercase();
    let uuid = "550e8400-e29b-41d4-a716-446655440000";
    vec![
        (format!("{{access_token$production${}${}}}", lower(16), hex(32)), "paypal token"),
        (format!("{{A21AA{}}}", d(91)), "paypal token"),
        (format!("{{EAAA{}}}", d(60)), "square token"),
        (format!("{{rzp_live_{}}}", d(14)), "razorpay key"),
        (format!("{{live_{}}}", d(30)), "mollie key"),
        (format!("{{FLWSECK-{}-X}}", hex(32)), "flutterwave key"),
        (format!("{{pdl_live_apikey_{}_{}_{}}}", lower(26), d(22), d(3)), "paddle key"),
        (format!("{{sk_org_live_{}}}", d(40)), "stripe key"),
        (format!("{{xoxc-123456789012-{}}}", hex(64)), "slack token"),
        (format!("{{xoxd-{}%2B{}}}", d(30), d(30)), "slack token"),
        (
            format!("https://hooks.slack.com/triggers/{{T0AB1CD2E/1234567890123/{}}}", hex(32)),
            "slack webhook",
        ),
        (
            format!(
                "https://a.webhook.office.com/webhookb2/{{{uuid}@{uuid}/IncomingWebhook/{}/{uuid}}}",
                hex(32)
            ),
            "teams webhook",
        ),
        (format!("{{abc8Q~{}}}", d(34)), "azure client secret"),
        (format!("{{{}AZDO{}}}", d(76), d(4)), "azure devops token"),
        (format!("{{1//0g{}}}", d(60)), "google refresh token"),
        (format!("{{AQ.Ab8RN6{}}}", d(44)), "google api key"),
        (format!("{{LTAI{}}}", d(20)), "alibaba access key"),
        (format!("{{AKID{}}}", d(32)), "tencent access key"),
        (format!("{{{}.atlasv1.{}}}", d(14), d(64)), "terraform token"),
        (format!("{{HRKU-AA{}}}", d(58)), "heroku key"),
        (format!("{{dp.pt.{}}}", d(43)), "doppler token"),
        (format!("{{GR1348941{}}}", d(20)), "gitlab token"),
        (format!("{{gloas-{}}}", hex(64)), "gitlab token"),
        (format!("{{glffct-{}}}", d(20)), "gitlab token"),
        (format!("{{ATCTT3{}}}", d(180)), "atlassian token"),
        (format!("{{ABSK{}=}}", d(120)), "bedrock key"),
        (format!("{{csk-{}}}", lower(48)), "cerebras key"),
        (format!("{{pcsk_{}_{}}}", d(5), d(63)), "pinecone key"),
        (format!("{{lsv2_pt_{}_{}}}", hex(32), hex(10)), "langsmith key"),
        (format!("{{tvly-dev-{}}}", d(32)), "tavily key"),
        (format!("{{fw_{}}}", d(24)), "fireworks key"),
        (format!("{{pa-{}}}", d(43)), "voyage key"),
        (format!("{{jina_{}}}", d(60)), "jina key"),
        (format!("{{sk-lf-{uuid}}}"), "langfuse key"),
        (format!("{{sk-None-{}}}", d(48)), "openai key"),
        (format!("{{sk_{}}}", hex(48)), "elevenlabs key"),
    ]
}

/// The text without its braces, and with the mark in their place.
fn parts(text: &str, label: &str) -> (String, String) {
    let (before, rest) = text.split_once('{').unwrap();
    let (secret, after) = rest.rsplit_once('}').unwrap();
    (format!("{before}{secret}{after}"), format!("{before}[redacted: {label}]{after}"))
}

#[test]
fn every_shape_is_replaced_and_nothing_around_it() {
    let index = Index::default();
    for (text, label) in positives().into_iter().chain(more_positives()) {
        let (text, wanted) = parts(&text, label);
        let redacted = redact(&text, &index).map(|(text, _)| text);
        assert_eq!(redacted.as_deref(), Some(wanted.as_str()), "{text}");
        let again = redact(&wanted, &index);
        assert_eq!(again, None, "a mark is no secret: {wanted}");
    }
}

#[test]
fn what_is_no_secret_stays() {
    let index = Index::default();
    let hash = hex(64);
    let table = [
        format!("blake3 {hash}"),
        format!("commit {}", &hash[..40]),
        format!("\"token\": \"{}\"", "550e8400-e29b-41d4-a716-446655440000"),
        format!("data:image/png;base64,{}AKIA{}", drawn(200), drawn(300)),
        format!("sha512-{}==", drawn(86)),
        "risk-assessment-of-the-task-management-12 and desk-organizer".to_owned(),
        "sk-estimator-html-doc-link sk-learn sk-container-id-1".to_owned(),
        "Bearer authentication-is-required-here".to_owned(),
        "Authorization: Bearer YOUR_API_KEY_HERE_123".to_owned(),
        "Authorization: Bearer ${TOKEN}".to_owned(),
        "Basic understanding of Authorization: none".to_owned(),
        "postgres://user:password@localhost/db".to_owned(),
        "postgres://postgres:postgres@localhost/db".to_owned(),
        "https://$USER:$PASS@host/ and redis://:***@host".to_owned(),
        "http://host:8080/a@b and ssh://git@github.com:22/x".to_owned(),
        "api_key = os.environ[\"OPENAI_API_KEY_2\"]".to_owned(),
        "api_key=\"your-api-key-here-12345\"".to_owned(),
        "password = \"correct horse battery staple 12\"".to_owned(),
        "\"max_tokens\": \"1234567890123456789\"".to_owned(),
        "token: 'claude-3-5-sonnet-20241022'".to_owned(),
        "secret = hash_password_with_salt(password2, b64decode)".to_owned(),
        "ghp_short and ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".to_owned(),
        "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----".to_owned(),
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_owned(),
        "eyJ in words, eyJhbGciOiJIUzI1NiJ9 alone".to_owned(),
        "The key to it: 'sixteen or more letters1'".to_owned(),
        "https://example.com/home/dashboard/x and a/Users/b".to_owned(),
        "./root/x and /roots/a, ~/home/x, $HOME/home/y".to_owned(),
        format!("cache-key-{0} img/key-{0} SK{0}A ask_{1}", hex(32), hex(48)),
        format!("data:font/woff2;base64,d09GMgAB/EAAA{}/{}", drawn(60), drawn(80)),
        format!("{}.{}.{}", drawn(24), drawn(6), drawn(27)),
        "live_stream_of_all_events_in_one_page2 test_live_x".to_owned(),
        "gh\\_pages and a\\_b\\-c &#95;&#45; x&#8594;y".to_owned(),
        "Authorization: see docs/permissions2.md, table 12, before 2026-01-01".to_owned(),
        "AUTHORIZATION: NTSTATUS = 0xC0290149_u32".to_owned(),
        "Authorization: Bearer <token> or Authorization: Token token=\"…\"".to_owned(),
        "token: TokenStream2, secret: some_module::parse_secret_value_v2(x)".to_owned(),
        "access_token: SomeLongTypeNameForTheTokenV100".to_owned(),
        "password: correcthorsebatterystaple-and-more".to_owned(),
        format!("api_key: {}", "550e8400-e29b-41d4-a716-446655440000"),
        "https://a.b:80),c@d.e https://a.b:80,c@d.e (https://a.b:8080)@x".to_owned(),
        "https://registry.example.com/a@1.2.3 git+https://github.com/a/b@main".to_owned(),
        "if text.contains(\"-----BEGIN PRIVATE KEY-----\") { one(); }\nlet path = \
         \"/srv/Example/Documents/Project1/src/main_module.rs\";\n\"-----END PRIVATE KEY-----\""
            .to_owned(),
        "Private-Lines: 14 of them\nPrivate-MAC: none".to_owned(),
    ];
    for text in table {
        assert_eq!(redact(&text, &index), None, "{text}");
    }
}

/// Lines of a private key as other programs show them: each with what stands before and after it.
#[test]
fn a_private_key_is_found_in_whatever_stands_around_its_lines() {
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
    let index = Index::default();
    for text in table {
        let (redacted, shapes) = redact(&text, &index).expect(&text);
        assert_eq!(shapes.len(), 1, "{redacted}");
        assert!(lines.iter().all(|line| !redacted.contains(&line[20..])), "{redacted}");
        assert!(redacted.contains("[redacted: private key]") && redacted.len() < 60, "{redacted}");
        let cut = &text[..text.len() * 2 / 3];
        let (redacted, _) = redact(cut, &index).expect(cut);
        let kept = lines[..3].iter().find(|line| redacted.contains(&line[20..]));
        assert_eq!(kept, None, "{redacted}");
    }
}

/// What stands between an anchor and the secret that it leads to is looked at, too.
#[test]
fn a_secret_before_another_of_the_same_place_is_found() {
    let text = format!("https://ghp_{}:x-oauth-basic@github.com", drawn(36));
    let (redacted, _) = redact(&text, &Index::default()).unwrap();
    assert_eq!(redacted, "https://[redacted: github token]:[redacted: url password]@github.com");
}

#[test]
fn utf_16_needs_no_mark() {
    let text = format!("k npm_{} v", drawn(36));
    let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    assert_eq!(through(&wide(&text)).0, wide("k [redacted: npm token] v"));
}

#[test]
fn homes_and_the_workspace_become_relative() {
    let index = Index::new(&["/home/bob/evals/ws".to_owned(), "/tmp".to_owned()]);
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
        let redacted = redact(text, &index).map_or(text.to_owned(), |(text, _)| text);
        assert_eq!(redacted, wanted, "{text}");
    }
}

/// The files of `memory` behind a guard that looked through all of them.
fn guarded(memory: Memory) -> Guarded<Memory> {
    let mut guard = Guard::new(memory.list(&|_| false), &[]);
    guard.look_through(&memory, &|_| true);
    Guarded::new(memory, guard)
}

/// What is found in a file of this content.
fn found(text: &str) -> Findings {
    Stream::new(text.as_bytes(), &Index::default()).unwrap().into_findings().unwrap()
}

/// What a guarded source of one file gives of it, whole and byte by byte.
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
fn a_secret_across_parts_of_a_file_is_found() {
    let secret = format!("ghp_{}", drawn(36));
    for before in [262_100, 262_144, 262_130, 279_000, 279_552, 279_530, 524_288] {
        let text =
            format!("{}\n{secret}\n{}{secret} end", "a ".repeat(before / 2), "b\n".repeat(200_000));
        let (whole, single) = through(text.as_bytes());
        let wanted = text.replace(&secret, "[redacted: github token]");
        assert!(whole == wanted.as_bytes(), "{before}");
        assert!(single == whole, "{before}");
    }
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
    let places: Vec<Place> = findings.places.iter().map(|it| it.place).collect();
    assert_eq!(places, [Place { line: 2, column: 16 }, Place { line: 3, column: 1 }]);
    let shown: Vec<Place> = findings.places.iter().map(|it| it.shown).collect();
    assert_eq!(shown, [Place { line: 2, column: 8 }, Place { line: 3, column: 1 }]);
    let far = format!("{}{text}", "x\n".repeat(400_000));
    let findings = found(&far);
    assert_eq!(findings.places[0].place, Place { line: 400_002, column: 16 });
    assert_eq!(findings.places[0].shown, Place { line: 400_002, column: 8 });
}

#[test]
fn what_cannot_be_replaced_is_not_given() {
    let secret = format!("ghp_{}", drawn(36));
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0".to_vec();
    picture.extend(secret.as_bytes());
    let guarded = guarded(Memory::new([("a.png", picture.as_slice())]));
    assert!(guarded.read("a.png", 10).is_err());
}

#[test]
fn any_number_of_places_is_replaced() {
    let dense = "/root/x ".repeat(200_001);
    let (whole, single) = through(dense.as_bytes());
    assert!(whole == "~/x ".repeat(200_001).into_bytes() && single == whole);
}

/// Gives another content each time that it is read.
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
fn what_is_given_is_what_was_looked_through() {
    let before = Memory::new(Growing::PATHS.map(|path| (path, Growing::default().content(path))));
    let mut guard = Guard::new(before.list(&|_| false), &[]);
    guard.look_through(&before, &|_| true);
    let guarded = Guarded::new(Growing(AtomicUsize::new(1)), guard);
    let text = |times| format!("text\n{}", "[redacted: github token]\n".repeat(times));
    assert_eq!(guarded.read("a.txt", 999).unwrap(), text(1).into_bytes());
    let mut opened = String::new();
    guarded.open("a.txt").unwrap().read_to_string(&mut opened).unwrap();
    assert_eq!(opened, text(2));
    assert!(guarded.read("b.png", 999).is_err());
    let (mut reader, mut given) = (guarded.open("b.png").unwrap(), Vec::new());
    for _ in 0..2 {
        assert!(reader.read_to_end(&mut given).is_err());
    }
    assert!(!given.windows(4).any(|part| part == b"ghp_"));
}

/// The anchor of some secrets stands behind their first byte: both may be in other parts.
#[test]
fn a_secret_whose_anchor_is_in_the_next_part_is_found() {
    let secret = format!("123456789:AA{}", drawn(33));
    for before in 262_120..262_160 {
        let text = format!("{} {secret} {}", "a".repeat(before), "b\n".repeat(20_000));
        let (whole, single) = through(text.as_bytes());
        assert!(!whole.windows(9).any(|part| part == &secret.as_bytes()[..9]), "{before}");
        assert!(single == whole, "{before}");
    }
}

#[test]
fn names_are_shown_without_secrets_and_found_again() {
    let [one, two] = [drawn(36), drawn(37)[1..].to_owned()];
    let paths = [format!("run/npm_{one}.txt"), format!("run/npm_{two}.txt"), "z.txt".to_owned()];
    let memory = Memory::new(paths.iter().map(|path| (path.clone(), path.clone())));
    let guarded = guarded(memory);
    let shown: Vec<String> = guarded.list(&|_| false).into_iter().map(|it| it.path).collect();
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
    ];
    for beginning in beginnings {
        let text = beginning.repeat(300_000 / beginning.len());
        assert!(found(&text).counts.values().sum::<usize>() < 200_002, "{beginning}");
    }
}
