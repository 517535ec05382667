//! Declarations, with the data that tactics need about them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::kernel::env::{Body, Env};
use crate::kernel::term::{Kind, Name, Term};
use crate::tactic::simp::lemma::{Key, Rule, Source};

/// All declarations, with attributes. Clones share their data.
#[derive(Clone, Debug, Default)]
pub struct Theory {
    /// The declarations.
    pub env: Env,
    /// Those of the prelude, once it is read.
    pub base: Option<Arc<Env>>,
    attributes: Arc<Attributes>,
}

#[derive(Clone, Debug, Default)]
struct Attributes {
    reducible: FxHashSet<Name>,
    /// The default rules of `simp`, by the head of what they rewrite.
    simp: FxHashMap<Key, Vec<Arc<Rule>>>,
    /// Definitions that `simp` unfolds.
    unfolded: FxHashSet<Name>,
}

impl Theory {
    /// Whether a definition is unfolded wherever terms are compared.
    pub fn is_reducible(&self, name: &str) -> bool {
        self.attributes.reducible.contains(name)
    }

    /// Marks a definition to be unfolded wherever terms are compared.
    pub fn mark_reducible(&mut self, name: &Name) {
        Arc::make_mut(&mut self.attributes).reducible.insert(Arc::clone(name));
    }

    /// The default rules of `simp` that rewrite terms with a head, in order of declaration.
    pub(crate) fn simp_rules(&self, head: &Key) -> &[Arc<Rule>] {
        self.attributes.simp.get(head).map_or(&[], Vec::as_slice)
    }

    /// Whether `simp` unfolds a definition by default.
    pub fn is_unfolded_by_simp(&self, name: &str) -> bool {
        self.attributes.unfolded.contains(name)
    }

    /// Makes a lemma a default rule of `simp`, as far as it rewrites something, or lets `simp` unfold a definition. `false` for what
    /// Lean refuses: a lemma that rewrites a term to itself.
    pub fn mark_simp(&mut self, name: &Name) -> bool {
        let Some(declaration) = self.env.get(name) else { return false };
        let attributes = Arc::make_mut(&mut self.attributes);
        if matches!(declaration.body, Body::Definition(..)) {
            return attributes.unfolded.insert(Arc::clone(name));
        }
        let rules = Source::lemma(name, declaration).rules();
        let is_useful = !rules.is_empty() || !is_reflexive(&declaration.ty);
        for rule in rules {
            attributes.simp.entry(Key::of(&rule.from)).or_default().push(Arc::new(rule));
        }
        is_useful
    }
}

/// Whether a statement says, for any values, that something equals itself.
fn is_reflexive(mut statement: &Term) -> bool {
    while let Kind::Pi(_, _, to) = statement.kind() {
        statement = to;
    }
    let (head, args) = statement.head_args();
    let is_equation = matches!(head.kind(), Kind::Const(name, _) if matches!(&**name, "Eq" | "Iff"));
    is_equation && matches!(args.as_slice(), [.., left, right] if left == right)
}
