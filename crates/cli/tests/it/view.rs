//! `andor view`

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;

use crate::support::{Folder, andor, left};
use rustix::process::{Pid, Signal, kill_process};

/// Makes a run with one theorem.
fn run(folder: &Folder) -> String {
    let out = folder.path("run");
    let statement = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p";
    let made = andor(&["prove", "--statement", statement, "--out", &out]).output().unwrap();
    let (code, _, errors) = left(made);
    assert_eq!(code, 0, "{errors}");
    out
}

#[test]
fn a_run_is_served_until_it_is_interrupted() {
    let folder = Folder::new();
    let run = run(&folder);
    let mut child = andor(&["view", &run]).stdout(Stdio::piped()).spawn().unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut url).unwrap();
    let address = url.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET /data/runs HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET /data/plots HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut plots = String::new();
    stream.read_to_string(&mut plots).unwrap();
    let first = plots.find("\"title\":").map(|at| &plots[at..]).unwrap();
    assert!(
        first.starts_with("\"title\":\"Theorems proved by seconds\"") && plots.contains("<svg"),
        "{plots}"
    );
    assert!(answer.contains("\"outcome\":\"proved\"") && answer.contains("\"has_tree\":true"), "{answer}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_run_is_written_to_one_file() {
    let folder = Folder::new();
    let (run, file) = (run(&folder), folder.path("report.html"));
    let (code, out, errors) = left(andor(&["view", &run, "--export", &file]).output().unwrap());
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.contains("report.html: 1 row, 1 search, 0.1 MB"), "{out}");
    let page = fs_err::read_to_string(&file).unwrap();
    assert!(page.contains("id=\"data-search-0\"") && page.contains("id=\"data-plots\""));
    let unknown = ["view", &run, "--export", &file, "--theorem", "other"];
    let (code, _, errors) = left(andor(&unknown).output().unwrap());
    assert_eq!(code, 2);
    assert!(errors.contains("--theorem: no search of these theorems is in the run: other"), "{errors}");
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = Folder::new();
    let empty = folder.path("");
    let (code, _, errors) = left(andor(&["view", &empty]).output().unwrap());
    assert_eq!(code, 2);
    assert!(errors.contains("is not a run folder: it has none of run.json"), "{errors}");
    let run = run(&folder);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, _, errors) = left(andor(&["view", &run, "--port", &port]).output().unwrap());
    assert_eq!(code, 2);
    let expected = format!("error: --port: another program uses port {port}; choose another, or 0 for any");
    assert_eq!(errors.trim(), expected);
}
