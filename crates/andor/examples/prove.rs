//! Proves a statement, and prints the file that the checker accepted:
//! `cargo run -p andor --example prove -- 'theorem t (a b : Nat) : a + b = b + a'`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use andor::{Config, MINI, Outcome, Preset, Prover, ROCQ};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let statement = std::env::args().nth(1);
    let statement = statement.as_deref().unwrap_or("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p");
    let system = if statement.starts_with("Theorem") { ROCQ } else { MINI };
    let theorem = andor::theorem(system, statement, &[])?;
    let config = Config { seed: 7, ..Preset::BestFirst.config() };
    let result = Prover::new(config).prove(&theorem).await?;
    match (result.outcome, result.source) {
        (Outcome::Accepted, Some(source)) => println!("{source}"),
        (outcome, _) => println!("{outcome:?}: {}", result.stop_detail),
    }
    Ok(())
}
