//! The section variables that theorems depend on, read from compiled types: a theorem of a section is closed over them,
//! in front of its statement. They are all that a challenge takes from a submission; every choice is sound, because the
//! theorem follows in its section from each.

use andor_audit::vo::Library;

use super::lexer::code;
use super::sentence::split;
use super::source::{ProofEnding, theorems};

/// What decides about the section variables of a theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Nothing: it is not in a section.
    Outside,
    /// The challenge's statement: it says `Proof using`, or has a transparent proof, which belongs to it.
    Statement,
    /// The challenge's proof: these variables, or fewer.
    Proof,
    /// The submission's proof, because the challenge has none.
    Submission,
}

/// What decides about the variables of each theorem.
pub(super) fn choices(challenge: &str, names: &[String]) -> Vec<Choice> {
    let found = theorems(challenge).unwrap_or_default();
    let has_default = sets_default(challenge);
    let kept = found.iter().filter(|theorem| theorem.ending != ProofEnding::Aborted);
    let of = |name: &String| match kept.clone().find(|t| t.name == *name) {
        Some(theorem) if theorem.in_section => match theorem.ending {
            _ if theorem.using.is_some() || has_default => Choice::Statement,
            ProofEnding::Transparent => Choice::Statement,
            ProofEnding::Opaque => Choice::Proof,
            ProofEnding::Open | ProofEnding::Aborted => Choice::Submission,
        },
        _ => Choice::Outside,
    };
    names.iter().map(of).collect()
}

/// Whether a challenge says for its theorems that they depend on the variables of their statements only.
fn sets_default(challenge: &str) -> bool {
    let sets = ["Default", "Proof", "Using", "\"Type\""];
    split(challenge).unwrap_or_default().iter().any(|sentence| {
        let pieces = code(sentence.text).unwrap_or_default();
        let words: Vec<&str> = pieces.iter().map(|piece| piece.text).collect();
        words.strip_suffix(&["."]).unwrap_or(&words).ends_with(&sets)
    })
}

/// For each theorem the names of the products that its type begins with; none for a theorem that does not exist.
pub(super) fn binders(file: &Library, names: &[String]) -> Vec<Vec<String>> {
    names.iter().map(|name| file.binders(name)).collect()
}

/// The section variables of a theorem with these binders, if it depends on more than with the `fewest`, those that its
/// statement mentions. Some of the latter may be left out; they need not be named.
pub(super) fn added(binders: &[String], fewest: &[String]) -> Vec<String> {
    if binders.len() <= fewest.len() {
        return Vec::new();
    }
    // The statement comes last. Variables that the longest common end adds to it are the same in both.
    let common =
        binders.iter().rev().zip(fewest.iter().rev()).take_while(|(one, other)| one == other).count();
    binders[..binders.len() - common].to_vec()
}

/// For each theorem the variables to state it with, those that the submission added or those of the challenge's proof;
/// and, if the submission's may not be these, which variable may not.
pub(super) fn granted(
    theorems: &[String],
    choices: &[Choice],
    fewest: &[Vec<String>],
    used: Vec<Vec<String>>,
    of_proofs: Vec<Vec<String>>,
) -> (Vec<Option<String>>, Option<String>) {
    let mut hint = None;
    let of = |(i, (used, of_proof)): (usize, (Vec<String>, Vec<String>))| {
        let allowed = match choices[i] {
            Choice::Outside => return None,
            Choice::Statement => Vec::new(),
            Choice::Proof => of_proof,
            Choice::Submission => used.clone(),
        };
        let more = || used.iter().filter(|name| !allowed.contains(name));
        // The variables of the statement itself need not be in either list.
        let told = more().find(|name| !fewest[i].contains(name)).or_else(|| more().next());
        if let Some(more) = told {
            hint.get_or_insert(format!(
                "the proof of `{}` uses the section variable `{more}`, which the file that states the theorem does not use for it",
                theorems[i]
            ));
        }
        let granted = if told.is_some() { allowed } else { used };
        (!granted.is_empty()).then(|| granted.join(" "))
    };
    (used.into_iter().zip(of_proofs).enumerate().map(of).collect(), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn variables_stand_in_front_of_the_statement() {
        for (binders, fewest, expected) in [
            ("k n", "k n", ""),
            ("k m", "k n", ""),
            ("k j Hk n", "k j n", "k j Hk"),
            ("k Hk j n", "k j n", "k Hk"),
            ("x k n", "k n", "x"),
            ("x n n", "n n", "x"),
            ("x", "", "x"),
            ("", "x", ""),
        ] {
            assert_eq!(added(&words(binders), &words(fewest)), words(expected), "{binders} / {fewest}");
        }
    }

    #[test]
    fn the_challenge_decides_where_it_says_something() {
        let challenge = "Theorem o : True. Admitted. Section S. Variable x : nat.\n\
                         Theorem a : True. Proof. Admitted. Theorem b : True. Proof using x. Admitted.\n\
                         Theorem c : True. Proof. exact I. Qed. Theorem d : True. Proof. exact I. Defined.\n\
                         Theorem e : True. Proof I. Theorem f : True. End S.\n";
        let found = choices(challenge, &words("o a b c d e f none"));
        use Choice::*;
        let aborted = "Section S. Variable x : nat. Theorem a : True. Abort. Theorem a : True. Proof. exact I. Time Qed. End S.";
        assert_eq!(choices(aborted, &words("a")), [Proof]);
        for (sets, choice) in [
            ("Set Default Proof Using \"Type\".", Statement),
            ("#[global] Set Default\n Proof  Using (* all *) \"Type\" .", Statement),
            ("(* Set Default Proof Using \"Type\". *)", Proof),
        ] {
            assert_eq!(choices(&format!("{sets} {aborted}"), &words("a")), [choice], "{sets}");
        }
        assert_eq!(found, [Outside, Submission, Statement, Proof, Statement, Proof, Submission, Outside]);
    }
}
