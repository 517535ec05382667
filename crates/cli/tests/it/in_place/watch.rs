//! `prove --watch`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::read;
use crate::support::{Folder, andor};

/// What the program says until it waits for changes, of a file that somebody saves while the first theorem is searched.
fn watched(text: &str, saved: &str, option: &str) -> (String, String) {
    let folder = Folder::new();
    let file = folder.write("t.lean", text);
    let (saved, marker) = (folder.write("saved", saved), folder.path("marker"));
    let program = format!(
        r#"read greeting
           echo '{{"version": 1, "name": "one"}}'
           while read request; do
             [ -e {marker} ] || {{ cp {saved} {file}; touch {marker}; }}
             id=$(echo "$request" | sed 's/{{"id":\([0-9]*\).*/\1/')
             echo "{{\"id\": $id, \"candidates\": [{{\"tactic\": \"rfl\"}}]}}"
           done
        "#
    );
    let provider = format!("exec=sh {}", folder.write("program.sh", &program));
    let mut command = andor(&["prove", &file, "--watch", option, "--no-cache", "--provider", &provider]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        told += &format!("{}\n", line.unwrap());
        if told.contains("watching for changes") {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    (told, read(&file))
}

#[test]
fn what_is_saved_during_a_run_is_not_missed() {
    let text = "theorem a : 1 = 1 := sorry\n";
    // One more theorem, of which the proofs that are written follow the first.
    let more = format!("-- mine\n{text}theorem b : 2 = 2 := sorry\n");
    let (told, now) = watched(text, &more, "--write");
    assert_eq!(now, more.replace("sorry", "by rfl"), "{told}");
    // The file is empty now.
    let (told, now) = watched(text, "", "--write");
    assert!(now.is_empty() && told.matches("proved").count() >= 1, "{told}");
    assert!(
        told.contains("nothing to prove") && told.ends_with("watching for changes; Ctrl-C ends\n"),
        "{told}"
    );
    // Of the same length.
    let (told, now) = watched(text, &text.replace("1 = 1", "2 = 2"), "--jobs=1");
    assert!(now.contains("2 = 2") && told.matches("proved (level").count() == 2, "{told}");
}
