//! Tactics that try all hypotheses, and close the goal or fail.

use super::shape::{Shape, shape};
use super::{Proposals, Situation};

/// Tried with each hypothesis `H`, the latest first, until the goal is closed.
const WITH_EACH: &[(f64, &str)] = &[
    (-1.9, "now rewrite H"),
    (-2.5, "now rewrite <- H"),
    (-2.2, "solve [ eapply H; eauto ]"),
    (-2.5, "solve [ inversion H; subst; simpl in *; auto; congruence ]"),
    (-2.7, "solve [ destruct H; simpl in *; intuition (auto; try congruence) ]"),
    (
        -2.6,
        "solve [ induction H; simpl in *; intros; auto; try congruence; try lia; \
         match goal with I : _ |- _ => now rewrite I end ]",
    ),
];

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let quantified = matches!(s.goal.target.expr.as_ref().map(shape), Some(Shape::Pi { .. } | Shape::Let));
    let intros = if quantified { "intros; " } else { "" };
    if s.goal.hypotheses.is_empty() && !quantified {
        return;
    }
    // After introductions it is proposed again with a lower log-prior.
    let malus = if quantified { 0.5 } else { 0.0 };
    for (log_prior, tactic) in WITH_EACH {
        out.add(log_prior - malus, format!("{intros}match goal with H : _ |- _ => {tactic} end"));
    }
}
