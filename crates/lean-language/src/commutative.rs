//! The commutative connectives and operators of Lean and of the embedded prover, which writes them alike.

use andor_core::signature::{Commutative, Infix};

/// Those of Lean, under the names that `explicit` gives them. Sums and products of other things than numbers need not
/// commute.
pub static OF_LEAN: Commutative = Commutative {
    constants: CONSTANTS,
    infix: &infix(
        &[Infix { symbol: "+", commutes: false }, Infix { symbol: "-", commutes: false }],
        &[Infix { symbol: "*", commutes: false }, Infix { symbol: "/", commutes: false }],
    ),
};

/// Those of the embedded prover. All arithmetic is on `Nat`.
pub static OF_MINI: Commutative = Commutative {
    constants: CONSTANTS,
    infix: &infix(
        &[Infix { symbol: "+", commutes: true }, Infix { symbol: "-", commutes: false }],
        &[Infix { symbol: "*", commutes: true }],
    ),
};

const CONSTANTS: &[(&str, usize)] = &[
    ("And", 2),
    ("Or", 2),
    ("Iff", 2),
    ("Eq", 3),
    ("Ne", 3),
    ("Nat.add", 2),
    ("Nat.mul", 2),
    ("Bool.and", 2),
    ("Bool.or", 2),
];

/// All operators, with these for sums and products.
const fn infix(sums: &'static [Infix], products: &'static [Infix]) -> [&'static [Infix]; 7] {
    [
        &[Infix { symbol: "↔", commutes: true }],
        &[Infix { symbol: "→", commutes: false }],
        &[Infix { symbol: "∨", commutes: true }],
        &[Infix { symbol: "∧", commutes: true }],
        &[
            Infix { symbol: "=", commutes: true },
            Infix { symbol: "≠", commutes: true },
            Infix { symbol: "<", commutes: false },
            Infix { symbol: "≤", commutes: false },
            Infix { symbol: ">", commutes: false },
            Infix { symbol: "≥", commutes: false },
            Infix { symbol: "∣", commutes: false },
        ],
        sums,
        products,
    ]
}
