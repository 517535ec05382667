//! A server of HTTP that does what a test says, also what no server should.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// The method and the path, such as `POST /v1/completions`.
    pub line: String,
    /// The headers, with names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body; `Null` if there is none.
    pub body: Value,
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// A body in JSON, with a status.
    Json(u16, Value),
    /// A status, headers, and a body of any kind.
    Full(u16, Vec<(&'static str, String)>, String),
    /// Events, then the end of the body.
    Events(Vec<String>),
    /// Events, then nothing more.
    EventsThenSilence(Vec<String>),
    /// A part of a body, then the end of the connection.
    Cut(String),
    /// A body without end.
    Endless,
    /// The end of the connection, without an answer.
    Close,
    /// The connection is reset.
    Reset,
    /// No answer.
    Silence,
}

type Script = dyn Fn(&Received, usize) -> Reply + Send + Sync;

/// The server. It listens on a free port, and ends when it is dropped.
#[derive(Debug)]
pub struct Peer {
    /// Where its interface begins: `http://127.0.0.1:PORT/v1`.
    pub url: String,
    state: Arc<State>,
    serving: JoinHandle<()>,
}

struct State {
    script: Box<Script>,
    received: Mutex<Vec<Received>>,
    /// The connections that clients closed before their answer was complete.
    dropped: Notify,
    arrived: Notify,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Peer {
    /// Starts a server that answers by a function of the request and of the number of requests before.
    pub async fn start(script: impl Fn(&Received, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}/v1", listener.local_addr().expect("it is bound"));
        let state = Arc::new(State {
            script: Box::new(script),
            received: Mutex::new(Vec::new()),
            dropped: Notify::new(),
            arrived: Notify::new(),
        });
        let shared = state.clone();
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = shared.clone();
                // What goes wrong with a connection is the client's affair.
                tokio::spawn(async move { serve(stream, &state).await.unwrap_or_default() });
            }
        });
        Self { url, state, serving }
    }

    /// The requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.state.received.lock().expect("no script panics with the lock").clone()
    }

    /// Waits until a request has arrived.
    pub async fn arrived(&self) {
        self.state.arrived.notified().await;
    }

    /// Waits until a client has closed its connection before its answer was complete.
    pub async fn dropped(&self) {
        self.state.dropped.notified().await;
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Answers the requests of one connection.
async fn serve(stream: TcpStream, state: &State) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some(request) = receive(&mut stream).await? {
        let number = {
            let mut received = state.received.lock().expect("no script panics with the lock");
            received.push(request.clone());
            received.len() - 1
        };
        state.arrived.notify_one();
        match (state.script)(&request, number) {
            Reply::Json(status, body) => {
                let kind = vec![("content-type", "application/json".to_owned())];
                full(&mut stream, status, kind, &body.to_string()).await?;
            }
            Reply::Full(status, headers, body) => full(&mut stream, status, headers, &body).await?,
            Reply::Events(events) => {
                begin_events(&mut stream, &events).await?;
                stream.write_all(b"0\r\n\r\n").await?;
            }
            Reply::EventsThenSilence(events) => {
                begin_events(&mut stream, &events).await?;
                return silence(stream, state).await;
            }
            Reply::Cut(body) => {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len() + 100);
                stream.write_all(head.as_bytes()).await?;
                return stream.write_all(body.as_bytes()).await;
            }
            Reply::Endless => {
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
                loop {
                    stream.write_all(&[b' '; 4096]).await?;
                }
            }
            Reply::Close => return Ok(()),
            Reply::Reset => return stream.get_ref().set_zero_linger(),
            Reply::Silence => return silence(stream, state).await,
        }
        stream.flush().await?;
    }
    Ok(())
}

async fn silence(mut stream: BufReader<TcpStream>, state: &State) -> io::Result<()> {
    stream.flush().await?;
    let ended = stream.read(&mut [0]).await;
    state.dropped.notify_one();
    ended.map(|_| ())
}

async fn receive(stream: &mut BufReader<TcpStream>) -> io::Result<Option<Received>> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header =
        |line: &String| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: BTreeMap<String, String> = lines.iter().filter_map(header).collect();
    let length = headers.get("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let line = lines.first().map(|line| line.trim_end_matches(" HTTP/1.1").to_owned()).unwrap_or_default();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Received { line, headers, body }))
}

async fn full(
    stream: &mut BufReader<TcpStream>,
    status: u16,
    headers: Vec<(&str, String)>,
    body: &str,
) -> io::Result<()> {
    let headers: String = headers.into_iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {status} -\r\n{headers}content-length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).await
}

async fn begin_events(stream: &mut BufReader<TcpStream>, events: &[String]) -> io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    for event in events {
        let chunk = format!("data: {event}\n\n");
        stream.write_all(format!("{:x}\r\n{chunk}\r\n", chunk.len()).as_bytes()).await?;
    }
    Ok(())
}
