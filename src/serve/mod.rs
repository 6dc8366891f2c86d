//! A server for one reader on the same machine: the files of a report, events about later ones, and
//! an endpoint for comments. Only a list of built files is served; no request path becomes a path
//! on disk. Every valid address begins with the [`AccessToken`] of this start.

mod access;
mod connections;
mod http;
mod report;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub use crate::serve::http::{Reply, Status};
pub use crate::serve::report::{LiveReport, ServedReport, WorkspaceIds};

use crate::serve::access::{AccessToken, Route, authorize};
use crate::serve::connections::{Connection, Connections};

/// At most this many connections may wait for events.
const MAX_WAITING: usize = 24;

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
        let waiting = AtomicUsize::default();
        let state = Arc::new(ServerState { server: self, live, submit, waiting });
        std::thread::spawn(move || state.listen());
    }
}

struct ServerState {
    server: Server,
    live: Arc<LiveReport>,
    submit: Box<SubmitHandler>,
    waiting: AtomicUsize,
}

impl ServerState {
    fn listen(self: Arc<Self>) {
        let connections = Arc::new(Connections::default());
        for stream in self.server.listener.incoming() {
            let Ok(stream) = stream else {
                // For example too many open files: a pause lets some be closed.
                std::thread::sleep(Duration::from_millis(50));
                continue;
            };
            match connections.open(stream) {
                Ok(connection) => {
                    let state = Arc::clone(&self);
                    // Without a thread the connection is closed, and the browser may retry. A reader
                    // that hangs up early is not an error.
                    let _ = std::thread::Builder::new().spawn(move || {
                        let _ = state.answer(&connection);
                    });
                }
                Err(stream) => {
                    let _ = Reply::new(Status::BUSY).send(&stream, false);
                }
            }
        }
    }

    fn answer(&self, connection: &Connection) -> io::Result<()> {
        let stream = &*connection.stream;
        let request = match http::read(stream) {
            Ok(request) => request,
            Err(None) => return Ok(()),
            Err(Some(status)) => return refuse(stream, status),
        };
        let route = match authorize(&request, self.server.port, &self.server.token) {
            Ok(route) => route,
            Err(status) => return refuse(stream, status),
        };
        connection.admit();
        match route {
            Route::Feedback => (self.submit)(&request.body).send(stream, false),
            Route::Events { page, version } => self.send_events(stream, &page, &version),
            Route::File(path) => match self.live.report().reply(&path) {
                Some(reply) => {
                    if path.ends_with(".html") {
                        self.live.note_page(&path);
                    }
                    reply?.send(stream, request.method == "HEAD")
                }
                None => refuse(stream, Status::NOT_FOUND),
            },
        }
    }

    fn send_events(&self, stream: &TcpStream, page: &str, version: &str) -> io::Result<()> {
        // Counted before it is checked, so that two cannot take the last place.
        let sent = if self.waiting.fetch_add(1, Ordering::SeqCst) < MAX_WAITING {
            report::send_events(stream, &self.live, page, version)
        } else {
            refuse(stream, Status::BUSY)
        };
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        sent
    }
}

fn refuse(stream: &TcpStream, status: Status) -> io::Result<()> {
    Reply::new(status).send(stream, false)?;
    http::drain(stream);
    Ok(())
}
