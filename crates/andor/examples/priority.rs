//! A priority of one's own: which goal is worked on next. This one takes the shallowest goal, and the likelier one among
//! equals.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use andor::{MINI, Outcome, Priority, Prover, Waiting};

#[derive(Debug)]
struct Shallow;

impl Priority for Shallow {
    fn priority(&self, node: &Waiting) -> f64 {
        // No log-prior of a path of this length comes near the factor.
        node.cumulative - 1e6 * f64::from(node.depth)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let theorem = andor::theorem(MINI, "theorem t (p q r : Prop) (h : p ∧ q ∧ r) : r ∧ q ∧ p", &[])?;
    let result = Prover::default().with_priority("shallow", Arc::new(Shallow)).prove(&theorem).await?;
    assert_eq!(result.outcome, Outcome::Accepted, "{}", result.stop_detail);
    println!("{}", result.source.unwrap_or_default());
    Ok(())
}
