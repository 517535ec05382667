//! From surface syntax to kernel terms and back.
//!
//! [`context`] contains metavariables and their assignments. [`infer`], [`whnf`], [`unify`] and [`equation`] compute
//! with terms that contain them. [`theory`] contains the declarations. [`term`], [`app`] and `binder` elaborate
//! surface terms, [`command`] the commands of a file. [`delab`] converts kernel terms back into surface syntax for
//! printing.
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
