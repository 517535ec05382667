//! Attributes that a file may give to its declarations.

use super::words::{ATTACHING, RUNS};
use andor_env::screen::Refusal;
use andor_lean_language::lexer::{Kind, Token, in_name};

/// Attributes that tell tactics, the elaborator or the code generator about a declaration. None attaches code that
/// runs while a file is compiled, or replaces a declaration by another in compiled code.
const HARMLESS: &[&str] = &[
    "abstract_congr",
    "aesop",
    "algebraize",
    "always_inline",
    "arith_mult",
    "bitvec_to_nat",
    "bool_to_prop",
    "bound",
    "class",
    "coe",
    "coe_decl",
    "congr",
    "congr_simp",
    "cases_eliminator",
    "computed_field",
    "continuity",
    "default_instance",
    "deprecated",
    "elab_as_elim",
    "elab_simple",
    "elab_without_expected_type",
    "elementwise",
    "eqns",
    "expose",
    "ext",
    "ext_iff",
    "field_simps",
    "fun_prop",
    "gcongr",
    "ghost_simps",
    "grind",
    "higher_order",
    "induction_eliminator",
    "inherit_doc",
    "inline",
    "inline_if_reduce",
    "instance",
    "int_toBitVec",
    "irreducible",
    "local_rec",
    "macro_inline",
    "match_pattern",
    "mfld_simps",
    "mono",
    "monotonicity",
    "mk_iff",
    "nat_pred",
    "never_extract",
    "no_expose",
    "noinline",
    "nolint",
    "nontriviality",
    "norm_cast",
    "nospecialize",
    "notation_class",
    "parity_simps",
    "partial_fixpoint_monotone",
    "pp_dot",
    "pp_nodot",
    "pp_using_anonymous_constructor",
    "pp_with_univ",
    "principal",
    "push",
    "push_cast",
    "qify_simps",
    "reassoc",
    "recommended_spelling",
    "reducible",
    "refl",
    "rel",
    "rify_simps",
    "rotate",
    "rpow_simps",
    "rw",
    "semireducible",
    "set_like",
    "seval",
    "show_term",
    "simp",
    "simp_arith",
    "simps",
    "specialize",
    "spec",
    "split",
    "stacksTag",
    "stacks",
    "subst",
    "suggest_for",
    "symm",
    "tactic_alt",
    "to_additive",
    "to_app",
    "to_dual",
    "trans",
    "typevec",
    "unbox",
    "unification_hint",
    "univ_out_params",
    "unused_arguments",
    "use_set_notation_for_order",
    "variable_alias",
    "wikidata",
    "zify_simps",
    "kronecker",
    "measurability",
    "simproc_arith",
    "mvcgen",
    "grind_pattern",
    "implicit_reducible",
    "instance_reducible",
    "strict_reducible",
];

/// Words that may precede an attribute.
const SCOPES: &[&str] = &["local", "scoped"];

/// Checks a list of attributes, up to the bracket that closes it.
pub(super) fn check(list: &[Token<'_>]) -> Result<(), Refusal> {
    let mut depth = 0usize;
    let mut begins = true;
    for (at, token) in list.iter().enumerate() {
        if depth == 0 && token.closes() {
            return Ok(());
        }
        if begins && token.kind == Kind::Word && !SCOPES.contains(&token.text) {
            harmless(token)?;
            begins = false;
        } else if token.opens() || token.text == "@[" {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && token.is_symbol(",") {
            begins = true;
        }
        // `to_additive (attr := …)` and others give attributes to what they make.
        if token.is_word("attr") && list.get(at + 1).is_some_and(|next| next.is_symbol(":=")) {
            passed_on(&list[at + 2..])?;
        }
        // Also in literals, which Lean may read in another way. A rule of Aesop may be a tactic.
        if let Some(command) = token.text.split(|c| !in_name(c)).find(|word| ATTACHING.contains(word)) {
            return Err(Refusal::Outside { command: command.to_owned(), effect: RUNS, at: token.start });
        }
    }
    Ok(())
}

/// Checks the attributes behind `attr :=`, up to the bracket that closes them.
fn passed_on(list: &[Token<'_>]) -> Result<(), Refusal> {
    let mut depth = 0usize;
    let mut begins = true;
    for token in list {
        if depth == 0 && token.closes() {
            return Ok(());
        }
        depth = match token {
            _ if token.opens() => depth + 1,
            _ if token.closes() => depth - 1,
            _ => depth,
        };
        if depth == 0 && begins && token.kind == Kind::Word && !SCOPES.contains(&token.text) {
            harmless(token)?;
            begins = false;
        }
        begins |= depth == 0 && token.is_symbol(",");
    }
    Ok(())
}

fn harmless(attribute: &Token<'_>) -> Result<(), Refusal> {
    match HARMLESS.contains(&attribute.text) {
        true => Ok(()),
        false => Err(Refusal::Outside {
            command: format!("@[{}]", attribute.text),
            effect: "is no attribute that is known to be harmless",
            at: attribute.start,
        }),
    }
}
