//! News for an open page, as server-sent events: `changed` when it should be loaded again, `failed`
//! with the reason when a later report could not be made, `fine` when that is over.

use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::serve::reply;
use crate::serve::stage::{Shown, Stage};

/// How often it is looked who is gone: seats are few, and a page left gives up its own at once.
const BEAT: Duration = Duration::from_secs(1);

/// After so many beats without news a sign of life is sent, for what stands between.
const QUIET: u32 = 15;

/// Sends news of `page`, shown in `version`, until the reader is gone.
pub(super) fn send(
    mut stream: &TcpStream,
    stage: &Stage,
    page: &str,
    version: &str,
) -> io::Result<()> {
    reply::begin_events(stream)?;
    let mut last = String::new();
    loop {
        let shown = stage.look();
        let event = event(&shown, page, version);
        let text = if event == last { ":\n\n" } else { &event };
        stream.write_all(text.as_bytes())?;
        last = event;
        let mut beats = 0;
        while beats < QUIET && !stage.wait(shown.number, BEAT) {
            if is_gone(stream) {
                return Ok(());
            }
            beats += 1;
        }
    }
}

/// Whether the reader has closed its side; it has nothing more to say otherwise.
fn is_gone(stream: &TcpStream) -> bool {
    let peek = || {
        stream.set_nonblocking(true)?;
        let peeked = stream.peek(&mut [0]);
        stream.set_nonblocking(false)?;
        peeked
    };
    match peek() {
        Ok(length) => length == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

fn event(shown: &Shown, page: &str, version: &str) -> String {
    let (name, data) = match (&shown.failure, shown.site.version(page)) {
        (Some(reason), _) => ("failed", reason.as_str()),
        (None, Some(current)) if current == version => ("fine", ""),
        (None, _) => ("changed", ""),
    };
    // As JSON it is one line, whatever it holds.
    format!("event: {name}\ndata: {}\n\n", serde_json::Value::from(data))
}
