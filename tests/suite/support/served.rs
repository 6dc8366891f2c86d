//! A running `evalbook serve`, and requests to it byte by byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::evalbook;
use super::waiting::TIMEOUT;

/// A server of one workspace; it is ended when this is dropped.
pub(crate) struct Served {
    child: Child,
    /// The address with the token, ending in `/`.
    pub(crate) url: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Its status; 0 where there was no answer.
    pub(crate) status: u16,
    /// Its head, in lower case.
    pub(crate) head: String,
    /// What followed.
    pub(crate) body: String,
}

impl Served {
    /// Serves `workspace` as soon as it can.
    pub(crate) fn start(workspace: &Path, args: &[&str]) -> Self {
        let mut command = evalbook(workspace);
        command.arg("serve").arg(workspace).args(args);
        Self::of(command)
    }

    /// The server that `command` starts.
    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command
            .env("SOURCE_DATE_EPOCH", "1767323045")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let url = line.split(' ').nth(2).unwrap_or_else(|| panic!("no address: {line}"));
        Self { child, url: url.to_owned() }
    }

    /// `127.0.0.1:PORT`.
    pub(crate) fn host(&self) -> &str {
        self.url.split('/').nth(2).expect("a host")
    }

    /// `/TOKEN/`.
    pub(crate) fn root(&self) -> &str {
        &self.url[self.url.rfind("/").map_or(0, |end| self.url[..end].rfind('/').unwrap_or(0))..]
    }

    /// The process.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// A connection.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).expect("it listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("set");
        stream
    }

    /// What is answered to these bytes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut answer = Vec::new();
        let Ok(mut stream) = TcpStream::connect(self.host()) else { return Answer::of(&answer) };
        stream.set_read_timeout(Some(TIMEOUT)).expect("set");
        // It may hang up before it has everything.
        let _ = stream.write_all(bytes);
        let _ = stream.read_to_end(&mut answer);
        Answer::of(&answer)
    }

    /// What is answered to a request for a path below the token.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let (root, host) = (self.root(), self.host());
        self.raw(format!("GET {root}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    /// What is answered to `body` handed in as a page does it.
    pub(crate) fn post(&self, body: &Value) -> Answer {
        let host = self.host();
        self.post_with(&format!("Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n"), body)
    }

    /// The same with other headers.
    pub(crate) fn post_with(&self, headers: &str, body: &Value) -> Answer {
        let (root, host, body) = (self.root(), self.host(), body.to_string());
        let length = body.len();
        self.raw(
            format!(
                "POST {root}feedback HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
                 {headers}Content-Length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    /// Hands in words on the run of a page.
    pub(crate) fn say(&self, page: &str, before: &str, text: &str) -> Answer {
        self.post(&json!({ "place": page, "text": text, "before": before }))
    }

    /// The same with a server that may be gone; `None` where nobody answers.
    pub(crate) fn try_say(&self, page: &str, before: &str, text: &str) -> Option<Answer> {
        let answer = self.say(page, before, text);
        (answer.status != 0).then_some(answer)
    }

    /// News of a page, line by line.
    pub(crate) fn news(&self, page: &str, version: &str) -> impl Iterator<Item = String> {
        let mut stream = self.connect();
        let (root, host) = (self.root(), self.host());
        let request = format!(
            "GET {root}events?page={page}&version={version} HTTP/1.1\r\nHost: {host}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it listens");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.skip_while(|line| !line.is_empty()).filter(|line| line.len() > 1)
    }

    /// The version of a page, as it stands in it.
    pub(crate) fn version(&self, page: &str) -> String {
        let body = self.get(page).body;
        let found = body.split("data-served=\"").nth(1).expect("a version");
        found.split('"').next().expect("a version").to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
