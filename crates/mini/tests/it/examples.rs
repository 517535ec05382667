//! The example theorems: what is stated in `examples/*.lean` is proved in `proofs/*.lean`, from the axioms of mini alone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use andor_mini::judge::File;
use andor_mini::prover::{Theory, theorems};

/// What mini's proofs may rest on.
const AXIOMS: &[&str] = &["propext", "Classical.em", "funext"];

/// Theorems that nobody has proved in mini yet.
const OPEN: &[&str] = &["olympiad_1977", "root_two_irrational", "threes_and_fives"];

/// Statements that are printed, as Lean prints them, without a type that reading them needs.
const NOT_READ_AGAIN: &[&str] = &["no_endless_descent"];

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|e| e == "lean")).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// The statements of a file by name, and whether their proofs are nothing but `sorry`.
fn statements(path: &Path) -> BTreeMap<String, (String, bool)> {
    let text = std::fs::read_to_string(path).unwrap();
    let stated = theorems(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let n = stated.len();
    let found: BTreeMap<_, _> = stated
        .into_iter()
        .map(|t| {
            let words: Vec<&str> = text[t.statement].split_whitespace().collect();
            (t.name.unwrap(), (words.join(" "), t.is_open))
        })
        .collect();
    assert_eq!(found.len(), n, "{}: no name stands for two theorems", path.display());
    found
}

/// A file without its theorems and comments.
fn definitions(path: &Path) -> Vec<String> {
    let mut text = std::fs::read_to_string(path).unwrap();
    for stated in theorems(&text).unwrap().into_iter().rev() {
        text.replace_range(stated.command, "");
    }
    let lines = text.lines().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty() && !line.starts_with("--")).collect()
}

#[test]
fn what_is_proved_is_what_the_examples_state() {
    let (examples, proofs) = (files("../../examples"), files("tests/proofs"));
    let names = |files: &[PathBuf]| files.iter().map(|f| name(f)).collect::<Vec<_>>();
    assert_eq!(names(&examples), names(&proofs));
    let mut open = Vec::new();
    for (example, proof) in examples.iter().zip(&proofs) {
        let (stated, proved) = (statements(example), statements(proof));
        assert!(!stated.is_empty());
        for (theorem, (statement, is_open)) in &stated {
            assert!(is_open, "{theorem}: an example is left to prove");
            let Some((other, is_open)) = proved.get(theorem) else { panic!("{theorem} has no proof") };
            assert_eq!(statement, other, "{theorem}");
            open.extend(is_open.then(|| theorem.clone()));
        }
        assert_eq!(stated.len(), proved.len(), "{}: nothing else is proved", name(proof));
        assert_eq!(definitions(example), definitions(proof), "the names mean the same");
    }
    assert_eq!(open, OPEN);
}

#[test]
fn every_example_is_proved() {
    for path in files("tests/proofs") {
        let text = std::fs::read_to_string(&path).unwrap();
        let file = File::read(&text).unwrap_or_else(|e| panic!("{}:{e}", path.display()));
        for theorem in statements(&path).into_keys() {
            let axioms = file.axioms(&theorem).unwrap();
            let is_open = OPEN.contains(&theorem.as_str());
            let allowed =
                |axiom: &String| AXIOMS.contains(&axiom.as_str()) || (is_open && axiom == "sorryAx");
            assert!(axioms.iter().all(allowed), "{theorem} rests on {axioms:?}");
        }
    }
}

#[test]
fn every_statement_opens_with_a_goal_that_can_be_stated_again() {
    let mut unread = Vec::new();
    for path in files("../../examples") {
        let text = std::fs::read_to_string(&path).unwrap();
        for stated in theorems(&text).unwrap() {
            let statement = &text[stated.statement];
            let theory = Theory::prelude().extended(&text[..stated.command.start]).unwrap();
            let state = theory.open(statement).unwrap_or_else(|e| panic!("{statement}: {e}"));
            let [goal] = &state.goals()[..] else { panic!("{statement}: one goal") };
            assert_eq!(state.groups(), [[0]]);
            // What is printed is read as the same.
            let binders: Vec<String> =
                goal.hypotheses.iter().map(|h| format!("({} : {})", h.names.join(" "), h.ty.text)).collect();
            let again = format!("example {} : {}", binders.join(" "), goal.target.text);
            let Ok(again) = theory.open(&again) else {
                unread.push(stated.name.unwrap());
                continue;
            };
            assert_eq!(again.goals()[0].to_string(), goal.to_string());
            assert_eq!(again.goals()[0].target.expr, goal.target.expr);
        }
    }
    assert_eq!(unread, NOT_READ_AGAIN);
}
