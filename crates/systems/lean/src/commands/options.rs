//! Options that a file may set.

use andor_env::screen::Refusal;
use andor_lean_language::lexer::{Kind, Token};

/// Options, or groups of them that end in a dot, that change limits, messages and how terms are elaborated. None has
/// an effect on the kernel or outside of the file.
const HARMLESS: &[&str] = &[
    "Elab.async",
    "aesop.",
    "allowUnsafeReducibility",
    "autoBoundImplicitLocal",
    "autoImplicit",
    "autoLift",
    "backward.",
    "checkBinderAnnotations",
    "compiler.extract_closed",
    "deprecated.",
    "diagnostics",
    "diagnostics.",
    "exponentiation.threshold",
    "format.",
    "genInjectivity",
    "genSizeOf",
    "genSizeOfSpec",
    "grind.",
    "hygiene",
    "inductive.autoPromoteIndices",
    "linter.",
    "match.ignoreUnusedAlts",
    "maxErrors",
    "maxHeartbeats",
    "maxRecDepth",
    "maxSynthPendingDepth",
    "maxUniverseOffset",
    "messageEndPos",
    "pp.",
    "push_neg.use_distrib",
    "quotPrecheck",
    "relaxedAutoImplicit",
    "says.",
    "showInferredTerminationBy",
    "showPartialSyntaxErrors",
    "simprocs",
    "smartUnfolding",
    "structureDiamondWarning",
    "synthInstance.",
    "synthPendingDepth",
    "tactic.",
    "trace.",
    "warn.",
    "warningAsError",
];

/// Beginnings of options that write files.
const WRITING: &[&str] = &["trace.profiler.output"];

/// Checks what follows `set_option`.
pub(super) fn check(command: &Token<'_>, option: Option<&Token<'_>>) -> Result<(), Refusal> {
    let at = command.start;
    let name = option.filter(|option| option.kind == Kind::Word).map_or("", |option| option.text);
    let name: String = name.chars().filter(|c| !matches!(c, '«' | '»')).collect();
    let command = format!("set_option {name}");
    if WRITING.iter().any(|writing| name.starts_with(writing)) {
        return Err(Refusal::Outside { command, effect: "writes a file", at });
    }
    if name.starts_with("debug.") {
        return Err(Refusal::Unchecked { what: command, at });
    }
    let is_harmless = |known: &&str| match known.ends_with('.') {
        true => name.starts_with(*known),
        false => name == **known,
    };
    match HARMLESS.iter().any(is_harmless) {
        true => Ok(()),
        false => Err(Refusal::UnknownOption { command, at }),
    }
}
