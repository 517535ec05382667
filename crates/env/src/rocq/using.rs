//! The section variables that a theorem depends on. This is all that a challenge takes from a submission, unless it has a
//! proof of its own with fewer; every choice is sound, because the theorem follows in its section from each.

use super::source::{ProofEnding, SourceTheorem, theorems};

/// Whether the theorems in sections may depend on only some of the variables.
pub(super) fn in_sections(trusted: &str, names: &[String]) -> bool {
    let found = theorems(trusted).unwrap_or_default();
    found.iter().any(|t| t.in_section && names.contains(&t.name))
}

/// How a file ends the proof of each theorem; `None` for those that it does not prove in a section.
pub(super) fn endings(file: &str, names: &[String]) -> Vec<Option<ProofEnding>> {
    let found = theorems(file).unwrap_or_default();
    let of = |name: &String| found.iter().find(|t| t.in_section && t.finished() && t.name == *name);
    names.iter().map(|name| of(name).map(|theorem| theorem.ending)).collect()
}

/// Whether a choice of variables is part of another, both without operators: the theorem then says no less.
pub(super) fn is_part(fewer: &str, all: &str) -> bool {
    let is_plain = |text: &str| !text.contains(['*', '(', ')', '+', '-']);
    // The variables of the type belong to every choice.
    let mut names = fewer.split_whitespace().filter(|name| *name != "Type");
    is_plain(fewer) && is_plain(all) && names.all(|name| all.split_whitespace().any(|other| other == name))
}

/// For each theorem the section variables that a file's proof uses: as declared by the proof, otherwise as the
/// compiler suggests in its output.
pub(super) fn used(file: &str, names: &[String], stdout: &str) -> Vec<Option<String>> {
    let found = theorems(file).unwrap_or_default();
    let of = |name: &String| {
        let short = name.rsplit('.').next().unwrap_or(name);
        let same = |t: &&SourceTheorem| t.using.is_none() && t.name.rsplit('.').next() == Some(short);
        let stated = found.iter().find(|t| t.name == *name);
        let clause = match stated.and_then(|t| t.using.clone()) {
            Some(clause) => clause,
            None => {
                let start = stated.map_or(usize::MAX, |t| t.start);
                let before = found.iter().filter(same).filter(|t| t.start < start && t.in_section).count();
                let mut suggested = suggestions(stdout, short);
                if before < suggested.len() { suggested.swap_remove(before) } else { String::new() }
            }
        };
        is_clause(&clause).then_some(clause)
    };
    names.iter().map(of).collect()
}

/// The suggestions of the compiler's option `Suggest Proof Using` for theorems with a name. Line breaks are arbitrary.
fn suggestions(stdout: &str, name: &str) -> Vec<String> {
    let output = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let heading =
        format!("The proof of {name} should start with one of the following commands: Proof using ");
    let clause = |rest: &str| rest.split_once('.').map(|(clause, _)| clause.trim().to_owned());
    output.split(&heading).skip(1).filter_map(clause).collect()
}

/// Whether a text consists only of names and operators between them, without comments.
fn is_clause(text: &str) -> bool {
    !text.contains("(*")
        && !text.contains("*)")
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | ' ' | '*' | '(' | ')' | '+' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_read_over_broken_lines() {
        let stdout = "The proof of t should start with one of the following commands:\nProof using . \nProof using Type. \n\
                      The proof of long_name\nshould start with one of the following commands:\nProof using b\na. \n\
                      The proof of t should start with one of the following commands:\nProof using All. \n";
        assert_eq!(suggestions(stdout, "t"), ["", "All"]);
        assert_eq!(suggestions(stdout, "long_name"), ["b a"]);
        assert!(suggestions(stdout, "name").is_empty());
    }

    #[test]
    fn the_suggestions_of_each_release_are_read_alike() {
        for text in [
            include_str!("../../tests/data/answers/8.16.1/submission.txt"),
            include_str!("../../tests/data/answers/8.20.1/submission.txt"),
            include_str!("../../tests/data/answers/9.2.0/submission.txt"),
        ] {
            assert_eq!(suggestions(text, "uses_x"), [""]);
        }
    }

    #[test]
    fn nothing_but_names_is_taken_from_a_submission() {
        let file = |clause: &str| {
            format!("Section S.\nLemma t : True.\nProof using {clause}.\nexact I. Qed.\nEnd S.\n")
        };
        let names = ["t".to_owned()];
        let used = |clause: &str| used(&file(clause), &names, "").remove(0);
        assert_eq!(used("x (y + z') - All").as_deref(), Some("x (y + z') - All"));
        assert_eq!(used("x; Axiom a : False"), None);
    }

    #[test]
    fn a_choice_without_operators_is_compared_by_its_names() {
        assert!(is_part("", "x") && is_part("Type", "") && is_part("x", "y x") && is_part("All", "All"));
        assert!(
            !is_part("x y", "x") && !is_part("All", "x") && !is_part("x", "x - x") && !is_part("(x)", "x")
        );
    }
}
