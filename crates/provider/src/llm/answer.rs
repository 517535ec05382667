//! From the texts that a model writes to tactics.

use andor_core::theorem::System;

andor_core::choice!(
    /// How a model's answers are read.
    Form {
        /// The whole text is one tactic.
        Tactic = "tactic",
        /// A list of alternative tactics, the best first.
        Alternatives = "alternatives",
        /// A whole proof, of which as much is kept as holds.
        Proof = "proof",
    }
);

/// The tactics in a text, the best first.
pub(super) fn tactics(text: &str, form: Form, system: System, prompt: Option<&str>) -> Vec<String> {
    let text = prompt.and_then(|prompt| text.strip_prefix(prompt)).unwrap_or(text);
    let text = without_reasoning(without_end_marks(text));
    let blocks = code_blocks(text);
    let tactic = |text: &str| {
        let text = unquoted(text.trim());
        let text = text.strip_prefix("PROOFSTEP").map_or(text, str::trim);
        (system.language().tactics.from_answer)(text)
    };
    let tactics: Vec<String> = match form {
        Form::Tactic => vec![tactic(blocks.first().copied().unwrap_or(text))],
        Form::Alternatives if blocks.is_empty() => entries(text).iter().map(|entry| tactic(entry)).collect(),
        Form::Alternatives => blocks.into_iter().flat_map(entries).map(|entry| tactic(&entry)).collect(),
        Form::Proof => Vec::new(),
    };
    tactics.into_iter().filter(|tactic| !tactic.is_empty()).collect()
}

/// The proof in a text: its last code block, or all of it.
pub(super) fn proof(text: &str) -> Option<String> {
    let text = without_reasoning(without_end_marks(text));
    let proof = code_blocks(text).last().copied().unwrap_or(text).trim();
    (!proof.is_empty()).then(|| proof.to_owned())
}

/// A text without the marks by which models end their answers. Servers that do not know a model's marks leave them in.
fn without_end_marks(text: &str) -> &str {
    const MARKS: [&str; 9] = [
        "<|im_end|>",
        "</s>",
        "<|eot_id|>",
        "<|end_of_text|>",
        "<|endoftext|>",
        "<|end|>",
        "<|return|>",
        "<end_of_turn>",
        "<｜end▁of▁sentence｜>",
    ];
    let mut text = text.trim_end();
    while let Some(shorter) = MARKS.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = shorter.trim_end();
    }
    text
}

/// A text without the backticks around the whole of it.
fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    inner.filter(|inner| !inner.contains('`')).map_or(text, str::trim)
}

/// The text after the model's reasoning. Reasoning that does not end leaves nothing.
pub(crate) fn without_reasoning(text: &str) -> &str {
    const MARKS: [(&str, &str); 3] =
        [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>")];
    for (begin, end) in MARKS {
        // Some servers leave out the mark at the beginning.
        if let Some((_, answer)) = text.rsplit_once(end) {
            return answer.trim();
        }
        if text.trim_start().starts_with(begin) {
            return "";
        }
    }
    text
}

/// The contents of the code blocks. One that does not end reaches to the end of the text.
pub(crate) fn code_blocks(text: &str) -> Vec<&str> {
    const FENCE: &str = "```";
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once(FENCE) {
        // What follows the fence on its line names the language, unless the block is on this line.
        let inside = match after.split_once('\n') {
            Some((language, inside)) if !language.contains(FENCE) => inside,
            _ => after,
        };
        let (block, after) = inside.split_once(FENCE).unwrap_or((inside, ""));
        blocks.push(block);
        rest = after;
    }
    blocks
}

/// The entries of a list, one for each line that is not indented and begins no case (`|`). Numbers and bullets before
/// entries, empty lines and comments are left out.
fn entries(text: &str) -> Vec<String> {
    let is_comment = |line: &str| line.starts_with("--") || (line.starts_with("(*") && line.ends_with("*)"));
    let lines = || text.lines().filter(|line| !line.trim().is_empty() && !is_comment(line.trim()));
    let margin = lines().map(indentation).min().unwrap_or(0);
    let mut entries: Vec<String> = Vec::new();
    for line in lines() {
        let continues = indentation(line) > margin || line.trim_start().starts_with('|');
        match entries.last_mut() {
            Some(last) if continues => {
                last.push('\n');
                last.push_str(line.get(margin..).unwrap_or(line).trim_end());
            }
            _ => entries.push(without_marker(line.trim()).trim_matches('`').trim().to_owned()),
        }
    }
    entries
}

pub(crate) fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// An entry without the number (`1.`, `2)`) or bullet (`-`, `*`, `•`) before it.
pub(crate) fn without_marker(entry: &str) -> &str {
    let digits = entry.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = entry[digits..].strip_prefix(['.', ')']).filter(|_| digits > 0);
    let bulleted = ["- ", "* ", "• "].iter().find_map(|bullet| entry.strip_prefix(bullet));
    match numbered.filter(|rest| rest.starts_with(' ')).or(bulleted) {
        Some(rest) => rest.trim_start(),
        None => entry,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn read(text: &str, form: Form, system: System) -> Vec<String> {
        tactics(text, form, system, Some("⊢ p:::"))
    }

    #[test]
    fn a_text_is_one_tactic_without_what_stands_around_it() {
        for (text, system, expected) in [
            ("  simp [h]\n", LEAN4, "simp [h]"),
            ("⊢ p:::intro h", LEAN4, "intro h"),
            ("PROOFSTEP induction n with t Ht", LEAN4, "induction n with t Ht"),
            ("<think>perhaps `omega`?</think>\nlinarith", LEAN4, "linarith"),
            ("so it is simp.</think>simp", LEAN4, "simp"),
            ("```lean4\nhave h : p := by\n  simp\nexact h\n```", LEAN4, "have h : p := by\n  simp\nexact h"),
            ("```rfl```", LEAN4, "rfl"),
            ("simp<|im_end|>", LEAN4, "simp"),
            ("<think>x</think>\n`omega`</s>\n<|eot_id|>", LEAN4, "omega"),
            ("lia.<｜end▁of▁sentence｜>", ROCQ, "lia"),
            ("by simp", LEAN4, "simp"),
            (
                "by\n  intro h\n  cases h with\n  | inl a => exact a",
                LEAN4,
                "intro h\ncases h with\n| inl a => exact a",
            ),
            ("by_contra h", LEAN4, "by_contra h"),
            ("byte", ROCQ, "byte"),
            ("```lean\nrfl", LEAN4, "rfl"),
            ("intros n. simpl. reflexivity.", ROCQ, "intros n"),
            ("apply Nat.add_comm.", ROCQ, "apply Nat.add_comm"),
            ("exact (f \"a. b\" (* c. *) x).", ROCQ, "exact (f \"a. b\" (* c. *) x)"),
        ] {
            assert_eq!(read(text, Form::Tactic, system), [expected], "{text:?}");
        }
        for nothing in ["", " \n", "<think>for ever", "```\n```", "<|im_end|>", "``"] {
            assert_eq!(read(nothing, Form::Tactic, LEAN4), [""; 0], "{nothing:?}");
        }
    }

    #[test]
    fn a_list_has_an_entry_on_each_line() {
        let answer = "Try these:\n```coq\n1. intros n.\n- induction n as [|n IH]; simpl.\n\n(* or *)\nlia.\n```\nGood luck.";
        let expected = ["intros n", "induction n as [|n IH]; simpl", "lia"];
        assert_eq!(read(answer, Form::Alternatives, ROCQ), expected);
        let answer = "```lean4\n  cases h with\n  | inl a => exact a\n    simp\n-- a comment\n  omega\n```";
        assert_eq!(
            read(answer, Form::Alternatives, LEAN4),
            ["cases h with\n| inl a => exact a\n  simp", "omega"]
        );
        assert_eq!(read("2) `rfl`\n3) simp", Form::Alternatives, LEAN4), ["rfl", "simp"]);
    }

    #[test]
    fn a_proof_is_the_last_block() {
        assert_eq!(proof("a plan\n```lean4\nx\n```\nthen\n```lean4\ny\nz\n```"), Some("y\nz".to_owned()));
        assert_eq!(proof("by simp"), Some("by simp".to_owned()));
        assert_eq!(proof("<think>…</think>"), None);
    }

    proptest::proptest! {
        #[test]
        fn anything_can_be_read(text in "(.|[`<>/thinkcoq\\.\n \\*\\(\\)\"-]){0,80}") {
            for form in Form::ALL {
                for system in [LEAN4, ROCQ, MINI] {
                    let read = tactics(&text, *form, system, None);
                    assert!(read.iter().all(|tactic| !tactic.trim().is_empty()));
                }
            }
            let _ = proof(&text);
        }
    }
}
