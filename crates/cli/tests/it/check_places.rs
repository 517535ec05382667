//! `andor check` tells where in the file something is wrong.

use andor_testkit::lean;

use crate::support::{Folder, andor, left};

fn check(file: &str) -> (i32, String, String) {
    let mut check = andor(&["check", file]);
    left(check.env("LEAN_SYSROOT", lean::sysroot()).env_remove("LEAN_PATH").output().unwrap())
}

#[test]
fn a_fault_is_told_at_its_line_and_column() {
    let folder = Folder::new();
    for (name, text, at, said) in [
        (
            "a.v",
            "Lemma a : True.\n\tProof. (* é *) exact foo. Qed.\n",
            "foo",
            "the compiler rejects it: Error",
        ),
        ("b.v", "Lemma a : True.\nProof. exact I.\n", "Lemma", "the proof of `a` is not ended"),
        (
            "c.v",
            "Lemma z : True. Proof. exact I. Qed.\nSection S.\nLemma a : True. Proof. exact I.\nEnd S.\n",
            "End S",
            "the compiler rejects it: Error: Command not supported",
        ),
        ("d.lean", "/- 字 -/ theorem a : 1 = 2 := by rfl\n", "rfl", "the prover refuses it: the sides"),
        ("e.lean", "import Init\ntheorem a : 1 = 2 := by\n  /- 字 -/ rfl\n", "rfl", "Lean rejects it: "),
    ] {
        let file = folder.write(name, text);
        let (line, before) =
            text.lines().enumerate().find_map(|(n, line)| Some((n + 1, line.split_once(at)?.0))).unwrap();
        let (code, out, err) = check(&file);
        let head =
            format!("{file}:{line}:{}: rejected at level 1 (compiled): {said}", before.chars().count() + 1);
        assert!(code == 1 && out.starts_with(&head), "{head}\n{out}{err}");
        let shown = format!("\n  {line} | {}", text.lines().nth(line - 1).unwrap());
        let below = out.split_once(&shown).and_then(|(_, rest)| rest.lines().nth(1));
        assert!(below.is_some_and(|line| line.ends_with('^')), "{out}");
        let hint = if name == "c.v" { "the proof of `a` at line 3 is not ended" } else { "" };
        assert!(out.contains(hint) && !out.contains("characters"), "{out}");
    }
}

#[test]
fn a_file_that_cannot_be_read_to_its_end_is_told_where() {
    let folder = Folder::new();
    let proved = "Lemma a : True. Proof. exact I. Qed.";
    for (name, text, told) in [
        (
            "a.v",
            format!("{proved} (* é\n"),
            ":1:38: malformed file: the comment that begins here is not closed\n",
        ),
        (
            "b.v",
            format!("{proved}\nCheck \"é\n"),
            ":2:7: malformed file: the string that begins here is not closed\n",
        ),
        (
            "c.v",
            format!("{proved}\n (* é *) Lemma b\n"),
            ":2:10: malformed file: the sentence that begins here has no period\n",
        ),
        (
            "d.lean",
            "import Init\n /- é".to_owned(),
            ":2:2: malformed file: the comment that begins here is not closed\n",
        ),
    ] {
        let file = folder.write(name, &text);
        let (code, out, err) = check(&file);
        let told = format!("error: {file}{told}");
        assert!(
            code == 2 && out.is_empty() && err.contains(&told) && err.trim_end().ends_with('^'),
            "{told}\n{out}{err}"
        );
    }
}
