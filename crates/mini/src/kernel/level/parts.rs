//! The order of levels, decided for all values of their parameters.
//!
//! A level is a maximum of parts. A part is 0 unless all parameters of a set are positive; then it is a number, or one
//! of these parameters plus a number. `u + 1`, for one, is the maximum of 1 and of `u + 1` if `u` is positive, and
//! `imax u v` is the maximum of `v` if `v` is positive, and `u` if both are.
//!
//! A part is at most a maximum of parts only if it is at most one of these: set the parameters of its set to 1, its own
//! one to a very large number, and all others to 0. Hence the comparison of the parts decides the order of the levels
//! (Blanqui, "Encoding type universes without using matching modulo associativity and commutativity", 2022).

use super::{Level, MAX_PARAMS};
use crate::budget;
use crate::kernel::term::deeper;

/// A part of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    /// The parameters that must be positive, as bits.
    positive: u64,
    /// One of them, to which the number is added.
    param: Option<u8>,
    plus: u64,
}

impl Part {
    fn number(n: u64) -> Self {
        Self { positive: 0, param: None, plus: n }
    }

    /// Whether it is at most another part, whatever the parameters are.
    fn at_most(self, other: Self) -> bool {
        let is_below = match (self.param, other.param) {
            (None, None) => self.plus <= other.plus,
            // Where the other one counts, its parameter is at least 1.
            (None, Some(_)) => self.plus <= other.plus + 1,
            (Some(_), None) => false,
            (Some(x), Some(y)) => x == y && self.plus <= other.plus,
        };
        is_below && other.positive & !self.positive == 0
    }
}

/// The parts of a level, none of which is at most another.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(Vec<Part>);

impl Parts {
    /// The parts of a level; `None` if it has metavariables, or parameters that no declaration has.
    pub(super) fn of(level: &Level) -> Option<Self> {
        budget::visits(1);
        let mut parts = Self::default();
        match level {
            Level::Num(n) => parts.add(Part::number((*n).into())),
            Level::Param(i) if usize::from(*i) < MAX_PARAMS => {
                parts.add(Part { positive: 1 << i, param: Some(*i), plus: 0 });
            }
            Level::Param(_) | Level::Meta(_) => return None,
            Level::Succ(_) => {
                let (mut base, mut n) = (level, 0);
                while let Level::Succ(before) = base {
                    budget::visits(1);
                    (base, n) = (before, n + 1);
                }
                parts.add(Part::number(n));
                for part in deeper(|| Self::of(base))?.0 {
                    parts.add(Part { plus: part.plus + n, ..part });
                }
            }
            Level::Max(a, b) => {
                parts = deeper(|| Self::of(a))?;
                deeper(|| Self::of(b))?.0.into_iter().for_each(|part| parts.add(part));
            }
            Level::IMax(a, b) => {
                let above = deeper(|| Self::of(a))?;
                parts = deeper(|| Self::of(b))?;
                // A part is positive where its parameters are.
                for condition in parts.0.clone() {
                    for part in &above.0 {
                        parts.add(Part { positive: part.positive | condition.positive, ..*part });
                    }
                }
            }
        }
        Some(parts)
    }

    fn add(&mut self, part: Part) {
        budget::visits(self.0.len());
        let is_zero = part.param.is_none() && part.plus == 0;
        if is_zero || self.0.iter().any(|p| part.at_most(*p)) {
            return;
        }
        self.0.retain(|p| !p.at_most(part));
        self.0.push(part);
    }

    /// Whether the level is at most another, whatever the parameters are.
    pub(super) fn at_most(&self, other: &Self) -> bool {
        budget::visits(self.0.len() * other.0.len());
        self.0.iter().all(|part| other.0.iter().any(|p| part.at_most(*p)))
    }

    /// The maximum of parameters plus numbers that the level is, if it is one.
    pub(super) fn as_maximum(&self) -> Option<Level> {
        let number = self.0.iter().find(|p| p.positive == 0).map_or(0, |p| p.plus);
        let mut params: Vec<(u8, u64)> = Vec::new();
        for part in self.0.iter().filter(|p| p.positive != 0) {
            let param = part.param?;
            // If the parameter may be 0, its part only adds up to a sum if the number counts in any case.
            if part.positive != 1 << param || part.plus > number {
                return None;
            }
            params.push((param, part.plus));
        }
        params.sort_unstable();
        let above = |base: Level, n: u64| (0..n).fold(base, |level, _| level.succ());
        let is_needed = params.iter().all(|(_, plus)| *plus < number);
        // Written as a successor, as that of a type is.
        let common = params.iter().map(|(_, plus)| *plus).min().unwrap_or(0);
        let constant = Level::Num(u32::try_from(number - common).ok()?);
        let sums = params.iter().map(|(i, plus)| above(Level::Param(*i), plus - common));
        let maximum = sums.chain(is_needed.then_some(constant)).reduce(Level::max);
        Some(above(maximum.unwrap_or(Level::Num(0)), common))
    }
}
