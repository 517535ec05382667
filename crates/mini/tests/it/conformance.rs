//! Real exchanges of the Lean REPL, played against mini: the same goals, text for text, and errors where Lean's are.
//!
//! Every file of the recorded suite is listed below with the exchanges that lie within mini's language, or with the
//! reason why it has none. `data/lean-repl/README.md` says where the records come from.

use std::collections::HashMap;

use andor_mini::budget::Exceeded;
use andor_mini::prover::{State, TacticError, Theory};
use serde_json::Value;

/// Steps that a tactic may take.
const STEPS: u64 = 1_000_000;

/// Which exchanges of a file apply, counted from 0.
enum Use {
    All,
    /// Some, and why the others do not.
    Some(&'static [usize], &'static str),
    /// None of them, and why.
    None(&'static str),
}

const FILES: &[(&str, Use)] = &[
    ("all_tactics", Use::All),
    ("all_tactics-20250622", Use::All),
    ("app_type_mismatch", Use::All),
    (
        "app_type_mismatch2",
        Use::Some(&[0, 1, 2, 3, 5], "4 means the goal `succ` by a hole of that name, 6 a `sorry`'s"),
    ),
    ("assumption_proof", Use::All),
    ("by_cases", Use::None("needs Int")),
    ("calc", Use::All),
    ("def_eval", Use::Some(&[0], "1 needs `#check`")),
    ("dup_msg", Use::Some(&[0], "1 and 2 need `#check`")),
    ("dup_sorries", Use::All),
    ("file", Use::All),
    ("file2", Use::All),
    ("file_env", Use::Some(&[0, 1], "2 needs `#check`")),
    ("have_by_sorry", Use::None("needs Int")),
    ("import_lean", Use::None("needs `import`")),
    ("incomplete", Use::All),
    ("infotree", Use::None("needs the infotree")),
    ("infotree_theorem", Use::None("needs the infotree")),
    ("invalid_line_break", Use::All),
    ("invalid_tactic", Use::All),
    ("line_breaks", Use::All),
    ("mathlib-20240209", Use::All),
    ("mathlib-H20231020", Use::None("needs Mathlib's finite sums and `norm_num`")),
    ("mathlib-H20231110", Use::None("needs Mathlib's real numbers")),
    ("mathlib-H20231115", Use::Some(&[1], "0 needs `import`, 2 needs `induction'`")),
    ("mathlib-H20231115_2", Use::None("needs Mathlib's `induction'`")),
    ("mathlib-H20231115_3", Use::None("needs Mathlib's `induction'`")),
    ("mathlib-H20231215", Use::None("needs `import` and `open`")),
    ("mathlib-exact", Use::Some(&[1, 3], "0 needs `import`, 2 and 4 need `exact?`")),
    ("mathlib-induction", Use::Some(&[1, 2, 3, 4], "0 needs `import`")),
    ("mathlib-line_breaks", Use::None("needs Mathlib's `aesop`")),
    ("mathlib-on_goal", Use::None("needs Mathlib's real numbers")),
    ("mathlib-pickle", Use::Some(&[1, 2], "0 needs `import` and `open`")),
    ("mathlib-placeholder_synthesis", Use::Some(&[2], "the others need `import` and `cases'`")),
    ("name_generator", Use::None("needs Int")),
    ("no_goal_sorry", Use::All),
    ("no_goal_sorry_2", Use::All),
    ("options", Use::None("needs `#print` and `set_option`")),
    ("pickle_environment", Use::None("pickles environments, and needs `#check` and `#eval`")),
    ("pickle_environment_with_imports", Use::None("pickles environments, and needs `import`")),
    ("pickle_open", Use::None("needs `open`")),
    ("pickle_open_2", Use::None("reads the pickle of another process")),
    ("pickle_open_scoped", Use::None("needs `import` and `open`")),
    ("pickle_open_scoped_2", Use::None("reads the pickle of another process")),
    ("pickle_proof_state_1", Use::Some(&[1, 2, 3, 4, 5, 6, 7], "0 needs `import`")),
    ("pickle_proof_state_2", Use::None("reads the pickle of another process")),
    ("pickle_proof_state_env", Use::Some(&[1, 2, 3, 4, 5, 6, 7], "0 needs `import`")),
    ("proof_branching", Use::All),
    ("proof_branching2", Use::All),
    ("proof_step", Use::Some(&[0, 2, 3], "1 needs Int")),
    ("proof_transitivity", Use::All),
    ("readme", Use::None("needs Int and Unit")),
    ("root_goals", Use::Some(&[1, 2], "0 needs `exact?`; its statements are opened all the same")),
    ("self_proof_apply_check", Use::All),
    ("self_proof_check", Use::Some(&[1, 3, 5, 7], "the others need `exact?`")),
    ("self_proof_exact_check", Use::All),
    ("self_proof_rw", Use::Some(&[0], "1 needs `set_option … in`, and 2 its goal")),
    ("sorry_hypotheses", Use::None("needs Int")),
    ("synthesize_placeholder", Use::All),
    ("tactic_mode_sorry", Use::All),
    ("tactic_sorry", Use::All),
    ("term_sorry", Use::All),
    (
        "trace_simp",
        Use::Some(&[0, 1, 3, 4, 6], "2 needs `set_option`, 5 and 7 need `trace`; traces are not compared"),
    ),
    ("unfinished_tactic_block", Use::All),
    ("unknown_environment", Use::None("speaks of the REPL's numbers for environments")),
    ("unknown_proof_state", Use::Some(&[0], "1 speaks of the REPL's numbers for proof states")),
    ("unknown_tactic", Use::All),
    ("variables", Use::None("needs `variable`")),
];

fn read(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/data/lean-repl/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn exchanges(file: &str) -> Vec<(Value, Value)> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["request"].clone(), line["response"].clone())
    };
    read(&format!("{file}.jsonl")).lines().map(line).collect()
}

#[test]
fn every_file_is_listed_and_those_that_apply_are_there() {
    assert_eq!(FILES.len(), 68);
    assert!(FILES.is_sorted_by_key(|(file, _)| *file), "each file stands there once");
    for (file, applies) in FILES {
        match applies {
            Use::All => assert!(!exchanges(file).is_empty()),
            Use::Some(which, why) => {
                assert!(which.len() < exchanges(file).len() && !why.is_empty(), "{file}");
            }
            Use::None(why) => assert!(!why.is_empty()),
        }
    }
}

#[test]
fn mini_answers_as_lean_does() {
    let (mut n_files, mut n_exchanges) = (0, 0);
    let mut wrong = Vec::new();
    for (file, applies) in FILES {
        let which = match applies {
            Use::All => (0..exchanges(file).len()).collect(),
            Use::Some(which, _) => which.to_vec(),
            Use::None(_) => continue,
        };
        n_files += 1;
        let mut repl = Repl::default();
        for (at, (request, response)) in exchanges(file).iter().enumerate() {
            let applies = which.contains(&at);
            n_exchanges += usize::from(applies);
            if let Err(why) = repl.exchange(request, response, applies) {
                wrong.push(format!("{file} {at}: {request}\n  {response}\n  {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {n_exchanges}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((n_files, n_exchanges), (43, 107));
}

/// What the recorded process had under its numbers, in mini.
#[derive(Default)]
struct Repl {
    theories: HashMap<u64, Theory>,
    states: HashMap<u64, State>,
    pickles: HashMap<String, State>,
}

type Outcome = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Outcome {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, expected {expected:?}")) }
}

impl Repl {
    fn exchange(&mut self, request: &Value, response: &Value, applies: bool) -> Outcome {
        if request.get("cmd").is_some() || request.get("path").is_some() {
            let is_read = applies || request.get("cmd").is_some();
            return if is_read { self.command(request, response, applies) } else { Ok(()) };
        }
        if !applies {
            return Ok(());
        }
        let made = response["proofState"].as_u64();
        let old = request["proofState"].as_u64().and_then(|n| self.states.get(&n)).cloned();
        let new = match (&request["tactic"], &request["pickleTo"], &request["unpickleProofStateFrom"]) {
            (Value::String(tactic), ..) => old.ok_or("no such state")?.apply(tactic, STEPS),
            // A state is a value: to write it and to read it back is to copy it.
            (_, Value::String(path), _) => {
                let state = old.ok_or("no such state")?;
                self.pickles.insert(path.clone(), state.clone());
                Ok(state)
            }
            (.., Value::String(path)) => Ok(self.pickles[path].clone()),
            _ => return Err("an unknown request".into()),
        };
        let status = response["proofStatus"].as_str().unwrap_or("Error");
        let errs = status.starts_with("Error") || has_errors(response);
        match new {
            Err(error) if errs => same("error", error == TacticError::Exceeded(Exceeded::Steps), false),
            Ok(state) if errs => Err(format!("no error, but {} goals", state.n_goals())),
            // Holes that no goal stands for: Lean sees them at the end, and mini at once.
            result if status.contains("metavariable") => {
                same("proved", result.is_ok_and(|s| s.n_goals() == 0), false)
            }
            Err(error) => Err(format!("refused: {error}")),
            Ok(state) => {
                let expected: Vec<String> = strings(&response["goals"]);
                same("goals", shown(&state), expected)?;
                self.states.extend(made.map(|n| (n, state)));
                Ok(())
            }
        }
    }

    fn command(&mut self, request: &Value, response: &Value, applies: bool) -> Outcome {
        let text = match (&request["cmd"], &request["path"]) {
            (Value::String(text), _) => text.clone(),
            (_, Value::String(path)) => read(path.trim_start_matches("test/")),
            _ => return Err("an unknown request".into()),
        };
        let before = request["env"].as_u64().and_then(|n| self.theories.get(&n));
        let before = before.unwrap_or(Theory::prelude()).clone();
        // What mini does not know changes nothing for it.
        let after = if applies { before.extended(&text) } else { Ok(before.clone()) };
        let is_refused = applies && has_errors(response);
        match (&after, is_refused) {
            (Ok(_), true) => return Err("no error".into()),
            (Err(error), false) => return Err(format!("refused: {error}")),
            _ => {}
        }
        self.theories.insert(response["env"].as_u64().unwrap(), after.unwrap_or_else(|_| before.clone()));
        if let Some(tactics) = response["tactics"].as_array() {
            self.replay(&before, &text, tactics)?;
        }
        // Each goal of a `sorry` that is a whole proof is that of a statement.
        let mut theory = before;
        let statements: Vec<&str> = text.split("\n\n").collect();
        let mut goals = response["sorries"].as_array().into_iter().flatten();
        for text in statements {
            let Some(sorry) = goals.next() else { break };
            let number = sorry["proofState"].as_u64().unwrap();
            let expected = vec![plain(sorry["goal"].as_str().unwrap())];
            let opened = opened(&theory, text).map_err(|e| format!("not opened: {e}"));
            match opened {
                Ok(state) if shown(&state) == expected => {
                    self.states.insert(number, state);
                }
                Ok(state) if applies && !text.contains("calc") => same("goal", shown(&state), expected)?,
                Err(error) if applies && !is_refused => return Err(error),
                _ => {}
            }
            theory = theory.extended(text).unwrap_or(theory);
        }
        Ok(())
    }

    /// Runs a recorded proof tactic by tactic, and compares what was to be proved before each.
    fn replay(&mut self, theory: &Theory, text: &str, tactics: &[Value]) -> Outcome {
        let theorem = text.split("\n\n").last().unwrap();
        let before = text[..text.len() - theorem.len()].trim();
        let theory = theory.extended(before).map_err(|e| e.to_string())?;
        let mut state = opened(&theory, theorem)?;
        let place = |v: &Value| (v["line"].as_u64(), v["column"].as_u64());
        let mut end = (None, None);
        for tactic in tactics {
            // Those within another are part of it.
            if place(&tactic["pos"]) < end {
                continue;
            }
            end = place(&tactic["endPos"]);
            same("goals", shown(&state).join("\n\n"), plain(tactic["goals"].as_str().unwrap()))?;
            self.states.insert(tactic["proofState"].as_u64().unwrap(), state.clone());
            state = state.apply(tactic["tactic"].as_str().unwrap(), STEPS).map_err(|e| e.to_string())?;
        }
        same("goals at the end", state.n_goals(), 0)
    }
}

/// Opens the statement of a theorem, or the type of a definition, which is the witness that an existence asks for.
fn opened(theory: &Theory, text: &str) -> Result<State, String> {
    let statement = text.split(":=").next().unwrap().trim();
    if !statement.starts_with("def") {
        return theory.open(statement).map_err(|e| e.to_string());
    }
    let (before, ty) = statement.rsplit_once(':').unwrap();
    let exists = format!("{} : ∃ _ : {ty}, True", before.replacen("def", "theorem", 1));
    let state = theory.open(&exists).map_err(|e| e.to_string())?;
    state.apply("refine ⟨?_, trivial⟩", STEPS).map_err(|e| e.to_string())
}

fn has_errors(response: &Value) -> bool {
    let messages = response["messages"].as_array().into_iter().flatten();
    response.get("message").is_some() || messages.into_iter().any(|m| m["severity"] == "error")
}

fn shown(state: &State) -> Vec<String> {
    state.goals().iter().map(ToString::to_string).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| plain(v.as_str().unwrap())).collect()
}

/// With Mathlib, Lean prints `ℕ` for `Nat`.
fn plain(goal: &str) -> String {
    goal.replace('ℕ', "Nat")
}
