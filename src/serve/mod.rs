//! A server for one reader on the same machine: the files of a report, events about later ones, and
//! an endpoint for comments. Only a list of built files is served; no request path becomes a path
//! on disk. Every valid address begins with the [`AccessToken`] of this start.

mod access;
mod http;
mod report;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use crate::serve::http::{Reply, Status};
pub use crate::serve::report::{LiveReport, ServedReport, WorkspaceIds};

use crate::serve::access::{AccessToken, Route, authorize};

/// At most this many connections are answered at a time; others are refused.
const MOST_CONNECTIONS: usize = 64;

/// At most this many of them may wait for events.
const MOST_WAITING: usize = 24;

/// Handles what a page submits.
pub type SubmitHandler = dyn Fn(&[u8]) -> Reply + Send + Sync;

pub struct Server {
    listener: TcpListener,
    port: u16,
    token: AccessToken,
}

impl Server {
    /// Binds `port` of the loopback interface; 0 picks a free one.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port, token: AccessToken::new()? })
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.as_str())
    }

    /// Starts answering, in the background, for as long as the program runs.
    pub fn start(self, live: Arc<LiveReport>, submit: Box<SubmitHandler>) {
        let [connections, waiting] = Default::default();
        let state = Arc::new(ServerState { server: self, live, submit, connections, waiting });
        std::thread::spawn(move || {
            for stream in state.server.listener.incoming() {
                match stream {
                    Ok(stream) => {
                        let state = Arc::clone(&state);
                        // Without a thread the connection is closed, and the browser may retry.
                        let _ = std::thread::Builder::new().spawn(move || state.receive(&stream));
                    }
                    // For example too many open files: a pause lets some be closed.
                    Err(_) => std::thread::sleep(std::time::Duration::from_millis(50)),
                }
            }
        });
    }
}

struct ServerState {
    server: Server,
    live: Arc<LiveReport>,
    submit: Box<SubmitHandler>,
    connections: AtomicUsize,
    waiting: AtomicUsize,
}

/// One of a limited number of slots, released on drop.
struct ConnectionSlot<'c>(&'c AtomicUsize);

impl<'c> ConnectionSlot<'c> {
    fn take(count: &'c AtomicUsize, most: usize) -> Option<Self> {
        let slot = Self(count);
        // Counted before it is checked, so that two cannot take the last one.
        (count.fetch_add(1, Ordering::SeqCst) < most).then_some(slot)
    }
}

impl Drop for ConnectionSlot<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl ServerState {
    fn receive(&self, stream: &TcpStream) {
        // A reader that hangs up early is not an error.
        let _ = match ConnectionSlot::take(&self.connections, MOST_CONNECTIONS) {
            Some(_slot) => self.answer(stream),
            None => refuse(stream, Status::BUSY),
        };
    }

    fn answer(&self, stream: &TcpStream) -> io::Result<()> {
        let request = match http::read(stream) {
            Ok(request) => request,
            Err(None) => return Ok(()),
            Err(Some(status)) => return refuse(stream, status),
        };
        let is_head = request.method == "HEAD";
        match authorize(&request, self.server.port, &self.server.token) {
            Err(refused) => refuse(stream, refused),
            Ok(Route::Feedback) => (self.submit)(&request.body).send(stream, false),
            Ok(Route::Events { page, version }) => {
                match ConnectionSlot::take(&self.waiting, MOST_WAITING) {
                    Some(_slot) => report::send_events(stream, &self.live, &page, &version),
                    None => refuse(stream, Status::BUSY),
                }
            }
            Ok(Route::File(path)) => match self.live.report().reply(&path) {
                Some(reply) => {
                    if path.ends_with(".html") {
                        self.live.note_page(&path);
                    }
                    reply?.send(stream, is_head)
                }
                None => refuse(stream, Status::NOT_FOUND),
            },
        }
    }
}

fn refuse(stream: &TcpStream, status: Status) -> io::Result<()> {
    Reply::new(status).send(stream, false)?;
    http::drain(stream);
    Ok(())
}
