//! `andor analyze --measure access`: what damaged searches miss, against a count by hand.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::support::{Folder, andor, left};
use serde_json::Value;

const SOURCE: &str = "theorem swap (p q r s : Prop) : (p ∧ q) ∧ (r ∨ s) → (q ∧ p) ∧ (s ∨ r) := by sorry\n\
    theorem unclear (p q r : Prop) : p ∧ q ∨ r → (p ∨ r) ∧ (r ∨ q) ∧ r := by sorry\n";

fn run(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (source, out) = (folder.write("t.lean", SOURCE), folder.path(name));
    let args =
        ["--quiet", "run", &source, "--preset", "mcts", "--mcts-mode", "distributed", "--clock", "virtual"];
    let agents = ["--mcts-agents", "3", "--mcts-inflight", "3", "--verify", "compiled", "--time", "none"];
    let limits = ["--max-candidates", "150", "--easy-gate", "--basin-seeds", "2", "--out", &out];
    let (code, _, err) = left(andor(&[&args[..], &agents, &limits, more].concat()).output().unwrap());
    assert!(code == 0 || code == 1, "{err}");
    out
}

fn blocks<'a>(share: &'a str, duration: &'a str) -> Vec<&'a str> {
    vec!["--mcts-block-fraction", share, "--mcts-block-duration", duration, "--mcts-block-seed", "3"]
}

fn rows(args: &[&str], table: &str) -> Vec<Value> {
    let all = [&["analyze"], args, &["--measure", "access", "--json"]].concat();
    let (code, out, err) = left(andor(&all).output().unwrap());
    assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
    let rows = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["table"] == table).collect()
}

/// A place in a tree: the steps that lead to it.
type Place = Vec<String>;

/// What a trace says: the places of the goals that were worked at, and the blocked places.
#[derive(Default)]
struct Told {
    goals: BTreeMap<String, BTreeSet<Place>>,
    blocked: BTreeSet<Place>,
}

fn told(run: &str, theorem: &str, attempt: &str) -> Told {
    let path = format!("{run}/theorems/{theorem}/attempt-{attempt}/trace.jsonl");
    let mut told = Told::default();
    let mut places: HashMap<String, Place> = HashMap::new();
    for line in fs_err::read_to_string(path).unwrap().lines().skip(1) {
        let event: Value = serde_json::from_str(line).unwrap();
        let name = |value: &Value| value["mvar_id"].as_str().unwrap().to_owned();
        if event["event"] == "start" {
            places.insert(name(&event["root"]), Vec::new());
        } else if event["event"] == "iteration" {
            let detours = event["reroute"].as_array().unwrap().iter();
            for detour in detours.filter(|detour| detour["reason"] == "blocked") {
                told.blocked.insert(places[&name(detour)].clone());
            }
            let node = name(&event["node"]);
            let place = places[&node].clone();
            if event["reason"] == "blocked" {
                told.blocked.insert(place);
                continue;
            }
            for attempt in event["attempts"].as_array().unwrap() {
                for (n, child) in attempt["child_mvar_ids"].as_array().unwrap().iter().enumerate() {
                    let step = format!("{} {n}", attempt["tactic"]);
                    let below = places[&node].iter().cloned().chain([step]).collect();
                    places.entry(child.as_str().unwrap().to_owned()).or_insert(below);
                }
            }
            let goal = event["node"]["goal_sig_strict"].as_str().unwrap().to_owned();
            told.goals.entry(goal).or_default().insert(place);
        }
    }
    told
}

#[test]
fn misses_are_those_counted_by_hand() {
    let folder = Folder::new();
    let whole = run(&folder, "WHOLE", &[]);
    let mut found = [0; 4];
    for (name, share, duration, detours) in
        [("A", "0.3", "4", ""), ("B", "0.5", "-1", ""), ("C", "0.5", "15", "2"), ("D", "0.7", "40", "")]
    {
        let mut more = blocks(share, duration);
        if !detours.is_empty() {
            more.extend(["--mcts-reroute-blocked", "--mcts-reroute-max", detours]);
        }
        let damaged = run(&folder, name, &more);
        let pairs = rows(&[&whole, &damaged], "access_pairs");
        assert_eq!(pairs.len(), 4, "two theorems, two seeds");
        let gates = rows(&[&whole, &damaged], "blocked_nodes");
        for row in pairs {
            let (theorem, attempt) = (row["theorem"].as_str().unwrap(), row["attempt"].to_string());
            let (a, b) = (told(&whole, theorem, &attempt), told(&damaged, theorem, &attempt));
            let is_gate = |place: &Place| b.blocked.contains(place);
            let is_behind = |place: &Place| (0..place.len()).any(|n| is_gate(&place[..n].to_vec()));
            let shut = |at: &BTreeSet<Place>| at.iter().all(|place| is_behind(place) || is_gate(place));
            let count = |is: &dyn Fn(&String, &BTreeSet<Place>) -> bool| {
                a.goals.iter().filter(|(goal, at)| is(goal, at)).count()
            };
            let missed = |goal: &String| !b.goals.contains_key(goal);
            let behind = |at: &BTreeSet<Place>| at.iter().all(is_behind);
            let expected = [
                count(&|goal, _| missed(goal)),
                count(&|goal, at| missed(goal) && shut(at) && !behind(at)),
                count(&|goal, at| missed(goal) && behind(at)),
                count(&|goal, at| !missed(goal) && shut(at)),
            ];
            let columns = ["missed", "at_blocks", "behind_blocks", "regained"];
            assert_eq!(columns.map(|column| row[column].as_u64().unwrap() as usize), expected, "{row}");
            assert_eq!(row["goals"], a.goals.len());
            assert_eq!(row["blocks"], b.blocked.len());
            for (sum, n) in found.iter_mut().zip(expected) {
                *sum += n;
            }
            // What a gate cuts off alone: the goals all of whose places are at it or below it.
            let alone = |gate: &Place| count(&|_, at| at.iter().all(|place| place.starts_with(gate)));
            let mut expected: Vec<usize> = b.blocked.iter().map(alone).filter(|n| *n > 0).collect();
            let same = |gate: &&Value| gate["theorem"] == row["theorem"] && gate["attempt"] == row["attempt"];
            let told = gates.iter().filter(same).filter_map(|gate| gate["alone"].as_u64());
            let mut told: Vec<usize> = told.map(|n| n as usize).filter(|n| *n > 0).collect();
            expected.sort_unstable();
            told.sort_unstable();
            assert_eq!(told, expected);
        }
    }
    assert!(found.iter().all(|n| *n > 0), "each kind occurs: {found:?}");
}

#[test]
fn a_damaged_run_needs_its_undamaged_one() {
    let folder = Folder::new();
    let (whole, damaged) = (run(&folder, "WHOLE", &["--seed", "9"]), run(&folder, "A", &blocks("0.3", "4")));
    let (code, out, err) =
        left(andor(&["analyze", &whole, &damaged, "--measure", "access"]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("Nothing to compare") && err.contains("add a run with the same configuration"),
        "{out}{err}"
    );
    let other = run(&folder, "OTHER", &[]);
    let doses = rows(&[&other, &damaged], "access");
    assert_eq!((&doses[0]["against"], &doses[0]["agents"]), (&"OTHER".into(), &3.into()));
    assert_eq!((&doses[0]["block_fraction"], &doses[0]["block_duration"]), (&0.3.into(), &4.into()));
    let solved = doses[0]["solved_without"].as_f64().unwrap();
    assert_eq!(solved, 0.5, "one of two theorems");
    let costs = rows(&[&other, &damaged], "detour_costs");
    assert!(costs.iter().any(|row| row["cost"] == "virtual_seconds" && row["theorems"] == 1), "{costs:?}");
}
