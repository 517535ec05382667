//! Finds lemmas by the symbols in their statements.

use std::collections::BTreeSet;

use andor_core::lemma::{FoundLemma, Lemma};

use crate::elab::context::MetaContext;
use crate::elab::theory::Theory;
use crate::judge::SORRY;
use crate::kernel::env::{Body, Declaration};
use crate::kernel::term::{Kind, Term};

/// The namespace of the lemmas that the arithmetic tactics make their proofs of. They are of no use by hand.
const OF_PROCEDURES: &str = "Nat.Linear.";

impl Theory {
    /// All lemmas whose statements mention one of these symbols, in order of declaration: theorems, axioms but for that of
    /// `sorry`, and constructors of propositions.
    pub fn lemmas(&self, symbols: &[String]) -> Vec<FoundLemma> {
        let mut ctx = MetaContext::new(self, 0);
        let is_for_people = |name: &str| name != SORRY && !name.starts_with(OF_PROCEDURES);
        let lemmas =
            self.env.declarations().filter(|(name, lemma)| self.is_lemma(lemma) && is_for_people(name));
        let found = lemmas.filter_map(|(name, Declaration { ty, .. })| {
            let mentioned = constants(ty);
            let is_hit = symbols.iter().any(|symbol| mentioned.contains(symbol));
            is_hit.then(|| FoundLemma {
                lemma: Lemma { name: name.to_string(), statement: on_one_line(&ctx.show(ty)) },
                symbols: mentioned,
            })
        });
        found.collect()
    }

    fn is_lemma(&self, declaration: &Declaration) -> bool {
        match &declaration.body {
            Body::Theorem(_) | Body::Axiom => true,
            Body::Constructor { family, .. } => {
                self.env.get(family).is_some_and(|family| is_of_propositions(&family.ty))
            }
            Body::Definition(..) | Body::Inductive { .. } | Body::Recursor(_) => false,
        }
    }
}

/// Whether a type is that of propositions, or of a family of them.
fn is_of_propositions(mut ty: &Term) -> bool {
    while let Kind::Pi(_, _, result) = ty.kind() {
        ty = result;
    }
    *ty == Term::prop()
}

fn constants(term: &Term) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    term.any(|part| {
        if let Kind::Const(name, _) = part.kind() {
            found.insert(name.to_string());
        }
        false
    });
    found
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(theory: &Theory, symbols: &[&str]) -> Vec<String> {
        let symbols: Vec<String> = symbols.iter().map(|&s| s.to_owned()).collect();
        theory.lemmas(&symbols).into_iter().map(|found| found.lemma.name).collect()
    }

    #[test]
    fn lemmas_of_the_prelude_and_of_a_file_are_found_by_symbol() {
        let file = "def twice (n : Nat) : Nat := n + n\n\
                    theorem twice_zero : twice 0 = 0 := by rfl\n\
                    theorem other (p : Prop) (h : p) : p := h";
        let theory = Theory::prelude().extended(file).unwrap();
        assert_eq!(names(&theory, &["twice"]), ["twice_zero"]);
        assert_eq!(names(Theory::prelude(), &["twice"]), Vec::<String>::new());
        let found = theory.lemmas(&["twice".to_owned()]).remove(0);
        assert_eq!(found.lemma.statement, "twice 0 = 0");
        assert_eq!(Vec::from_iter(found.symbols), ["Eq", "Nat", "twice"]);
        let about_sums = names(&theory, &["Nat.add"]);
        assert!(about_sums.contains(&"Nat.add_comm".to_owned()), "{about_sums:?}");
        assert!(about_sums.iter().all(|name| !name.starts_with(OF_PROCEDURES)), "{about_sums:?}");
    }

    #[test]
    fn constructors_of_propositions_are_lemmas_and_nothing_else_is_but_theorems() {
        let about_and = names(Theory::prelude(), &["And"]);
        assert!(about_and.contains(&"And.intro".to_owned()), "{about_and:?}");
        let about_numbers = names(Theory::prelude(), &["Nat"]);
        for other in ["Nat.succ", "Nat.add", "Nat.rec"] {
            assert!(!about_numbers.contains(&other.to_owned()), "{other}");
        }
        let all: Vec<&str> = Theory::prelude().env.names().map(|name| &**name).collect();
        assert!(!names(Theory::prelude(), &all).contains(&SORRY.to_owned()));
    }
}
