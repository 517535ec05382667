//! The `andor` program.

use std::process::ExitCode;

/// The embedded prover allocates and frees millions of small terms; with the system allocator that takes a third of
/// its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    andor_cli::run(std::env::args_os())
}
