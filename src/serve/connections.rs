//! Which connections are open. Their number is bounded, and with it that of the threads.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// At most this many connections are open at a time.
const MAX_CONNECTIONS: usize = 64;

/// How long a new connection waits for another one to end.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<OpenConnections>,
    closed: Condvar,
}

#[derive(Default)]
struct OpenConnections {
    count: usize,
    next_number: u64,
    /// Those that have not shown the token yet, from the oldest on.
    strangers: BTreeMap<u64, Arc<TcpStream>>,
}

/// One of a limited number; closed on drop.
pub(super) struct Connection {
    pub(super) stream: Arc<TcpStream>,
    number: u64,
    connections: Arc<Connections>,
}

impl Connections {
    /// Makes room for `stream`, if need be at the cost of the oldest stranger; gives it back if every
    /// place is taken by a reader.
    pub(super) fn open(self: &Arc<Self>, stream: TcpStream) -> Result<Connection, TcpStream> {
        let mut open = self.lock();
        if open.count >= MAX_CONNECTIONS {
            // Any program on this machine may connect and stay silent. A browser sends its request
            // at once, so who has waited longest is none.
            if let Some((_, oldest)) = open.strangers.pop_first() {
                let _ = oldest.shutdown(Shutdown::Both);
            }
            let waited = self
                .closed
                .wait_timeout_while(open, PATIENCE, |open| open.count >= MAX_CONNECTIONS);
            open = waited.unwrap_or_else(PoisonError::into_inner).0;
            if open.count >= MAX_CONNECTIONS {
                return Err(stream);
            }
        }
        let number = open.next_number;
        open.next_number += 1;
        open.count += 1;
        let stream = Arc::new(stream);
        open.strangers.insert(number, Arc::clone(&stream));
        Ok(Connection { stream, number, connections: Arc::clone(self) })
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connection {
    /// Keeps the connection until it ends: it has shown the token.
    pub(super) fn admit(&self) {
        self.connections.lock().strangers.remove(&self.number);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.strangers.remove(&self.number);
        open.count -= 1;
        self.connections.closed.notify_all();
    }
}
