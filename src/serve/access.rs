//! Access control: host, origin, token, method and path of a request.

use std::io;

use crate::serve::http::{Request, Status};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Route {
    File(String),
    /// Server-sent events once the page has another version.
    Events {
        page: String,
        version: String,
    },
    Feedback,
}

const EVENTS_PATH: &str = "events";

const FEEDBACK_PATH: &str = "feedback";

pub(super) fn authorize(
    request: &Request,
    port: u16,
    token: &AccessToken,
) -> Result<Route, Status> {
    let host = request.header("host")?.ok_or(Status::BAD_REQUEST)?;
    // A foreign site may let its name lead to this address, to read the report.
    if host != format!("127.0.0.1:{port}") && host != format!("localhost:{port}") {
        return Err(Status::FORBIDDEN);
    }
    let is_post = match request.method.as_str() {
        "GET" | "HEAD" => false,
        "POST" => true,
        _ => return Err(Status::NOT_ALLOWED),
    };
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let (candidate, path) = path[1..].split_once('/').ok_or(Status::NOT_FOUND)?;
    if !token.matches(candidate) {
        return Err(Status::NOT_FOUND);
    }
    // Decoded once, so that `%252e` names a file with a percent sign and no other.
    let path = decoded(path).ok_or(Status::BAD_REQUEST)?;
    match (is_post, path.as_str()) {
        (true, FEEDBACK_PATH) => check_same_origin(request, host).map(|()| Route::Feedback),
        (true, _) | (false, FEEDBACK_PATH) => Err(Status::NOT_ALLOWED),
        (false, EVENTS_PATH) if request.method == "GET" => {
            let page = parameter(query, "page").ok_or(Status::BAD_REQUEST)?;
            let version = parameter(query, "version").ok_or(Status::BAD_REQUEST)?;
            Ok(Route::Events { page, version })
        }
        (false, "") => Ok(Route::File("index.html".to_owned())),
        (false, _) => Ok(Route::File(path)),
    }
}

/// Browsers state the origin of a page that sends something; only our own may.
fn check_same_origin(request: &Request, host: &str) -> Result<(), Status> {
    if request.header("origin")? != Some(&format!("http://{host}")) {
        return Err(Status::FORBIDDEN);
    }
    if request.header("sec-fetch-site")?.is_some_and(|value| value != "same-origin") {
        return Err(Status::FORBIDDEN);
    }
    match request.header("content-type")? {
        Some("application/json") => Ok(()),
        _ => Err(Status::WRONG_TYPE),
    }
}

/// The first value of `name` in a query.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(key, _)| *key == name)?;
    decoded(value)
}

/// Decodes percent escapes; `None` if one is invalid or the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let high = char::from(rest.next()?).to_digit(16)?;
        let low = char::from(rest.next()?).to_digit(16)?;
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).ok()
}

const TOKEN_BYTES: usize = 16;

/// 128 bits from the operating system in hexadecimal digits: only those who saw the address know
/// it.
#[derive(Clone)]
pub(super) struct AccessToken(String);

impl AccessToken {
    pub(super) fn new() -> io::Result<Self> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `candidate` is the token, compared in constant time.
    pub(super) fn matches(&self, candidate: &str) -> bool {
        let pairs = self.0.bytes().zip(candidate.bytes());
        self.0.len() == candidate.len() && pairs.fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{AccessToken, Route, authorize};
    use crate::serve::http::Request;
    use crate::serve::http::Status;

    fn route(
        token: &AccessToken,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Route, Status> {
        let mut request = Request {
            method: method.to_owned(),
            target: format!("/{}{path}", token.as_str()),
            ..Request::default()
        };
        for (name, value) in headers {
            request.headers.push(((*name).to_owned(), (*value).to_owned()));
        }
        authorize(&request, 80, token)
    }

    #[test]
    fn paths_lead_to_names_and_never_to_the_disk() {
        let token = AccessToken::new().expect("made");
        let host = [("host", "localhost:80")];
        let (page, version) = ("a/b".to_owned(), "v".to_owned());
        let table = [
            ("GET", "/", Ok(Route::File("index.html".to_owned()))),
            ("GET", "/a%20b/%E7%B5%90.html?x", Ok(Route::File("a b/結.html".to_owned()))),
            ("GET", "/events?page=a%2Fb&version=v", Ok(Route::Events { page, version })),
            ("GET", "/events?page=a", Err(Status::BAD_REQUEST)),
            ("GET", "/%zz", Err(Status::BAD_REQUEST)),
            ("GET", "/%ff", Err(Status::BAD_REQUEST)),
            ("GET", "", Err(Status::NOT_FOUND)),
            ("GET", "/feedback", Err(Status::NOT_ALLOWED)),
            ("PUT", "/feedback", Err(Status::NOT_ALLOWED)),
            ("POST", "/index.html", Err(Status::NOT_ALLOWED)),
        ];
        for (method, path, expected) in table {
            assert_eq!(route(&token, method, path, &host), expected, "{method} {path}");
        }
    }

    #[test]
    fn only_our_own_pages_may_post() {
        let token = AccessToken::new().expect("made");
        let valid = [
            ("host", "127.0.0.1:80"),
            ("origin", "http://127.0.0.1:80"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/json"),
        ];
        assert_eq!(route(&token, "POST", "/feedback", &valid), Ok(Route::Feedback));
        let table = [
            (0, "127.0.0.1", Status::FORBIDDEN),
            (0, "127.0.0.1:81", Status::FORBIDDEN),
            (0, "evil.example:80", Status::FORBIDDEN),
            (0, "127.0.0.1:80 ", Status::FORBIDDEN),
            (0, "LOCALHOST:80", Status::FORBIDDEN),
            (1, "null", Status::FORBIDDEN),
            (1, "http://localhost:80", Status::FORBIDDEN),
            (1, "https://127.0.0.1:80", Status::FORBIDDEN),
            (1, "http://127.0.0.1:80/", Status::FORBIDDEN),
            (2, "same-site", Status::FORBIDDEN),
            (3, "text/plain", Status::WRONG_TYPE),
        ];
        for (at, value, status) in table {
            let mut headers = valid;
            headers[at].1 = value;
            assert_eq!(route(&token, "POST", "/feedback", &headers), Err(status), "{value}");
        }
        let without_origin = [valid[0], valid[3]];
        let refused = route(&token, "POST", "/feedback", &without_origin);
        assert_eq!(refused, Err(Status::FORBIDDEN));
    }

    #[test]
    fn only_the_token_is_the_token() {
        let (token, other) = (AccessToken::new().expect("made"), AccessToken::new().expect("made"));
        assert_eq!(token.as_str().len(), 32);
        assert!(token.matches(token.as_str()));
        assert!(!token.matches(other.as_str()) && !token.matches(""));
        assert!(!token.matches(&token.as_str()[1..]));
    }
}
