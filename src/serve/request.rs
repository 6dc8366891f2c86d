//! Reading of one request, bounded in size and in time.

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::serve::reply::Status;

const MAX_HEAD: usize = 16 * 1024;
const MAX_LINE: usize = 4 * 1024;
const MAX_HEADERS: usize = 100;
pub(super) const MAX_BODY: usize = 1024 * 1024;

/// A whole request has to be here within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is still read of a request that was refused, so that the refusal arrives.
const MAX_DRAINED: usize = 256 * 1024;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// `GET`.
    pub(super) method: String,
    pub(super) target: String,
    /// Headers, with names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// Nobody is there to be told.
    Gone,
    /// It is not one that we read; the status says why.
    Refused(Status),
}

impl Request {
    /// The one value of a header; `None` where it is missing.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Status> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err(Status::BAD_REQUEST),
            (first, _) => Ok(first.map(|(_, value)| value.as_str())),
        }
    }
}

pub(super) fn read(stream: &TcpStream) -> Result<Request, Broken> {
    let clock = Clock::start();
    let mut bytes = Vec::new();
    let end = loop {
        let end = head_end(&bytes);
        if end.unwrap_or(bytes.len()) > MAX_HEAD {
            return Err(Broken::Refused(Status::HEAD_TOO_LARGE));
        }
        if let Some(end) = end {
            break end;
        }
        clock.more(stream, &mut bytes)?;
    };
    let mut request = parse(&bytes[..end]).map_err(Broken::Refused)?;
    let length = body_length(&request).map_err(Broken::Refused)?;
    bytes.drain(..end + HEAD_END.len());
    while bytes.len() < length {
        clock.more(stream, &mut bytes)?;
    }
    bytes.truncate(length);
    request.body = bytes;
    Ok(request)
}

const HEAD_END: &[u8] = b"\r\n\r\n";

fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(HEAD_END.len()).position(|part| part == HEAD_END)
}

/// When a request has to be here.
struct Clock(Instant);

impl Clock {
    #[allow(clippy::disallowed_methods, reason = "a slow client is measured by time")]
    fn start() -> Self {
        Self(Instant::now())
    }

    fn more(&self, mut stream: &TcpStream, bytes: &mut Vec<u8>) -> Result<(), Broken> {
        let mut part = [0; 8 * 1024];
        let left = PATIENCE.saturating_sub(self.0.elapsed());
        if left.is_zero() {
            return Err(Broken::Refused(Status::TOO_SLOW));
        }
        stream.set_read_timeout(Some(left)).map_err(|_| Broken::Gone)?;
        match stream.read(&mut part) {
            Ok(0) => Err(Broken::Gone),
            Ok(length) => {
                bytes.extend_from_slice(&part[..length]);
                Ok(())
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => Ok(()),
                ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    Err(Broken::Refused(Status::TOO_SLOW))
                }
                _ => Err(Broken::Gone),
            },
        }
    }
}

/// The head of a request, without the empty line at its end. What two readers could read in two
/// ways is refused.
fn parse(head: &[u8]) -> Result<Request, Status> {
    let bad = Status::BAD_REQUEST;
    let head = std::str::from_utf8(head).map_err(|_| bad)?;
    let mut lines = head.split("\r\n");
    let line = lines.next().unwrap_or_default();
    if line.len() > MAX_LINE {
        return Err(Status::TARGET_TOO_LONG);
    }
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
    if headers.len() > MAX_HEADERS {
        return Err(Status::HEAD_TOO_LARGE);
    }
    let (method, target) = (method.to_owned(), target.to_owned());
    Ok(Request { method, target, headers, body: Vec::new() })
}

fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(is_token);
    is_name.then(|| (name.to_ascii_lowercase(), value.trim_matches([' ', '\t']).to_owned()))
}

/// How long the body is: said by digits, and by nothing else.
fn body_length(request: &Request) -> Result<usize, Status> {
    if request.header("transfer-encoding")?.is_some() {
        return Err(Status::LENGTH_REQUIRED);
    }
    let Some(length) = request.header("content-length")? else { return Ok(0) };
    if length.is_empty() || length.len() > 18 || !length.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Status::BAD_REQUEST);
    }
    match length.parse() {
        Ok(length) if length <= MAX_BODY => Ok(length),
        _ => Err(Status::BODY_TOO_LARGE),
    }
}

/// Reads a little of what is still on its way: a connection closed before would lose the answer.
pub(super) fn drain(mut stream: &TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(500)));
    let (mut part, mut drained) = ([0; 8 * 1024], 0);
    while let Ok(length @ 1..) = stream.read(&mut part) {
        drained += length;
        if drained > MAX_DRAINED {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{body_length, parse};
    use crate::serve::reply::Status;

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
