//! What people and models send instead of a whole file: a block of code in Markdown, a proof alone, or a file that imports
//! the one that states the theorem.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use std::path::Path;

use andor_core::theorem::System;
use andor_system_lean as lean;
use andor_system_lean::source::{declarations, goal};
use andor_system_rocq::sentence::split;
use andor_system_rocq::source::{SourceTheorem, given_by_terms, theorems};

/// A block of code in a Markdown text.
struct Block<'a> {
    /// The language behind the fence.
    language: &'a str,
    /// The number of lines above it.
    above: usize,
    lines: Vec<&'a str>,
}

/// The block of code in a Markdown text that is meant: the last that mentions one of the names, or else the last in a language of
/// the system, or the last of all. The lines above it are blank, so that lines count as in the text. `None` if the text has no
/// block of code.
pub(super) fn code_block(text: &str, names: &[String], system: Option<System>) -> Option<String> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut open, mut comments): (Option<&str>, usize) = (None, 0);
    for (at, line) in text.lines().enumerate() {
        let fence = ["```", "~~~"].into_iter().find(|fence| line.trim_start().starts_with(fence));
        match (open, fence, blocks.last_mut()) {
            (Some(opened), Some(fence), _) if fence == opened => open = None,
            (Some(_), _, Some(block)) => block.lines.push(line),
            // A fence in a comment of a source file opens nothing.
            (_, Some(fence), _) if comments == 0 => {
                let language = line.trim().trim_start_matches(['`', '~']).trim();
                blocks.push(Block { language, above: at + 1, lines: Vec::new() });
                open = Some(fence);
            }
            _ => {
                let count =
                    |marks: [&str; 2]| marks.map(|mark| line.matches(mark).count()).iter().sum::<usize>();
                comments = (comments + count(["/-", "(*"])).saturating_sub(count(["-/", "*)"]));
            }
        }
    }
    let languages: Vec<&str> = match system {
        Some(system) => system.language().fences.to_vec(),
        None => {
            System::all().into_iter().flat_map(|system| system.language().fences.iter().copied()).collect()
        }
    };
    let is_of_system = |block: &&Block<'_>| languages.contains(&block.language.to_lowercase().as_str());
    let is_possible = |block: &&Block<'_>| block.language.is_empty() || is_of_system(block);
    let mentions = |block: &&Block<'_>| {
        is_possible(block)
            && names.iter().any(|name| block.lines.iter().any(|line| line.contains(name.as_str())))
    };
    let meant = blocks.iter().rfind(mentions).or_else(|| blocks.iter().rfind(is_of_system));
    let Block { above, lines, .. } = meant.or(blocks.last())?;
    Some("\n".repeat(*above) + &lines.join("\n") + "\n")
}

/// Whether a text is a proof alone: it declares nothing.
pub(super) fn is_proof_alone(system: System, text: &str) -> bool {
    match system {
        _ if [LEAN4, MINI].contains(&system) => {
            goal(text).is_none() && lean::source::imports(text).is_empty()
        }
        _ => {
            let declares = |text| {
                theorems(text).map_or(true, |found| !found.is_empty())
                    || given_by_terms(text).map_or(true, |found| !found.is_empty())
            };
            let begins = split(text).unwrap_or_default().first().map(|first| first.text);
            let is_proof = |first: &str| first.starts_with("Proof") || !first.starts_with(char::is_uppercase);
            text.trim_start().starts_with(":=") || begins.is_some_and(is_proof) && !declares(text)
        }
    }
}

/// A proof that comes alone, put where it belongs.
pub(super) struct Placed {
    /// The whole file.
    pub(super) text: String,
    /// The line of its beginning in that file, from 1.
    pub(super) there: usize,
    /// The line of its beginning in its own file, from 1.
    pub(super) here: usize,
}

/// The file that states a theorem, with a proof that comes alone in its place. For Lean: tactics, with `by` before them or
/// without, or a term after `:=`. For Rocq: tactics, with `Proof` and `Qed` around them or without. `None` if the file does not
/// state it.
pub(super) fn with_statement(system: System, proof: &str, challenge: &str, name: &str) -> Option<Placed> {
    let (above, proof) =
        (proof.len() - proof.trim_start_matches('\n').len(), proof.trim_matches('\n').trim_end());
    let (start, proof, behind) = match system {
        _ if [LEAN4, MINI].contains(&system) => {
            let found = declarations(challenge).unwrap_or_default();
            let theorem = found.into_iter().find(|d| d.name.as_deref() == Some(name))?;
            let (value, tactics) = (proof.trim_start().strip_prefix(":="), first_word(proof) == "by");
            let by = if value.is_some() || tactics { "" } else { "  by\n" };
            let indent = if by.is_empty() { "  " } else { "    " };
            let lines: String =
                value.unwrap_or(proof).lines().map(|line| format!("{indent}{line}\n")).collect();
            let start = format!("{}\n  :=\n{by}", challenge[..theorem.end].trim_end());
            (start, lines, challenge[theorem.command.end..].to_owned())
        }
        _ => {
            let theorem = theorem_of(challenge, name)?;
            let start = format!("{}\n", challenge[..theorem.opened].trim_end());
            // A second `Proof` is an error.
            let opened = challenge[theorem.end..theorem.opened].contains("Proof");
            let proof =
                match (proof.trim_start().strip_prefix("Proof."), proof.trim_start().strip_prefix(":=")) {
                    (Some(tactics), _) if opened => tactics.to_owned(),
                    (_, Some(term)) => format!("exact ({}).", term.trim().trim_end_matches('.')),
                    _ => proof.to_owned(),
                };
            let is_ended =
                ["Qed.", "Defined.", "Admitted.", "Abort.", "Save."].iter().any(|end| proof.ends_with(end));
            let end = if is_ended { "" } else { "\nQed." };
            (start, format!("{proof}{end}\n"), theorem.closers)
        }
    };
    let there = start.matches('\n').count() + 1;
    Some(Placed { text: format!("{start}{proof}{behind}"), there, here: above + 1 })
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

fn theorem_of(text: &str, name: &str) -> Option<SourceTheorem> {
    theorems(text).ok()?.into_iter().find(|theorem| theorem.name == name)
}

/// The proof of a theorem in a file, and blank lines for those above it.
pub(super) fn proof_of(system: System, text: &str, name: &str) -> Option<String> {
    let (start, end) = match system {
        _ if [LEAN4, MINI].contains(&system) => {
            let theorem = declarations(text).ok()?.into_iter().find(|d| d.name.as_deref() == Some(name))?;
            (theorem.end, theorem.command.end)
        }
        _ => {
            let theorem = theorem_of(text, name)?;
            (theorem.end, theorem.proof_end)
        }
    };
    let lines = text[..start].matches('\n').count();
    Some("\n".repeat(lines) + text[start..end].trim_start_matches('\n'))
}

/// The module that a file imports and whose name is that of a file, if there is one.
pub(super) fn imports_module_of(system: System, text: &str, path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    let is_it = |module: &&str| module.rsplit('.').next() == Some(stem);
    match system {
        _ if [LEAN4, MINI].contains(&system) => {
            lean::source::imports(text).into_iter().find(is_it).map(str::to_owned)
        }
        _ => {
            let sentences = split(text).unwrap_or_default();
            let mut required = sentences.iter().filter(|sentence| sentence.text.contains("Require"));
            required.find_map(|sentence| {
                let words = sentence.text.trim_end_matches('.').split_whitespace();
                let root =
                    sentence.text.strip_prefix("From ").and_then(|rest| rest.split_whitespace().next());
                let module = words.skip_while(|word| *word != "Require").find(is_it)?;
                Some(root.map_or_else(|| module.to_owned(), |root| format!("{root}.{module}")))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use andor_system_rocq::ROCQ;

    use super::*;

    #[test]
    fn the_last_block_that_states_the_theorem_is_taken() {
        let text = "First:\n```lean\ntheorem a : 1 = 1 := rfl\n```\nor\n```\ntheorem a : 1 = 1 := by rfl\n```\nUse\n```\n#eval 1\n```\n";
        let named = |text: &str, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            code_block(text, &names, Some(LEAN4))
        };
        assert_eq!(named(text, &["theorem a"]).unwrap().trim(), "theorem a : 1 = 1 := by rfl");
        assert_eq!(
            named(text, &[]).unwrap(),
            "\n\ntheorem a : 1 = 1 := rfl\n",
            "the last that says it is Lean"
        );
        assert_eq!(named("```lean\nby\n  simp\n", &["a"]).unwrap(), "\nby\n  simp\n", "cut off");
        assert_eq!(named("~~~lean4\nby simp\n~~~\n", &["a"]).unwrap(), "\nby simp\n");
        let output = "```lean\nby simp\n```\n```text\na is defined\n```\n```coq\nauto.\n```\n";
        assert_eq!(named(output, &["a"]).unwrap().trim(), "by simp", "no output, and no other language");
        assert_eq!(named("/-- As in\n```\nx\n```\n-/\ntheorem a : 1 = 1 := rfl\n", &["a"]), None);
        assert_eq!(named("theorem a : 1 = 1 := rfl\n", &["a"]), None);
    }

    #[test]
    fn proofs_alone_are_told_from_files() {
        for proof in [
            "Proof.\n  auto.\nQed.\n",
            "intros. auto.",
            "- auto.",
            ":= eq_refl",
            "(* why *) Proof using. auto. Qed.",
        ] {
            assert!(is_proof_alone(ROCQ, proof), "{proof}");
        }
        for file in ["Theorem t : True. Proof. auto. Qed.", "Require Import List.", "Definition d := 1.", ""]
        {
            assert!(!is_proof_alone(ROCQ, file), "{file}");
        }
    }

    #[test]
    fn proofs_are_put_where_they_belong() {
        let challenge = "Section S.\nLemma t (n : nat) : n = n.\nProof using.\nAdmitted.\nLemma u : True. Admitted.\nEnd S.\n";
        for proof in ["\nProof.\n  reflexivity.\nQed.\n", "\nreflexivity."] {
            let placed = with_statement(ROCQ, proof, challenge, "t").unwrap();
            assert!(
                placed.text.starts_with("Section S.\nLemma t (n : nat) : n = n.\nProof using.\n"),
                "{}",
                placed.text
            );
            assert!(
                placed.text.contains("reflexivity.\nQed.\n") && placed.text.contains("End S."),
                "{}",
                placed.text
            );
            assert_eq!(placed.text.matches("Proof").count(), 1, "{}", placed.text);
            assert_eq!((placed.there, placed.here), (4, 2));
        }
        let placed = with_statement(ROCQ, ":= eq_refl.", challenge, "t").unwrap();
        assert!(placed.text.contains("exact (eq_refl).\nQed.\n"), "{}", placed.text);
        assert!(with_statement(ROCQ, "auto.", challenge, "v").is_none());
    }

    #[test]
    fn the_module_that_states_the_theorem_is_found() {
        let text = "From Coq Require Import List.\nFrom My Require Import Base Trees.\n";
        let of = |path: &str| imports_module_of(ROCQ, text, Path::new(path));
        assert_eq!(of("theories/Trees.v").as_deref(), Some("My.Trees"));
        assert_eq!(of("theories/My.v"), None);
        let of = |path: &str| imports_module_of(LEAN4, "import Foo.Basic\n", Path::new(path));
        assert_eq!((of("Foo/Basic.lean").as_deref(), of("Foo.lean")), (Some("Foo.Basic"), None));
    }
}
