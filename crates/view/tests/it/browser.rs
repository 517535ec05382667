//! A headless Chromium, driven over WebDriver. `cargo xtask setup` installs both.

use std::io;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

/// How long anything on the page may take. Longer than any machine needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one window. It ends when it is dropped.
pub(crate) struct Browser {
    port: u16,
    session: String,
    _driver: Child,
    _profile: TempDir,
}

impl Browser {
    pub(crate) async fn start() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the driver is killed with the test, and Chromium with it"
        )]
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut driver = command.kill_on_drop(true).spawn().unwrap_or_else(|why| {
            panic!("these tests need Chromium and its driver, which `cargo xtask setup` installs: chromedriver: {why}")
        });
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        // "ChromeDriver was started successfully on port 12345."
        let port = loop {
            let line = lines.next_line().await.unwrap().expect("the driver says its port");
            let port = line.strip_prefix("ChromeDriver was started successfully on port ");
            if let Some(port) = port.and_then(|port| port.trim_end_matches('.').parse().ok()) {
                break port;
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Self { port, session: String::new(), _driver: driver, _profile: profile };
        let mut arguments: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1300,800",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", browser._profile.path().display()));
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let session = browser.ask("POST", "/session", &wanted).await;
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        browser
    }

    /// Goes to a page and waits until it is complete.
    pub(crate) async fn open(&self, url: &str) {
        // An address that differs in its fragment only would not load the page again.
        self.go("about:blank").await;
        self.go(url).await;
        self.until("return document.body.dataset.ready === 'yes'").await;
    }

    /// Makes the window this wide.
    pub(crate) async fn widen(&self, width: u32) {
        self.command("window/rect", &json!({ "width": width, "height": 860 })).await;
    }

    pub(crate) async fn go(&self, url: &str) {
        self.command("url", &json!({ "url": url })).await;
    }

    /// The value of a script.
    pub(crate) async fn script(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] })).await
    }

    pub(crate) async fn text(&self, script: &str) -> String {
        let value = self.script(script).await;
        value.as_str().unwrap_or_else(|| panic!("{script}: {value}")).to_owned()
    }

    /// Waits until a script returns something true, and returns that.
    pub(crate) async fn until(&self, script: &str) -> Value {
        let wait = async {
            loop {
                let value = self.script(script).await;
                if !matches!(value, Value::Null | Value::Bool(false)) {
                    return value;
                }
                sleep(Duration::from_millis(20)).await;
            }
        };
        match timeout(PATIENCE, wait).await {
            Ok(value) => value,
            Err(_) => panic!("never true: {script}\n{}", self.text("return document.body.innerText").await),
        }
    }

    /// Clicks a point of the window with the mouse.
    pub(crate) async fn click(&self, x: f64, y: f64) {
        let (x, y) = (x.round() as i64, y.round() as i64);
        let actions = json!({ "actions": [{
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": [
                { "type": "pointerMove", "x": x, "y": y, "origin": "viewport" },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ],
        }] });
        self.command("actions", &actions).await;
    }

    /// Errors that the page or the browser has logged.
    pub(crate) async fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({ "type": "browser" })).await;
        let entries = log.as_array().unwrap().iter();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        severe.map(|entry| entry["message"].to_string()).collect()
    }

    /// Writes what is seen into a file, if `ANDOR_SCREENSHOTS` names a folder.
    pub(crate) async fn screenshot(&self, name: &str) {
        let Ok(folder) = std::env::var("ANDOR_SCREENSHOTS") else { return };
        let path = format!("/session/{}/screenshot", self.session);
        let picture = self.ask("GET", &path, &Value::Null).await;
        let bytes = STANDARD.decode(picture.as_str().unwrap()).unwrap();
        fs_err::write(format!("{folder}/{name}.png"), bytes).unwrap();
    }

    async fn command(&self, name: &str, body: &Value) -> Value {
        self.ask("POST", &format!("/session/{}/{name}", self.session), body).await
    }

    async fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = timeout(PATIENCE, request(self.port, method, path, "", &body)).await;
        let (status, answer) = answer.unwrap_or_else(|_| panic!("no answer to {path}")).unwrap();
        let mut answer: Value = serde_json::from_str(&answer).unwrap_or_else(|why| panic!("{why}: {answer}"));
        assert!(status.contains(" 200 "), "{path}: {answer}");
        answer["value"].take()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends its browser when it is asked to; when it is killed it cannot.
        let path = format!("/session/{}", self.session);
        let end = format!("DELETE {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let ended = std::net::TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            stream.set_read_timeout(Some(PATIENCE))?;
            io::Write::write_all(&mut stream, end.as_bytes())?;
            io::Read::read(&mut stream, &mut [0; 64])
        });
        // A test that fails has said why.
        drop(ended);
    }
}

/// A request of HTTP: the first line of the answer with its headers, and its body.
pub(crate) async fn request(
    port: u16,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> io::Result<(String, String)> {
    let host = if headers.to_lowercase().contains("host:") {
        String::new()
    } else {
        format!("Host: localhost:{port}\r\n")
    };
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && stream.read_line(&mut head).await? > 0 {}
    // The driver keeps connections that it was asked to close.
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await?;
    Ok((head, String::from_utf8_lossy(&body).into_owned()))
}
