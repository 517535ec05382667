//! Heuristics for Lean 4: those for the embedded prover, which speaks Lean, and the automation that a header offers.
//!
//! What a header imports says which tactics there are, but not surely: a version of Lean may lack one, and a module of
//! Mathlib may bring only some. So a tactic that Lean says it does not know is not proposed again in the attempt, which
//! a note remembers.

use std::sync::Arc;

use andor_core::goal::{Goal, Term};

use andor_core::language::{FailedTactic, HeuristicRequest, Proposed};
use andor_lean_language::heuristic;

/// Tactics for an obligation with log-priors, and notes for later requests of the attempt.
pub(super) fn suggest(request: HeuristicRequest<'_>) -> Proposed {
    let notes: Vec<Arc<str>> =
        request.failed.iter().filter_map(unknown).map(|name| note(name).into()).collect();
    let Some(goal) = request.goals.first() else { return Proposed { notes, ..Proposed::default() } };
    let offer = Offer::of(&request.theorem.header);
    let core = heuristic::suggest(request).into_iter();
    let mut proposed: Vec<(String, f64)> = core.filter(|(tactic, _)| offer.has_words_of(tactic)).collect();
    proposed.extend(automation(goal, offer));
    let is_known = |word: &str| {
        let note = note(word);
        !notes.iter().chain(request.notes).any(|known| **known == note)
    };
    proposed.retain(|(tactic, _)| words(tactic).all(is_known));
    Proposed { tactics: proposed, notes }
}

/// The libraries of tactics that a header imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Offer {
    mathlib: bool,
    aesop: bool,
}

impl Offer {
    fn of(header: &str) -> Self {
        let imported = header.lines().filter_map(|line| {
            let line = line.trim_start_matches("public ").trim_start_matches("meta ");
            Some(line.strip_prefix("import ")?.trim_start_matches("all ").trim())
        });
        let roots: Vec<&str> = imported.filter_map(|module| module.split(['.', ' ']).next()).collect();
        let mathlib = roots.contains(&"Mathlib");
        Self { mathlib, aesop: mathlib || roots.contains(&"Aesop") }
    }

    /// Whether it has the tactics of a text.
    fn has_words_of(self, tactic: &str) -> bool {
        // Those that the embedded prover has, and Lean has in Mathlib only.
        const IN_MATHLIB: &[&str] = &["absurd", "by_contra", "ring", "use"];
        self.mathlib || !tactic.split(['\n', ';', '·', '(']).any(|part| IN_MATHLIB.contains(&head(part)))
    }
}

/// What a goal looks like, as far as it matters to automation.
struct Look<'a> {
    target: &'a str,
    /// Variables that are numbers.
    numbers: Vec<&'a str>,
    /// Hypotheses that are equations or inequalities.
    relations: Vec<&'a str>,
    /// Whether there are natural numbers.
    is_natural: bool,
    /// Whether all numbers are natural numbers or integers.
    is_discrete: bool,
    /// Hypotheses with a negation.
    denied: Vec<&'a str>,
}

const NUMBERS: &[&str] = &["ℕ", "ℤ", "ℚ", "ℝ", "Nat", "Int", "Rat", "Real"];
const RELATIONS: &[&str] = &[" = ", " ≠ ", " < ", " ≤ ", " > ", " ≥ "];

impl<'a> Look<'a> {
    fn of(goal: &'a Goal) -> Self {
        let has = |text: &str, signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
        let locals = || goal.locals().filter(|(name, _)| !name.contains('✝') && !name.starts_with('_'));
        let of_type = |is: &dyn Fn(&str) -> bool| {
            locals().filter(|(_, h)| is(&h.ty.text)).map(|(name, _)| name).collect::<Vec<&str>>()
        };
        let all = || goal.hypotheses.iter().map(|h| h.ty.text.as_str()).chain([goal.target.text.as_str()]);
        Self {
            target: &goal.target.text,
            is_natural: all().any(|text| has(text, &["ℕ", "Nat"])),
            numbers: of_type(&|ty| NUMBERS.contains(&ty)),
            relations: of_type(&|ty| has(ty, RELATIONS)),
            is_discrete: !all().any(|text| has(text, &["ℚ", "ℝ", "Rat", "Real", "√"])),
            denied: of_type(&|ty| ty.contains('¬')),
        }
    }

    fn relates(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.target.contains(sign))
    }
}

/// Tactics that search by themselves.
fn automation(goal: &Goal, offer: Offer) -> Vec<(String, f64)> {
    let look = Look::of(goal);
    let is_equation = look.relates(&[" = "]);
    let is_order = look.relates(&[" < ", " ≤ ", " > ", " ≥ "]);
    let is_relation = look.relates(RELATIONS);
    let is_false = look.target == "False";
    let mut all: Vec<(String, f64)> = Vec::new();
    let mut add = |log_prior: f64, tactic: &str| all.push((tactic.to_owned(), log_prior));
    add(-1.0, "simp_all");
    add(-1.2, "simp");
    add(-1.6, "grind");
    add(-2.5, "decide");
    if (is_relation || is_false || !look.relations.is_empty()) && look.is_discrete {
        add(-0.9, "omega");
    }
    if is_equation && !offer.mathlib {
        all.extend(rearranging(&look));
    }
    let mut add = |log_prior: f64, tactic: &str| all.push((tactic.to_owned(), log_prior));
    if is_to_introduce(&goal.target) {
        add(-1.0, "intros");
    }
    if is_to_split(&goal.target) {
        add(-1.5, "constructor");
    }
    if offer.aesop {
        add(-1.4, "aesop");
    }
    if offer.mathlib {
        mathlib(&look, [is_equation, is_order, is_false], &mut all);
    }
    // It reads the whole library.
    all.push(("exact?".to_owned(), -4.5));
    all
}

/// Whether to introduce all that the target assumes. Where its expression is known, this is done under good names.
fn is_to_introduce(target: &Term) -> bool {
    target.expr.is_none() && (target.text.starts_with('∀') || target.text.contains(" → "))
}

/// Whether the target, and not only a part of it, is a conjunction or an equivalence.
fn is_to_split(target: &Term) -> bool {
    match &target.expr {
        Some(expr) => ["And", "Iff"].iter().any(|name| expr.app_of::<2>(expr.root(), name).is_some()),
        None => {
            let has = |sign| target.text.contains(sign);
            (has(" ∧ ") || has(" ↔ ")) && !has(" → ") && !target.text.starts_with(['∀', '∃', '¬'])
        }
    }
}

/// Sums and products of natural numbers in another order, where there is no `ring`.
fn rearranging(look: &Look<'_>) -> Vec<(String, f64)> {
    const SUMS: &str = "Nat.add_comm, Nat.add_left_comm, Nat.add_assoc";
    const PRODUCTS: &str = "Nat.mul_comm, Nat.mul_left_comm, Nat.mul_assoc";
    match (look.relates(&[" + "]), look.relates(&[" * "])) {
        _ if !look.is_natural => Vec::new(),
        (false, false) => Vec::new(),
        (true, false) => vec![(format!("simp [{SUMS}]"), -1.4)],
        (false, true) => vec![(format!("simp [{PRODUCTS}]"), -1.4)],
        (true, true) => vec![
            (format!("simp [{PRODUCTS}, {SUMS}]"), -1.7),
            (format!("simp [Nat.mul_add, Nat.add_mul, {PRODUCTS}, {SUMS}]"), -1.5),
        ],
    }
}

/// The tactics of Mathlib.
fn mathlib(look: &Look<'_>, [is_equation, is_order, is_false]: [bool; 3], all: &mut Vec<(String, f64)>) {
    let mut add = |log_prior: f64, tactic: String| all.push((tactic, log_prior));
    add(-1.1, "norm_num".into());
    add(-2.2, "norm_num at *".into());
    add(-2.4, "tauto".into());
    if is_equation {
        add(-0.9, "ring".into());
        add(-2.0, "ring_nf".into());
        add(-1.9, "field_simp".into());
        add(-1.8, "field_simp; ring".into());
        add(-1.7, "linear_combination".into());
        for relation in look.relations.iter().take(3) {
            add(-1.9, format!("linear_combination {relation}"));
        }
    }
    if is_equation || is_order || is_false {
        add(-1.0, "linarith".into());
        add(-1.5, "nlinarith".into());
    }
    if is_order {
        add(-1.8, "positivity".into());
        add(-2.4, "gcongr".into());
        add(-1.5, products(&look.numbers));
    }
    if look.relates(&["¬", " ≠ "]) {
        add(-1.9, "push_neg".into());
    }
    for name in look.denied.iter().take(2) {
        add(-1.9, format!("push_neg at {name}"));
    }
}

/// `nlinarith` with the squares of differences, which inequalities between polynomials most often need.
fn products(numbers: &[&str]) -> String {
    const MOST: usize = 3;
    let numbers = &numbers[..numbers.len().min(MOST)];
    let mut squares: Vec<String> = Vec::new();
    for (at, a) in numbers.iter().enumerate() {
        squares.push(format!("sq_nonneg {a}"));
        squares.extend(numbers[at + 1..].iter().map(|b| format!("sq_nonneg ({a} - {b})")));
        squares.extend(numbers[at + 1..].iter().map(|b| format!("sq_nonneg ({a} + {b})")));
    }
    format!("nlinarith [{}]", squares.join(", "))
}

/// The note that a tactic does not exist.
fn note(tactic: &str) -> String {
    format!("Lean has no tactic `{tactic}` here")
}

/// The tactic that a message says does not exist, or that lacks part of its library.
fn unknown(failed: &FailedTactic) -> Option<&str> {
    let says = |what| failed.error.contains(what);
    let is_unknown =
        says("unknown tactic") || says("Unknown constant `Lean.") || says("unknown constant 'Lean.");
    // Of several tactics it does not say which.
    let is_alone = !failed.tactic.contains([';', '\n']);
    (is_unknown && is_alone).then(|| head(&failed.tactic)).filter(|name| !name.is_empty())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '?' | '!' | '\'' | '.')
}

fn words(tactic: &str) -> impl Iterator<Item = &str> {
    tactic.split(|c| !is_of_word(c)).filter(|word| !word.is_empty())
}

/// The first word of a tactic.
fn head(tactic: &str) -> &str {
    let tactic = tactic.trim_start();
    &tactic[..tactic.find(|c| !is_of_word(c)).unwrap_or(tactic.len())]
}

#[cfg(test)]
mod tests {
    use andor_core::goal::Hypothesis;
    use andor_core::theorem::Theorem;

    use super::*;

    fn theorem(header: &str) -> Theorem {
        Theorem {
            id: "t".into(),
            name: "t".into(),
            system: crate::LEAN4,
            header: header.into(),
            statement: "theorem t : True".into(),
            footer: String::new(),
            extra_imports: Vec::new(),
        }
    }

    fn tactics(header: &str, goal: &Goal, failed: &[FailedTactic], notes: &[Arc<str>]) -> Vec<String> {
        let theorem = theorem(header);
        let goals = std::slice::from_ref(goal);
        let request = HeuristicRequest { theorem: &theorem, goals, failed, notes };
        suggest(request).tactics.into_iter().map(|(tactic, _)| tactic).collect()
    }

    fn goal(hypotheses: &[(&str, &str)], target: &str) -> Goal {
        let term = |text: &str| Term { text: text.to_owned(), expr: None };
        Goal {
            name: "g".into(),
            case: None,
            tag: None,
            hypotheses: hypotheses
                .iter()
                .map(|(name, ty)| Hypothesis { names: vec![(*name).to_owned()], ty: term(ty), body: None })
                .collect(),
            target: term(target),
            metas: Vec::new(),
            canonical: std::collections::BTreeMap::default(),
        }
    }

    #[test]
    fn the_header_decides_what_is_proposed() {
        let goal = goal(&[("a", "ℝ"), ("b", "ℝ"), ("h", "0 < a")], "2 * a * b ≤ a ^ 2 + b ^ 2");
        let has = |header: &str, tactic: &str| tactics(header, &goal, &[], &[]).iter().any(|t| t == tactic);
        for tactic in ["simp_all", "grind", "exact?"] {
            assert!(has("", tactic), "{tactic}");
        }
        for tactic in ["linarith", "positivity", "norm_num", "aesop", "gcongr"] {
            assert!(
                !has("import Std\n", tactic) && has("import Mathlib.Tactic\nopen Nat\n", tactic),
                "{tactic}"
            );
        }
        assert!(has("public import Aesop", "aesop") && !has("import Aesop", "linarith"));
        let squares = "nlinarith [sq_nonneg a, sq_nonneg (a - b), sq_nonneg (a + b), sq_nonneg b]";
        assert!(has("import Mathlib", squares));
        let implication = self::goal(&[("p", "Prop")], "∀ (q : Prop), p ∧ q → q ∧ p");
        let proposed = tactics("", &implication, &[], &[]);
        let sum = self::goal(&[("a", "Nat"), ("b", "Nat")], "a + b * a = a * b + a");
        let has_rearranging =
            |header| tactics(header, &sum, &[], &[]).iter().any(|t| t.starts_with("simp [Nat.mul_add"));
        assert!(has_rearranging("") && !has_rearranging("import Mathlib"));
        let proposes = |proposed: &[String], tactic: &str| proposed.iter().any(|p| p == tactic);
        assert!(proposes(&proposed, "intros") && !proposes(&proposed, "constructor"), "{proposed:?}");
        // What only a part of the target is, is no shape of the goal.
        for (target, splits) in
            [("p ∧ q", true), ("p ↔ q ∧ p", true), ("∃ x, p x ∧ q", false), ("¬(p ∧ q)", false)]
        {
            let proposed = tactics("", &self::goal(&[("p", "Prop")], target), &[], &[]);
            assert_eq!(proposes(&proposed, "constructor"), splits, "{target}: {proposed:?}");
        }
    }

    #[test]
    fn what_lean_does_not_know_is_not_proposed_again() {
        let goal = goal(&[("n", "Nat")], "n + 0 = n");
        let failed = |tactic: &str, error: &str| FailedTactic { tactic: tactic.into(), error: error.into() };
        let unknown = [failed("grind", "line 2, column 3: unknown tactic")];
        let theorem = theorem("");
        let goals = std::slice::from_ref(&goal);
        let request = HeuristicRequest { theorem: &theorem, goals, failed: &unknown, notes: &[] };
        let Proposed { tactics: proposed, notes } = suggest(request);

        assert!(!proposed.iter().any(|(tactic, _)| tactic == "grind"));
        assert_eq!(notes, [Arc::from("Lean has no tactic `grind` here")]);
        assert!(!tactics("", &goal, &[], &notes).contains(&"grind".to_owned()));
        assert!(tactics("", &goal, &[failed("grind", "no proof")], &[]).contains(&"grind".to_owned()));
        let lacking = failed("omega", "Unknown constant `Lean.Omega.Int.ofNat_congr`");
        assert!(!tactics("", &goal, &[lacking], &[]).contains(&"omega".to_owned()));
    }
}
