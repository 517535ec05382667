//! The longer texts of `--help`.

/// What the levels of verification mean, for the help of several commands.
macro_rules! levels {
    () => {
        "  1 compiled   the whole file is accepted by an assistant that starts afresh
  2 audited    it states what was asked, pinned in a file apart, and rests on allowed axioms only
  3 rechecked  a second run of the kernel alone accepts it (Rocq: coqchk)
  4 judged     all this in a sandbox that was seen to hold
"
    };
}

/// After the help of the program.
pub(super) const AFTER_HELP: &str = "\
Exit codes:
  0    all that was asked is proved or accepted
  1    ran to the end, and something is not proved or not accepted
  2    wrong usage, input or environment
  3    too many attempts failed because of the machinery (--infra-threshold)
  130  interrupted; what was finished is kept

Environment (docs/guide/logging.md):
  LOG_RATE                 share of tactics, expansions and states to log, 0 to 1 [default: 0.01]
  LOG_RATE_FREQUENT_EVENT  share of generated tactics and moves of agents to log [default: 0.001]
  RUST_LOG                 what to log, above -v; for example andor_env=debug
  NO_COLOR, CI             no colours; no moving lines

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

/// After the help of `prove`.
pub(super) const PROVE_HELP: &str = concat!(
    "\
Input is one of:
  --statement TEXT   `theorem t : 1 = 1` for mini; `Theorem t : 1 = 1.` or a proposition for Rocq
  FILE.lean          every theorem whose proof is `sorry`, for mini
  FILE.v             every theorem whose proof is missing, Admitted or Aborted, for Rocq
  FILE.jsonl         rows with `id`, `system`, `statement`, and optionally `header`, `footer`; other
                     forms of rows, lists of names and packed files: docs/formats/datasets.md
  FOLDER             the sources in it and below; the split of each is the name of its folder

mini is embedded in this program and reads a fragment of Lean 4 (docs/guide/mini.md). Lean 4 itself is
not yet supported. Rocq must be installed.

Proofs go to standard output, progress to standard error. A proof is printed only when a fresh proof
assistant has accepted the whole file. Several theorems are followed by a table of results.

Every result says how far its proof is verified:
",
    levels!(),
    "\
Unless --verify says otherwise, proofs are verified up to 3 where this machine can; `andor doctor`
says how far that is.

A configuration file gives what is not to be as by default, under the names that run.json uses
(docs/formats/run.md):
  seed = 7
  [search]
  policy = \"ucb1\"
  [distributed_mcts]
  mode = \"distributed\"
  agents = 8
  inflight = 8
Paths in it are seen from where the program runs. The command line overrides it, but takes nothing
back: to be without a switch or a limit that the file gives, edit the file.

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

Eight agents that share the tree and four workers:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 --workers 4
The same on the virtual clock, so that it can be repeated to the byte:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 --workers 4 \\
      --clock virtual --provider-latency lognormal:200ms:0.5 --tactic-latency 50ms --out RUN
With 30 % of the nodes blocked for 50 iterations each, and up to 4 ways round:
  andor prove lemmas.v --mcts-mode distributed --mcts-agents 8 --mcts-inflight 8 \\
      --mcts-block-fraction 0.3 --mcts-block-duration 50 --mcts-block-seed 1 \\
      --mcts-reroute-blocked --mcts-reroute-max 4
From a file, and an earlier run again with another seed:
  andor prove lemmas.v --config damage.toml
  andor prove lemmas.v --config RUN/run.json --seed 8 --out RUN8"
);

/// After the help of `run`.
pub(super) const RUN_HELP: &str = "\
The corpus is what `andor prove` takes: a .lean or .v file, a folder of them, rows of JSON, or a
list of names (docs/formats/datasets.md). The run is written into a folder, runs/CORPUS-1 or the
next that is free, unless --out names one.

Attempts go round: the first at every theorem, then the second at those that are not proved yet, and
so on. Once an attempt is accepted, those after it are not made, and those at work are ended.

Ctrl-C ends the attempts at work and keeps all others; --resume goes on, also after a crash, and
with a larger --pass-k. docs/guide/runs.md says more.

Examples:
  andor run minif2f.jsonl --split valid --timeout-per-theorem 30s --jobs 2
  andor run lemmas.v --pass-k 8 --total-time 8h --keep proofs --out RUN
  andor run lemmas.v --pass-k 8 --keep proofs --out RUN --resume";

/// After the help of `repl`.
pub(super) const REPL_HELP: &str = "\
Without FILE and --statement, the first line is the statement. Then a line is a tactic for the
first goal, or a command: `goals`, `goal N`, `undo`, `script`, `qed`, `quit`, `help`. A line that
ends in `=>`, `with` or `by` goes on until an empty line; one that ends in ` \\` in the next line.

The exit code is 0 only when `qed` was accepted. Input may come from a pipe.

Examples:
  andor repl --statement 'theorem t (p q : Prop) : p → q → p'
  andor repl file.lean --theorem my_lemma
  printf 'intro h\\nexact h\\nqed\\n' | andor repl --statement 'theorem t (p : Prop) : p → p'";

/// After the help of `check`.
pub(super) const CHECK_HELP: &str = concat!(
    "\
Nothing in FILE is trusted. What a theorem states is read from the file that --statement-from
names: your own, with `Admitted` or `sorry` for the proof. The proof must then be of that
statement, whatever FILE defines, notates or imports. Without it FILE says itself what it states;
read that, and everything above it, before you believe the verdict.

Levels are climbed one after the other:
",
    levels!(),
    "
Exit codes: 0 accepted, 1 rejected, 2 could not be judged, or not as far as --verify demands.

Examples:
  andor check proof.lean --theorem and_swap --statement-from task.lean
  andor check solution.v --statement-from challenge.v --verify judged --json
  andor check lemmas.v --allow-axioms classical"
);
