//! Longer help texts.

/// The levels of verification, for the help of several commands.
macro_rules! levels {
    () => {
        "  1 compiled   a fresh proof assistant accepts the whole file
  2 audited    it states what a separate trusted file states, and uses only allowed axioms
  3 rechecked  a separate run of the kernel accepts it (Rocq: coqchk)
  4 judged     all of this in a sandbox that was tested beforehand
"
    };
}

/// Shown after the help of the program.
pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0    everything was proved or accepted, or there was nothing to do
  1    something was not proved or accepted, or refused beside others that were tried
  2    wrong usage, input that cannot be read, or nothing could be tried: everything was refused
  3    too many attempts failed for technical reasons (--infra-threshold)
  130  interrupted; with --out, finished results are kept

Environment (docs/guide/logging.md):
  LOG_RATE                 share of tactics, expansions and states to log, 0 to 1 [default: 0.01]
  LOG_RATE_FREQUENT_EVENT  share of generated tactics and agent moves to log [default: 0.001]
  RUST_LOG                 log filter, overrides -v; for example andor_env=debug
  NO_COLOR, CI             disable colours; disable the live progress display

Examples:
  andor doctor
  andor prove --statement 'theorem and_swap (p q : Prop) : p ∧ q → q ∧ p'
  andor prove file.lean --theorem my_lemma --time 2m
  andor run corpus.jsonl --pass-k 4 --jobs 4 --out RUN
  andor results RUN
  andor export RUN --format sft --out sft.jsonl
  andor check file.lean --statement-from task.lean
  andor repl --statement 'theorem t (p q : Prop) : p → q → p'
  andor prove --statement 'forall n m : nat, n + m = m + n' --import Lia";

/// Shown after the help of `prove`.
pub(super) const PROVE_HELP: &str = concat!(
    "\
Input is one of:
  --statement TEXT   `theorem t : 1 = 1` for mini, or for Lean with --system lean4; for Rocq
                     `Theorem t : 1 = 1.` or a proposition
  FILE.lean          every theorem whose proof is or contains `sorry`: for Lean 4 if it has imports
                     or is in a Lean project, else for mini
  FILE.v             every theorem whose proof is missing, Admitted or Aborted, for Rocq
  FILE:12 FILE#NAME  the theorem at line 12 of a source file, or with that name
  FILE.jsonl         rows with `id`, `system`, `statement`, and optionally `header`, `footer`; for
                     other row formats, lists of names and compressed files see
                     docs/formats/datasets.md
  FOLDER             all source files in it and its subfolders; the folder's name is the split

mini is built into this program and accepts a fragment of Lean 4 (docs/guide/mini.md). Lean 4
(docs/guide/lean.md) and Rocq must be installed separately.

Proofs go to standard output, progress to standard error. A proof is printed only after a fresh
proof assistant has accepted the whole file. For several theorems, a table of results follows.

Every result states the level to which its proof is verified:
",
    levels!(),
    "\
By default, proofs are verified up to level 3 if this machine supports it; `andor doctor` shows
which levels are available.

A configuration file overrides defaults, under the names used in run.json (docs/formats/run.md):
  seed = 7
  [search]
  policy = \"ucb1\"
  [distributed_mcts]
  mode = \"distributed\"
  agents = 8
  inflight = 8
Paths in it are relative to the working directory. Options on the command line override the file.
They cannot remove a switch or a limit that the file sets; edit the file instead.

Examples:
  andor prove --statement 'theorem and_swap (p q : Prop) : p ∧ q → q ∧ p'
  andor prove examples/logic.lean --time 10s
  andor prove --statement 'forall n : nat, n * 0 = 0'
  andor prove --statement 'forall x : R, 0 <= x * x' --import Reals --import 'Open Scope R_scope' \\
      --allow-axioms reals
  andor prove lemmas.v --time 20s --json
  andor prove lemmas.v --verify judged
  andor prove lemmas.v --preset best-first --depth-reward 0.5
  andor prove minif2f.jsonl --split valid --limit 60 --out RUN --allow-axioms reals,classical

Eight agents that share the tree, with four workers:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 --workers 4
The same on the virtual clock, so that the run is reproducible byte for byte:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 --workers 4 \\
      --clock virtual --provider-latency lognormal:200ms:0.5 --tactic-latency 50ms --out RUN
With 30 % of the nodes blocked for 50 iterations each, and up to 4 reroutes per iteration:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 \\
      --mcts-block-fraction 0.3 --mcts-block-duration 50 --mcts-block-seed 1 \\
      --mcts-reroute-blocked --mcts-reroute-max 4
With a configuration file, and an earlier run repeated with another seed:
  andor prove lemmas.v --config damage.toml
  andor prove lemmas.v --config RUN/run.json --seed 8 --out RUN8"
);

/// Shown after the help of `run`.
pub(super) const RUN_HELP: &str = "\
The corpus has the same formats as the input of `andor prove`: a .lean or .v file, a folder of them,
JSON rows, or a list of names (docs/formats/datasets.md). The run is written to the folder given by
--out; by default to runs/CORPUS-1, or the next free number.

Attempts go round-robin: the first attempt at every theorem, then the second at those not yet
proved, and so on. Once an attempt is accepted, later attempts at the theorem are cancelled.

A blueprint (FILE.toml, or FILE.json with `nodes`) is a graph of definitions, lemmas and theorems.
Its nodes are attempted side by side, each once all that it uses is proved; a node without a proof
may be disproved, or refined with --planner. The run's folder gets the final file, and a drawing
(docs/guide/blueprints.md).

Ctrl-C stops the running attempts and keeps all finished ones. --resume continues a run, also after
a crash or with a larger --pass-k; see docs/guide/runs.md.

With --on, workers on a Ray cluster make the attempts, and the run's folder stays here
(docs/guide/ray.md).

Examples:
  andor run minif2f.jsonl --split valid --timeout-per-theorem 30s --jobs 2
  andor run lemmas.v --pass-k 8 --total-time 8h --keep proofs --out RUN
  andor run lemmas.v --pass-k 8 --keep proofs --out RUN --resume
  andor run examples/blueprint.toml --jobs 2 --out RUN
  RAY_ADDRESS=head:6379 andor run minif2f.jsonl --on ray --num-provers 96 --pass-k 8 --out RUN";

/// Shown after the help of `repl`.
pub(super) const REPL_HELP: &str = "\
Without FILE and --statement, the first line is the statement. Each further line is a tactic for the
first goal, or a command: `goals`, `goal N`, `undo`, `script`, `qed`, `quit`, `help`. Input that
ends in `=>`, `with` or `by` continues until an empty line; one that ends in ` \\`, on the next line.

The exit code is 0 only if `qed` succeeded. Input may come from a pipe.

Examples:
  andor repl --statement 'theorem t (p q : Prop) : p → q → p'
  andor repl file.lean --theorem my_lemma
  printf 'intro h\\nexact h\\nqed\\n' | andor repl --statement 'theorem t (p : Prop) : p → p'";

/// Shown after the help of `plan`.
pub(super) const PLAN_HELP: &str = "\
A plan is a list of intermediate statements. Each must be understood by the proof assistant where it
stands; statements that are the theorem itself, trivial, hypotheses already, or refuted by a short
search are refused. Nothing is proved. What is wrong goes into the next request to the planner.

Begin a search with plans by `andor prove --plan FILE`, or with `andor prove --planner MODEL`.

Exit codes: 0 every theorem has a plan that holds, 1 some have none, 2 wrong usage or a failure,
130 interrupted (plans in --out are kept).

Examples:
  andor plan lemmas.lean --theorem my_lemma --planner http://localhost:8000/v1
  andor plan corpus.jsonl --planner gpt --config models.toml --jobs 7 --out plans.json
  andor plan lemmas.v --theorem swap --check plans.json";

/// Shown after the help of `check`.
pub(super) const CHECK_HELP: &str = concat!(
    "\
Nothing in FILE is trusted. The statement of a theorem is read from the file that you name with
--statement-from: your own file, with `Admitted` or `sorry` in place of the proof. FILE must prove
exactly this statement, whatever it defines, notates or imports. Without --statement-from, the
statement is taken from FILE itself; review it, and everything above it, before you trust the
verdict.

The levels are checked in order:
",
    levels!(),
    "
Exit codes: 0 accepted, 1 rejected, 2 could not be verified, or not to the level of --verify.

Examples:
  andor check proof.lean --theorem and_swap --statement-from task.lean
  andor check solution.v --statement-from challenge.v --verify judged --json
  andor check tactics.lean --system lean4 --theorem two_add_two --statement-from task.lean
  andor check lemmas.v --allow-axioms classical
  andor check --comparator config.json"
);
