//! Answers, each with the headers that keep a browser from doing more with it than showing it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A reader has to take something within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// How a request was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// As asked.
    Fine,
    /// It makes no sense.
    BadRequest,
    /// It comes from elsewhere.
    Forbidden,
    /// There is nothing of the name.
    NotFound,
    /// Nothing of that kind is done there.
    NotAllowed,
    /// It took too long to arrive.
    TooSlow,
    /// Something else stands there by now.
    Conflict,
    /// How long it is was not said.
    LengthRequired,
    /// Its body is too large.
    BodyTooLarge,
    /// Its first line is too long.
    TargetTooLong,
    /// Its body is of another kind.
    WrongType,
    /// What it is about cannot be changed.
    Unprocessable,
    /// Its head is too large.
    HeadTooLarge,
    /// Something failed on this side.
    Failed,
    /// Too much is going on.
    Busy,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Self::Fine => "200 OK",
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotFound => "404 Not Found",
            Self::NotAllowed => "405 Method Not Allowed",
            Self::TooSlow => "408 Request Timeout",
            Self::Conflict => "409 Conflict",
            Self::LengthRequired => "411 Length Required",
            Self::BodyTooLarge => "413 Content Too Large",
            Self::TargetTooLong => "414 URI Too Long",
            Self::WrongType => "415 Unsupported Media Type",
            Self::Unprocessable => "422 Unprocessable Content",
            Self::HeadTooLarge => "431 Request Header Fields Too Large",
            Self::Failed => "500 Internal Server Error",
            Self::Busy => "503 Service Unavailable",
        }
    }
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

/// An answer.
pub struct Reply {
    status: Status,
    kind: Kind,
    length: u64,
    body: Box<dyn Read>,
}

impl Reply {
    /// An answer that says no more than its status.
    pub(super) fn of(status: Status) -> Self {
        let text = match status {
            Status::NotFound => {
                "nothing is here; use the address that `evalbook serve` printed\n".to_owned()
            }
            _ => format!("{}\n", status.line()),
        };
        let kind = Kind { media: "text/plain; charset=utf-8", policy: NOTHING };
        Self::bytes(status, kind, text.into_bytes())
    }

    /// An answer in JSON.
    pub fn json(status: Status, value: &serde_json::Value) -> Self {
        let kind = Kind { media: "application/json", policy: NOTHING };
        Self::bytes(status, kind, value.to_string().into_bytes())
    }

    pub(super) fn bytes(status: Status, kind: Kind, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { status, kind, length, body: Box::new(io::Cursor::new(bytes)) }
    }

    pub(super) fn file(kind: Kind, length: u64, body: Box<dyn Read>) -> Self {
        Self { status: Status::Fine, kind, length, body }
    }

    /// Sends it, only its head where nothing else was asked for.
    pub(super) fn send(self, mut stream: &TcpStream, is_head: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let allow = if self.status == Status::NotAllowed { "Allow: GET, HEAD\r\n" } else { "" };
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

/// The head of an answer, with `more` headers.
fn write_head(mut stream: &TcpStream, status: Status, policy: &str, more: &str) -> io::Result<()> {
    let line = status.line();
    let head =
        format!("HTTP/1.1 {line}\r\n{ALWAYS}Content-Security-Policy: {policy}\r\n{more}\r\n");
    stream.write_all(head.as_bytes())
}

/// The head of an answer that goes on as long as both sides are there.
pub(super) fn begin_events(stream: &TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    write_head(stream, Status::Fine, NOTHING, "Content-Type: text/event-stream\r\n")
}
