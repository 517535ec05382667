//! What people and models send instead of a whole file: a block of code in Markdown, a proof alone, or a file that imports
//! the one that states the theorem.

use std::path::Path;

use andor_core::theorem::System;
use andor_env::source::Source;

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

/// A proof that comes alone, put where it belongs.
pub(super) struct Placed {
    /// The whole file.
    pub(super) text: String,
    /// The line of its beginning in that file, from 1.
    pub(super) there: usize,
    /// The line of its beginning in its own file, from 1.
    pub(super) here: usize,
}

/// The file that states a theorem, with a proof that comes alone in its place. `None` if the file does not state it.
pub(super) fn with_statement(
    reader: &dyn Source,
    proof: &str,
    challenge: &str,
    name: &str,
) -> Option<Placed> {
    let above = proof.len() - proof.trim_start_matches('\n').len();
    let parts = reader.with_proof(challenge, name, proof.trim_matches('\n').trim_end())?;
    Some(Placed { there: parts[0].matches('\n').count() + 1, here: above + 1, text: parts.concat() })
}

/// The proof of a theorem in a file, and blank lines for those above it.
pub(super) fn proof_of(reader: &dyn Source, text: &str, name: &str) -> Option<String> {
    let proof = reader.proof_of(text, name)?;
    let lines = text[..proof.start].matches('\n').count();
    Some("\n".repeat(lines) + text[proof].trim_start_matches('\n'))
}

/// The module that a file imports and whose name is that of a file, if there is one.
pub(super) fn imports_module_of(reader: &dyn Source, text: &str, path: &Path) -> Option<String> {
    let stem = path.file_stem()?.to_str()?;
    reader.imports(text).into_iter().find(|module| module.rsplit('.').next() == Some(stem))
}

#[cfg(test)]
mod tests {
    use andor_env::source::of;
    use andor_system_lean::LEAN4;
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
    fn proofs_are_put_where_they_belong() {
        let challenge = "Section S.\nLemma t (n : nat) : n = n.\nProof using.\nAdmitted.\nLemma u : True. Admitted.\nEnd S.\n";
        for proof in ["\nProof.\n  reflexivity.\nQed.\n", "\nreflexivity."] {
            let placed = with_statement(of(ROCQ).unwrap(), proof, challenge, "t").unwrap();
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
        let placed = with_statement(of(ROCQ).unwrap(), ":= eq_refl.", challenge, "t").unwrap();
        assert!(placed.text.contains("exact (eq_refl).\nQed.\n"), "{}", placed.text);
        assert!(with_statement(of(ROCQ).unwrap(), "auto.", challenge, "v").is_none());
    }

    #[test]
    fn the_module_that_states_the_theorem_is_found() {
        let text = "From Coq Require Import List.\nFrom My Require Import Base Trees.\n";
        let of = |path: &str| imports_module_of(of(ROCQ).unwrap(), text, Path::new(path));
        assert_eq!(of("theories/Trees.v").as_deref(), Some("My.Trees"));
        assert_eq!(of("theories/My.v"), None);
        let of_lean = |path: &str| {
            imports_module_of(andor_env::source::of(LEAN4).unwrap(), "import Foo.Basic\n", Path::new(path))
        };
        assert_eq!((of_lean("Foo/Basic.lean").as_deref(), of_lean("Foo.lean")), (Some("Foo.Basic"), None));
    }
}
