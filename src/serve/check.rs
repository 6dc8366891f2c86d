//! Who may ask for what: host, origin, token, method and path of a request.

use crate::serve::reply::Status;
use crate::serve::request::{Refused, Request};
use crate::serve::token::Token;

/// What a request is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Errand {
    /// A file of the report.
    File(String),
    /// To be told when a page is another than the version said.
    News {
        /// The page's path in the report.
        page: String,
        /// The version that is shown.
        version: String,
    },
    /// To hand in what its body says.
    Take,
}

/// Where news are asked for, below the token.
const NEWS: &str = "events";

/// Where comments are handed in, below the token.
const DESK: &str = "feedback";

/// What `request` is about, where it may be.
pub(super) fn errand(request: &Request, port: u16, token: &Token) -> Result<Errand, Refused> {
    let host = request.header("host")?.ok_or(Refused(Status::BadRequest))?;
    if host != format!("127.0.0.1:{port}") && host != format!("localhost:{port}") {
        return Err(Refused(Status::Forbidden));
    }
    let is_post = match request.method.as_str() {
        "GET" | "HEAD" => false,
        "POST" => true,
        _ => return Err(Refused(Status::NotAllowed)),
    };
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let (said, path) = path[1..].split_once('/').ok_or(Refused(Status::NotFound))?;
    if !token.is(said) {
        return Err(Refused(Status::NotFound));
    }
    let path = decoded(path).ok_or(Refused(Status::BadRequest))?;
    match (is_post, path.as_str()) {
        (true, DESK) => from_our_page(request, host).map(|()| Errand::Take),
        (true, _) | (false, DESK) => Err(Refused(Status::NotAllowed)),
        (false, NEWS) if request.method == "GET" => {
            let asked = |name| parameter(query, name).ok_or(Refused(Status::BadRequest));
            Ok(Errand::News { page: asked("page")?, version: asked("version")? })
        }
        (false, "") => Ok(Errand::File("index.html".to_owned())),
        (false, _) => Ok(Errand::File(path)),
    }
}

/// A browser says where a page comes from that sends something; only our own may.
fn from_our_page(request: &Request, host: &str) -> Result<(), Refused> {
    if request.header("origin")? != Some(&format!("http://{host}")) {
        return Err(Refused(Status::Forbidden));
    }
    if request.header("sec-fetch-site")?.is_some_and(|site| site != "same-origin") {
        return Err(Refused(Status::Forbidden));
    }
    match request.header("content-type")? {
        Some("application/json") => Ok(()),
        _ => Err(Refused(Status::WrongType)),
    }
}

/// The value of a query's parameter.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    decoded(pairs.find(|(known, _)| *known == name)?.1)
}

/// A text without its percent escapes; `None` where they are none, or do not make UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::{Errand, errand};
    use crate::serve::reply::Status;
    use crate::serve::request::{Refused, Request};
    use crate::serve::token::Token;

    fn asked(
        token: &Token,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<Errand, Refused> {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let request = Request {
            method: method.to_owned(),
            target: format!("/{}{path}", token.as_str()),
            headers: headers.iter().map(own).collect(),
            body: Vec::new(),
        };
        errand(&request, 80, token)
    }

    #[test]
    fn paths_lead_to_names_and_never_to_the_disk() {
        let token = Token::new().expect("made");
        let host = [("host", "localhost:80")];
        let get = |path: &str| asked(&token, "GET", path, &host);
        assert_eq!(get("/"), Ok(Errand::File("index.html".to_owned())));
        assert_eq!(get("/a%20b/%E7%B5%90.html?x"), Ok(Errand::File("a b/結.html".to_owned())));
        let (page, version) = ("a/b".to_owned(), "v".to_owned());
        assert_eq!(get("/events?page=a%2Fb&version=v"), Ok(Errand::News { page, version }));
        assert_eq!(get("/events?page=a"), Err(Refused(Status::BadRequest)));
        assert_eq!(get("/%zz"), Err(Refused(Status::BadRequest)));
        assert_eq!(get("/%ff"), Err(Refused(Status::BadRequest)));
        assert_eq!(get(""), Err(Refused(Status::NotFound)));
        assert_eq!(get("/feedback"), Err(Refused(Status::NotAllowed)));
        assert_eq!(asked(&token, "PUT", "/feedback", &host), Err(Refused(Status::NotAllowed)));
        assert_eq!(asked(&token, "POST", "/index.html", &host), Err(Refused(Status::NotAllowed)));
    }

    #[test]
    fn only_our_own_pages_hand_in() {
        let token = Token::new().expect("made");
        let fine = [
            ("host", "127.0.0.1:80"),
            ("origin", "http://127.0.0.1:80"),
            ("sec-fetch-site", "same-origin"),
            ("content-type", "application/json"),
        ];
        let post = |headers: &[(&str, &str)]| asked(&token, "POST", "/feedback", headers);
        assert_eq!(post(&fine), Ok(Errand::Take));
        let with = |at: usize, value: &'static str| {
            let mut headers = fine;
            headers[at].1 = value;
            post(&headers)
        };
        let no = Err(Refused(Status::Forbidden));
        for host in
            ["127.0.0.1", "127.0.0.1:81", "evil.example:80", "127.0.0.1:80 ", "LOCALHOST:80"]
        {
            assert_eq!(with(0, host), no, "{host}");
        }
        for origin in
            ["null", "http://localhost:80", "https://127.0.0.1:80", "http://127.0.0.1:80/"]
        {
            assert_eq!(with(1, origin), no, "{origin}");
        }
        assert_eq!(with(2, "same-site"), no);
        assert_eq!(with(3, "text/plain"), Err(Refused(Status::WrongType)));
        assert_eq!(post(&[fine[0], fine[3]]), no, "no origin");
    }
}
