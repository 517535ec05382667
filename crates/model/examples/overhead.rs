//! What the client itself costs per call: `cargo run --release -p andor-model --example overhead [URL]`.
//!
//! Without a URL, a server in this process answers at once, on a thread of its own, with 16 tactics and their
//! log-probabilities. The same requests are sent by hand over one connection to see what the exchange itself costs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use andor_model::{Http, Model, ModelConfig, Request, Sampling};
use andor_testkit::peer::{Peer, Reply};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const CALLS: u32 = 5000;
const WARM_UP: u32 = 200;

#[expect(clippy::print_stdout, reason = "an example shows what it found")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let body = answer();
    let (sender, receiver) = std::sync::mpsc::channel();
    let reply = Reply::Json(200, body.clone());
    std::thread::spawn(move || {
        andor_testkit::block_on(async {
            let peer = Peer::start(move |_, _| reply.clone()).await;
            sender.send(peer.url.clone()).expect("the example waits for it");
            std::future::pending::<()>().await;
        });
    });
    let url = receiver.recv()?;
    let request = Request::prompt("h : p ∧ q\n⊢ q ∧ p:::".repeat(10)).with_sampling(Sampling::default());
    andor_testkit::block_on(async {
        let model = Http::new(
            ModelConfig { base_url: url.clone(), model: "m".into(), ..ModelConfig::default() },
            None,
        )?;
        let exchange = model.exchange(&request).await?;
        let through = per_call(async || {
            black_box(model.ask(&request).await.expect("the server answers"));
        })
        .await;
        let bare = bare(&url, &exchange.sent.to_string(), body.to_string().len()).await?;
        println!("through the client: {:.0} µs a call", micros(through));
        println!("bare exchange:      {:.0} µs a call", micros(bare));
        println!("the client's own:   {:.0} µs a call", micros(through.saturating_sub(bare)));
        Ok(())
    })
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn answer() -> serde_json::Value {
    let choice = |index: u32| {
        let tokens: Vec<String> = (0..12).map(|i| format!("t{i} ")).collect();
        let log_probs: Vec<f64> = (0..12).map(|i| -0.1 * f64::from(i)).collect();
        json!({ "index": index, "text": tokens.concat(), "finish_reason": "stop",
            "logprobs": { "tokens": tokens, "token_logprobs": log_probs } })
    };
    let choices: Vec<_> = (0..16).map(choice).collect();
    json!({ "choices": choices, "usage": { "prompt_tokens": 200, "completion_tokens": 192 } })
}

async fn per_call(mut call: impl AsyncFnMut()) -> Duration {
    for _ in 0..WARM_UP {
        call().await;
    }
    let began = Instant::now();
    for _ in 0..CALLS {
        call().await;
    }
    began.elapsed() / CALLS
}

/// The same bytes there and back over one connection, unread.
async fn bare(url: &str, body: &str, answer: usize) -> std::io::Result<Duration> {
    let address = url.trim_start_matches("http://").trim_end_matches("/v1");
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let head =
        format!("POST /v1/completions HTTP/1.1\r\nhost: {address}\r\ncontent-length: {}\r\n\r\n", body.len());
    let message = format!("{head}{body}");
    let mut buffer = vec![0; answer + 1024];
    Ok(per_call(async || {
        stream.write_all(message.as_bytes()).await.expect("the server reads");
        let mut got = 0;
        while got < answer || !ends(&buffer[..got], answer) {
            got += stream.read(&mut buffer[got..]).await.expect("the server answers");
        }
        black_box(&buffer);
    })
    .await)
}

/// Whether the head and a body of this length were read.
fn ends(bytes: &[u8], body: usize) -> bool {
    bytes.windows(4).position(|w| w == b"\r\n\r\n").is_some_and(|head| bytes.len() >= head + 4 + body)
}
