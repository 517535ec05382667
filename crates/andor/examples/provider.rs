//! A provider of one's own: it proposes the same tactics everywhere, the likelier ones first. Put a model in its place.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::Arc;

use andor::{Candidate, MINI, Outcome, Prover, Provider, ProviderError, Request, Suggestions, System};

struct Fixed;

#[async_trait::async_trait]
impl Provider for Fixed {
    fn id(&self) -> &str {
        "fixed"
    }

    fn speaks(&self, system: System) -> bool {
        system == MINI
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        println!("asked about:\n{}\n", request.pp());
        let candidates =
            [("assumption", 0.5), ("constructor", 0.3), ("cases h", 0.2)].map(|(tactic, chance)| Candidate {
                tactic: tactic.to_owned(),
                log_prior: f64::ln(chance),
                tokens: None,
                provider: "fixed".into(),
            });
        Ok(Suggestions { candidates: candidates.into(), ..Suggestions::default() })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let theorem = andor::theorem(MINI, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", &[])?;
    let result = Prover::default().with_provider(Arc::new(Fixed)).prove(&theorem).await?;
    assert_eq!(result.outcome, Outcome::Accepted, "{}", result.stop_detail);
    println!("{}", result.source.unwrap_or_default());
    Ok(())
}
