//! A headless Chromium that opens pages one after the other and tells what they did.
//!
//! It is driven over its debugging pipe: messages in JSON, each ended by a zero byte, on its file
//! descriptors 3 and 4, which a shell connects with its standard input and output. So no port is
//! opened. Entry points: [`Chromium::start_if_found`], [`Chromium::open`].

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::waiting::{TIMEOUT, wait_until};

/// Names under which a Chromium is looked for.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How it is started: nothing shown, nothing asked of any host.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-features=BackForwardCache,ProactivelySwapBrowsingInstance",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// The name of a Chromium that starts, where there is a shell to connect its pipe.
fn find() -> Option<&'static str> {
    let works = |name: &&str| {
        let mut version = Command::new("sh");
        version.args(["-c", &format!("{name} --version")]).stdin(Stdio::null());
        version.output().is_ok_and(|output| output.status.success())
    };
    NAMES.iter().copied().find(works)
}

/// A running browser with one empty page.
pub(crate) struct Chromium {
    process: Child,
    pipe: ChildStdin,
    messages: Receiver<Value>,
    session: String,
    last: u64,
    events: Vec<Value>,
    _profile: TempDir,
}

impl Chromium {
    /// A browser, or a word on why the test checks nothing.
    pub(crate) fn start_if_found() -> Option<Self> {
        let program = find();
        if program.is_none() {
            println!("skipped: there is no Chromium on the path");
        }
        program.map(Self::start)
    }

    /// Starts the browser with a fresh profile.
    fn start(program: &str) -> Self {
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh"])
            .arg(program)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the shell starts");
        let pipe = process.stdin.take().expect("a pipe to the browser");
        let answers = process.stdout.take().expect("a pipe from the browser");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(answers).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("messages are JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self {
            process,
            pipe,
            messages,
            session: String::new(),
            last: 0,
            events: Vec::new(),
            _profile: profile,
        };
        browser.attach();
        browser
    }

    /// Makes a page of our own and asks to be told everything about it.
    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.call("Target.attachToTarget", attach);
        self.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Opens `url`, waits until it is loaded, and tells what it should not have done. Requests
    /// may only go to addresses that begin with `allowed`.
    pub(crate) fn open(&mut self, url: &str, allowed: &str) -> Vec<String> {
        // What the page before had on its way ends here, and is not held against this one.
        self.load("about:blank");
        self.events.clear();
        if let Some(error) = self.load(url) {
            return vec![format!("it does not open: {error}")];
        }
        // Whatever is still on its way comes before this answer.
        self.evaluate("document.fonts.ready.then(() => true)");
        self.breaches(allowed)
    }

    /// Goes to `url` and waits until it is loaded, or tells why it cannot be.
    fn load(&mut self, url: &str) -> Option<String> {
        let before = self.events.len();
        let answer = self.call("Page.navigate", json!({ "url": url }));
        if let Some(error) = answer["errorText"].as_str() {
            return Some(error.to_owned());
        }
        let loaded = |event: &Value| event["method"] == "Page.loadEventFired";
        while !self.events[before..].iter().any(loaded) {
            let event = self.receive();
            self.events.push(event);
        }
        None
    }

    /// The value of a script's expression on the page, waited for when it is a promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true }),
        );
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Lets pages run scripts, or not.
    pub(crate) fn let_scripts_run(&mut self, run: bool) {
        self.call("Emulation.setScriptExecutionDisabled", json!({ "value": !run }));
    }

    /// Runs `script` on every page before its own; gives what takes it away again.
    pub(crate) fn before_pages(&mut self, script: &str) -> Value {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }))
    }

    /// Takes away what [`Self::before_pages`] gave.
    pub(crate) fn no_longer(&mut self, script: Value) {
        self.call("Page.removeScriptToEvaluateOnNewDocument", script);
    }

    /// Shows pages `width` pixels wide, to a reader who prefers `scheme`, on `media`.
    pub(crate) fn show(&mut self, width: u32, scheme: &str, media: &str) {
        let size =
            json!({ "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": [feature] }));
    }

    /// Presses a key: one character, or a name such as `Escape`, with `Control+` before it or not.
    pub(crate) fn press(&mut self, key: &str) {
        let (key, modifiers) = key.strip_prefix("Control+").map_or((key, 0), |key| (key, 2));
        let code = match key {
            "Escape" => 27,
            "Enter" => 13,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = if code == 0 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code, "modifiers": modifiers });
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks the middle of what `selector` finds first, with the mouse; whether there is such a thing to see.
    pub(crate) fn click(&mut self, selector: &str) -> bool {
        let place = format!(
            "(() => {{ const found = document.querySelector({}); if (found === null) return null;
                found.scrollIntoView({{ block: 'center' }});
                const {{ x, y, width, height }} = found.getBoundingClientRect();
                return width > 0 ? [x + width / 2, y + height / 2] : null; }})()",
            json!(selector)
        );
        let place = self.evaluate(&place);
        let (Some(x), Some(y)) = (place[0].as_f64(), place[1].as_f64()) else { return false };
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
        true
    }

    /// Waits until a script's expression is true.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        // A page on its way has nothing to say yet.
        let found = format!(
            "(() => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }})()"
        );
        let params = json!({ "expression": found, "returnByValue": true });
        let is_true = || {
            let answer = self.ask("Runtime.evaluate", params.clone());
            answer["result"]["result"]["value"] == true
        };
        assert!(wait_until(is_true), "it never became true: {expression}");
    }

    /// What the page did since it was opened that it should not have done.
    pub(crate) fn breaches(&self, allowed: &str) -> Vec<String> {
        let blocked = |event: &&Value| event["params"]["blockedReason"] == "csp";
        let refused: Vec<&Value> =
            self.events.iter().filter(blocked).map(|event| &event["params"]["requestId"]).collect();
        let is_refused = |event: &Value| {
            refused.contains(&&event["params"]["requestId"]) || is_refused_in_copy(event)
        };
        let events = self.events.iter().filter(|event| !is_refused(event));
        events.filter_map(|event| breach(event, allowed)).collect()
    }

    /// Sends a command and waits for its result.
    fn call(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Sends a command and waits for its answer, which is an error where the page is left
    /// meanwhile; events on the way are kept.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.pipe.write_all(&bytes).expect("the browser listens");
        loop {
            let answer = self.receive();
            if answer["id"] == self.last {
                return answer;
            }
            self.events.push(answer);
        }
    }

    fn receive(&mut self) -> Value {
        self.messages.recv_timeout(TIMEOUT).expect("the browser answers")
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing left to end.
        let _ = self.pipe.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let gone = |error| matches!(error, std::sync::mpsc::RecvTimeoutError::Disconnected);
        while !self.messages.recv_timeout(TIMEOUT).is_err_and(gone) {}
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What an event tells that should not happen.
/// Whether the browser says that the policy of a clean copy kept a style from loading something.
fn is_refused_in_copy(event: &Value) -> bool {
    let directives = ["\"img-src data:\"", "\"style-src 'unsafe-inline'\"", "'font-src' was not"];
    let text = event["params"]["entry"]["text"].as_str().unwrap_or_default();
    event["method"] == "Log.entryAdded" && directives.iter().any(|part| text.contains(part))
}

fn breach(event: &Value, allowed: &str) -> Option<String> {
    let params = &event["params"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match event["method"].as_str()? {
        "Runtime.consoleAPICalled" => Some(format!("it wrote to the console: {}", params["args"])),
        "Runtime.exceptionThrown" => Some(format!("it threw: {}", params["exceptionDetails"])),
        "Log.entryAdded" => Some(format!("a console message: {}", text(&params["entry"]["text"]))),
        "Network.loadingFailed" => Some(format!("a failed load: {}", text(&params["errorText"]))),
        "Network.requestWillBeSent" => {
            let url = text(&params["request"]["url"]);
            (!url.starts_with(allowed)).then(|| format!("a request to {url}"))
        }
        "Page.javascriptDialogOpening" => Some(format!("a dialog: {}", text(&params["message"]))),
        "Page.windowOpen" => Some(format!("a new window: {}", text(&params["url"]))),
        _ => None,
    }
}
