//! What is served, and to whom.

use std::path::PathBuf;

use andor_artifact::result::Outcome;
use andor_view::{Server, Window};

use crate::browser::request;
use crate::made::Made;

async fn served(made: &Made) -> u16 {
    let server = Server::bind(Window::open(&[made.path()]).unwrap(), 0).await.unwrap();
    let port = server.url().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    tokio::spawn(server.run());
    port
}

#[tokio::test]
async fn only_this_machine_may_read_and_nobody_may_write() {
    let made = Made::new();
    made.result("secret", 1, Outcome::Accepted);
    let port = served(&made).await;
    let get = |path: &'static str, headers: String| async move {
        request(port, "GET", path, &headers, "").await.unwrap()
    };
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        let (head, body) = get("/data/runs", format!("Host: {host}\r\n")).await;
        assert!(head.starts_with("HTTP/1.1 200") && body.contains("secret"), "{head}");
    }
    // A name that was made to lead here, and a port that is not ours.
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1", ""] {
        let (head, body) = get("/data/runs", format!("Host: {host}\r\n")).await;
        assert!(head.starts_with("HTTP/1.1 403") && !body.contains("secret"), "{host}: {head}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let (head, _) = request(port, method, "/data/runs", "", "").await.unwrap();
        assert!(head.starts_with("HTTP/1.1 405"), "{method}: {head}");
    }
    for path in
        ["/nothing", "/data/search?row=9", "/data/search?row=x", "/data/details?row=0", "/../Cargo.toml"]
    {
        let (head, _) = get(path, String::new()).await;
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
    let (head, page) = get("/", String::new()).await;
    let head = head.to_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
    assert!(head.contains("x-content-type-options: nosniff"), "{head}");
    assert!(page.contains("page.js"));
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = Window::open(&[folder.path().to_owned()]).unwrap_err().to_string();
    assert!(error.contains("is not a run folder"), "{error}");
    assert!(Window::open(&[PathBuf::from("/nowhere")]).is_err());
}

#[test]
fn a_single_attempt_is_opened_by_its_folder_or_its_trace() {
    let made = Made::new();
    made.search("a%b", 3, 2);
    let trace = made.path().join(made.trace("a%b", 3));
    for path in [trace.parent().unwrap().to_owned(), trace.clone()] {
        let window = Window::open(&[path]).unwrap();
        assert!(window.without_search(&["a%b".to_owned()]).is_empty());
        assert_eq!(window.without_search(&["c".to_owned()]), ["c"]);
    }
}
