//! A server of one folder on loopback, below a path of its own, as pages on a host lie.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the folder lies on the server.
const BELOW: &str = "/some/sub/path/";

/// A running server; it ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    ends: Arc<AtomicBool>,
}

impl Server {
    /// Serves the files of `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let ends = Arc::new(AtomicBool::new(false));
        let (folder, stop) = (folder.to_owned(), Arc::clone(&ends));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let folder = folder.clone();
                // A browser that hangs up early is no failure of the server.
                std::thread::spawn(move || drop(answer(&stream, &folder)));
            }
        });
        Self { address, ends }
    }

    /// The address of the folder, with `/` at its end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}{BELOW}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        // The listener looks at the flag when someone comes.
        let _ = TcpStream::connect(self.address);
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in lines.by_ref() {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let file = path.strip_prefix(BELOW).map(|below| file(folder, below));
    let found = file.and_then(|file| Some((kind(&file), std::fs::read(&file).ok()?)));
    let (status, (kind, body)) = match found {
        Some(found) => ("200 OK", found),
        None => ("404 Not Found", ("text/plain", Vec::new())),
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)
}

fn file(folder: &Path, below: &str) -> PathBuf {
    assert!(!below.contains(".."), "`{below}` stays below the folder");
    if below.is_empty() { folder.join("index.html") } else { folder.join(below) }
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("json") => "application/json",
        Some("pdf") => "application/pdf",
        _ => "text/plain; charset=utf-8",
    }
}
