//! The differences between versions of Lean, of the REPL and of Pantograph. Everything else in this folder applies to all
//! of them.
//!
//! | program | version | difference |
//! | --- | --- | --- |
//! | Lean | 4.23 | messages begin with a capital and quote names in backquotes |
//! | Lean | 4.25 | suggestions are printed as `Try this:` with `[apply]` on the next line |
//! | Lean | 4.28 | the warning about `sorry` quotes it in backquotes |
//! | REPL | 4.19 | steps carry `proofStatus`; a proof that refers to itself does not pass |
//! | REPL | 4.19 to 4.21 | an information `Goals accomplished!` after a finished proof |
//! | Pantograph | 0.3.1 | failures are `messages`, with `hasSorry` and `hasUnsafe` |
//! | Pantograph | 0.3.3 | `autoResume`, `fragment`; `goalId` may be left out |
//! | Pantograph | 0.3.4 | messages are objects |
//! | Pantograph | 0.3.5 | a tactic may be a block; `frontend.distil` |
//! | Pantograph | 0.3.8 | errors `core` and `internal` became `io` |
//!
//! Read from the programs' sources: the REPL up to 4.33, Pantograph 0.3.4 and the line of 2026.

use std::fmt;
use std::str::FromStr;

use andor_audit::olean::Version;

/// Something that a program said and that this program does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{got}` (probe `{probe}` of `andor doctor`)")]
pub struct Unknown {
    /// What it should be.
    pub what: &'static str,
    /// What was said.
    pub got: String,
    /// The probe that is about it.
    pub probe: &'static str,
}

/// The oldest Lean that is supported.
pub const OLDEST_LEAN: Version = Version { minor: 8, patch: 0 };

/// What the REPL says about a proof as a whole after a tactic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofStatus {
    /// Goals are open.
    Open,
    /// The state is made of several unfinished proofs, so the proof is not looked at.
    Unverified,
    /// No goal is open, but the proof contains metavariables.
    Metavariables,
    /// The proof contains `sorry`.
    Sorry,
    /// The kernel accepts the proof.
    Completed,
    /// The kernel rejects the proof, or there is none.
    Wrong,
}

impl ProofStatus {
    /// Reads the status; `None` if the program does not compute it.
    pub fn read(text: &str) -> Result<Option<Self>, Unknown> {
        const KNOWN: &[(&str, ProofStatus)] = &[
            ("Incomplete: open goals remain", ProofStatus::Open),
            ("Incomplete: contains metavariable(s)", ProofStatus::Metavariables),
            ("Incomplete: contains sorry", ProofStatus::Sorry),
            ("Not verified", ProofStatus::Unverified),
            ("Completed", ProofStatus::Completed),
            ("Error", ProofStatus::Wrong),
        ];
        if text == "N/A" {
            return Ok(None);
        }
        let found = KNOWN.iter().find(|(prefix, _)| text.starts_with(prefix));
        let unknown = || Unknown { what: "status of a proof", got: text.to_owned(), probe: "worker-closes" };
        found.map(|(_, status)| Some(*status)).ok_or_else(unknown)
    }
}

/// Whether a warning says that a declaration is not proved. Its kind, where there is one, is `hasSorry`.
pub fn warns_of_sorry(message: &str) -> bool {
    ["declaration uses `sorry`", "declaration uses 'sorry'"].iter().any(|known| message.contains(known))
}

/// Whether an error says that a limit of Lean's own was exceeded: of heartbeats, recursion, or time.
pub fn says_over_limit(message: &str) -> bool {
    const KNOWN: &[&str] =
        &["maximum number of heartbeats", "maximum recursion depth", "(deterministic) timeout", "interrupt"];
    KNOWN.iter().any(|known| message.contains(known))
}

/// The tactics that a message suggests, such as that of `exact?`, as it prints them. What is left to prove stands behind them as a
/// comment.
pub fn suggestions(message: &str) -> Vec<String> {
    const ANNOUNCED: &[&str] = &["Try this:", "Try these:"];
    const MARKS: &[&str] = &["[apply] ", "• "];
    let rest = ANNOUNCED.iter().find_map(|words| Some(message.split_once(words)?.1));
    let Some(rest) = rest else { return Vec::new() };
    let mut found: Vec<String> = Vec::new();
    for line in rest.lines() {
        let text = line.trim_start();
        let marked = MARKS.iter().find_map(|mark| text.strip_prefix(mark));
        if text.is_empty() && !found.is_empty() {
            // What follows is another remark.
            break;
        }
        match (marked, found.last_mut()) {
            // The tactic `hint` shows which ones close the goal.
            (Some(tactic), _) => found.push(tactic.trim_start_matches("🎉 ").trim_end().to_owned()),
            _ if text.is_empty() || text.starts_with("-- ") => {}
            // Before 4.25 there is one, which begins behind the colon.
            (None, None) => found.push(text.trim_end().to_owned()),
            (None, Some(last)) => {
                last.push('\n');
                last.push_str(line.strip_prefix("  ").unwrap_or(line).trim_end());
            }
        }
    }
    found
}

/// A version of Pantograph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PantographVersion {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl PantographVersion {
    const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// The oldest whose messages and states are understood.
    pub const OLDEST: Self = Self::new(0, 3, 4);

    /// Whether a theorem is opened by `frontend.distil`; before, by `frontend.process`.
    pub fn distils(self) -> bool {
        self >= Self::new(0, 3, 5)
    }

    /// Whether several tactics are one request.
    pub fn takes_blocks(self) -> bool {
        self >= Self::new(0, 3, 5)
    }
}

impl fmt::Display for PantographVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for PantographVersion {
    type Err = Unknown;

    fn from_str(text: &str) -> Result<Self, Unknown> {
        let unknown =
            || Unknown { what: "version of Pantograph", got: text.trim().to_owned(), probe: "worker-opens" };
        let release = text.trim().trim_start_matches('v').split('-').next().unwrap_or_default();
        let numbers: Result<Vec<u32>, _> = release.split('.').map(str::parse).collect();
        let version = match numbers.as_deref() {
            Ok(&[major, minor, patch]) => Self { major, minor, patch },
            _ => return Err(unknown()),
        };
        if version < Self::OLDEST { Err(unknown()) } else { Ok(version) }
    }
}

/// What an error of Pantograph's means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PantographError {
    /// The request was wrong, which is a mistake of ours.
    Request,
    /// The text did not parse or elaborate, or the tactic failed outside its own handlers.
    Refused,
    /// A limit of Lean's was exceeded.
    OverLimit,
}

impl PantographError {
    /// Classifies an error by its kind and its description.
    pub fn read(kind: &str, description: &str) -> Result<Self, Unknown> {
        match kind {
            "core" | "internal" | "io" if says_over_limit(description) => Ok(Self::OverLimit),
            "command" | "arguments" | "operation" | "index" | "structure" => Ok(Self::Request),
            "parsing" | "parse" | "elab" | "typing" | "expr" | "exception" | "core" | "internal" | "io"
            | "invalid" | "main" | "frontend" => Ok(Self::Refused),
            _ => Err(Unknown {
                what: "error of Pantograph",
                got: format!("{kind}: {description}"),
                probe: "worker-rejects-errors",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_read_in_both_forms() {
        let old = "Try this: exact Nat.add_comm a b";
        let new = "Try this:\n  [apply] exact Nat.add_comm a b";
        assert_eq!(suggestions(old), suggestions(new));
        assert_eq!(suggestions(old), ["exact Nat.add_comm a b"]);
        let several =
            "Try these:\n  [apply] simp\n  [apply] rw [a,\n    b]\n  -- Remaining subgoals:\n  -- ⊢ p";
        assert_eq!(suggestions(several), ["simp", "rw [a,\n  b]"]);
        assert_eq!(suggestions("Try these:\n• exact a\n• 🎉 exact b"), ["exact a", "exact b"]);
        assert_eq!(suggestions("a partial proof\nTry this: simp only [a]\n\nNote: b"), ["simp only [a]"]);
        assert_eq!(suggestions("unused variable"), Vec::<String>::new());
    }

    #[test]
    fn versions_of_pantograph_are_read_and_old_ones_refused() {
        let version = |text: &str| text.parse::<PantographVersion>();
        assert!(!version("0.3.4").unwrap().distils());
        assert!(version("0.3.15\n").unwrap().distils());
        assert_eq!(version("v0.3.10").unwrap().to_string(), "0.3.10");
        for text in ["0.3.3", "0.3", "four", ""] {
            assert_eq!(version(text).unwrap_err().probe, "worker-opens", "{text}");
        }
    }

    #[test]
    fn limits_are_told_from_failures() {
        let read = |kind, text| PantographError::read(kind, text).unwrap();
        assert_eq!(read("internal", "interrupt"), PantographError::OverLimit);
        assert_eq!(read("io", "interrupt"), PantographError::OverLimit);
        assert_eq!(read("io", "no such file"), PantographError::Refused);
        assert_eq!(read("core", "maximum recursion depth has been reached"), PantographError::OverLimit);
        assert_eq!(read("index", "Invalid state index 7"), PantographError::Request);
        assert_eq!(PantographError::read("quantum", "").unwrap_err().probe, "worker-rejects-errors");
    }

    #[test]
    fn a_warning_of_sorry_is_known_in_both_spellings() {
        assert!(warns_of_sorry("declaration uses 'sorry'") && warns_of_sorry("declaration uses `sorry`"));
        assert!(!warns_of_sorry("unused variable `sorry`"));
    }
}
