//! `results.jsonl`: one line per attempt.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use andor_core::tree::Status;
use serde::{Deserialize, Serialize};

use crate::graft::GraftRecord;
use crate::level;
use crate::plan::{PlanRun, PlanningRecord};
use crate::progress::SharingRecord;

/// The result of an attempt: one theorem, one configuration, one seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttemptResult {
    /// The theorem's id.
    pub theorem: String,
    /// The system.
    pub system: String,
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// Whether the attempt used the configured search or blind search.
    #[serde(default)]
    pub role: Role,
    /// The root seed.
    pub seed: u64,
    /// Whether anything in the attempt was drawn, or depended on real time or on other attempts. If not, it would be the same
    /// under any other seed. Files before version 3.1 lack this field; it is then taken as true.
    #[serde(default = "yes")]
    pub chance: bool,
    /// A digest of system, header, statement and footer, in hexadecimal.
    pub statement_digest: String,
    /// A digest of the compiled modules of the user's project that the header requires, in hexadecimal; `null` if there
    /// are none. Files before version 3.6 lack this field.
    #[serde(default)]
    pub modules_digest: Option<String>,
    /// A digest of the configuration, in hexadecimal.
    pub config_digest: String,
    /// What came of it.
    pub outcome: Outcome,
    /// Why the search ended.
    pub stop_reason: String,
    /// The same for people; a limit names the option that raises it.
    pub stop_detail: String,
    /// The level to which the proof was verified: 0 `claimed`, 1 `compiled`, 2 `audited`, 3 `rechecked`, 4 `judged`;
    /// `null` without a proof.
    #[serde(default, deserialize_with = "level::known_or_none")]
    pub verification_level: Option<u8>,
    /// Why the level is lower than the one asked for, if it is.
    pub verification_shortfall: Option<String>,
    /// The axioms that the proof depends on.
    pub axioms: Vec<String>,
    /// Those of them that are allowed because the statement depends on them. Since 3.9.
    #[serde(default)]
    pub statement_axioms: Vec<String>,
    /// The names of the kernel features that the proof uses beyond the core calculus: `fix`, `vm` and so on.
    #[serde(default)]
    pub features: Vec<String>,
    /// The names of known bugs of this kernel version that affect one of these: `rocq#20455`.
    #[serde(default)]
    pub known_bugs: Vec<String>,
    /// Compiled libraries that the proof loads beside the prover's own, by the first part of their modules' names:
    /// `stdpp`, `Mathlib`.
    #[serde(default)]
    pub libraries: Vec<String>,
    /// Libraries whose universes bound those of a polymorphic theorem: it is proved for universes up to theirs.
    #[serde(default)]
    pub universes: Vec<String>,
    /// Kernels other than the assistant's own that accept the proof as well: `Lean 4.35.0`, `nanoda`.
    #[serde(default)]
    pub kernels: Vec<String>,
    /// What other kernels say of the proof: `accepted`, `silent` or `absent`; `null` without a proof
    /// that was judged.
    #[serde(default)]
    pub second_judge: Option<String>,
    /// Who is silent, and why.
    #[serde(default)]
    pub second_judge_silence: Option<String>,
    /// Whether the checker accepted a claimed proof at any level; `false` if it rejected all of them, `null` if none
    /// was judged or the checker failed at the last one.
    #[serde(default)]
    pub validated: Option<bool>,
    /// Whether the root was settled when the search ended.
    #[serde(default = "open")]
    pub root_status: Status,
    /// The tactics of the proof, one per line, from the root down; shared subproofs are listed once.
    pub proof: Option<String>,
    /// The steps of the proof, in the order of `proof`, each with the goals of its node; empty without a proof.
    #[serde(default)]
    pub proof_steps: Vec<ProofStep>,
    /// For each step of an accepted proof, its tactic paired with the tactics that failed at the same node: those that
    /// the assistant rejected, or that exceeded their time limit.
    #[serde(default)]
    pub preference_pairs: Vec<PreferencePair>,
    /// The complete source file: accepted, or claimed when the checker failed.
    pub source: Option<String>,
    /// Where the theorem is refused, in its header and the statement behind it; `null` if this is not known. Since 3.9.
    #[serde(default)]
    pub refused_at: Option<TextPlace>,
    /// Whether the proof is one that was found before, for the same statement. Since 3.9.
    #[serde(default)]
    pub from_cache: bool,
    /// How the proof is put into the file that states the theorem, as that was when it was read; only in what `andor prove
    /// --json` prints. Since 3.9.
    #[serde(default)]
    pub edits: Vec<SourceEdit>,
    /// How close a search without a proof came; `null` if there was none, or a proof. Since 3.9.
    #[serde(default)]
    pub closest: Option<Closest>,
    /// Claimed proofs that were rejected, in order.
    pub rejected_claims: Vec<RejectedClaim>,
    /// The technical failure that ended the attempt, if any.
    pub infrastructure_error: Option<String>,
    /// The assistant's name and version.
    pub assistant: Option<String>,
    /// The tree's digest, in hexadecimal.
    pub tree_digest: Option<String>,
    /// A hexadecimal digest of the proof's tactics and structure: equal for proofs of equal structure, however they
    /// were found.
    #[serde(default)]
    pub proof_digest: Option<String>,
    /// The time at the end on the virtual clock, in milliseconds; `null` under the wall clock.
    #[serde(default)]
    pub virtual_ms: Option<f64>,
    /// Finished iterations of each agent, by its number.
    #[serde(default)]
    pub agent_iterations: Vec<u64>,
    /// The scripts that were applied as far as they hold, in order.
    #[serde(default)]
    pub grafts: Vec<GraftRecord>,
    /// How a plan was asked for; `null` if none was.
    #[serde(default)]
    pub planning: Option<PlanningRecord>,
    /// What became of the statements of the plan that the search began with; `null` without one.
    #[serde(default)]
    pub plan: Option<PlanRun>,
    /// What was shared with other attempts at the theorem; `null` if nothing is shared. Attempts that share are not
    /// independent of each other.
    #[serde(default)]
    pub sharing: Option<SharingRecord>,
    /// What was spent.
    pub spent: SpentRecord,
    /// Blocked candidates, by the reason recorded in the trace.
    #[serde(default)]
    pub refusals: BTreeMap<String, u64>,
    /// Where the time went.
    pub timing: Timing,
}

impl AttemptResult {
    /// Whether every other attempt would be the same. Programs before 3.9 decided [`chance`](Self::chance) by the configuration,
    /// and some of them took attempts that asked language models for certain.
    pub fn is_certain(&self) -> bool {
        !self.chance && self.spent.model.requests == 0
    }

    /// The result of an attempt that has found and spent nothing. Its digests are empty.
    pub fn empty(theorem: String, system: String, attempt: u32, role: Role, seed: u64) -> Self {
        Self {
            theorem,
            system,
            attempt,
            role,
            seed,
            chance: true,
            statement_digest: String::new(),
            modules_digest: None,
            config_digest: String::new(),
            outcome: Outcome::NotProved,
            stop_reason: String::new(),
            stop_detail: String::new(),
            verification_level: None,
            verification_shortfall: None,
            axioms: Vec::new(),
            statement_axioms: Vec::new(),
            features: Vec::new(),
            known_bugs: Vec::new(),
            libraries: Vec::new(),
            universes: Vec::new(),
            kernels: Vec::new(),
            second_judge: None,
            second_judge_silence: None,
            validated: None,
            root_status: Status::Open,
            proof: None,
            proof_steps: Vec::new(),
            preference_pairs: Vec::new(),
            source: None,
            refused_at: None,
            from_cache: false,
            edits: Vec::new(),
            closest: None,
            rejected_claims: Vec::new(),
            infrastructure_error: None,
            assistant: None,
            tree_digest: None,
            proof_digest: None,
            virtual_ms: None,
            agent_iterations: Vec::new(),
            grafts: Vec::new(),
            planning: None,
            plan: None,
            sharing: None,
            spent: SpentRecord::default(),
            refusals: BTreeMap::new(),
            timing: Timing::default(),
        }
    }

    /// The result without the wall times in it. Equal attempts under the virtual clock differ in nothing else, unless a worker
    /// was lost or replaced.
    #[must_use]
    pub fn without_timings(mut self) -> Self {
        self.timing = Timing::default();
        self.spent.model.waited_ms = 0.0;
        self.proof_steps.iter_mut().for_each(|step| step.took_ms = 0.0);
        if let Some(plan) = &mut self.plan {
            plan.model.waited_ms = 0.0;
            plan.replans.iter_mut().for_each(|replan| replan.planning.model.waited_ms = 0.0);
            let steps = plan.subgoals.iter_mut().flat_map(|subgoal| &mut subgoal.proof);
            steps.for_each(|step| step.took_ms = 0.0);
        }
        self
    }
}

fn yes() -> bool {
    true
}

fn open() -> Status {
    Status::Open
}

/// A step of a proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofStep {
    /// The goals before it, as one text.
    pub state: String,
    /// The tactic.
    pub tactic: String,
    /// Its log-prior.
    pub log_prior: f64,
    /// Its duration when it was tried, in milliseconds; 0 if the result came from the cache.
    pub took_ms: f64,
    /// The number of the graft that added it; `null` if a provider proposed it.
    #[serde(default)]
    pub graft: Option<u64>,
}

/// A tactic of a proof, and one that failed in its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PreferencePair {
    /// The goals before them, as one text.
    pub state: String,
    /// The tactic of the proof.
    pub chosen: String,
    /// The tactic that failed.
    pub rejected: String,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextPlace {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u64,
}

/// A piece of a source file, and what takes its place. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceEdit {
    /// The file, as it was named.
    pub file: String,
    /// The line where the piece begins.
    pub line: u64,
    /// The column there.
    pub column: u64,
    /// The line where it ends.
    pub end_line: u64,
    /// The column there, behind its last character.
    pub end_column: u64,
    /// What takes its place.
    pub replacement: String,
}

/// How close a search came to a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Closest {
    /// The first goals that its most complete derivation leaves open, each as text, up to 2,000 bytes of it.
    pub goals: Vec<String>,
    /// How many it leaves open.
    pub n_goals: u64,
    /// What tactics failed for most often.
    pub error: Option<FrequentError>,
}

/// Why several tactics failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrequentError {
    /// What the assistant said of one of them.
    pub message: String,
    /// The number of tactics of which it said the same, but for what it quotes.
    pub tactics: u64,
    /// The number of tactics that failed.
    pub of: u64,
}

/// The role of an attempt in a comparison of searches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The search as configured.
    #[default]
    Configured,
    /// The same search without guidance, for comparison.
    Blind,
}

/// A rejected claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RejectedClaim {
    /// The level of verification that it did not reach.
    #[serde(deserialize_with = "level::known")]
    pub level: u8,
    /// Why, in one word.
    pub reason: String,
    /// The same for people.
    pub message: String,
    /// The axiom, or set of axioms, that would have to be allowed.
    #[serde(default)]
    pub allow_axioms: Option<String>,
    /// The known bug that would have to be trusted.
    #[serde(default)]
    pub trust: Option<String>,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A proof that the checker accepted.
    Accepted,
    /// A claimed proof that could not be verified, or not to the demanded level.
    Claimed,
    /// Stored as accepted, but the record does not fit its theorem or the attempt's trace. Only readers say so. Since 3.8.
    Unverified,
    /// No proof but those that depend on an axiom that is not allowed. Since 3.9.
    AxiomNotAllowed,
    /// No proof.
    NotProved,
    /// The assistant rejects the theorem itself.
    Refused,
    /// A technical failure, which says nothing about the theorem.
    InfrastructureError,
    /// The user interrupted.
    Interrupted,
}

impl Outcome {
    /// What it is called in all output for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Accepted => "proved",
            Self::Claimed => "proof found, not verified",
            Self::Unverified => "unverified",
            Self::AxiomNotAllowed => "proof found, axiom not allowed",
            Self::NotProved => "not proved",
            Self::Refused => "refused",
            Self::InfrastructureError => "failed",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the search ran to its end, with a proof or without.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Accepted | Self::AxiomNotAllowed | Self::NotProved)
    }

    /// Whether it says something about the theorem, so that the attempt need not be made again.
    pub fn is_final(self) -> bool {
        match self {
            Self::Accepted | Self::AxiomNotAllowed | Self::NotProved | Self::Refused => true,
            Self::Claimed | Self::Unverified | Self::InfrastructureError | Self::Interrupted => false,
        }
    }
}

/// What was spent.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpentRecord {
    /// Rounds of selection, expansion and back-up.
    pub iterations: u64,
    /// Iterations that added a step.
    pub expansions: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Those of them for which candidates were asked.
    #[serde(default)]
    pub explored_nodes: u64,
    /// Candidates tried.
    pub candidates: u64,
    /// Tactics run.
    pub previews: u64,
    /// Candidates answered from the cache.
    pub memo_hits: u64,
    /// Tactics that ran over a limit.
    pub over_time: u64,
    /// Those of them that ran over the limit on processor time.
    #[serde(default)]
    pub over_cpu: u64,
    /// Tactics run to rebuild states.
    pub replayed_tactics: u64,
    /// Workers started.
    pub workers_started: u64,
    /// Workers taken over from an earlier theorem.
    #[serde(default)]
    pub workers_reused: u64,
    /// Workers lost by crash or kill.
    pub workers_lost: u64,
    /// Workers replaced because of their memory.
    pub workers_recycled: u64,
    /// Obligations given up because their state could not be rebuilt.
    pub replays_diverged: u64,
    /// Blocked candidates.
    #[serde(default)]
    pub blocked: u64,
    /// Candidates dropped as duplicates within a proposal.
    #[serde(default)]
    pub duplicates: u64,
    /// Iterations that ended at a node blocked or delayed on purpose.
    #[serde(default)]
    pub passes: u64,
    /// Iterations at a node where another agent was working.
    #[serde(default)]
    pub collisions: u64,
    /// Requests that a provider did not answer, after retries.
    #[serde(default)]
    pub unanswered: u64,
    /// What language models cost.
    #[serde(default)]
    pub model: ModelUsage,
}

/// What language models cost.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelUsage {
    /// Questions that were asked, however many requests each took.
    #[serde(default)]
    pub questions: u64,
    /// Requests that were sent for them, repetitions included.
    pub requests: u64,
    /// Those of them that were sent because another had failed.
    pub retries: u64,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// Milliseconds from request to answer, summed over requests.
    pub waited_ms: f64,
    /// Money, in the currency of the configured prices.
    pub cost: f64,
}

impl AddAssign for ModelUsage {
    fn add_assign(&mut self, other: Self) {
        self.questions += other.questions;
        self.requests += other.requests;
        self.retries += other.retries;
        // Servers may state any number of tokens.
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.waited_ms += other.waited_ms;
        self.cost += other.cost;
    }
}

impl AddAssign<&SpentRecord> for SpentRecord {
    fn add_assign(&mut self, other: &SpentRecord) {
        let SpentRecord {
            iterations,
            expansions,
            nodes,
            explored_nodes,
            candidates,
            previews,
            memo_hits,
            over_time,
            over_cpu,
            replayed_tactics,
            workers_started,
            workers_reused,
            workers_lost,
            workers_recycled,
            replays_diverged,
            blocked,
            duplicates,
            passes,
            collisions,
            unanswered,
            model,
        } = *other;
        self.iterations += iterations;
        self.expansions += expansions;
        self.nodes += nodes;
        self.explored_nodes += explored_nodes;
        self.candidates += candidates;
        self.previews += previews;
        self.memo_hits += memo_hits;
        self.over_time += over_time;
        self.over_cpu += over_cpu;
        self.replayed_tactics += replayed_tactics;
        self.workers_started += workers_started;
        self.workers_reused += workers_reused;
        self.workers_lost += workers_lost;
        self.workers_recycled += workers_recycled;
        self.replays_diverged += replays_diverged;
        self.blocked += blocked;
        self.duplicates += duplicates;
        self.passes += passes;
        self.collisions += collisions;
        self.unanswered += unanswered;
        self.model += model;
    }
}

/// Where the time went. Parts may overlap when several workers run.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Timing {
    /// From the attempt's start to its end.
    pub total_ms: f64,
    /// Waiting for workers to start and open the theorem, and for the checker to pin its statement.
    pub opening_ms: f64,
    /// The part of this spent on headers: imports and other commands.
    #[serde(default)]
    pub importing_ms: f64,
    /// Waiting for tactics of previews.
    pub previewing_ms: f64,
    /// Rebuilding states.
    pub replaying_ms: f64,
    /// Waiting for providers.
    pub providing_ms: f64,
    /// Checking claimed proofs.
    pub checking_ms: f64,
    /// The rest: selection, bookkeeping, traces.
    pub searching_ms: f64,
}

impl AddAssign<&Timing> for Timing {
    fn add_assign(&mut self, other: &Timing) {
        let Timing {
            total_ms,
            opening_ms,
            importing_ms,
            previewing_ms,
            replaying_ms,
            providing_ms,
            checking_ms,
            searching_ms,
        } = *other;
        self.total_ms += total_ms;
        self.opening_ms += opening_ms;
        self.importing_ms += importing_ms;
        self.previewing_ms += previewing_ms;
        self.replaying_ms += replaying_ms;
        self.providing_ms += providing_ms;
        self.checking_ms += checking_ms;
        self.searching_ms += searching_ms;
    }
}
