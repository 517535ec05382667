//! Surface syntax: Lean 4's, as far as `mini` goes.
//!
//! [`token`] cuts text into tokens, [`ast`] and [`tactic`] are what they mean, [`parse`] reads them, [`mod@print`]
//! writes terms with Lean's notation and spacing. What is Lean but not in the fragment is refused as
//! `unsupported`, by name.

pub mod ast;
pub mod parse;
pub mod print;
pub mod tactic;
pub mod token;
