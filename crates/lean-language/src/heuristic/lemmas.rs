//! Lemmas of the library.

use super::Proposals;
use super::situation::Situation;
use super::term::{Term, write_argument};

/// Lemmas by the head of their conclusion and the heads of its last two arguments (`_` for any), with their
/// log-priors.
const LEMMAS: &[(&str, &str, &str, &str, f64)] = &[
    ("Nat.le", "Nat.mul", "Nat.mul", "apply Nat.mul_le_mul", -1.4),
    ("Nat.le", "Nat.mul", "Nat.mul", "apply Nat.mul_le_mul_left", -1.1),
    ("Nat.le", "Nat.mul", "Nat.mul", "apply Nat.mul_le_mul_right", -1.2),
    ("Nat.le", "Nat.pow", "Nat.pow", "apply Nat.pow_le_pow_left", -1.2),
    ("Nat.le", "Nat.pow", "Nat.pow", "apply Nat.pow_le_pow_right", -1.2),
    ("Nat.le", "Nat.add", "Nat.add", "apply Nat.add_le_add", -1.6),
    ("Nat.le", "Nat.sub", "Nat.sub", "apply Nat.sub_le_sub_right", -1.6),
    ("Nat.lt", "Nat.mul", "Nat.mul", "apply Nat.mul_lt_mul_of_pos_left", -1.6),
    ("Nat.lt", "_", "Nat.mul", "apply Nat.mul_pos", -1.3),
    ("Nat.lt", "_", "Nat.pow", "apply Nat.pow_pos", -1.3),
    ("Eq", "_", "_", "apply Nat.le_antisymm", -2.4),
    ("Nat.le", "_", "_", "apply Nat.le_of_lt_succ", -3.0),
    ("Eq", "Nat.mul", "Nat.mul", "exact Nat.mul_comm _ _", -0.1),
    ("Eq", "Nat.mul", "Nat.mul", "exact Nat.mul_assoc _ _ _", -0.1),
    ("Eq", "Nat.mul", "Nat.add", "exact Nat.mul_add _ _ _", -0.1),
    ("Eq", "Nat.mul", "Nat.add", "exact Nat.add_mul _ _ _", -0.1),
    ("Eq", "Nat.pow", "Nat.mul", "exact Nat.pow_add _ _ _", -0.1),
    ("Eq", "Nat.pow", "Nat.mul", "exact Nat.pow_succ", -0.1),
    ("Eq", "Nat.pow", "Nat.mul", "exact Nat.pow_two _", -0.1),
    ("Eq", "Nat.pow", "Nat.mul", "exact Nat.mul_pow _ _ _", -0.1),
    ("Eq", "Nat.pow", "Nat.pow", "exact Nat.pow_mul _ _ _", -0.1),
    ("Eq", "Nat.pow", "_", "exact Nat.one_pow _", -0.1),
    ("Dvd.dvd", "_", "Nat.mul", "exact Nat.dvd_mul_right _ _", -0.3),
    ("Dvd.dvd", "_", "Nat.mul", "exact Nat.dvd_mul_left _ _", -0.3),
    ("Dvd.dvd", "_", "Nat.mul", "apply Nat.dvd_mul_right_of_dvd", -1.5),
    ("Dvd.dvd", "_", "Nat.mul", "apply Nat.dvd_mul_left_of_dvd", -1.5),
    ("Dvd.dvd", "Nat.mul", "Nat.mul", "apply Nat.mul_dvd_mul", -1.2),
    ("Dvd.dvd", "_", "Nat.add", "apply Nat.dvd_add", -0.9),
    ("Dvd.dvd", "_", "Nat.sub", "apply Nat.dvd_sub", -1.2),
    ("Dvd.dvd", "_", "_", "exact Nat.dvd_refl _", -1.5),
    ("Dvd.dvd", "_", "_", "exact Nat.one_dvd _", -1.8),
    ("Dvd.dvd", "_", "_", "exact Nat.dvd_zero _", -1.8),
];

pub(super) fn propose(s: &Situation, out: &mut Proposals) {
    if let Some((head, [.., left, right])) = s.target.constant() {
        let is_head = |wanted: &str, t: &Term| wanted == "_" || t.head_name() == Some(wanted);
        let on_numbers = head != "Eq" || s.is_arithmetic(&s.target);
        for (relation, l, r, tactic, log_prior) in LEMMAS {
            if *relation == head && on_numbers && is_head(l, left) && is_head(r, right) {
                out.add(*log_prior, *tactic);
            }
        }
    }
    laws(s, out);
}

/// Laws with explicit arguments: operator, law, number of arguments.
const COMMUTATIVE: &[(&str, &str)] = &[("Nat.add", "Nat.add_comm"), ("Nat.mul", "Nat.mul_comm")];

/// Commutes the operands of an operation in the target.
fn laws(s: &Situation, out: &mut Proposals) {
    const MOST: usize = 5;
    let mut count = 0;
    for (part, _) in s.target.subterms() {
        for (operator, law) in COMMUTATIVE {
            let Some([a, b]) = part.app_of(operator) else { continue };
            if a == b || part.is_open() || count >= MOST {
                continue;
            }
            let (Some(a), Some(b)) = (write_argument(a), write_argument(b)) else { continue };
            out.add(
                -2.6 - 0.1 * f64::from(u8::try_from(count).unwrap_or(u8::MAX)),
                format!("rw [{law} {a} {b}]"),
            );
            count += 1;
        }
    }
    for (operator, law) in
        [("Nat.add", "Nat.add_assoc"), ("Nat.mul", "Nat.mul_assoc"), ("Nat.mul", "Nat.mul_add")]
    {
        if s.is_arithmetic(&s.target) && s.target.mentions_constant(operator) {
            out.add(-2.9, format!("rw [{law}]"));
        }
    }
}
