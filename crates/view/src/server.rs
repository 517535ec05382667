//! The page on a loopback address: a few fixed paths that can only be read.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::unfold;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{MissedTickBehavior, interval};

use crate::page;
use crate::tree::Sizes;
use crate::window::{Grown, Window};

/// How often the files of a run are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// Looks after which a connection without news is told so: whoever has left is noticed then.
const QUIET_LOOKS: u32 = 30;

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    window: Arc<Window>,
}

impl Server {
    /// Listens on a port of the loopback address; 0 for a free one.
    ///
    /// # Errors
    /// The port is in use, or may not be used.
    pub async fn bind(window: Window, port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, window: Arc::new(window) })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until the future is dropped.
    pub async fn run(self) {
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                // Too many open files, perhaps: some will be closed.
                tokio::time::sleep(LOOK).await;
                continue;
            };
            let (window, port) = (Arc::clone(&self.window), self.address.port());
            tokio::spawn(serve(stream, window, port));
        }
    }
}

async fn serve(stream: TcpStream, window: Arc<Window>, port: u16) {
    let service = service_fn(move |request: Request<Incoming>| {
        let window = Arc::clone(&window);
        async move { Ok::<_, Infallible>(answer(&request, window, port).await) }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new());
    // A connection that breaks is the browser's affair.
    let _ = server.serve_connection(TokioIo::new(stream), service).await;
}

async fn answer<B>(request: &Request<B>, window: Arc<Window>, port: u16) -> Response<Body> {
    // A page elsewhere may have a name that leads here; it must not read what is shown.
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| is_ours(host, port)) {
        return text(StatusCode::FORBIDDEN, "open this page by the address that andor printed\n");
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut refused = text(StatusCode::METHOD_NOT_ALLOWED, "this page can only be read\n");
        refused.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let query = Query::of(request.uri().query().unwrap_or_default());
    match request.uri().path() {
        "/" => body("text/html; charset=utf-8", page::served().into()),
        "/page.js" => body("text/javascript; charset=utf-8", Bytes::from_static(page::SCRIPT.as_bytes())),
        "/style.css" => body("text/css; charset=utf-8", Bytes::from_static(page::STYLE.as_bytes())),
        "/events" => events(window, query.rows()),
        path => {
            let path = path.to_owned();
            let found = tokio::task::spawn_blocking(move || data(&path, &query, &window)).await;
            match found {
                Ok(Some(json)) => body("application/json", json.into()),
                Ok(None) => text(StatusCode::NOT_FOUND, "there is nothing here\n"),
                Err(_) => text(StatusCode::INTERNAL_SERVER_ERROR, "the files could not be read\n"),
            }
        }
    }
}

/// Whether a `Host` is one of the names of this machine to itself, with our port.
fn is_ours(host: &str, port: u16) -> bool {
    let names = ["127.0.0.1", "localhost", "[::1]"];
    // Browsers leave out the standard port.
    names.iter().any(|name| host == format!("{name}:{port}") || (port == 80 && host == *name))
}

fn data(path: &str, query: &Query, window: &Window) -> Option<Vec<u8>> {
    match path {
        "/data/runs" => {
            window.refresh();
            Some(window.table(query.number("from").unwrap_or(0)))
        }
        "/data/search" => {
            let from = match query.0.get("from") {
                Some(text) => Sizes::parse(text)?,
                None => Sizes::default(),
            };
            let row = query.number("row")?;
            window.grown(row)?;
            window.search(row, query.number("epoch").map(|epoch| epoch as u64), from)
        }
        "/data/details" => {
            Some(window.details(query.number("row")?, query.number("chunk")?)?.to_string().into_bytes())
        }
        "/data/plots" => Some(window.plots().to_string().into_bytes()),
        "/data/result" => Some(window.result(query.number("row")?)?.to_string().into_bytes()),
        _ => None,
    }
}

/// What follows `?`: names and numbers, none of which needs an escape.
struct Query(HashMap<String, String>);

impl Query {
    fn of(text: &str) -> Self {
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.0.get(name)?.parse().ok()
    }

    /// The rows whose searches are looked at.
    fn rows(&self) -> Vec<usize> {
        let rows = self.0.get("rows").map(String::as_str).unwrap_or_default();
        rows.split(',').filter_map(|row| row.parse().ok()).collect()
    }
}

/// Tells when something was added: how many rows have changed, and how much there is of each search.
fn events(window: Arc<Window>, rows: Vec<usize>) -> Response<Body> {
    let mut clock = interval(LOOK);
    clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let state = (clock, window, rows, None::<State>);
    let stream = unfold(state, |(mut clock, window, rows, last)| async move {
        let mut quiet = 0;
        loop {
            clock.tick().await;
            let (looked, of) = (Arc::clone(&window), rows.clone());
            let now = tokio::task::spawn_blocking(move || State::of(&looked, &of)).await.ok()?;
            quiet += 1;
            let said = if last.as_ref() != Some(&now) {
                format!("data: {}\n\n", now.json())
            } else if quiet >= QUIET_LOOKS {
                ": nothing new\n\n".to_owned()
            } else {
                continue;
            };
            let frame = Ok::<_, Infallible>(Frame::data(Bytes::from(said)));
            return Some((frame, (clock, window, rows, Some(now))));
        }
    });
    let mut response = Response::new(StreamBody::new(stream).boxed_unsync());
    finish(&mut response, "text/event-stream");
    response
}

/// How much there is.
#[derive(PartialEq)]
struct State {
    cursor: usize,
    searches: Vec<(usize, Option<Grown>)>,
    /// Runs whose folders are gone.
    lost: Vec<String>,
}

impl State {
    fn of(window: &Window, rows: &[usize]) -> Self {
        let searches = rows.iter().map(|&row| (row, window.grown(row))).collect();
        Self { cursor: window.refresh(), searches, lost: window.lost() }
    }

    fn json(&self) -> String {
        let grown = self.searches.iter().filter_map(|(row, grown)| Some((row, (*grown)?)));
        let searches = grown.map(|(row, grown)| json!([row, grown.epoch, grown.sizes, grown.notes]));
        // Distinguishes this server from one before it at the same port.
        let searches: Vec<_> = searches.collect();
        json!({ "server": std::process::id(), "cursor": self.cursor, "searches": searches, "lost": self.lost })
            .to_string()
    }
}

fn body(kind: &'static str, content: Bytes) -> Response<Body> {
    let mut response = Response::new(Full::new(content).boxed_unsync());
    finish(&mut response, kind);
    response
}

fn text(status: StatusCode, content: &'static str) -> Response<Body> {
    let mut response = body("text/plain; charset=utf-8", Bytes::from_static(content.as_bytes()));
    *response.status_mut() = status;
    response
}

fn finish(response: &mut Response<Body>, kind: &'static str) {
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY));
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
