//! Keywords of Lean 4, Batteries and Mathlib that matter to the layout of a file.

/// Commands that only declare, prove, print, or change how later text is read. What they define as notation is a
/// template of terms.
pub const PLAIN_COMMANDS: &[&str] = &[
    "abbrev",
    "add_aesop_rules",
    "add_decl_doc",
    "alias",
    "assert_exists",
    "assert_not_exists",
    "assert_not_imported",
    "attribute",
    "axiom",
    "class",
    "coinductive",
    "count_heartbeats",
    "def",
    "deprecated_module",
    "deriving",
    "end",
    "erase_aesop_rules",
    "example",
    "export",
    "gen_injective_theorems",
    "grind_pattern",
    "import",
    "include",
    "inductive",
    "infix",
    "infixl",
    "infixr",
    "initialize_simps_projections",
    "instance",
    "irreducible_def",
    "lemma",
    "library_note",
    "mk_iff_of_inductive_prop",
    "mutual",
    "namespace",
    "notation",
    "notation3",
    "omit",
    "opaque",
    "open",
    "postfix",
    "prefix",
    "proof_wanted",
    "recall",
    "seal",
    "section",
    "set_option",
    "structure",
    "suppress_compilation",
    "theorem",
    "universe",
    "universes",
    "unseal",
    "unsuppress_compilation",
    "variable",
    "variables",
    "with_weak_namespace",
];

/// Further words that begin a command.
const OTHER_COMMANDS: &[&str] = &[
    "binder_predicate",
    "builtin_dsimproc",
    "builtin_dsimproc_decl",
    "builtin_initialize",
    "builtin_simproc",
    "builtin_simproc_decl",
    "compile_def",
    "compile_inductive",
    "declare_aesop_rule_sets",
    "declare_command_config_elab",
    "declare_config_elab",
    "declare_simp_like_tactic",
    "declare_syntax_cat",
    "declare_uint_theorems",
    "declare_int_theorems",
    "docs_to_verso",
    "dsimproc",
    "dsimproc_decl",
    "elab",
    "elab_rules",
    "extend_docs",
    "grind_annotated",
    "init_quot",
    "initialize",
    "macro",
    "macro_rules",
    "prelude",
    "recommended_spelling",
    "register_builtin_option",
    "register_error_explanation",
    "register_hint",
    "register_label_attr",
    "register_option",
    "register_parser_alias",
    "register_simp_attr",
    "register_tactic_tag",
    "run_cmd",
    "run_elab",
    "run_meta",
    "show_panel_widgets",
    "simproc",
    "simproc_decl",
    "simproc_pattern",
    "syntax",
    "tactic_extension",
];

/// Modifiers that may precede a declaration.
pub const MODIFIERS: &[&str] = &[
    "local",
    "meta",
    "noncomputable",
    "nonrec",
    "partial",
    "private",
    "protected",
    "public",
    "scoped",
    "unsafe",
];

/// Commands with `#` that only print.
pub const PRINTING_COMMANDS: &[&str] = &[
    "check",
    "count_heartbeats",
    "find",
    "help",
    "instances",
    "lint",
    "list_linters",
    "norm_num",
    "print",
    "push",
    "reduce",
    "show",
    "simp",
    "synth",
    "time",
    "trans",
    "unfold?",
    "version",
    "where",
    "whnf",
];

/// Further commands with `#`.
const OTHER_HASH_COMMANDS: &[&str] = &[
    "adaptation_note",
    "aesop_rules",
    "aesop_stats",
    "allow_unused_tactic",
    "conv",
    "discr_tree",
    "dump_async",
    "endif",
    "eval",
    "exit",
    "explode",
    "expose_all",
    "grind_lint",
    "guard",
    "html",
    "import",
    "info_trees",
    "leansearch",
    "loogle",
    "min_imports",
    "moogle",
    "out",
    "parse",
    "postprocess",
    "redundant_imports",
    "sample",
    "search",
    "string_diagram",
    "update_deprecations",
    "widget",
    "with_exporting",
];

/// Words that leave a goal unproved while closing it.
pub const GIVING_UP: &[&str] = &["sorry", "admit", "sorryAx", "stop", "mkSorry"];

/// Words that begin what stands behind the proof of a theorem and belongs to it: its helpers, and why it ends.
pub const BEHIND_PROOFS: &[&str] = &["where", "termination_by", "termination_by?", "decreasing_by"];

/// All commands with `#`, without it.
pub fn hash_commands() -> impl Iterator<Item = &'static str> {
    PRINTING_COMMANDS.iter().chain(OTHER_HASH_COMMANDS).copied()
}

/// Whether a word begins a command.
pub fn begins_command(word: &str) -> bool {
    PLAIN_COMMANDS.contains(&word) || OTHER_COMMANDS.contains(&word)
}

/// Whether a word begins a command or modifies one.
pub fn is_command(word: &str) -> bool {
    begins_command(word) || MODIFIERS.contains(&word)
}
