//! Surface syntax: Lean 4's, as far as `mini` goes.
//!
//! [`token`] cuts text into tokens, [`ast`] is what they mean, [`parse`] reads terms and statements, [`mod@print`]
//! writes terms with Lean's notation and spacing. What is Lean but not in the fragment is refused as
//! `unsupported`, by name.

pub mod ast;
pub mod parse;
pub mod print;
pub mod token;
