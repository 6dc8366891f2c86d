//! A stand-in for the API of a forge on loopback: comments of a pull request and notes of a merge
//! request with their pages, pull requests, files to download, and whatever failure is asked for.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

/// One request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// Such as `POST`.
    pub(crate) method: String,
    /// The path with its query.
    pub(crate) path: String,
    /// The headers, names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// What was sent.
    pub(crate) body: String,
}

/// A comment on the pull request, or a note of the merge request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Its id; later ones are larger.
    pub(crate) id: u64,
    /// Who wrote it.
    pub(crate) author: String,
    /// Its text.
    pub(crate) body: String,
}

/// An answer to be given once, in place of the right one.
#[derive(Clone, Debug)]
pub(crate) struct Failing {
    /// To which method.
    pub(crate) method: &'static str,
    /// The status.
    pub(crate) status: u16,
    /// Further headers.
    pub(crate) headers: &'static [(&'static str, &'static str)],
}

/// What the forge holds.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The comments, the oldest first.
    pub(crate) comments: Vec<Comment>,
    /// The pull requests it lists.
    pub(crate) pulls: Vec<Value>,
    /// Files by path.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// Answers for the next requests of their method.
    pub(crate) failing: VecDeque<Failing>,
    /// What another job writes in the moment before the next comment is made.
    pub(crate) rival: Option<Comment>,
    /// Every request so far.
    pub(crate) asked: Vec<Request>,
}

/// The login that the token of the tests comments as.
pub(crate) const BOT: &str = "github-actions[bot]";

/// The id of that user.
const BOT_ID: u64 = 7;

/// A running stand-in; it ends when it is dropped.
pub(crate) struct Forge {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    ends: Arc<AtomicBool>,
}

impl Forge {
    /// Starts one that holds nothing.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Mutex::new(State::default()));
        let ends = Arc::new(AtomicBool::new(false));
        let (shared, stop) = (Arc::clone(&state), Arc::clone(&ends));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // Whoever hangs up early is answered no more.
                drop(answer(&stream, &shared));
            }
        });
        Self { address, state, ends }
    }

    /// Its address, without `/` at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it holds now, to be looked at or changed.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test failed while it held the state")
    }

    /// Adds a comment of `author`.
    pub(crate) fn say(&self, author: &str, body: &str) {
        let mut state = self.state();
        let id = state.comments.last().map_or(10, |last| last.id + 10);
        state.comments.push(Comment { id, author: author.to_owned(), body: body.to_owned() });
    }

    /// Fails the next request of `method`.
    pub(crate) fn fail(&self, method: &'static str, status: u16) {
        self.state().failing.push_back(Failing { method, status, headers: &[] });
    }

    /// The texts of the comments by the bot.
    pub(crate) fn comments(&self) -> Vec<String> {
        let state = self.state();
        let own = state.comments.iter().filter(|comment| comment.author == BOT);
        own.map(|comment| comment.body.clone()).collect()
    }

    /// The methods asked so far.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.state().asked.iter().map(|asked| asked.method.clone()).collect()
    }
}

impl Drop for Forge {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        // The listener looks at the flag when someone comes.
        let _ = TcpStream::connect(self.address);
    }
}

struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Reply {
    fn new(status: u16, body: &Value) -> Self {
        Self { status, headers: Vec::new(), body: body.to_string().into_bytes() }
    }
}

fn answer(mut stream: &TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let asked = read(stream)?;
    let reply = {
        let mut state = state.lock().expect("no test failed while it held the state");
        state.asked.push(asked.clone());
        let failing = state.failing.iter().position(|failing| failing.method == asked.method);
        match failing.and_then(|at| state.failing.remove(at)) {
            Some(failing) => failed(&failing),
            None => reply(&mut state, &asked),
        }
    };
    let mut head = format!(
        "HTTP/1.1 {} x\r\nContent-Length: {}\r\nConnection: close\r\n",
        reply.status,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"\r\n")?;
    stream.write_all(&reply.body)
}

fn read(stream: &TcpStream) -> std::io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    Ok(Request { method, path, headers, body: String::from_utf8(body).expect("JSON is UTF-8") })
}

fn failed(failing: &Failing) -> Reply {
    let mut reply = Reply::new(failing.status, &json!({ "message": "no\r\n::error::100%" }));
    let headers = failing.headers.iter();
    reply.headers.extend(headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    reply
}

fn reply(state: &mut State, asked: &Request) -> Reply {
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let list = ["/issues/12/comments", "/merge_requests/12/notes"];
    let is_list = list.iter().any(|list| path.ends_with(list));
    let is_one = path.contains("/comments/") || path.contains("/notes/");
    let place = path.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or(0);
    match asked.method.as_str() {
        "GET" if is_list => page(state, path, query),
        "GET" if path.ends_with("/user") => Reply::new(200, &json!({ "id": BOT_ID })),
        "GET" if path.ends_with("/pulls") => Reply::new(200, &json!(state.pulls)),
        "GET" => match state.files.get(path) {
            Some(bytes) => Reply { status: 200, headers: Vec::new(), body: bytes.clone() },
            None => Reply::new(404, &json!({ "message": "Not Found" })),
        },
        "POST" if is_list => made(state, asked),
        "PATCH" | "PUT" if is_one => changed(state, place, asked),
        "DELETE" if is_one => {
            state.comments.retain(|comment| comment.id != place);
            Reply { status: 204, headers: Vec::new(), body: Vec::new() }
        }
        _ => Reply::new(405, &json!({ "message": "Method Not Allowed" })),
    }
}

/// One page of comments, with the headers that tell of the next one.
fn page(state: &State, path: &str, query: &str) -> Reply {
    let number = |name: &str| -> Option<usize> {
        let value = query.split('&').find_map(|pair| pair.strip_prefix(name))?;
        value.strip_prefix('=')?.parse().ok()
    };
    let (size, page) = (number("per_page").unwrap_or(30).min(100), number("page").unwrap_or(1));
    let all: Vec<Value> = state.comments.iter().map(shown).collect();
    let shown: Vec<Value> = all.iter().skip((page - 1) * size).take(size).cloned().collect();
    let mut reply = Reply::new(200, &json!(shown));
    let next = (page * size < all.len()).then_some(page + 1);
    if let Some(next) = next {
        let link = format!("<http://x{path}?page={next}>; rel=\"next\"");
        reply.headers.push(("Link".to_owned(), link));
    }
    let next = next.map(|next| next.to_string()).unwrap_or_default();
    reply.headers.push(("X-Next-Page".to_owned(), next));
    reply
}

fn shown(comment: &Comment) -> Value {
    let id = if comment.author == BOT { BOT_ID } else { 8 };
    json!({
        "id": comment.id,
        "html_url": format!("https://forge.example/comment-{}", comment.id),
        "user": { "login": comment.author },
        "author": { "id": id },
        "body": comment.body,
    })
}

fn text(asked: &Request) -> String {
    let sent: Value = serde_json::from_str(&asked.body).expect("a body in JSON");
    sent["body"].as_str().expect("a text").to_owned()
}

fn made(state: &mut State, asked: &Request) -> Reply {
    state.comments.extend(state.rival.take());
    let id = state.comments.last().map_or(10, |last| last.id + 10);
    let comment = Comment { id, author: BOT.to_owned(), body: text(asked) };
    state.comments.push(comment.clone());
    Reply::new(201, &shown(&comment))
}

fn changed(state: &mut State, id: u64, asked: &Request) -> Reply {
    match state.comments.iter_mut().find(|comment| comment.id == id) {
        Some(comment) => {
            comment.body = text(asked);
            Reply::new(200, &shown(comment))
        }
        None => Reply::new(404, &json!({ "message": "Not Found" })),
    }
}
