//! Drawings of recorded searches.

use std::fmt::Write;

use andor_artifact::graph::Graph;
use andor_core::tree::dot::Drawing;
use serde_json::{Value, json};

/// A recorded search in Graphviz format: each node with its goals, each step with its tactic.
pub fn dot(graph: &Graph) -> String {
    let mut drawing = Drawing::default();
    for node in &graph.nodes {
        let goals = node.goals.join("\n\n");
        drawing.node(&node.id, &format!("{}\n{goals}\n", node.mvar_id), node.status);
    }
    for step in &graph.steps {
        drawing.step(&step.node, &step.id, &step.tactic, step.status, &step.children);
    }
    drawing.finish()
}

/// A recorded search in GraphML, which Gephi, yEd, Cytoscape and NetworkX read. Nodes and steps are nodes of the graph,
/// with the `kind` `goal` or `step`; edges lead from a goal to its steps, and from a step to the goals that it leaves.
pub fn graphml(graph: &Graph) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    for (name, kind) in [
        ("kind", "string"),
        ("label", "string"),
        ("name", "string"),
        ("status", "string"),
        ("signature", "string"),
        ("depth", "int"),
        ("visits", "int"),
        ("value", "double"),
        ("log_prior", "double"),
    ] {
        let _ =
            writeln!(out, "  <key id=\"{name}\" for=\"node\" attr.name=\"{name}\" attr.type=\"{kind}\"/>");
    }
    out.push_str("  <graph edgedefault=\"directed\">\n");
    for node in &graph.nodes {
        data_node(
            &mut out,
            &node.id,
            &[
                ("kind", "goal"),
                ("label", &node.goals.join("\n\n")),
                ("name", &node.mvar_id),
                ("status", node.status.name()),
                ("signature", &node.goal_sig_strict),
                ("depth", &node.depth.to_string()),
                ("visits", &node.visit_count.to_string()),
                ("value", &node.value.to_string()),
            ],
        );
    }
    let mut edge = 0;
    let mut link = |out: &mut String, from: &str, to: &str| {
        let _ = writeln!(
            out,
            "    <edge id=\"e{edge}\" source=\"{}\" target=\"{}\"/>",
            escaped(from),
            escaped(to)
        );
        edge += 1;
    };
    for step in &graph.steps {
        let facts = [
            ("kind", "step"),
            ("label", step.tactic.as_str()),
            ("status", step.status.name()),
            ("log_prior", &step.log_prior.to_string()),
        ];
        data_node(&mut out, &step.id, &facts);
        link(&mut out, &step.node, &step.id);
        for child in &step.children {
            link(&mut out, &step.id, child);
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

/// A recorded search in the elements of Cytoscape.js, which Cytoscape and NetworkX also read. Nodes and steps are nodes
/// of the graph, with the `kind` `goal` or `step`; edges lead from a goal to its steps, and from a step to the goals that
/// it leaves.
///
/// NetworkX takes nodes from `value`, so this is the id again, and the search's value is `estimate`; by `key` it keeps
/// edges apart that lead to one node.
pub fn cytoscape(graph: &Graph) -> Value {
    let goals = graph.nodes.iter().enumerate().map(|(at, node)| {
        json!({"data": {
            "id": node.id,
            "value": node.id,
            "name": node.goals.join("\n\n"),
            "kind": "goal",
            "root": at == 0,
            "obligation": node.mvar_id,
            "status": node.status.name(),
            "signature": node.goal_sig_strict,
            "depth": node.depth,
            "visits": node.visit_count,
            "estimate": node.value,
        }})
    });
    let steps = graph.steps.iter().map(|step| {
        json!({"data": {
            "id": step.id,
            "value": step.id,
            "name": step.tactic,
            "kind": "step",
            "status": step.status.name(),
            "log_prior": step.log_prior,
        }})
    });
    let links = graph.steps.iter().flat_map(|step| {
        let children = step.children.iter().map(|child| (step.id.as_str(), child.as_str()));
        std::iter::once((step.node.as_str(), step.id.as_str())).chain(children)
    });
    let edges = links.enumerate().map(
        |(at, (from, to))| json!({"data": {"id": format!("e{at}"), "key": at, "source": from, "target": to}}),
    );
    json!({
        "data": {"name": graph.theorem, "tree_digest": graph.tree_digest},
        "directed": true,
        "multigraph": true,
        "elements": {"nodes": goals.chain(steps).collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>()},
    })
}

fn data_node(out: &mut String, id: &str, facts: &[(&str, &str)]) {
    let _ = writeln!(out, "    <node id=\"{}\">", escaped(id));
    for (name, value) in facts {
        let _ = writeln!(out, "      <data key=\"{name}\">{}</data>", escaped(value));
    }
    out.push_str("    </node>\n");
}

/// A text in XML. Characters that XML cannot hold are replaced.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if (c as u32) < 0x20 => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use andor_core::tree::Status;
    use std::collections::HashSet;

    use andor_artifact::graph::{GraphNode, GraphStep};
    use andor_artifact::version::{Kind, Opening};

    use super::*;

    fn sample() -> Graph {
        let node = |id: &str, goal: &str| GraphNode {
            id: id.to_owned(),
            mvar_id: format!("cp0:{id}"),
            goals: vec![goal.to_owned()],
            goal_sig: String::new(),
            goal_sig_strict: "5f".to_owned(),
            textual_sig: false,
            status: Status::Proved,
            depth: 0,
            visit_count: 3,
            success_count: 1.0,
            value: 0.5,
            distance: None,
        };
        let step = GraphStep {
            id: "s0".to_owned(),
            node: "n0".to_owned(),
            tactic: "simp [\"a\"]".to_owned(),
            log_prior: -0.5,
            status: Status::Open,
            children: vec!["n1".to_owned(), "n0".to_owned()],
            took_ms: None,
            graft: None,
        };
        Graph {
            opening: Opening::new(Kind::Graph),
            theorem: "t".to_owned(),
            tree_digest: String::new(),
            nodes: vec![node("n0", "\u{22a2} a < b & c"), node("n1", "\u{1b}[2J")],
            steps: vec![step],
        }
    }

    #[test]
    fn graphml_has_every_node_step_and_edge() {
        let text = graphml(&sample());
        for expected in [
            "<node id=\"n0\">",
            "<data key=\"label\">\u{22a2} a &lt; b &amp; c</data>",
            "<data key=\"label\">\u{fffd}[2J</data>",
            "<data key=\"label\">simp [&quot;a&quot;]</data>",
            "<edge id=\"e0\" source=\"n0\" target=\"s0\"/>",
            "<edge id=\"e2\" source=\"s0\" target=\"n0\"/>",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        assert_eq!(text.matches("<edge").count(), 3);
    }
    #[test]
    fn cytoscape_links_what_it_has() {
        let mut graph = sample();
        graph.steps[0].children.push("n1".to_owned());
        let json = cytoscape(&graph);
        assert_eq!((&json["directed"], &json["multigraph"]), (&true.into(), &true.into()));
        let data = |group: &str| -> Vec<Value> {
            let elements = json["elements"][group].as_array().unwrap();
            elements.iter().map(|element| element["data"].clone()).collect()
        };
        let (nodes, edges) = (data("nodes"), data("edges"));
        // Ids are texts, and nodes and edges share them.
        let ids: HashSet<&str> =
            nodes.iter().chain(&edges).map(|data| data["id"].as_str().unwrap()).collect();
        assert_eq!((ids.len(), nodes.len(), edges.len()), (7, 3, 4));
        let places: HashSet<&str> = nodes.iter().map(|data| data["id"].as_str().unwrap()).collect();
        let ends = |data: &Value| -> (String, String) {
            assert!(["source", "target"].iter().all(|end| places.contains(data[end].as_str().unwrap())));
            (data["source"].as_str().unwrap().to_owned(), data["target"].as_str().unwrap().to_owned())
        };
        let links: Vec<(String, String)> = edges.iter().map(ends).collect();
        let expected = [("n0", "s0"), ("s0", "n1"), ("s0", "n0"), ("s0", "n1")];
        assert_eq!(links, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
        let keys: HashSet<u64> = edges.iter().map(|data| data["key"].as_u64().unwrap()).collect();
        assert_eq!(keys.len(), 4);
        assert!(nodes.iter().all(|data| data["value"] == data["id"]));
        assert_eq!((&nodes[0]["root"], &nodes[1]["root"]), (&true.into(), &false.into()));
        assert_eq!((&nodes[0]["estimate"], &nodes[2]["name"]), (&0.5.into(), &"simp [\"a\"]".into()));
    }
}
