//! The clean copy of an HTML output makes no request, in Chromium and in Firefox.
//!
//! Styles stay as they are and only the policy of the copy keeps them from loading; what browsers
//! fetch before they read a policy has to be gone. Where a browser is missing, that part is skipped.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

use crate::support::chromium::Chromium;
use crate::support::server::Server;
use crate::support::{Workspace, address, firefox, site, tree};

/// Everything that loads or leads somewhere. `TAP` is the address that must not be asked.
const VECTORS: &str = "<!doctype html><html manifest='TAP/manifest'><head><base href='TAP/base/'>
<meta http-equiv=refresh content='0;url=TAP/refresh'>
<link rel=stylesheet href='TAP/link.css'><link rel=preload as=image href='TAP/preload'>
<link rel=prefetch href='TAP/prefetch'><link rel=icon href='TAP/icon'>
<link rel=preconnect href='TAP'><link rel=modulepreload href='TAP/module'>
<style>@import 'TAP/import.css'; @import url(TAP/import-url.css);</style>
<style media=screen>@font-face{font-family:a;src:url(TAP/font.woff2)} p{font-family:a}
body{background:url(TAP/body)} p::before{content:url(TAP/content)} ul{list-style:url(TAP/list)}
i{cursor:url(TAP/cursor),auto} b{border-image:url(TAP/border) 1} q{mask:url(TAP/mask.svg#a)}
u{filter:url(TAP/filter.svg#a)} s{background:image-set('TAP/set' 1x)} em{--a:url(TAP/var);background:var(--a)}
a{background:u\\72l(TAP/escaped)} h1{background:url(data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%3E%3Cimage%20href=%22TAP/inner%22/%3E%3C/svg%3E)}</style>
<script src='TAP/script.js'></script><script>fetch('TAP/fetch')</script></head>
<body background='TAP/background' onload=\"fetch('TAP/onload')\"><h1>shown</h1>
<p style=\"background:url('TAP/attribute')\">x<ul><li>x</ul><i>x</i><b>x</b><q>x</q><u>x</u><s>x</s><em>x</em><a>x</a>
<img src='TAP/img'><img srcset='TAP/srcset 1x'><picture><source srcset='TAP/source'><img></picture>
<svg><use href='TAP/use.svg#a'/><image href='TAP/image'/><style>@import 'TAP/svg-import'</style></svg>
<iframe src='TAP/iframe'></iframe><iframe srcdoc=\"<img src='TAP/srcdoc'>\"></iframe>
<object data='TAP/object'></object><embed src='TAP/embed'><video src='TAP/video' poster='TAP/poster' autoplay></video>
<audio src='TAP/audio' autoplay></audio><input type=image src='TAP/input'>
<table background='TAP/table'><tr><td background='TAP/cell'>x</table>
<form action='TAP/form'><button autofocus>x</button></form><math href='TAP/math'>x</math>";

/// A server on loopback that remembers what it is asked for.
struct Tap {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Tap {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let requests = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let requests = Arc::clone(&requests);
                // A browser may connect in advance, without a request.
                std::thread::spawn(move || {
                    let mut request = String::new();
                    let _ = BufReader::new(&stream).read_line(&mut request);
                    requests.lock().expect("the list").push(request.trim_end().to_owned());
                    stream.write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
                });
            }
        });
        Self { address, asked }
    }

    /// What it was asked for since the last call.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().expect("the list"))
    }
}

/// Opens the clean copy of a page full of vectors, from disk and from a host, and the page as it is.
/// `open` says whether the page was drawn.
fn assert_no_request(mut open: impl FnMut(&str) -> bool) {
    let tap = Tap::start();
    let page = VECTORS.replace("TAP", &format!("http://{}", tap.address));
    let workspace =
        Workspace::good().file("iteration-1/good-case/with_skill/run-1/outputs/page.html", &page);
    let report = workspace.build();
    let copy = tree(&report).into_keys().find(|path| site::is_copy(path)).expect("a copy");
    let server = Server::start(&report);
    for folder in [address(&report), server.url()] {
        for path in [copy.as_str(), "iterations/iteration-1/good-case/with_skill-1.html"] {
            assert!(open(&format!("{folder}{path}")), "{folder}{path} is drawn");
            assert_eq!(tap.asked(), [""; 0], "{folder}{path}");
        }
    }
    // The same page as it is shows that requests would be noticed. Firefox does not always draw it:
    // its scripts, frames and forms race with the picture.
    let unclean = page.replace("http-equiv=refresh", "");
    let original = Workspace::new().file("original/index.html", &unclean);
    open(&format!("{}index.html", address(&original.path().join("original"))));
    assert!(tap.asked().len() > 10);
}

#[test]
fn a_copy_makes_no_request_in_chromium() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    assert_no_request(|url| {
        browser.open(url, "");
        true
    });
}

#[test]
fn a_copy_makes_no_request_in_firefox() {
    let Some(program) = firefox::find() else { return };
    assert_no_request(|url| firefox::open(program, url));
}
