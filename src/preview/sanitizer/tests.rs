//! Malicious pages: the output is read by a separate strict reader, which knows only what the
//! writer writes.

use proptest::prelude::*;

use super::body::LeftOut;
use super::{SafeCopy, copy};
use crate::language::Language;
use testing::table::rows;

/// Elements allowed in a copy.
const ELEMENTS: &str = " html head meta link title style body a abbr acronym address article aside b \
    bdi bdo big blockquote br button caption center cite code col colgroup data dd del details dfn \
    dialog dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr \
    i img input ins kbd label legend li main mark menu meter nav nobr ol optgroup option output p pre \
    progress q rp rt ruby s samp search section select small span strike strong sub summary sup table \
    tbody td tfoot th thead time tr tt u ul var wbr ";

/// Attributes allowed in the body of a copy.
const ATTRIBUTES: &str = " abbr align alt aria-hidden aria-label bgcolor border cellpadding cellspacing \
    checked class color colspan datetime dir disabled face headers height hidden high href id label lang \
    low max media min multiple name nowrap open optimum reversed role rowspan scope selected size span src \
    start style title type valign value width ";

const VOID: &str = " meta link br col hr img input wbr ";

const PNG: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA";

fn made(text: &str) -> SafeCopy {
    copy(text, "a.html", &Language::default(), &[])
}

/// The body of the copy of `text`.
fn body(text: &str) -> String {
    let html = made(text).html.as_str().to_owned();
    let start = html.find("<body").unwrap();
    html[start..].strip_suffix("\n</body>\n</html>\n").unwrap()[5..].replacen(">\n", "", 1)
}

#[test]
fn a_head_of_closed_tags_hides_no_page() {
    for tag in
        ["meta charset=\"utf-8\"", "link rel=\"icon\" href=\"data:,\"", "base href='./'", "meta"]
    {
        for end in [">", "/>", " />", " / >", "\n/>"] {
            let page =
                format!("<html><head><{tag}{end}<title>t</title></head><body><h1>a<br{end}b</h1>");
            assert_eq!(body(&page), "<h1>a<br>b</h1>", "{page}");
        }
    }
}

/// The first forbidden thing in a copy.
pub(crate) fn check(html: &str) -> Result<(), String> {
    let start = "<!doctype html>\n<html lang=\"";
    let rest = html.strip_prefix(start).ok_or("it begins otherwise")?;
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
    if rest.find(policy) > rest.find("<title>") || !rest.contains(policy) {
        return Err("no policy before all else".to_owned());
    }
    let mut open: Vec<&str> = Vec::new();
    let mut rest = &html[16..];
    while let Some(at) = rest.find('<') {
        // A style may hold anything that does not end it.
        if open.last() != Some(&"style") {
            check_text(&rest[..at])?;
        }
        let inner = &rest[at + 1..];
        let (tag, after) = inner.split_once('>').ok_or("a tag without end")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("`{name}` ends and is not open"));
            }
            continue;
        }
        let name = tag.split(' ').next().unwrap_or_default();
        if !ELEMENTS.contains(&format!(" {name} ")) {
            return Err(format!("element `{name}`"));
        }
        let is_ours = matches!(name, "meta" | "link");
        check_attributes(name, &tag[name.len()..], is_ours)?;
        if !VOID.contains(&format!(" {name} ")) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

fn check_text(text: &str) -> Result<(), String> {
    let odd = text.chars().find(|c| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '>' | '"' | '\'' | '\u{202e}')
    });
    odd.map_or(Ok(()), |c| Err(format!("{c:?} in {text:?}")))
}

fn check_attributes(element: &str, text: &str, is_ours: bool) -> Result<(), String> {
    let mut rest = text;
    let mut seen = Vec::new();
    while !rest.is_empty() {
        rest = rest.strip_prefix(' ').ok_or_else(|| format!("no space before {rest:?}"))?;
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix("=\"") {
            Some(value) => value.split_once('"').ok_or("a value without end")?,
            None => ("", after),
        };
        if !is_ours && !ATTRIBUTES.contains(&format!(" {name} ")) {
            return Err(format!("attribute `{name}` of `{element}`"));
        }
        if seen.contains(&name) {
            return Err(format!("`{name}` twice"));
        }
        seen.push(name);
        let is_fine = match name {
            "href" if !is_ours => value.starts_with('#'),
            "src" => value.starts_with("data:image/") && element == "img",
            _ => !value.contains(['<', '>']),
        };
        if !is_fine {
            return Err(format!("`{name}` is `{value}`"));
        }
        rest = after;
    }
    Ok(())
}

#[test]
fn visible_content_is_kept() {
    let table = r##"
        <!doctype html><title>t</title><h1 id=a class='b c' onclick=x>A</h1> => <h1 id="a" class="b c">A</h1>
        <p>a<p>b<div>c</div> => <p>a</p><p>b</p><div>c</div>
        <p><b>a<p>b => <p><b>a</b></p><p>b</p>
        <ul><li>a<ul><li>b</ul><li>c</ul> => <ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>
        <table><tr><td>a<td>b<tr><th colspan=2>c</table> => <table><tr><td>a</td><td>b</td></tr><tr><th colspan="2">c</th></tr></table>
        <table><tr><td></table></div>a => <table><tr><td></td></tr></table>a
        <table><tr><td colspan=100000> => <table><tr><td></td></tr></table>
        <a href=#b>c</a><a href=https://d.example/?e&amp;f title=g>h</a> => <a href="#b">c</a><a title="https://d.example/?e&amp;f">h</a>
        <form action=//x><input name=a value=b autofocus><button formaction=//x>c</button></form> => <div><input disabled type="text" value="b"><button disabled>c</button></div>
        <input type=checkbox checked><input type=hidden value=a><input type=password value=b> => <input disabled type="checkbox" checked><input disabled type="password">
        <textarea><b></textarea>a => <pre>⏎&lt;b&gt;</pre>a
        <noscript>a</noscript> => <div>a</div>
        <x-card>a</x-card><blink>b</blink> => ab
        <p style='color:red;a:"b"' style=x>a => <p style="color:red;a:&quot;b&quot;">a</p>
        <img src=//x alt="a'b"><img src=c.png alt=''><img> => <span>[picture: a&#39;b]</span><span>[picture]</span>
        <pre>a⏎  b</pre>&lt;c&gt; &eacute; => <pre>a⏎  b</pre>&lt;c&gt; &amp;eacute;
        <details open><summary>a</summary>b</details> => <details open><summary>a</summary>b</details>
        <svg><title>a</title><svg></svg>b</svg>c => c
    "##;
    for [text, expected] in rows(table) {
        assert_eq!(body(&text), expected, "{text}");
        assert_eq!(check(made(&text).html.as_str()), Ok(()), "{text}");
    }
    assert_eq!(body("a\0b\u{202e}c"), "a␀b⟨U+202E⟩c");
    let picture = format!("<img alt=a width=7 src={PNG}>");
    assert_eq!(body(&picture), format!("<img src=\"{PNG}\" alt=\"a\" width=\"7\">"));
}

#[test]
fn root_body_and_title_are_kept() {
    let copy = made(
        "<HTML lang=zh-Hant class=a onload=x><title>A &lt; B</title><body style='margin:0' id=b>c",
    );
    let html = copy.html.as_str();
    assert!(html.contains("<html lang=\"zh-Hant\" class=\"a\">"), "{html}");
    assert!(html.contains("<title>A &lt; B</title>"), "{html}");
    assert!(html.contains("<body style=\"margin:0\" id=\"b\">\nc\n</body>"), "{html}");
    let html = made("<html lang='\"><script>'>").html.as_str().to_owned();
    assert!(
        html.contains("<html lang=\"und\">") && html.contains("<title>a.html</title>"),
        "{html}"
    );
}

#[test]
fn styles_stay_and_cannot_end() {
    let table = r#"
        <style>a > b{c:"d"}</style> => <style>⏎a > b{c:"d"}</style>
        <style media='print'>a{}</style> => <style media="print">⏎a{}</style>
        <style media='"><script>'>a{}</style> => <style media="&quot;&gt;&lt;script&gt;">⏎a{}</style>
        <style>a{}</styles><script>x</script> => <style>⏎a{}/styles>script>x/script></style>
        <style>a{}</style => <style>⏎a{}/style</style>
        <p>a<style>b{}</style> => <style>⏎b{}</style>
    "#;
    for [text, expected] in rows(table) {
        let copy = made(&text);
        assert!(copy.html.as_str().contains(&expected), "{text}: {}", copy.html.as_str());
        assert_eq!(check(copy.html.as_str()), Ok(()), "{text}");
    }
}

/// Markup that runs, loads or leaves, each in its own way.
const TRICKS: &[&str] = &[
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.example></SCRIPT>",
    "<script/x>alert(1)</script>",
    "<script\0>alert(1)</script>",
    "<scr\0ipt>alert(1)</script>",
    "<scr<script>ipt>alert(1)</script>",
    "<script>/*<!--<script>*/</script>--><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<title><script>alert(1)</script>",
    "<title></title/><img src=x onerror=alert(1)>",
    "<style></style><script>alert(1)</script>",
    "<style><img src=\"</style><img src=x onerror=alert(1)>\">",
    "<style>a{}</style/><b onclick=x>",
    "<body onload=alert(1) background=//x.example>",
    "<html manifest=//x.example onload=x>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src='x'onerror='alert(1)'>",
    "<img src=`x`onerror=alert(1)>",
    "<img srcset='//x.example 1x' lowsrc=//x.example dynsrc=//x.example longdesc=//x.example>",
    "<img src=data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+>",
    "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA&quot; onerror=&quot;x\">",
    "<picture><source srcset=//x.example><img src=x></picture>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<svg><foreignObject><iframe src=//x.example></foreignObject></svg>",
    "<svg><use href=//x.example#a /></svg><svg/><image href=//x.example>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<math><annotation-xml encoding=text/html><script>alert(1)</script></annotation-xml></math>",
    "<math href=javascript:alert(1)>x</math>",
    "<form><math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror=alert(1) src>\">",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<noscript><style></noscript><img src=x onerror=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<template shadowrootmode=open><img src=x onerror=alert(1)></template>",
    "<plaintext><script>alert(1)</script>",
    "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\"></xmp>",
    "<textarea></textarea><img src=x onerror=alert(1)></textarea>",
    "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>",
    "<noembed><img src=x onerror=alert(1)></noembed><noframes><img src=x onerror=alert(1)></noframes>",
    "<iframe src=//x.example></iframe><iframe srcdoc='<script>alert(1)</script>'>",
    "<iframe><img src=x onerror=alert(1)></iframe>",
    "<frameset onload=alert(1)><frame src=//x.example></frameset>",
    "<object data=//x.example><embed src=//x.example></object>",
    "<embed src=//x.example><applet code=x archive=//x.example></applet>",
    "<video src=//x.example poster=//x.example autoplay onplay=x><track src=//x.example></video>",
    "<audio src=//x.example autoplay></audio><bgsound src=//x.example>",
    "<base href=//x.example/ target=_top>",
    "<meta http-equiv=refresh content='0;url=//x.example'>",
    "<meta http-equiv=Content-Security-Policy content=\"default-src *\">",
    "<link rel=stylesheet href=//x.example><link rel=preload href=//x.example as=script>",
    "<link rel=dns-prefetch href=//x.example><link rel=icon href=//x.example>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java&#115;cript:alert(1)'>x</a>",
    "<a href='jav&#x0A;ascript&colon;alert(1)' target=_top ping=//x.example download>x</a>",
    "<a href=\"#\" onclick=alert(1) onFocus=x autofocus tabindex=1>x</a>",
    "<a title=\"'><script>alert(1)</script>\" href='//x.example\"><script>'>x</a>",
    "<map><area href=//x.example></map><img usemap=#a ismap>",
    "<form action=//x.example><input type=submit formaction=//x.example><input type=image src=//x.example></form>",
    "<input autofocus onfocus=alert(1)><select onfocus=x autofocus><option>a</select>",
    "<select><style></select><img src=x onerror=alert(1)>",
    "<select><template><script>alert(1)</script></template></select>",
    "<button popovertarget=a type=submit form=b>x</button><div popover id=a></div>",
    "<details ontoggle=alert(1) open><summary>x</summary></details>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<isindex prompt=x action=//x.example><keygen autofocus>",
    "<table background=//x.example><tr><td background=//x.example>x",
    "<div style=\"background:url(//x.example)\" style='color:red' STYLE=x:y>x</div>",
    "<p is=x-y slot=z contenteditable draggable=true accesskey=a>x</p>",
    "<!--><script>alert(1)</script>-->",
    "<!--!><script>alert(1)</script>",
    "<!-- --!><script>alert(1)</script>",
    "<!-- never closed <script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml-stylesheet href=//x.example?><script>alert(1)</script>",
    "<!doctype html SYSTEM '//x.example' [<!ENTITY a '<script>'>]>&a;",
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt;b&amp;gt; &#60;i&#62; &#x3C;u>",
    "<p title='&quot;><script>alert(1)</script>'>x",
    "<p title=a\"b'c`d>x</p><p \"><script>alert(1)</script>",
    "<p =\"><script>alert(1)</script>\">",
    "<p a='b'c=\"d\"/e>x",
    "<div\u{b}onclick=x>y</div><div\u{a0}onclick=x>",
    "<a href=\"never closed",
    "<table><a href=javascript:x><tr><td><b></table></b></a>",
    "<b><i></b></i><p></b></p><a><a></a></a><button><button>",
    "</p></br></body></html><script>alert(1)</script>",
    "\u{feff}<html><head><head><body><body onload=x><html onclick=y>",
    "<<<<a<b>>>>",
];

#[test]
fn nothing_that_runs_or_loads_stays() {
    for text in TRICKS {
        for text in [(*text).to_owned(), text.to_ascii_uppercase(), format!("<p>a{text}<p>b")] {
            let copy = made(&text);
            assert_eq!(check(copy.html.as_str()), Ok(()), "{text}\n{}", copy.html.as_str());
        }
    }
    let all = made(&TRICKS.concat());
    assert_eq!(check(all.html.as_str()), Ok(()));
}

#[test]
fn omissions_are_counted() {
    let page = "<script>a</script><script src=b></script><p onclick=c>d<img src=e><iframe></iframe>\
        <svg></svg><link rel=stylesheet href=f><style>h{k:l}</style>";
    let copy = made(page);
    assert_eq!(copy.left_out, LeftOut { scripts: 3, styles: 1, pictures: 1, embedded: 2 });
    assert!(copy.is_whole && !copy.is_empty);
    let made_by_script = made("<div id=root></div><script>render()</script>");
    assert!(made_by_script.is_empty && made_by_script.left_out.scripts == 1);
}

#[test]
fn size_and_depth_are_limited() {
    let floods = [
        "<div>".repeat(50_000),
        "<b><p>".repeat(50_000),
        "<!--".repeat(150_000),
        "<!----!".repeat(100_000),
        "-".repeat(250_000) + "<!--" + &"-".repeat(600_000),
        "<a b=\"".repeat(100_000),
        "</".repeat(250_000),
        "<style>".to_owned() + &"a{b:c}".repeat(150_000),
        "<p style='".to_owned() + &"a:b;".repeat(150_000) + "'>",
        "<p ".to_owned() + &"a=b ".repeat(150_000) + ">",
        "&".repeat(600_000),
        "&#x3c;".repeat(150_000),
        "<script>".to_owned() + &"</scrip".repeat(150_000),
        "<svg>".repeat(100_000),
        "<td>".repeat(100_000),
        "'".repeat(200_000),
    ];
    for text in floods {
        let copy = made(&text);
        let html = copy.html.as_str();
        assert!(html.len() < 540 * 1024, "{:.20}: {}", text, html.len());
        assert_eq!(check(html), Ok(()), "{text:.20}");
    }
    let deep = made(&"<div>".repeat(100_000));
    assert_eq!(deep.html.as_str().matches("<div>").count(), 100);
    let long = made(&"<p>words</p>".repeat(100_000));
    assert!(!long.is_whole && long.lines > 1_000);
    assert!(made("<p>word</p>").is_whole);
}

fn piece() -> impl Strategy<Value = String> {
    let words = concat!(
        "< > </ /> \" ' = & ; !-- --> script style svg math p table td select template ",
        "noscript a href= src= style= onclick= url( ) { } @import /* */ \\ \0 ",
        "data:image/png;base64, javascript: &#x3c; &lt; title body html # : ( é",
    );
    let words: Vec<&str> = words.split(' ').chain([" ", "\n"]).collect();
    prop_oneof![
        4 => prop::sample::select(words).prop_map(str::to_owned),
        1 => prop::sample::select(TRICKS.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_text_becomes_a_sound_copy(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        // Whatever a page says may be quoted.
        let quoted: Vec<&str> = [text.get(..60), text.get(30..200)].into_iter().flatten().collect();
        let copy = copy(&text, "a.html", &Language::default(), &quoted);
        prop_assert_eq!(check(copy.html.as_str()), Ok(()), "{}", text);
    }

    #[test]
    fn any_bytes_become_a_sound_copy(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let copy = made(&String::from_utf8_lossy(&bytes));
        prop_assert_eq!(check(copy.html.as_str()), Ok(()));
    }
}

#[test]
fn the_reader_finds_forbidden_content() {
    let copy = made("<p>x</p>").html.as_str().to_owned();
    assert_eq!(check(&copy), Ok(()));
    let wrong = [
        "<script></script>",
        "<p onclick=\"x\"></p>",
        "<a href=\"//x\"></a>",
        "<img src=\"x\">",
        "<p>",
        "a>b",
        "<svg></svg>",
        "<p id=\"a\" id=\"b\"></p>",
        "<!-- x -->",
        "<b><i></b></i>",
        "<p title=\"a></p>",
    ];
    for wrong in wrong {
        assert!(check(&copy.replace("<p>x</p>", wrong)).is_err(), "{wrong}");
    }
}
