//! Words with their effects.

use super::Effect;

/// What is said about a word that runs code.
pub(super) const RUNS: &str = "can run code while the file is compiled";

/// Refused even in comments and strings. None of them is a word of a language.
pub(super) const ANYWHERE: &[(&str, Effect)] = &[
    ("run_cmd", Effect::Runs),
    ("run_tac", Effect::Runs),
    ("run_elab", Effect::Runs),
    ("run_meta", Effect::Runs),
    ("by_elab", Effect::Runs),
    ("elab_rules", Effect::Runs),
    ("macro_rules", Effect::Runs),
    ("builtin_initialize", Effect::Runs),
    ("implemented_by", Effect::Runs),
    ("unsafeCast", Effect::Runs),
    ("unsafeIO", Effect::Runs),
    ("unsafeBaseIO", Effect::Runs),
    ("unsafeEIO", Effect::Runs),
    ("skipKernelTC", Effect::Unchecked),
    ("addDeclWithoutChecking", Effect::Unchecked),
];

/// First words of a file that change what Lean assumes about it.
pub(super) const HEADERS: &[&str] = &["prelude", "module"];

/// Further words that run code of the file, or make compiled code count as a proof, which runs it.
pub(super) const RUNNING: &[&str] = &[
    "binder_predicate",
    "builtin_cbv_simproc",
    "builtin_cbv_simproc_decl",
    "builtin_env_linter",
    "builtin_grind_propagator",
    "bv_check",
    "bv_decide",
    "cbv_simproc",
    "cbv_simproc_decl",
    "dbg_trace",
    "dbgSleep",
    "dbgStackTrace",
    "dbgTrace",
    "dbgTraceIfShared",
    "dbgTraceVal",
    "declare_command_config_elab_legacy",
    "declare_config_elab_legacy",
    "declare_core_config_elab",
    "declare_eval_bin",
    "declare_sint_simprocs",
    "declare_term_config_elab",
    "declare_uint_simprocs",
    "def_eval_config_item",
    "derive_eval_expr_instance_using_meta_eval",
    "elab_stx_quot",
    "ensure_eval_expr_instance",
    "ensure_eval_term_instance",
    "env_linter",
    "eval%",
    "eval_suggest_tactic",
    "grind_propagator",
    "idbg",
    "include_bytes",
    "include_str",
    "make_elab_grind_config",
    "make_elab_simp_config",
    "native",
    "native_decide",
    "polyrith",
    "println!",
    "register_grind_attr",
    "register_lean_watcher",
    "register_linter_set",
    "register_sym_dsimp",
    "register_sym_simp",
    "register_sym_simp_attr",
    "register_try?_tactic",
    "run_conv",
    "set_library_suggestions",
    "simproc_pattern%",
    "sleep",
    "unlock_limits",
    "unsafe",
    "widget",
    "widget_module",
];

/// Those of them that begin no command, so that a name may end in them.
pub(super) const ENDINGS: &[&str] = &["native", "sleep", "widget"];

/// Beginnings of names of Lean's own implementation and of what interacts with the machine. Programs are made of these.
pub(super) const INTERNAL: &[&str] = &[
    "Lean",
    "Lake",
    "IO",
    "EIO",
    "BaseIO",
    "Qq",
    "MetaM",
    "CoreM",
    "TermElabM",
    "TacticM",
    "CommandElabM",
    "MacroM",
    "EST",
    "ST.Prim",
    "ST.Ref",
    "System.FilePath",
    "Task.spawn",
    "Std.Async",
    "Std.Internal",
];

/// Phases and builders of Aesop's rules that attach no code.
pub(super) const BUILDERS: &[&str] =
    &["apply", "forward", "destruct", "constructors", "cases", "unfold", "norm", "safe"];

/// Commands that define symbols.
pub(super) const NOTATIONS: &[&str] =
    &["notation", "notation3", "infix", "infixl", "infixr", "prefix", "postfix"];

/// What no symbol may contain.
pub(super) const HIDING: &[&str] = &["--", "/-", "-/", "\\", "\"", "«", "»", "'"];

/// Attributes that attach code, or tell the compiler to use other code. Some attributes pass others on.
pub(super) const ATTACHING: &[&str] = &[
    "app_delab",
    "app_unexpander",
    "builtin_init",
    "by",
    "command_elab",
    "command_parser",
    "csimp",
    "delab",
    "elab",
    "export",
    "extern",
    "implemented_by",
    "init",
    "macro",
    "simproc",
    "tactic",
    "tactic_parser",
    "term_elab",
    "term_parser",
];
