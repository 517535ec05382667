//! What tests share: a scripted environment, a contract suite that every environment must pass
//! (and [`in_mini`] what it tries in the embedded prover), a child that
//! misbehaves on demand (the binary `fake-child`), a real Lean 4 ([`lean`]) and fakes of
//! two servers for it ([`lean_fakes`]), a real server of language models ([`llama`]) with
//! a model whose answers are known ([`bigram`]), a server that misbehaves on demand ([`peer`]), and a
//! prover that dies again and again ([`mortal`]), several real Rocqs ([`rocq`]), the
//! programs as users run them ([`program`]), and a whole system in one file ([`toy`]).

pub mod bigram;
pub mod contract;
pub mod in_mini;
pub mod lean;
pub mod lean_fakes;
pub mod llama;
pub mod mortal;
pub mod peer;
pub mod program;
pub mod rocq;
pub mod scripted;
pub mod toy;

use andor_core::theorem::{System, Theorem};

/// A theorem with an empty header.
pub fn theorem(system: System, name: &str, statement: &str) -> Theorem {
    Theorem {
        id: name.to_owned(),
        name: name.to_owned(),
        system,
        header: String::new(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    }
}

/// Runs a future on a runtime of its own.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be built").block_on(future)
}
