//! Words of verdicts on proofs.

/// Why a proof is rejected, for programs; a message gives the details.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The file cannot be parsed.
    Malformed,
    /// The file contains something that no proof needs and that could be misused.
    Forbidden,
    /// The assistant rejects the file.
    Refused,
    /// The file has no such theorem.
    Missing,
    /// The proof, or one that it needs, is missing.
    Unproved,
    /// The theorem has a different statement.
    Statement,
    /// It depends on an axiom that is not allowed.
    Axiom,
    /// It was accepted with a kernel check disabled.
    Unchecked,
    /// It uses features affected by a known bug of this kernel version.
    Bug,
    /// The separate run of the kernel rejects it.
    Kernel,
    /// Another kernel rejects it.
    SecondJudge,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 11] = [
        Self::Malformed,
        Self::Forbidden,
        Self::Refused,
        Self::Missing,
        Self::Unproved,
        Self::Statement,
        Self::Axiom,
        Self::Unchecked,
        Self::Bug,
        Self::Kernel,
        Self::SecondJudge,
    ];

    /// The name used in artifacts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Forbidden => "forbidden",
            Self::Refused => "refused",
            Self::Missing => "missing",
            Self::Unproved => "unproved",
            Self::Statement => "statement",
            Self::Axiom => "axiom",
            Self::Unchecked => "unchecked",
            Self::Bug => "bug",
            Self::Kernel => "kernel",
            Self::SecondJudge => "second_judge",
        }
    }
}

/// A kernel feature that a proof may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Feature {
    /// Recursive functions, other than recursors, that are not obviously structural.
    Fix,
    /// Corecursive values.
    CoFix,
    /// Computation by the virtual machine.
    Vm,
    /// Computation by native code.
    Native,
    /// Primitive integers.
    Int,
    /// Primitive floating-point numbers.
    Float,
    /// Primitive arrays.
    Array,
    /// Primitive strings.
    String,
    /// Strict propositions, whose proofs are definitionally equal.
    SProp,
    /// Universe-polymorphic declarations.
    Polymorphism,
    /// Inductive types with non-uniform parameters.
    NonUniform,
    /// Nested inductive types.
    Nested,
    /// Functors.
    Functor,
    /// Disabled kernel checks.
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
