//! Answers, each with the headers that keep a browser from doing more with it than showing it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(&'static str);

impl Status {
    pub const FINE: Self = Self("200 OK");
    pub const BAD_REQUEST: Self = Self("400 Bad Request");
    pub const FORBIDDEN: Self = Self("403 Forbidden");
    pub const NOT_FOUND: Self = Self("404 Not Found");
    pub const NOT_ALLOWED: Self = Self("405 Method Not Allowed");
    pub const TOO_SLOW: Self = Self("408 Request Timeout");
    pub const CONFLICT: Self = Self("409 Conflict");
    pub const LENGTH_REQUIRED: Self = Self("411 Length Required");
    pub const BODY_TOO_LARGE: Self = Self("413 Content Too Large");
    pub const TARGET_TOO_LONG: Self = Self("414 URI Too Long");
    pub const WRONG_TYPE: Self = Self("415 Unsupported Media Type");
    pub const UNPROCESSABLE: Self = Self("422 Unprocessable Content");
    pub const HEAD_TOO_LARGE: Self = Self("431 Request Header Fields Too Large");
    pub const FAILED: Self = Self("500 Internal Server Error");
    pub const BUSY: Self = Self("503 Service Unavailable");
}

/// What a browser is to make of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) media: &'static str,
    pub(super) policy: &'static str,
}

/// The policy of what is only shown or loaded, never a page.
pub(super) const NOTHING: &str = "default-src 'none'; sandbox; frame-ancestors 'none'";

/// Headers of every answer. Nothing is kept by a browser or given to pages from elsewhere.
const ALWAYS: &str = "Connection: close\r\nCache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n";

pub struct Reply {
    status: Status,
    kind: Kind,
    length: u64,
    body: Box<dyn Read>,
}

impl Reply {
    pub(super) fn new(status: Status) -> Self {
        let text = match status {
            Status::NOT_FOUND => {
                "nothing is here; use the address that `evalbook serve` printed\n".to_owned()
            }
            _ => format!("{}\n", status.0),
        };
        let kind = Kind { media: "text/plain; charset=utf-8", policy: NOTHING };
        Self::bytes(status, kind, text.into_bytes())
    }

    pub fn json(status: Status, value: &serde_json::Value) -> Self {
        let kind = Kind { media: "application/json", policy: NOTHING };
        Self::bytes(status, kind, value.to_string().into_bytes())
    }

    pub(super) fn bytes(status: Status, kind: Kind, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { status, kind, length, body: Box::new(io::Cursor::new(bytes)) }
    }

    pub(super) fn file(kind: Kind, length: u64, body: Box<dyn Read>) -> Self {
        Self { status: Status::FINE, kind, length, body }
    }

    /// Sends it, only its head where nothing else was asked for.
    pub(super) fn send(self, mut stream: &TcpStream, is_head: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let allow = if self.status == Status::NOT_ALLOWED { "Allow: GET, HEAD\r\n" } else { "" };
        let head = format!(
            "{allow}Content-Type: {}\r\nContent-Length: {}\r\n",
            self.kind.media, self.length
        );
        write_head(stream, self.status, self.kind.policy, &head)?;
        if !is_head {
            io::copy(&mut self.body.take(self.length), &mut stream)?;
        }
        stream.flush()
    }
}

fn write_head(mut stream: &TcpStream, status: Status, policy: &str, more: &str) -> io::Result<()> {
    let line = status.0;
    let head =
        format!("HTTP/1.1 {line}\r\n{ALWAYS}Content-Security-Policy: {policy}\r\n{more}\r\n");
    stream.write_all(head.as_bytes())
}

/// The head of an answer that goes on as long as both sides are there.
pub(super) fn begin_events(stream: &TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    write_head(stream, Status::FINE, NOTHING, "Content-Type: text/event-stream\r\n")
}
