//! Malicious input, shown as every kind of file.

use proptest::prelude::*;

use super::checker::check;
use super::{html, preview};
use crate::preview::FileRole;
use crate::preview::sanitizer::tests::check as check_copy;
use testing::archive::zip;

/// Names that cover every kind that reads text.
const NAMES: &str = "a.md a.json a.jsonl a.csv a.tsv a.py a.js a.html a.svg a.ipynb a.txt a.diff a.yaml \
    transcript.md transcript.txt transcript.json noname";

/// Input that has broken pages before, one trick each.
const TRICKS: &[&str] = &[
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</pre></details></section></main><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script><a xmlns:xlink='http://www.w3.org/1999/xlink' xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data='data:text/html,<script>alert(1)</script>'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href=https://evil.example/>",
    "<link rel=dns-prefetch href=//evil.example><link rel=stylesheet href=//evil.example>",
    "<style>@import 'https://evil.example';</style>",
    "<form action=https://evil.example><input autofocus onfocus=alert(1)>",
    "<math><mtext></p><img src onerror=alert(1)></math>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "<a href=' &#14; javascript:alert(1)'>x</a>",
    "<a href=\"https://x.example/\" onmouseover=\"alert(1)\">x</a>",
    "<p style=\"background:url(https://evil.example)\">x",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<plaintext><xmp><textarea><title><script>",
    "[x](javascript:alert(1)) [y](<javascript:alert(1)>) [z](&#106;avascript:alert(1))",
    "[x](JaVaScRiPt:alert(1)) [y](data:text/html;base64,PHNjcmlwdD4=) [z](vbscript:x)",
    "[x](https://a.example/\"onmouseover=\"alert(1)) [y](https://a.example/'><script>)",
    "![x](https://evil.example/track.png) ![y](../../../etc/passwd) ![z](\"onerror=alert(1))",
    "<https://a.example/\"onclick=alert(1)> <javascript:alert(1)>",
    "[a]: javascript:alert(1) \"t\"\n\n[a] [b][a]",
    "[![x](a\"b)](file:///etc/passwd)",
    "```\"><script>alert(1)</script>\nx\n```",
    "~~~js\" onclick=\"alert(1)\nx = `</pre><script>`\n~~~",
    "# <script>alert(1)</script> {#id onclick=x}",
    "x[^<script>]\n\n[^<script>]: <b onclick=x>",
    "|<script>|\" onclick=\"x|\n|-|-|\n|<img src=x onerror=x>|`</td>`|",
    "> [!NOTE]\n> <script>",
    "=HYPERLINK(\"https://evil.example\",\"x\"),=cmd|' /C calc'!A0\n\"</td><script>\",<b>",
    "{\"</summary><script>alert(1)</script>\": \"<img src=x onerror=alert(1)>\", \"__proto__\": {\"a\": [\"\\u003cscript\\u003e\"]}}",
    "[{\"role\": \"<script>\", \"content\": [{\"type\": \"tool_use\", \"name\": \"\\\"><script>\", \"input\": {\"<b>\": \"</pre><script>\"}}, \"<script>alert(1)</script>\"]}]",
    "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"</pre><script>\", \"outputs\": [{\"output_type\": \"display_data\", \"data\": {\"text/html\": \"<script>alert(1)</script><img src=x onerror=x>\", \"application/javascript\": \"alert(1)\"}}, {\"output_type\": \"error\", \"ename\": \"<b>\", \"evalue\": \"<script>\", \"traceback\": [\"\\u001b[31m<script>\"]}]}]}",
    "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"\", \"outputs\": [{\"data\": {\"image/svg+xml\": \"<svg onload=alert(1)>\"}}, {\"data\": {\"text/html\": \"<iframe src=//evil.example>\"}}]}]}",
    "User: <script>alert(1)</script>\nAssistant: [x](javascript:alert(1))",
    "## Tool call: <script>alert(1)</script>\n\n</details><script>",
    "+++ <script>\n--- </span>\n@@ <b> @@\n+<img src=x>\n-</pre>",
    "\u{202e}txt.exe \u{200b}\u{feff}\u{e0041}\u{0}\u{1b}]0;x\u{7}\u{9b}31m",
    "$& $` $' {{ 7*7 }} {% raw %} ${x} <%= x %> {{ output.html | safe }}",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &amp;lt;",
    "\u{2028}\u{2029}\u{85}\u{c}\u{b}",
];

/// All output for `content` under `name` is allowed.
fn is_harmless(name: &str, content: &[u8]) {
    for role in [FileRole::Output, FileRole::Transcript] {
        let (shown, stored) = preview(name, content, role);
        for part in [shown.html.as_str(), shown.source.as_str()] {
            let actual = check(part);
            assert_eq!(
                actual,
                Ok(()),
                "{name}: {}",
                String::from_utf8_lossy(&content[..content.len().min(300)])
            );
        }
        for (address, bytes) in stored {
            let extension = address.rsplit('.').next().unwrap();
            if extension == "html" {
                assert_eq!(check_copy(&String::from_utf8(bytes).unwrap()), Ok(()), "{name}");
                continue;
            }
            let harmless = [
                "txt", "bin", "png", "jpg", "gif", "webp", "svg", "pdf", "zip", "xlsx", "docx",
                "pptx", "csv", "tsv", "json",
            ];
            assert!(harmless.contains(&extension), "{address}");
            if extension == "svg" {
                let text = String::from_utf8(bytes).unwrap().to_lowercase();
                let live = "<script|javascript| on|foreignobject|<a |<image|<iframe|@import";
                assert!(live.split('|').all(|word| !text.contains(word)), "{text}");
            }
        }
    }
}

#[test]
fn no_trick_becomes_markup() {
    for trick in TRICKS {
        for name in NAMES.split(' ') {
            is_harmless(name, trick.as_bytes());
            is_harmless(name, trick.repeat(3).as_bytes());
            let utf16: Vec<u8> = trick.encode_utf16().flat_map(u16::to_le_bytes).collect();
            is_harmless(name, &[b"\xff\xfe", &utf16[..]].concat());
        }
    }
}

#[test]
fn names_are_not_markup_either() {
    let name = "a\"><script>\u{202e}.png";
    let actual = html(name, b"\x89PNG\r\n\x1a\n");
    assert_eq!(check(&actual), Ok(()), "{actual}");
    let name = preview(name, b"x", FileRole::Output).0.name;
    assert!(!name.contains('\u{202e}'));
}

#[test]
fn office_files_with_harm_in_them() {
    let run = "<w:r><w:t>&lt;script&gt;alert(1)&lt;/script&gt;</w:t></w:r>";
    let document = format!(
        "<w:document xmlns:w='w' xmlns:r='r'><w:body><w:p><w:hyperlink r:id='x'>{run}</w:hyperlink><w:r><w:instrText>DDEAUTO cmd</w:instrText></w:r></w:p></w:body></w:document>"
    );
    let relations =
        "<R><Relationship Id='x' TargetMode='External' Target='javascript:alert(1)'/></R>";
    let docx = zip(&[
        ("word/document.xml", document.as_bytes()),
        ("word/_rels/document.xml.rels", relations.as_bytes()),
        ("word/vbaProject.bin", b"macro"),
    ]);
    is_harmless("a.docx", &docx);
    assert!(
        !html("a.docx", &docx).contains("javascript") && !html("a.docx", &docx).contains("DDEAUTO")
    );
    let sheet = "<worksheet><sheetData><row r='1'><c r='A1' t='str'><f>HYPERLINK(\"javascript:x\")</f><v>&lt;img onerror=x&gt;</v></c></row></sheetData></worksheet>";
    let xlsx = zip(&[
        (
            "xl/workbook.xml",
            b"<workbook xmlns:r='r'><sheets><sheet name='&lt;b&gt;' r:id='a'/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            b"<R><Relationship Id='a' Target='worksheets/sheet1.xml'/></R>",
        ),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ]);
    is_harmless("a.xlsx", &xlsx);
    assert!(html("a.xlsx", &xlsx).contains("&lt;img onerror=x&gt;"));
    let bomb = zip(&[("word/document.xml", &vec![b' '; 64 * 1024 * 1024])]);
    is_harmless("a.docx", &bomb);
}

#[test]
fn size_and_depth_are_bounded() {
    let many = 30_000;
    let inputs = [
        "[".repeat(many),
        "[".repeat(many) + &"]".repeat(many),
        "{\"a\":".repeat(many),
        ">".repeat(many),
        "> ".repeat(many),
        "- ".repeat(many),
        "*".repeat(many),
        "**a ".repeat(many),
        "[a](".repeat(many / 2),
        "![".repeat(many),
        "<div>".repeat(many),
        "<a href=\"".repeat(many / 2),
        "<!--".repeat(many / 2),
        "<script>".repeat(many / 2),
        "</".repeat(many),
        "`".repeat(many),
        "a`".repeat(many / 2),
        "|".repeat(many),
        "|a".repeat(2_000) + "\n" + &"|-".repeat(2_000) + "\n" + &"|\n".repeat(20_000),
        "\"".repeat(many),
        ",".repeat(many),
        "\n".repeat(many),
        "/*".repeat(many),
        "'''".repeat(many / 2),
        "# a\n".repeat(many / 4),
        "User:\n".repeat(many / 6),
        "&".repeat(many),
        "&#x".repeat(many / 2),
        "[^a]: x\n".repeat(many / 8),
        "<a ".repeat(many / 2),
        "\\".repeat(many),
        "[[[".repeat(many / 4) + &"]]]".repeat(many / 4),
        "[0,".repeat(many / 2) + "0" + &"]".repeat(many / 2),
        "a=".repeat(many),
        "\u{1b}[".repeat(many / 2),
        "<svg xmlns='http://www.w3.org/2000/svg'>".to_owned()
            + &"<g id='a'>".repeat(many / 4)
            + &"</g>".repeat(many / 4)
            + "</svg>",
    ];
    for input in &inputs {
        for name in NAMES.split(' ') {
            let (shown, _) = preview(name, input.as_bytes(), FileRole::Output);
            let length = shown.html.as_str().len() + shown.source.as_str().len();
            assert!(length < 4 * 1024 * 1024, "{name}: {length} for {}", &input[..20]);
            assert_eq!(check(shown.html.as_str()), Ok(()), "{name}: {}", &input[..20]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_comes_in_is_harmless(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::sample::select(TRICKS).prop_map(str::to_owned),
                r#"([-+=_*~`|#@$:&<>\[\](){}!.,;/'"\\ \t\n]|[a-c1-3]|<[a-z/]|\PC){0,16}"#,
            ],
            0..6,
        ),
        name in prop::sample::select(NAMES.split(' ').collect::<Vec<_>>()),
    ) {
        is_harmless(name, pieces.concat().as_bytes());
    }

    #[test]
    fn any_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..200), name in prop::sample::select(NAMES.split(' ').collect::<Vec<_>>())) {
        is_harmless(name, &bytes);
    }
}
