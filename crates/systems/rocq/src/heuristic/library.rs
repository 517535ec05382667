//! Lemmas of Rocq's library by its naming conventions: `M.f_comm`, `M.f_g_distr_l`, `N2Z.inj_f`.
//!
//! The names are built from the functions in the target. Names that do not exist are rejected at once.

use andor_core::expr::{Expr, ExprNode};

use super::shape::{Shape, shape, short};
use super::{Proposals, Situation};

/// Suffixes of equations and equivalences about a function.
const EQUATIONS: &[&str] = &["spec", "comm", "0_l", "0_r", "1_l", "1_r", "diag", "opp_l", "opp_r", "assoc"];
/// Suffixes of inequalities about a function.
const INEQUALITIES: &[&str] =
    &["le_mono", "lt_mono", "le_mono_r", "lt_mono_r", "le_mono_l", "lt_mono_l", "nonneg", "pos_nonneg"];
/// Suffixes of lemmas about a nested pair of functions.
const PAIRS: &[&str] = &["", "_distr", "_l", "_r", "_distr_l", "_distr_r"];
/// Conversions between number systems, and the modules with their lemmas.
const CONVERSIONS: &[(&str, &str)] = &[
    ("Z.of_nat", "Nat2Z"),
    ("Z.of_N", "N2Z"),
    ("Z.to_nat", "Z2Nat"),
    ("Z.to_N", "Z2N"),
    ("Z.to_pos", "Z2Pos"),
    ("N.of_nat", "Nat2N"),
    ("N.to_nat", "N2Nat"),
    ("Pos.to_nat", "Pos2Nat"),
    ("Pos.of_nat", "Nat2Pos"),
    ("Zpos", "Pos2Z"),
    ("Z.pos", "Pos2Z"),
];
/// Maximum number of functions, the outermost first.
const MOST_FUNCTIONS: usize = 4;
/// Maximum number of lemmas to try.
const MOST: usize = 24;

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    let shape = shape(expr);
    if matches!(shape, Shape::Pi { .. } | Shape::Let | Shape::And | Shape::Or | Shape::Exists { .. }) {
        return;
    }
    let functions = functions(expr);
    let mut lemmas: Vec<(f64, String)> = Vec::new();
    for (outer, module) in functions.iter().filter_map(|f| Some((f, conversion(f)?))) {
        let others = functions.iter().filter(|f| f != &outer);
        lemmas.extend(others.map(|f| (-1.8, format!("{module}.inj_{}", own(f)))));
        lemmas.push((-2.2, format!("{module}.id")));
    }
    for f in &functions {
        for g in functions.iter().filter(|g| *g != f) {
            for (index, end) in PAIRS.iter().enumerate() {
                lemmas.push((-2.4 - 0.1 * index as f64, format!("{f}_{}{end}", own(g))));
            }
        }
        for (index, end) in EQUATIONS.iter().enumerate() {
            lemmas.push((-2.2 - 0.1 * index as f64, format!("{f}_{end}")));
        }
    }
    if let Shape::Order(_) = shape {
        for f in &functions {
            for (index, end) in INEQUALITIES.iter().enumerate() {
                out.add(-2.0 - 0.1 * index as f64, format!("apply {f}_{end}; try lia; auto"));
            }
        }
    }
    lemmas.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (log_prior, lemma) in lemmas.into_iter().take(MOST) {
        out.add(log_prior, format!("rewrite {lemma}; auto; try lia"));
    }
    for f in functions.iter().take(2) {
        out.add(-2.1, format!("case {f}_spec; simpl in *; intros; auto; try lia; try congruence"));
    }
}

/// The short names of the functions applied in an expression.
fn functions(expr: &Expr) -> Vec<&str> {
    const NONE: &[&str] =
        &["eq", "and", "or", "not", "iff", "S", "O", "cons", "nil", "pair", "Some", "xO", "xI"];
    let mut found: Vec<&str> = Vec::new();
    let heads =
        (0..expr.nodes().len()).rev().filter_map(|index| expr.id_at(index)).filter_map(|id| {
            match expr.head_args(id) {
                (ExprNode::Const(name), [_, ..]) => Some(short(name)),
                _ => None,
            }
        });
    for name in heads {
        let is_function = own(name).starts_with(char::is_alphabetic) && !NONE.contains(&name);
        if is_function && !found.contains(&name) && found.len() < MOST_FUNCTIONS {
            found.push(name);
        }
    }
    found
}

/// A name without its module.
fn own(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn conversion(function: &str) -> Option<&'static str> {
    CONVERSIONS.iter().find(|(name, _)| *name == function).map(|(_, module)| *module)
}
