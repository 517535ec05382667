//! What a proof trusts beyond its axioms: parts of a kernel that had bugs, and bugs of the kernel at hand that are known.

/// A part of a kernel that a proof may need or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// Recursive functions that do not come with an inductive type and are not plainly structural.
    Fix,
    /// Corecursive values.
    CoFix,
    /// Computing by the virtual machine.
    Vm,
    /// Computing by code that is compiled on the way.
    Native,
    /// Machine integers.
    Int,
    /// Machine floating-point numbers.
    Float,
    /// Machine arrays.
    Array,
    /// Machine texts.
    String,
    /// Propositions whose proofs are equal by definition.
    SProp,
    /// Declarations that hold for all universes.
    Polymorphism,
    /// Inductive types whose parameters vary in recursive occurrences.
    NonUniform,
    /// Inductive types that occur within other types in their own constructors.
    Nested,
    /// Modules that take modules.
    Functor,
    /// Checks of the kernel that were switched off.
    Unchecked,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 14] = [
        Self::Fix,
        Self::CoFix,
        Self::Vm,
        Self::Native,
        Self::Int,
        Self::Float,
        Self::Array,
        Self::String,
        Self::SProp,
        Self::Polymorphism,
        Self::NonUniform,
        Self::Nested,
        Self::Functor,
        Self::Unchecked,
    ];

    /// The name used in artifacts and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fix => "fix",
            Self::CoFix => "cofix",
            Self::Vm => "vm",
            Self::Native => "native",
            Self::Int => "int",
            Self::Float => "float",
            Self::Array => "array",
            Self::String => "string",
            Self::SProp => "sprop",
            Self::Polymorphism => "polymorphism",
            Self::NonUniform => "non-uniform",
            Self::Nested => "nested",
            Self::Functor => "functor",
            Self::Unchecked => "unchecked",
        }
    }
}

/// What a proof trusts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The parts of the kernel that the proof uses, and what it reaches of its own file.
    pub features: Vec<Feature>,
    /// Known bugs, such as `rocq#20455`, that are open in the version at hand and concern one of these parts; or that the
    /// proof meets and the user trusts it not to exploit.
    pub bugs: Vec<String>,
}
