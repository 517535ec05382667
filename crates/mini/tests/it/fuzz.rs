//! Random input: nothing panics, and nothing is accepted that the kernel would not accept in a file.
//!
//! Seeds are fixed. `ANDOR_MINI_FUZZ=100 cargo test --release -p andor-mini fuzz` runs a hundred times as long.

use andor_mini::prover::{State, TacticError, Theory, theorems};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Steps that a tactic may take.
const STEPS: u64 = 20_000;

/// Tries what a strategy gives, `cases` times or as many times more as the environment says.
fn fuzz<S: Strategy>(
    seed: u8,
    cases: u32,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let factor: u32 = std::env::var("ANDOR_MINI_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let config = ProptestConfig {
        cases: cases.saturating_mul(factor),
        failure_persistence: None,
        max_shrink_iters: 60,
        ..ProptestConfig::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    if let Err(error) = TestRunner::new_with_rng(config, rng).run(strategy, test) {
        panic!("{error}");
    }
}

/// What a text may be made of: every word and sign that means something, and some that do not.
const WORDS: &str = r#"
    theorem lemma example def abbrev axiom inductive attribute where with fun => ∀ ∃ ∃! λ let have show
    from by at using only calc sorry if then match Prop Type Sort True False And Or.inl Eq.refl Nat
    Nat.succ Nat.rec Nat.add List List.nil Exists.intro absurd rfl x y h p q α x₁ h.1 h.left n.succ h.2.1
    @id @Eq.rec .1 0 1 2 37 123456789012345678901234567890 + * - ^ / % = ≠ ≤ < ≥ > ∣ ∈ ∧ ∨ ¬ → ↔ ← ▸ :: ++
    × ∘ | || && ! ( ) [ ] { } ⟨ ⟩ , ; : := · <;> _ ?_ ?x @[ @ # $ intro rintro intros exact apply refine
    constructor left right exists use exfalso contradiction absurd trivial symm cases induction
    generalizing rcases obtain generalize subst rw rewrite simp simp_all simpa unfold change suffices
    by_cases by_contra decide omega ring funext injection specialize clear revert rename_i repeat try first
    all_goals any_goals focus case next rotate_left skip done rwa exacts -- /- -/ ' é 🙂
    " א 🙂 é
"#;

fn words() -> impl Strategy<Value = &'static str> {
    select(WORDS.split_whitespace().chain(["Type u", "«a b»", "\u{200b}", "\t", "\n  "]).collect::<Vec<_>>())
}

fn parts(list: &'static str) -> Vec<&'static str> {
    list.split('~').map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Words in any order, on one line or several.
fn soup() -> impl Strategy<Value = String> {
    let space = select(vec![" ", " ", " ", "", "\n", "\n  ", "\n    "]);
    let words = prop::collection::vec((words(), space), 0..30);
    words.prop_map(|words| words.into_iter().flat_map(|(word, space)| [word, space]).collect())
}

#[test]
fn any_words_are_read_or_refused() {
    let statement = "example (p q : Prop) (x y : Nat) (h : p ∧ q ∨ x = y) : q ∧ p ∨ y = x";
    let state = Theory::prelude().open(statement).unwrap();
    fuzz(1, 1500, &(soup(), soup()), |(one, other)| {
        let _ = theorems(&one);
        let _ = Theory::prelude().open(&one);
        let _ = Theory::prelude().open(&format!("example : {one}"));
        let _ = state.apply(&one, STEPS);
        let _ = state.apply(&format!("have k : {one} := {other}"), STEPS);
        no_proof_of_false(Theory::prelude(), &one)?;
        no_proof_of_false(Theory::prelude(), &format!("theorem oops : False := by {one}"))?;
        no_proof_of_false(Theory::prelude(), &format!("theorem oops {one} := {other}"))
    });
}

/// Whatever a text adds to a theory, a proof of `False` is not among it unless it says that it is none.
fn no_proof_of_false(theory: &Theory, text: &str) -> Result<(), TestCaseError> {
    let Ok(theory) = theory.extended(text) else { return Ok(()) };
    for stated in theorems(text).unwrap() {
        let Some(name) = stated.name else { continue };
        let axioms = theory.axioms(&name).unwrap_or_default();
        let known = ["propext", "Classical.em", "funext", "Classical.choice"];
        if axioms.iter().any(|axiom| !known.contains(&axiom.as_str())) {
            continue;
        }
        let oops =
            format!("theorem oops.oops : False := by first | exact {name} | cases {name} | contradiction");
        prop_assert!(theory.extended(&oops).is_err(), "False is proved by\n{}", text);
    }
    Ok(())
}

/// A theory and a theorem with its proof.
type Proved = (Theory, String);

/// The theorems of the proofs files, each with the definitions that it stands behind.
fn proved() -> Vec<Proved> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(format!("{}/tests/proofs", env!("CARGO_MANIFEST_DIR"))).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let stated = theorems(&text).unwrap();
        let mut definitions = text.clone();
        for theorem in stated.iter().rev() {
            definitions.replace_range(theorem.command.clone(), "");
        }
        let theory = Theory::prelude().extended(&definitions).unwrap();
        all.extend(stated.into_iter().map(|t| (theory.clone(), text[t.command].to_owned())));
    }
    all.sort_by(|a, b| a.1.cmp(&b.1));
    all
}

/// One change of a text: what of it, where, and by what.
#[derive(Clone, Debug)]
enum Change {
    Delete(Index),
    Double(Index),
    Swap(Index, Index),
    Replace(Index, &'static str),
    Cut(Index),
}

fn changes() -> impl Strategy<Value = Vec<(bool, Change)>> {
    let at = any::<Index>;
    let change = prop_oneof![
        at().prop_map(Change::Delete),
        at().prop_map(Change::Double),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), words()).prop_map(|(a, word)| Change::Replace(a, word)),
        at().prop_map(Change::Cut),
    ];
    prop::collection::vec((prop::bool::ANY, change), 1..4)
}

/// A text with changes of its lines or of its words.
fn changed(text: &str, changes: &[(bool, Change)]) -> String {
    let mut text = text.to_owned();
    for (by_line, change) in changes {
        let mut parts: Vec<&str> = if *by_line {
            text.split_inclusive('\n').collect()
        } else {
            text.split_inclusive([' ', '\n', '(', ')']).collect()
        };
        if parts.is_empty() {
            break;
        }
        match change {
            Change::Delete(at) => drop(parts.remove(at.index(parts.len()))),
            Change::Double(at) => {
                let at = at.index(parts.len());
                parts.insert(at, parts[at]);
            }
            Change::Swap(a, b) => {
                let (a, b) = (a.index(parts.len()), b.index(parts.len()));
                parts.swap(a, b);
            }
            Change::Replace(at, word) => {
                let at = at.index(parts.len());
                parts[at] = word;
                parts.insert(at + 1, " ");
            }
            Change::Cut(at) => parts.truncate(at.index(parts.len())),
        }
        text = parts.concat();
    }
    text
}

#[test]
fn a_changed_proof_is_refused_or_holds() {
    let all = proved();
    fuzz(2, 600, &(any::<Index>(), changes()), |(which, changes)| {
        let (theory, text) = which.get(&all);
        no_proof_of_false(theory, &changed(text, &changes))
    });
}

/// Tactics to try, with `~` between; `H` is a hypothesis, `N` and `M` are new names, `T` is a term.
const TACTICS: &str = "
    intro N ~ intros ~ rintro ⟨N, M⟩ ~ rintro (N | M) ~ exact H ~ exact H H ~ exact T ~ apply H ~ apply H ~
    apply T ~ assumption ~ assumption ~ constructor ~ left ~ right ~ exists H ~ exists T ~
    refine ⟨?_, ?_⟩ ~ refine ⟨H, ?_⟩ ~ refine H ?_ ~ exfalso ~ contradiction ~ trivial ~ rfl ~ symm ~
    symm at H ~ cases H ~ cases H with | inl N => ?_ | inr N => ?_ ~ rcases H with ⟨N, M⟩ ~
    rcases H with N | M ~ obtain ⟨N, rfl⟩ := H ~ induction H ~
    induction H with | zero => rfl | succ N M => ?_ ~ generalize T = N ~ subst H ~ rw [H] ~ rw [← H] ~
    rw [H] at H ~ rw [Nat.add_comm] ~ unfold Not ~ have N := H ~ have N := H H ~ have N := H.1 ~
    have ⟨N, M⟩ := H ~ have N : T = T := rfl ~ by_cases N : H ~ by_cases N : T = T ~ by_contra N ~
    funext N ~ injection H ~ specialize H H ~ specialize H T ~ clear H ~ revert H ~ rename_i N ~
    exact ⟨H, H⟩ ~ exact Or.inl H ~ exact Or.inr H ~ exact absurd H H ~ exact H.1 ~ exact H.2 ~
    exact H ▸ H ~ simp ~ simp_all ~ omega ~ decide ~ ring ~ all_goals assumption ~ any_goals assumption ~
    repeat constructor ~ try rfl ~ constructor <;> assumption ~ first | exact H | exact T ~ rotate_left ~
    swap ~ next N => exact H ~ case inl => exact H ~ suffices N : T = T by exact H ~ let N := T ~
    calc T = T := rfl ~ show T ~ change T at H ~ exact fun N => H ~ exact fun N => N ~ intro N; exact N ~
    skip ~ apply Nat.le_trans ~ apply Eq.trans ~ apply Exists.intro ~ apply And.intro ~ apply Or.inl ~
    apply Classical.byContradiction ~ apply propext ~ apply congrArg ~ apply False.elim ~
    refine Exists.intro ?_ ?_ ~ exact ⟨_, H⟩ ~ exact (by assumption) ~ refine (fun N => ?_) H ~
    refine ⟨fun N => ?_, fun N => ?_⟩ ~ refine Or.elim H (fun N => ?_) ?_
";

const TERMS: &str = "
    0 ~ 1 ~ H ~ H + 1 ~ H.succ ~ [] ~ H :: H ~ 2 * H ~ rfl ~ fun N => H ~ Eq.refl _ ~ H.1 ~ (H, H) ~ True ~
    ¬H ~ id
";

/// A tactic with its names filled in from a goal.
fn filled(state: &State, tactic: &str, picks: &[Index]) -> String {
    let goals = state.goals();
    let names: Vec<&str> = goals[0].locals().map(|(name, _)| name).chain(["rfl"]).collect();
    let mut picks = picks.iter().cycle();
    let mut pick = |from: &[&str]| picks.next().map_or_else(String::new, |pick| (*pick.get(from)).to_owned());
    let mut words = Vec::new();
    // Terms first, for they have names in them.
    let with_terms =
        tactic.split(' ').map(|word| if word == "T" { pick(&parts(TERMS)) } else { word.to_owned() });
    for word in with_terms.collect::<Vec<_>>().join(" ").split(' ') {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let letter = word.split(|c| !is_letter(c)).find(|part| ["H", "N", "M"].contains(part));
        words.push(match letter {
            Some("H") => word.replacen('H', &pick(&names), 1),
            Some(new) => word.replacen(new, &pick(&["a", "b", "c", "h", "k", "x"]), 1),
            None => word.to_owned(),
        });
    }
    words.join(" ")
}

type Step = (&'static str, Vec<Index>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((select(parts(TACTICS)), prop::collection::vec(any::<Index>(), 4)), 1..120)
}

/// Applies a tactic. A panic says where.
fn applied(state: &State, tactic: &str) -> Result<State, TacticError> {
    let applied = std::panic::AssertUnwindSafe(|| {
        let next = state.apply(tactic, STEPS)?;
        let _ = (next.groups(), next.goals());
        Ok(next)
    });
    std::panic::catch_unwind(applied).unwrap_or_else(|_| {
        let goals: Vec<String> = state.goals().iter().map(ToString::to_string).collect();
        panic!("`{tactic}` panics in\n{}", goals.join("\n\n"));
    })
}

/// Proves a state by the tactics that apply, group by group. Returns the script's lines, and takes the steps used.
fn script(state: &State, steps: &mut impl Iterator<Item = Step>) -> Option<Vec<String>> {
    let mut state = state.clone();
    let mut lines = Vec::new();
    while state.n_goals() > 0 {
        let groups = state.groups();
        if groups.len() > 1 && groups.iter().all(|group| group.len() == 1) {
            for at in 0..groups.len() {
                let of = script(&state.focused(at), steps)?;
                let of: Vec<String> = of.into_iter().map(|line| line.replace('\n', "\n  ")).collect();
                lines.push(format!("· {}", of.join("\n  ")));
            }
            return Some(lines);
        }
        let (tactic, picks) = steps.next()?;
        let tactic = filled(&state, tactic, &picks);
        if let Ok(next) = applied(&state, &tactic)
            && next.n_goals() < 12
        {
            state = next;
            lines.push(tactic);
        }
    }
    Some(lines)
}

#[test]
fn what_tactics_prove_is_proved_in_a_file() {
    let all = proved();
    let n_proved = std::cell::Cell::new(0);
    fuzz(3, 600, &(any::<Index>(), steps()), |(which, steps)| {
        let (theory, text) = which.get(&all);
        let statement = &text[theorems(text).unwrap().remove(0).statement];
        let state = theory.open(statement).unwrap();
        let Some(lines) = script(&state, &mut steps.into_iter()) else { return Ok(()) };
        n_proved.set(n_proved.get() + 1);
        let file = format!("{statement} := by\n  {}", lines.join("\n").replace('\n', "\n  "));
        match theory.extended(&file) {
            Ok(_) => no_proof_of_false(theory, &file),
            Err(error) => Err(TestCaseError::fail(format!("{error} in\n{file}"))),
        }
    });
    assert!(n_proved.get() > 20, "{} proofs were found", n_proved.get());
}

#[test]
fn false_is_not_proved() {
    const HARD: &[&str] = &[
        "example : False",
        "example (n : Nat) (f : Nat → Nat) (h : ∀ x, f x = x) : f n = n + 1",
        "example (p q : Prop) (h : p → q) (k : q) : p",
        "example : ∀ n : Nat, n < 5",
        "example (p : Nat → Prop) (h : ∃ x, p x) : ∀ x, p x",
        "example (α : Type) (a b : α) (s : List α) (h : a :: s = [b]) : s = [a]",
    ];
    fuzz(4, 400, &(select(HARD), steps()), |(statement, steps)| {
        let state = Theory::prelude().open(statement).unwrap();
        match script(&state, &mut steps.into_iter()) {
            None => Ok(()),
            Some(lines) => Err(TestCaseError::fail(format!("{statement}\n{}", lines.join("\n")))),
        }
    });
}
