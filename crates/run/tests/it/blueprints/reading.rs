//! What a blueprint may look like, and what is said of one that makes no sense.

use andor_artifact::blueprint::NodeKind;
use andor_run::blueprint::{self, is_blueprint};
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;

use super::read;

fn error(text: &str) -> String {
    let error = read(text).unwrap_err().to_string();
    error.split_once("b.toml").unwrap().1.to_owned()
}

#[test]
fn faults_name_the_node_and_the_field() {
    let of = |nodes: &str| error(&format!("system = \"mini\"\n{nodes}"));
    let node = |rest: &str| of(&format!("[[nodes]]\nname = \"a\"\n{rest}"));
    let stated = "statement = \"1 = 1\"\n";
    for (found, expected) in [
        (error("nodes = []"), ": missing field `system`"),
        (error("system = \"coq\"\nnodes = []"), ", field `system`: unknown system `coq`"),
        (
            error("system = \"synthetic\"\nnodes = []"),
            ", field `system`: the system `synthetic` has no files",
        ),
        (
            of(
                "nodes = []\n[opening]\nkind = \"andor.run\"\nformat_version = { major = 1, minor = 0 }\nengine_version = \"0\"",
            ),
            ": its kind is andor.run, not andor.blueprint",
        ),
        (
            node("definition = \"def a := 1\"\nproof = \"rfl\""),
            ", node `a`, field `proof`: it cannot be combined with `definition`",
        ),
        (
            node(&format!("{stated}uses = [\"a\"]")),
            ", node `a`, field `uses`: these nodes need each other: a → a;",
        ),
        (of("nodes = []"), ": a blueprint needs at least one node"),
        (of("nodes = [{ statement = \"1 = 1\" }]"), ", node `number 1`: missing field `name`"),
        (node("use = []"), ", node `a`: unknown field `use`"),
        (node("statement = 1"), ", node `a`: invalid type"),
        (node(""), ", node `a`, field `statement`: the node has neither `statement` nor `definition`"),
        (
            node("statement = \"1 = 1\"\ndefinition = \"def a := 1\""),
            ", node `a`, field `statement`: it cannot be combined with `definition`",
        ),
        (
            node("kind = \"lemma\"\ndefinition = \"def a := 1\""),
            ", node `a`, field `kind`: a lemma needs `statement`",
        ),
        (
            node("kind = \"definition\"\nstatement = \"1 = 1\""),
            ", node `a`, field `kind`: a definition needs `definition`",
        ),
        (
            node("statement = \"1 = 1\"\nproof = \"rfl\"\nplan = [\"have h : 1 = 1\"]"),
            ", node `a`, field `plan`: it cannot be combined with `proof`",
        ),
        (node("statement = \"1 = 1\"\nplan = [\"exact rfl\"]"), ", node `a`, field `plan`: there is no step"),
        (
            node("statement = \"theorem b : 1 = 1\""),
            ", node `a`, field `statement`: it states `b`; the names of the node",
        ),
        (node("statement = \"1 = 1 := rfl\\ntheorem c : 1 = 1\""), ", node `a`, field `statement`: "),
        (
            node("file = \"../a.lean\""),
            ", node `a`, field `file`: `../a.lean` must name a file in the blueprint's folder",
        ),
        (node("file = \"a.lean\""), ", node `a`, field `file`: "),
        (node("definition = \" \""), ", node `a`, field `definition`: the definition is empty"),
        (
            node(&format!("{stated}uses = [\"b\"]")),
            ", node `a`, field `uses`: there is no node `b`; is `a` meant?",
        ),
        (
            node(&format!("{stated}[[nodes]]\nname = \"a\"\n{stated}")),
            ", node `a`, field `name`: another node has this name",
        ),
        (
            of(&format!("[[nodes]]\nname = \"a b\"\n{stated}")),
            ", node `a b`, field `name`: `a b` is not a name in the system `mini`",
        ),
        (of(&format!("[[nodes]]\nname = \"theorem\"\n{stated}")), ", node `theorem`, field `statement`: "),
        (
            of(&format!(
                "[[nodes]]\nname = \"x\"\n{stated}uses = [\"a\"]\n[[nodes]]\nname = \"a\"\n{stated}uses = [\"c\"]\n[[nodes]]\nname = \"c\"\n{stated}uses = [\"a\"]"
            )),
            ", node `a`, field `uses`: these nodes need each other: a → c → a; remove one of the uses",
        ),
    ] {
        assert!(found.starts_with(expected), "{found}\n{expected}");
    }
    assert!(error("system = mini").contains("TOML parse error"));
}

#[test]
fn a_blueprint_has_a_bounded_number_of_nodes() {
    let of = |n: usize| {
        let node = |index: usize| format!("{{ name = \"n{index}\", statement = \"1 = 1\" }}");
        let nodes: Vec<String> = (0..n).map(node).collect();
        read(&format!("system = \"mini\"\nnodes = [{}]", nodes.join(", ")))
    };
    assert_eq!(of(10_000).unwrap().nodes().len(), 10_000);
    assert!(of(10_001).unwrap_err().to_string().contains("it has 10001 nodes, and at most 10000"));
}

#[test]
fn a_folder_holds_a_blueprint_and_its_sources() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    write("head.v", "Require Import Arith.");
    write("sq.v", "Definition sq (n : nat) := n * n.\n");
    write("a.v", "Lemma a : sq 2 = 4.\nProof.\n  reflexivity.\nQed.\n");
    write("b.v", "Lemma b : sq 3 = 9.\nProof.\nAdmitted.\n");
    write(
        "blueprint.json",
        r#"{"system": "rocq", "header_file": "head.v", "header": "Open Scope nat_scope.", "nodes": [
            {"name": "b", "file": "b.v", "uses": ["sq", "a"], "kind": "theorem"},
            {"name": "sq", "kind": "definition", "file": "sq.v"},
            {"name": "a", "file": "a.v", "uses": ["sq"]}]}"#,
    );
    let file = folder.path().join("blueprint.json");
    assert!(is_blueprint(&file) && !is_blueprint(folder.path()));
    let found = blueprint::read(&file, None).unwrap();
    assert_eq!(
        (found.system, found.header.as_str()),
        (ROCQ, "Require Import Arith.\nOpen Scope nat_scope.\n")
    );
    let brief =
        |node: &blueprint::Node| (node.kind, node.text.clone(), node.record.proof.is_some(), node.is_root);
    assert_eq!(
        found.nodes().iter().map(brief).collect::<Vec<_>>(),
        [
            (NodeKind::Theorem, "Lemma b : sq 3 = 9.".to_owned(), false, true),
            (NodeKind::Definition, "Definition sq (n : nat) := n * n.\n".to_owned(), false, false),
            (NodeKind::Lemma, "Lemma a : sq 2 = 4.".to_owned(), true, false),
        ]
    );
    assert!(blueprint::read(&file, Some(MINI)).unwrap_err().to_string().contains("field `system`"));
    // What stands beside a statement would be lost.
    write("a.v", "Axiom x : False.\nLemma a : sq 2 = 4.\nProof. Admitted.\n");
    let error = blueprint::read(&file, None).unwrap_err().to_string();
    assert!(error.contains("node `a`, field `file`: there is more in the file than a statement"), "{error}");
    let part = found.below("a").unwrap();
    assert_eq!(part.nodes().iter().map(blueprint::Node::name).collect::<Vec<_>>(), ["sq", "a"]);
    assert!(part.nodes()[1].is_root);
}

#[test]
fn only_blueprints_are_taken_for_blueprints() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        fs_err::write(folder.path().join(name), text).unwrap();
        is_blueprint(&folder.path().join(name))
    };
    assert!(write("x.toml", "") && write("x.json", r#"{"system": "mini", "nodes": []}"#));
    assert!(
        !write("rows.json", r#"[{"statement": "1 = 1"}]"#) && !write("x.lean", "") && !write("y.json", "{")
    );
    assert!(!is_blueprint(folder.path()) && !is_blueprint(&folder.path().join("missing.v")));
}
