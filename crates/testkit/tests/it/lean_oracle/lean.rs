//! Asks the real Lean about many texts at once.

use std::process::Command;

use andor_testkit::lean::program;
use serde_json::Value;

/// What Lean says about a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// Its errors, in order.
    pub(crate) errors: Vec<String>,
    /// Whether a proof in it is given up.
    pub(crate) has_sorry: bool,
}

impl Answer {
    /// Whether the text is proved.
    pub(crate) fn is_accepted(&self) -> bool {
        self.errors.is_empty() && !self.has_sorry
    }
}

/// The number of texts that go into a file: a compiler starts in a tenth of a second, and its answers about a long file
/// come late.
const AT_ONCE: usize = 250;

/// What Lean says about each of several texts, which stand below a header.
pub(crate) fn answers(header: &str, texts: &[String]) -> Vec<Answer> {
    texts.chunks(AT_ONCE).flat_map(|texts| of_file(header, texts)).collect()
}

fn of_file(header: &str, texts: &[String]) -> Vec<Answer> {
    let mut file = header.to_owned();
    let mut starts = Vec::new();
    for text in texts {
        starts.push(file.lines().count() + 1);
        file.push_str(text);
        file.push_str("\n\n");
    }
    let mut answers = vec![Answer::default(); texts.len()];
    for message in messages(&file) {
        let line = message["pos"]["line"].as_u64().map_or(0, |line| usize::try_from(line).unwrap());
        let at = starts.partition_point(|start| *start <= line);
        let text = message["data"].as_str().unwrap().to_owned();
        let Some(at) = at.checked_sub(1) else { panic!("the header is wrong: {text}") };
        match message["severity"].as_str().unwrap() {
            "error" => answers[at].errors.push(text),
            _ => answers[at].has_sorry |= message["kind"] == "hasSorry",
        }
    }
    answers
}

/// What Lean says about a file.
#[expect(clippy::disallowed_methods, reason = "Lean is asked as its users ask it")]
pub(crate) fn messages(text: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Asked.lean");
    std::fs::write(&path, text).unwrap();
    let options = ["--json", "-DmaxErrors=0", "-DmaxRecDepth=512", "-Dlinter.all=false"];
    let output = Command::new(program()).args(options).arg(&path).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code().is_some(), "Lean ended by a signal");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
