//! Reads one request with limits on size and time; writes answers with headers that keep a browser
//! from doing more than showing them.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use crate::page_policy::SERVED_FILE;
use input::files::RegularFile;

const HEAD_END: &[u8] = b"\r\n\r\n";
const MAX_HEAD: usize = 16 * 1024;
const MAX_BODY: usize = 1024 * 1024;

/// Time limit for a whole request, and for sending each part of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long a refused request is still read, so that the refusal arrives.
const DRAIN_TIME: Duration = Duration::from_millis(500);

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    /// Headers, with names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Why there is no request; `None` if nobody waits for an answer.
pub(super) type RequestError = Option<Status>;

impl Request {
    /// The value of a header; `None` if missing, an error if repeated.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Status> {
        let mut matching = self.headers.iter().filter(|(key, _)| key == name);
        match (matching.next(), matching.next()) {
            (Some(_), Some(_)) => Err(Status::BAD_REQUEST),
            (first, _) => Ok(first.map(|(_, value)| value.as_str())),
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "a slow client is measured by time")]
pub(super) fn read(stream: &TcpStream) -> Result<Request, RequestError> {
    let start = Instant::now();
    let mut bytes = Vec::new();
    let end = loop {
        let end = bytes.windows(HEAD_END.len()).position(|part| part == HEAD_END);
        if end.unwrap_or(bytes.len()) > MAX_HEAD {
            return Err(Some(Status::HEAD_TOO_LARGE));
        }
        if let Some(end) = end {
            break end;
        }
        read_more(stream, start, &mut bytes)?;
    };
    let mut request = parse(&bytes[..end]).map_err(Some)?;
    let length = body_length(&request).map_err(Some)?;
    bytes.drain(..end + HEAD_END.len());
    while bytes.len() < length {
        read_more(stream, start, &mut bytes)?;
    }
    bytes.truncate(length);
    request.body = bytes;
    Ok(request)
}

fn read_more(
    mut stream: &TcpStream,
    start: Instant,
    bytes: &mut Vec<u8>,
) -> Result<(), RequestError> {
    let mut part = [0; 8 * 1024];
    let remaining = TIMEOUT.saturating_sub(start.elapsed());
    if remaining.is_zero() {
        return Err(Some(Status::TOO_SLOW));
    }
    stream.set_read_timeout(Some(remaining)).map_err(|_| None)?;
    match stream.read(&mut part).map_err(|error| error.kind()) {
        Ok(0) => return Err(None),
        Ok(length) => bytes.extend_from_slice(&part[..length]),
        Err(ErrorKind::Interrupted) => {}
        Err(ErrorKind::WouldBlock | ErrorKind::TimedOut) => return Err(Some(Status::TOO_SLOW)),
        Err(_) => return Err(None),
    }
    Ok(())
}

/// Parses the head without its empty line. Ambiguous input is refused.
fn parse(head: &[u8]) -> Result<Request, Status> {
    let bad = Status::BAD_REQUEST;
    let head = std::str::from_utf8(head).map_err(|_| bad)?;
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap_or_default();
    // A lone line feed ends a line for some readers and not for others.
    if head.replace("\r\n", "").contains(|c: char| c.is_control() && c != '\t') {
        return Err(bad);
    }
    let words: Vec<&str> = line.split(' ').collect();
    let [method, target, "HTTP/1.1" | "HTTP/1.0"] = words[..] else { return Err(bad) };
    if !target.starts_with('/') || !target.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(bad);
    }
    let headers: Vec<(String, String)> =
        lines.map(|line| header(line).ok_or(bad)).collect::<Result<_, _>>()?;
    let (method, target) = (method.to_owned(), target.to_owned());
    Ok(Request { method, target, headers, body: Vec::new() })
}

fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    if name.is_empty() || !name.bytes().all(is_token) {
        return None;
    }
    Some((name.to_ascii_lowercase(), value.trim_matches([' ', '\t']).to_owned()))
}

/// Whether a name of a header may have this byte, by RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// The length of the body; only `Content-Length` in digits is accepted.
fn body_length(request: &Request) -> Result<usize, Status> {
    if request.header("transfer-encoding")?.is_some() {
        return Err(Status::LENGTH_REQUIRED);
    }
    let Some(length) = request.header("content-length")? else { return Ok(0) };
    // `parse` would also take `+1`, which other readers refuse.
    if length.is_empty() || length.len() > 18 || !length.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Status::BAD_REQUEST);
    }
    match length.parse() {
        Ok(length) if length <= MAX_BODY => Ok(length),
        _ => Err(Status::BODY_TOO_LARGE),
    }
}

/// Reads some of the remaining input: closing the connection earlier would lose the answer.
#[allow(clippy::disallowed_methods, reason = "a slow client is measured by time")]
pub(super) fn drain(mut stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let start = Instant::now();
    let (mut part, mut drained) = ([0; 8 * 1024], 0);
    while drained <= MAX_BODY {
        // Of the whole time, so that a byte now and then does not hold the connection.
        let left = DRAIN_TIME.saturating_sub(start.elapsed());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut part) {
            Ok(length @ 1..) => drained += length,
            _ => return,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(&'static str);

impl Status {
    pub const OK: Self = Self("200 OK");
    pub const BAD_REQUEST: Self = Self("400 Bad Request");
    pub const FORBIDDEN: Self = Self("403 Forbidden");
    pub const NOT_FOUND: Self = Self("404 Not Found");
    pub const NOT_ALLOWED: Self = Self("405 Method Not Allowed");
    pub const TOO_SLOW: Self = Self("408 Request Timeout");
    pub const CONFLICT: Self = Self("409 Conflict");
    pub const LENGTH_REQUIRED: Self = Self("411 Length Required");
    pub const BODY_TOO_LARGE: Self = Self("413 Content Too Large");
    pub const WRONG_TYPE: Self = Self("415 Unsupported Media Type");
    pub const UNPROCESSABLE: Self = Self("422 Unprocessable Content");
    pub const HEAD_TOO_LARGE: Self = Self("431 Request Header Fields Too Large");
    pub const FAILED: Self = Self("500 Internal Server Error");
    pub const BUSY: Self = Self("503 Service Unavailable");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MediaKind {
    pub(super) media: &'static str,
    pub(super) policy: &'static str,
}

/// Headers of every answer. Browsers must not cache anything or share it with other sites.
const ALWAYS: &str = "Connection: close\r\nCache-Control: no-store\r\n\
    X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n";

pub struct Reply {
    status: Status,
    kind: MediaKind,
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
        let kind = MediaKind { media: "text/plain; charset=utf-8", policy: SERVED_FILE };
        Self::bytes(status, kind, text.into_bytes())
    }

    pub fn json(status: Status, value: &serde_json::Value) -> Self {
        let kind = MediaKind { media: "application/json", policy: SERVED_FILE };
        Self::bytes(status, kind, value.to_string().into_bytes())
    }

    pub(super) fn bytes(status: Status, kind: MediaKind, bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { status, kind, length, body: Box::new(io::Cursor::new(bytes)) }
    }

    pub(super) fn file(kind: MediaKind, file: RegularFile) -> Self {
        Self { status: Status::OK, kind, length: file.limit(), body: Box::new(file) }
    }

    /// Sends the answer, or only its head.
    pub(super) fn send(self, mut stream: &TcpStream, is_head: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(TIMEOUT))?;
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

/// Writes the head of an event stream.
pub(super) fn begin_events(stream: &TcpStream) -> io::Result<()> {
    stream.set_write_timeout(Some(TIMEOUT))?;
    write_head(stream, Status::OK, SERVED_FILE, "Content-Type: text/event-stream\r\n")
}

#[cfg(test)]
mod tests {
    use super::{body_length, parse};
    use crate::serve::http::Status;

    #[test]
    fn a_head_is_taken_apart() {
        let head = b"GET /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX-Y:\t z \r\nContent-Length: 12";
        let request = parse(head).expect("a request");
        assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/a?b=c"));
        assert_eq!(request.header("host"), Ok(Some("127.0.0.1:1")));
        assert_eq!(request.header("x-y"), Ok(Some("z")));
        assert_eq!(request.header("origin"), Ok(None));
        assert_eq!(body_length(&request), Ok(12));
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        let heads: &[&[u8]] = &[
            b"",
            b"GET / HTTP/2",
            b"GET  / HTTP/1.1",
            b"GET http://127.0.0.1/ HTTP/1.1",
            b"GET /\xff HTTP/1.1",
            b"GET /\n HTTP/1.1",
            b"GET / HTTP/1.1\nHost: a",
            b"GET / HTTP/1.1\r\nHost : a",
            b"GET / HTTP/1.1\r\nHost: a\r\n folded",
            b"GET / HTTP/1.1\r\nHost: a\x00b",
            b"GET / HTTP/1.1\r\nno colon",
        ];
        for head in heads {
            assert_eq!(parse(head), Err(Status::BAD_REQUEST), "{head:?}");
        }
        let lengths = [
            ("Content-Length: 1\r\nContent-Length: 1", Status::BAD_REQUEST),
            ("Content-Length: +1", Status::BAD_REQUEST),
            ("Content-Length: 9999999", Status::BODY_TOO_LARGE),
            ("Content-Length: 1\r\nTransfer-Encoding: chunked", Status::LENGTH_REQUIRED),
        ];
        for (headers, status) in lengths {
            let head = format!("POST / HTTP/1.1\r\n{headers}");
            let request = parse(head.as_bytes()).expect("a head");
            assert_eq!(body_length(&request), Err(status), "{headers}");
        }
    }
}
