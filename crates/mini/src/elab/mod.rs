//! From surface syntax to kernel terms and back.
//!
//! [`context`] holds metavariables and what they are assigned, [`infer`], [`whnf`], [`unify`] and [`equation`] compute with
//! terms that have some, [`theory`] is what is declared, [`term`], [`app`] and `binder` elaborate surface terms, [`command`] the commands of a file, and [`delab`] turns
//! kernel terms back into surface syntax, to be printed.
//!
//! Nothing here is trusted: the kernel checks every finished term.

pub mod app;
mod binder;
pub mod command;
pub mod context;
pub mod delab;
pub mod equation;
pub mod infer;
pub mod term;
pub mod theory;
pub mod unify;
pub mod whnf;
