//! Declarations that are right or wrong for their universes.

use andor_mini::budget::{Limits, within};
use andor_mini::prover::{FileError, Theory};

const TABLE: &str = include_str!("../data/universes.txt");

/// The verdicts, what is judged, and the declarations.
fn entries() -> Vec<(&'static str, &'static str, &'static str)> {
    let entry = |block: &'static str| {
        let (head, text) = block.split_once('\n').unwrap();
        let (verdict, what) = head.split_once(": ").unwrap();
        (verdict, what, text)
    };
    TABLE.trim_end().split("\n\n").skip(1).map(entry).collect()
}

#[test]
fn universes_are_right_or_wrong_as_the_table_says() {
    let mut wrong = Vec::new();
    for (verdict, what, text) in entries() {
        let is_right = matches!(verdict, "accepted" | "missed");
        let found = Theory::prelude().extended(text);
        if found.is_ok() != is_right {
            wrong.push(format!("{what}\n{text}\n{:?}", found.err()));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// The statements themselves are well formed, so that each is refused for its proof.
#[test]
fn a_false_theorem_can_be_stated_but_not_proved() {
    let false_ones =
        entries().into_iter().filter(|(verdict, _, text)| *verdict == "refused" && text.contains("goal"));
    let mut n = 0;
    for (_, what, text) in false_ones {
        let (statement, _) = text.rsplit_once(":=").unwrap();
        assert!(Theory::prelude().extended(&format!("{statement}:= sorry")).is_ok(), "{what}");
        n += 1;
    }
    assert!(n >= 3);
}

/// Definitions that unfold to the one before, at levels made from their own, and a theorem that unfolds them all.
fn chain(n: usize, binders: &str, args: &str, of: &str) -> Result<Theory, FileError> {
    let mut text = format!("def d0 {binders} : Prop := True\n");
    for i in 1..n {
        text.push_str(&format!("def d{i} {binders} : Prop := d{} {args}\n", i - 1));
    }
    text.push_str(&format!("theorem t {binders} : d{} {of} := trivial\n", n - 1));
    let limits = Limits { steps: 3_000_000, bytes: 256 << 20 };
    within(limits, || Theory::prelude().extended(&text)).expect("the text itself is short")
}

#[test]
fn levels_that_double_when_they_are_unfolded_stay_short() {
    let types = "(α : Type u) (β : Type v)";
    assert_eq!(chain(60, types, "(α × β) (β × α)", "α β").map(drop), Ok(()));
    assert_eq!(chain(200, "(α : Sort u)", "(Sort u)", "α").map(drop), Ok(()));
}
