//! What `mini` proves, as terms for Lean's kernel.

use andor_mini::judge::File;
use andor_mini::kernel::env::Body;
use andor_mini::lean_term::{Unwritable, comparison};
use andor_mini::prover::{Theory, theorems};

use serde_json::Value;

use super::lean::messages;
use super::tables::PROOFS;

/// The errors of a file, and where a proof is given up.
fn complaints(text: &str) -> Vec<String> {
    let all = messages(text).into_iter().filter(|m| m["severity"] == "error" || m["kind"] == "hasSorry");
    let lines: Vec<&str> = text.lines().collect();
    let told = |message: Value| {
        let line = usize::try_from(message["pos"]["line"].as_u64().unwrap()).unwrap();
        format!("{}\n{}", lines[line - 1], message["data"].as_str().unwrap())
    };
    all.map(told).collect()
}

#[test]
fn what_is_named_alike_is_the_same() {
    let text = comparison(&Theory::prelude().env).unwrap();
    assert!(text.lines().filter(|line| line.starts_with("def ")).count() > 60);
    assert_eq!(complaints(&text), Vec::<String>::new());
}

#[test]
fn leans_kernel_accepts_the_prelude() {
    let file = File::read("").unwrap();
    let declarations = Theory::prelude().env.declarations();
    let theorems: Vec<String> = declarations
        .filter(|(_, declaration)| matches!(declaration.body, Body::Theorem(_)))
        .map(|(name, _)| name.to_string())
        .collect();
    assert!(theorems.len() > 500);
    assert_eq!(complaints(&file.lean_terms(&theorems).unwrap()), Vec::<String>::new());
}

#[test]
fn leans_kernel_accepts_the_proofs_of_the_examples() {
    let mut open = Vec::new();
    for (name, text) in PROOFS {
        let file = File::read(text).unwrap();
        let all = theorems(text).unwrap().into_iter().filter_map(|theorem| theorem.name);
        let (given_up, proved): (Vec<String>, Vec<String>) = all.partition(|theorem| {
            matches!(file.lean_terms(std::slice::from_ref(theorem)), Err(Unwritable::Unproved(_)))
        });
        open.extend(given_up);
        assert_eq!(complaints(&file.lean_terms(&proved).unwrap()), Vec::<String>::new(), "{name}");
    }
    assert_eq!(open, ["threes_and_fives", "root_two_irrational", "olympiad_1977"]);
}

#[test]
fn what_a_proof_does_not_use_is_not_put_to_lean() {
    // Written out, the term of the claim takes more than 64 MB.
    let claim = "∀ a b c : Nat, (a+b+c+1)^9 = (a+b+c+1)^8*(a+b+c+1)";
    let unused = format!(
        "theorem t (n : Nat) : n = n := by\n  have h : {claim} := by intros; ring\n  cases n\n  · rfl\n  · rfl\n"
    );
    let theorems = ["t".to_owned()];
    let written = File::read(&unused).unwrap().lean_terms(&theorems).unwrap();
    assert!(written.len() < 2000, "{written}");
    assert_eq!(complaints(&written), Vec::<String>::new());
    let used = format!("theorem t : {claim} := by\n  have h : {claim} := by intros; ring\n  exact h\n");
    assert_eq!(File::read(&used).unwrap().lean_terms(&theorems), Err(Unwritable::TooLarge));
}

#[test]
fn leans_kernel_refuses_another_proof() {
    let text = "theorem t (a b : Nat) (h : a = b) : b = a := by\n  omega\n";
    let written = File::read(text).unwrap().lean_terms(&["t".to_owned()]).unwrap();
    assert_eq!(complaints(&written), Vec::<String>::new());
    let at = written.rfind("theorem Mini.t").unwrap();
    let (before, last) = written.split_at(at);
    let other = last.replacen(" @_root_.Nat b a)", " @_root_.Nat b b)", 1);
    assert_ne!(last, other);
    assert!(!complaints(&format!("{before}{other}")).is_empty());
}
