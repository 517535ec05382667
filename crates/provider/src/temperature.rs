//! Diversity for providers that always propose the same (`--proposal-temperature`): the order of their candidates is drawn anew
//! for each seed.

use andor_core::rng::{Purpose, gumbel_at};

use crate::contract::Candidate;

/// The least log-prior of a candidate that was drawn.
const LEAST: f64 = -700.0;

/// Draws the order of candidates, each from the rest with a probability in proportion to its prior to the power of 1 / `temperature`
/// (the largest of scores with Gumbel noise). The scores become the log-priors, so that the search follows the order. A draw depends on
/// the seed, the `place` (the goal) and the tactic, so equal goals get equal orders. With temperature 0 nothing changes.
pub fn draw(candidates: &mut [Candidate], temperature: f64, seed: u64, place: u64) {
    if temperature == 0.0 || candidates.is_empty() {
        return;
    }
    for candidate in candidates.iter_mut() {
        let noise = gumbel_at(seed, Purpose::Proposals, place, &candidate.tactic);
        candidate.log_prior += temperature * noise;
    }
    candidates.sort_by(|a, b| b.log_prior.total_cmp(&a.log_prior));
    let most = candidates[0].log_prior;
    let total: f64 = candidates.iter().map(|candidate| (candidate.log_prior - most).exp()).sum();
    for candidate in candidates {
        candidate.log_prior = (candidate.log_prior - most - total.ln()).clamp(LEAST, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        let priors = [("intro", 0.5_f64), ("simp", 0.3), ("auto", 0.15), ("cases", 0.05)];
        let of = |(tactic, prior): (&str, f64)| Candidate {
            tactic: tactic.to_owned(),
            log_prior: prior.ln(),
            tokens: None,
            provider: "p".into(),
        };
        priors.map(of).to_vec()
    }

    fn drawn(temperature: f64, seed: u64, place: u64) -> Vec<Candidate> {
        let mut candidates = candidates();
        draw(&mut candidates, temperature, seed, place);
        candidates
    }

    #[test]
    fn without_temperature_nothing_changes() {
        for seed in 0..100 {
            assert_eq!(drawn(0.0, seed, 1), candidates());
        }
        draw(&mut [], 1.0, 0, 0);
    }

    #[test]
    fn candidates_come_first_as_often_as_the_temperature_says() {
        for temperature in [0.5, 1.0, 3.0] {
            let weight = |prior: f64| prior.powf(1.0 / temperature);
            let total: f64 = candidates().iter().map(|c| weight(c.log_prior.exp())).sum();
            let n = 20_000;
            for expected in candidates() {
                let first = (0..n).filter(|&seed| drawn(temperature, seed, 1)[0].tactic == expected.tactic);
                let share = first.count() as f64 / n as f64;
                let wanted = weight(expected.log_prior.exp()) / total;
                assert!(
                    (share - wanted).abs() < 0.015,
                    "{temperature} {}: {share} {wanted}",
                    expected.tactic
                );
            }
        }
    }

    #[test]
    fn a_draw_keeps_the_tactics_and_is_in_order() {
        for seed in 0..100 {
            let drawn = drawn(2.0, seed, 7);
            assert!(drawn.is_sorted_by(|a, b| a.log_prior >= b.log_prior));
            assert!(drawn.iter().all(|c| (LEAST..=0.0).contains(&c.log_prior)));
            let mut tactics: Vec<&str> = drawn.iter().map(|c| c.tactic.as_str()).collect();
            tactics.sort_unstable();
            assert_eq!(tactics, ["auto", "cases", "intro", "simp"]);
        }
        let order = |seed, place| drawn(1.0, seed, place).into_iter().map(|c| c.tactic).collect::<Vec<_>>();
        assert_eq!(order(3, 4), order(3, 4));
        assert!((0..20).any(|place| order(3, place) != order(3, 4)), "other goals, other orders");
    }
}
