//! Planners that mend blueprints.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use andor_artifact::blueprint::NodeState;
use andor_config::Config;
use andor_run::orchestrate::RunRequest;
use andor_testkit::block_on;
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

use super::{config, make, request, state};

const FALSE: &str = r#"
system = "mini"
[[nodes]]
name = "double"
definition = "def double (n : Nat) : Nat := n + n"
[[nodes]]
name = "fine"
statement = "double 1 = 2"
uses = ["double"]
[[nodes]]
name = "bad"
statement = "∀ n : Nat, double n = n"
uses = ["double", "fine"]
[[nodes]]
name = "top"
kind = "theorem"
statement = "∀ n : Nat, double n = 2 * n"
uses = ["bad"]
"#;

/// A planner that mends blueprints by a function of the prompt, and has no plans.
async fn planner(script: impl Fn(&str) -> String + Send + Sync + 'static) -> Peer {
    Peer::start(move |received: &Received, _| {
        if received.line.starts_with("GET") {
            return Reply::Json(200, json!({ "data": [{ "id": "planner" }] }));
        }
        let messages = received.body["messages"].as_array().into_iter().flatten();
        let prompt: String = messages.filter_map(|message| message["content"].as_str()).collect();
        let is_mending = prompt.starts_with("You mend a blueprint");
        let text = if is_mending { script(&prompt) } else { "I have no plan.".to_owned() };
        let message = json!({ "role": "assistant", "content": text });
        Reply::Json(200, json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] }))
    })
    .await
}

fn mendings(peer: &Peer) -> usize {
    let received = peer.received();
    received.iter().filter(|r| r.body["messages"].to_string().contains("You mend a blueprint")).count()
}

fn with_planner(peer: &Peer) -> Config {
    let mut config = config();
    config.plan.planner = Some(peer.url.clone());
    config
}

const MENDED: &str =
    "```lean\nhave key : ∀ n : Nat, n + n = 2 * n\nuses\nhave bad : ∀ n : Nat, double n = n + n\n```";

#[test]
fn a_false_lemma_is_corrected_by_a_planner_that_sees_its_disproof() {
    block_on(async {
        let peer = planner(|prompt| {
            let sees = prompt.contains("It is false. This proves its negation:")
                && prompt.contains("theorem not_bad : ¬ (∀ n : Nat, double n = n) := by");
            if sees { MENDED.to_owned() } else { "have x : 1 = 2".to_owned() }
        })
        .await;
        let folder = tempfile::tempdir().unwrap();
        let first = request(with_planner(&peer), Some(folder.path()));
        let made = make(&first, FALSE).await;
        assert!(
            made.record.nodes.iter().all(|n| matches!(n.state, NodeState::FullyProved | NodeState::Defined)),
            "{:?}",
            made.record
        );
        let [refinement] = &made.record.refinements[..] else { panic!("{:?}", made.record.refinements) };
        assert_eq!(
            (refinement.node.as_str(), refinement.state, refinement.tries),
            ("bad", NodeState::Disproved, 1)
        );
        assert_eq!(refinement.added[0].uses, ["double"], "what it says, and the definitions");
        assert_eq!(refinement.after.uses, ["double", "fine", "key"]);
        let names: Vec<&str> = made.record.nodes.iter().map(|node| node.node.name.as_str()).collect();
        assert_eq!(names, ["double", "fine", "key", "bad", "top"]);
        let text = fs_err::read_to_string(folder.path().join("blueprint.lean")).unwrap();
        assert!(text.contains("theorem bad : ∀ n : Nat, double n = n + n := by"), "{text}");
        // The refinement is kept, and nothing is done again.
        let resumed = RunRequest { resume: true, ..first };
        let asked = mendings(&peer);
        let again = make(&resumed, FALSE).await;
        assert_eq!((again.record.refinements, mendings(&peer)), (made.record.refinements, asked));
        assert_eq!(again.results, made.results);
    });
}

#[test]
fn answers_that_cannot_be_used_are_refused_with_the_reason_and_change_nothing() {
    // Each answer, and a word of what the planner is told about it.
    let cases: &[(&str, &str)] = &[
        ("have top : 1 = 1", "the name `top` occurs already"),
        ("have double2 : ∀ n : Nat, double n = n", "`bad` itself under another name"),
        ("have bad : ∀ n : Nat, double n = n", "the statement that it has already"),
        ("have a : 0 = 0 + 0\nuses later", "it cannot use `later`"),
        ("have a : missing = 0", "missing"),
        ("have a : 1 = 2", "this is false"),
        ("have Nat.x : 0 = 0 + 0", "the name `Nat` occurs already"),
        ("have bad : ∀ n : Nat, double n = n + n\nhave a : 0 = 0 + 0", "`bad` must come last"),
        ("have a : (sorry : Prop)", "gives up a goal"),
        ("have _ : 0 = 0 + 0", "`_` cannot be the name of a lemma"),
    ];
    for (answer, told) in cases {
        block_on(async {
            let peer = planner(|_| (*answer).to_owned()).await;
            let mut config = with_planner(&peer);
            config.plan.retries = 1;
            config.budget.max_candidates = Some(200);
            let made = make(&request(config, None), FALSE).await;
            assert_eq!(made.record.refinements, [], "{answer}");
            assert_eq!(
                (state(&made, "bad"), state(&made, "top")),
                (NodeState::Disproved, NodeState::Blocked)
            );
            assert_eq!(mendings(&peer), 2, "{answer}");
            let prompt = peer.received().pop().unwrap().body["messages"].to_string();
            assert!(
                prompt.contains("Your last answer was refused") && prompt.contains(told),
                "{answer}: {prompt}"
            );
        });
    }
}

#[test]
fn the_statement_of_a_root_is_never_changed_and_refinements_have_a_bound() {
    let text = "system = \"mini\"\n[[nodes]]\nname = \"top\"\nstatement = \"∀ p : Nat → Prop, p 0 → p 1\"";
    block_on(async {
        let peer = planner(|_| "have top : ∀ p : Nat → Prop, p 0 → p 0".to_owned()).await;
        let made = make(&request(with_planner(&peer), None), text).await;
        assert_eq!((state(&made, "top"), made.record.refinements.len()), (NodeState::NotProved, 0));
        assert!(peer.received().pop().unwrap().body.to_string().contains("must stay as it is"));
        // Useless lemmas: each is proved, and does not help.
        let counter = std::sync::atomic::AtomicUsize::new(0);
        let peer = planner(move |_| {
            let n = counter.fetch_add(1, Ordering::Relaxed);
            format!("have useless{n} : {n} + 5 = 5 + {n}")
        })
        .await;
        let made = make(&request(with_planner(&peer), None), text).await;
        assert_eq!((state(&made, "top"), made.record.refinements.len()), (NodeState::NotProved, 3));
        assert_eq!(state(&made, "useless2"), NodeState::Proved);
        assert_eq!(made.record.whole, None, "of the given nodes none is proved");
        assert!(
            made.record
                .nodes
                .iter()
                .all(|node| node.origin.is_none() || node.origin.as_deref() == Some("top"))
        );
        // A false root is reported, and nobody is asked for another.
        let text = "system = \"mini\"\n[[nodes]]\nname = \"top\"\nstatement = \"1 = 2\"";
        let asked = mendings(&peer);
        let made = make(&request(with_planner(&peer), None), text).await;
        assert_eq!((state(&made, "top"), mendings(&peer)), (NodeState::Disproved, asked));
    });
}

/// Changes the file of a run.
fn edit(folder: &std::path::Path, change: impl FnOnce(&mut Value)) {
    let file = folder.join("blueprint.json");
    let mut record: Value = serde_json::from_str(&fs_err::read_to_string(&file).unwrap()).unwrap();
    change(&mut record);
    fs_err::write(&file, record.to_string()).unwrap();
}

#[test]
fn what_the_folder_of_a_run_says_of_the_blueprint_is_not_believed() {
    // `top` is false. Whoever edits the file would like it to say something else.
    let text = FALSE.replace("double n = 2 * n", "double n = 3 * n");
    let top = |statement: &str| json!({ "name": "top", "kind": "theorem", "statement": statement, "uses": ["bad"] });
    let was = "∀ n : Nat, double n = 3 * n";
    let change = |node: Value, after: Value, added: Value| {
        move |record: &mut Value| {
            let refinement = &mut record["refinements"][0];
            refinement["node"] = node["name"].clone();
            (refinement["before"], refinement["after"], refinement["added"]) = (node, after, added);
        }
    };
    let lemma = |name: &str| json!([{ "name": name, "kind": "lemma", "statement": "1 = 1" }]);
    type Edit = Box<dyn FnOnce(&mut Value)>;
    let fine =
        json!({ "name": "double", "kind": "definition", "definition": "def double (n : Nat) : Nat := n" });
    let edits: Vec<(Edit, usize)> = vec![
        // The nodes of the file are those of the given blueprint, whatever is written there.
        (
            Box::new(|record: &mut Value| {
                for node in record["nodes"].as_array_mut().unwrap() {
                    if node["node"]["name"] == "top" {
                        node["node"]["statement"] = json!("1 = 1");
                        node["root"] = json!(false);
                    }
                }
            }),
            1,
        ),
        (Box::new(change(top(was), top("1 = 1"), json!([]))), 0),
        (Box::new(change(top("1 = 1"), top("1 = 1"), json!([]))), 0),
        (Box::new(change(fine.clone(), fine, json!([]))), 0),
        (Box::new(change(top(was), top(was), lemma("fine"))), 0),
        (Box::new(change(top(was), top(was), lemma("a b"))), 0),
        (
            Box::new(change(
                top(was),
                top(was),
                json!([{ "name": "a", "kind": "definition", "definition": "axiom a : False" }]),
            )),
            0,
        ),
        (
            Box::new(change(
                top(was),
                top(was),
                json!([{ "name": "a", "kind": "lemma", "statement": "1 = 1", "uses": ["nothing"] }]),
            )),
            0,
        ),
    ];
    block_on(async {
        let is_silent = Arc::new(AtomicBool::new(false));
        let silent = Arc::clone(&is_silent);
        let peer = planner(move |_| match silent.load(Ordering::Relaxed) {
            true => "I have no lemma.".to_owned(),
            false => MENDED.to_owned(),
        })
        .await;
        for (index, (change, n_left)) in edits.into_iter().enumerate() {
            let folder = tempfile::tempdir().unwrap();
            let first = request(with_planner(&peer), Some(folder.path()));
            is_silent.store(false, Ordering::Relaxed);
            let made = make(&first, &text).await;
            assert_eq!((state(&made, "top"), made.record.refinements.len()), (NodeState::Disproved, 1));
            edit(folder.path(), change);
            // Now there are only the refinements that the folder has.
            is_silent.store(true, Ordering::Relaxed);
            let again = make(&RunRequest { resume: true, ..first }, &text).await;
            assert_eq!(again.record.refinements.len(), n_left, "edit {index}");
            assert_ne!(state(&again, "top"), NodeState::FullyProved, "edit {index}");
            let node = again.record.nodes.iter().find(|node| node.node.name == "top").unwrap();
            assert_eq!((node.root, node.node.statement.as_deref()), (true, Some(was)), "edit {index}");
        }
    });
}
