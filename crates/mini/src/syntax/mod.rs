//! Surface syntax: the fragment of Lean 4 that `mini` supports.
//!
//! [`token`] is the lexer, [`parse`] the parser, [`ast`] and [`tactic`] define the syntax trees, and [`mod@print`]
//! prints terms with Lean's notation and spacing. Lean syntax outside the fragment is refused as
//! `unsupported`, with its name.

pub mod ast;
pub mod parse;
pub mod print;
pub mod tactic;
pub mod token;
