//! Drawings of blueprints: Graphviz, and SVG with a layout of our own.

use std::collections::HashMap;
use std::fmt::Write as _;

use andor_artifact::blueprint::{BlueprintRun, NodeKind, NodeRecord, NodeState};

use crate::markup::escaped;

/// The colours of a state: of the border, and inside.
fn colours(state: NodeState) -> (&'static str, &'static str) {
    match state {
        NodeState::NotReady => ("#ffaa33", "#ffffff"),
        NodeState::CanState => ("#0000ff", "#ffffff"),
        NodeState::CanProve => ("#008000", "#a3d6ff"),
        NodeState::Defined => ("#008000", "#b0eca3"),
        NodeState::Proved => ("#008000", "#9cec8b"),
        NodeState::FullyProved => ("#008000", "#1cac78"),
        NodeState::NotProved => ("#808080", "#ffe08a"),
        NodeState::Failed => ("#808080", "#ffffff"),
        NodeState::Disproved => ("#b00000", "#ff8a80"),
        NodeState::Refused => ("#b00000", "#ffffff"),
        NodeState::Blocked => ("#808080", "#e0e0e0"),
        NodeState::Unverified => ("#b00000", "#e0e0e0"),
    }
}

/// A blueprint in Graphviz format, an arrow from each node to those that need it. Definitions are boxes.
pub fn blueprint_dot(run: &BlueprintRun) -> String {
    let mut dot = "digraph blueprint {\n  rankdir=TB;\n  node [style=filled];\n".to_owned();
    for NodeRecord { node, kind, state, .. } in &run.nodes {
        let (border, inside) = colours(*state);
        let shape = if *kind == NodeKind::Definition { "box" } else { "ellipse" };
        let name = quoted(&node.name);
        let tooltip = quoted(&format!("{kind}, {}", state.words()));
        let _ = writeln!(
            dot,
            "  {name} [shape={shape}, color=\"{border}\", fillcolor=\"{inside}\", tooltip={tooltip}];"
        );
    }
    for NodeRecord { node, .. } in &run.nodes {
        for used in &node.uses {
            let _ = writeln!(dot, "  {} -> {};", quoted(used), quoted(&node.name));
        }
    }
    dot + "}\n"
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Width of a character, in pixels.
const CHARACTER: f64 = 8.0;
/// Height of a node.
const HEIGHT: f64 = 32.0;
/// Distance of nodes side by side.
const ASIDE: f64 = 24.0;
/// Distance of layers.
const BETWEEN: f64 = 48.0;
/// Margin of the drawing.
const MARGIN: f64 = 16.0;

/// A node in a drawing.
struct Placed<'a> {
    record: &'a NodeRecord,
    /// Its middle.
    x: f64,
    y: f64,
    width: f64,
}

/// A blueprint as SVG: each node below those that it needs, with the states as colours and a legend.
pub fn blueprint_svg(run: &BlueprintRun) -> String {
    let layers = layers(run);
    let width_of = |record: &NodeRecord| 24.0 + CHARACTER * record.node.name.chars().count() as f64;
    let width_of_layer = |layer: &Vec<&NodeRecord>| {
        layer.iter().map(|record| width_of(record)).sum::<f64>() + ASIDE * (layer.len() - 1) as f64
    };
    let states: Vec<NodeState> = NodeState::ALL
        .into_iter()
        .filter(|state| run.nodes.iter().any(|node| node.state == *state))
        .collect();
    let width = layers.iter().map(width_of_layer).fold(240.0, f64::max) + 2.0 * MARGIN;
    let graph_height = layers.len() as f64 * (HEIGHT + BETWEEN);
    let height = graph_height + 20.0 * states.len() as f64 + 2.0 * MARGIN;
    let mut placed: HashMap<&str, Placed<'_>> = HashMap::new();
    for (depth, layer) in layers.iter().enumerate() {
        let mut left = (width - width_of_layer(layer)) / 2.0;
        for record in layer {
            let node_width = width_of(record);
            let (x, y) = (left + node_width / 2.0, MARGIN + HEIGHT / 2.0 + depth as f64 * (HEIGHT + BETWEEN));
            placed.insert(&record.node.name, Placed { record, x, y, width: node_width });
            left += node_width + ASIDE;
        }
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 \
         {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n<defs><marker id=\"arrow\" \
         viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
         d=\"M0 0 10 5 0 10z\" fill=\"#606060\"/></marker></defs>\n"
    );
    for record in &run.nodes {
        let to = &placed[record.node.name.as_str()];
        for from in record.node.uses.iter().filter_map(|used| placed.get(used.as_str())) {
            let (top, bottom) = (from.y + HEIGHT / 2.0, to.y - HEIGHT / 2.0);
            let bend = (bottom - top) / 2.0;
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {top:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {bottom:.1}\" fill=\"none\" stroke=\"#606060\" \
                 marker-end=\"url(#arrow)\"/>",
                from.x,
                from.x,
                top + bend,
                to.x,
                bottom - bend,
                to.x
            );
        }
    }
    for record in &run.nodes {
        draw(&mut svg, &placed[record.node.name.as_str()]);
    }
    for (line, state) in states.into_iter().enumerate() {
        let y = graph_height + MARGIN + 20.0 * line as f64;
        let (border, inside) = colours(state);
        let _ = writeln!(
            svg,
            "<rect x=\"{MARGIN}\" y=\"{y:.1}\" width=\"14\" height=\"14\" fill=\"{inside}\" stroke=\"{border}\" \
             stroke-width=\"2\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            MARGIN + 22.0,
            y + 12.0,
            state.words()
        );
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, Placed { record, x, y, width }: &Placed<'_>) {
    let (border, inside) = colours(record.state);
    let name = escaped(&record.node.name);
    let mut title = format!("{}: {}", record.kind, record.state.words());
    for more in [&record.detail, &record.node.informal].into_iter().flatten() {
        title = title + "\n" + more;
    }
    let round = if record.kind == NodeKind::Definition { 2.0 } else { HEIGHT / 2.0 };
    let _ = writeln!(
        svg,
        "<g><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{HEIGHT}\" rx=\"{round}\" \
         fill=\"{inside}\" stroke=\"{border}\" stroke-width=\"2\"/><text x=\"{x:.1}\" y=\"{:.1}\" \
         text-anchor=\"middle\">{name}</text></g>",
        escaped(&title),
        x - width / 2.0,
        y - HEIGHT / 2.0,
        y + 4.5
    );
}

/// The nodes by the length of the longest way to them. In a layer, nodes stand below the middle of what they need.
fn layers(run: &BlueprintRun) -> Vec<Vec<&NodeRecord>> {
    let mut depths: HashMap<&str, usize> = HashMap::new();
    let mut layers: Vec<Vec<&NodeRecord>> = Vec::new();
    // Nodes are listed after what they need.
    for record in &run.nodes {
        let above = record.node.uses.iter().filter_map(|used| depths.get(used.as_str()));
        let depth = above.max().map_or(0, |depth| depth + 1);
        depths.insert(&record.node.name, depth);
        layers.resize_with(layers.len().max(depth + 1), Vec::new);
        layers[depth].push(record);
    }
    let mut columns: HashMap<&str, f64> = HashMap::new();
    for layer in &mut layers {
        let middle = |record: &NodeRecord| {
            let uses = record.node.uses.iter().filter_map(|used| columns.get(used.as_str()));
            let uses: Vec<f64> = uses.copied().collect();
            if uses.is_empty() { 0.5 } else { uses.iter().sum::<f64>() / uses.len() as f64 }
        };
        layer.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
        let count = layer.len() as f64;
        for (column, record) in layer.iter().enumerate() {
            columns.insert(&record.node.name, (column as f64 + 0.5) / count);
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use andor_artifact::blueprint::BlueprintNode;
    use andor_artifact::version::{Kind, Opening};

    use super::*;

    fn record(name: &str, uses: &[&str], state: NodeState) -> NodeRecord {
        let uses = uses.iter().map(|used| (*used).to_owned()).collect();
        NodeRecord {
            node: BlueprintNode { name: name.to_owned(), uses, ..BlueprintNode::default() },
            kind: NodeKind::Lemma,
            root: false,
            state,
            detail: Some("a < b & \"c\" \u{1b}[31m".to_owned()),
            disproof: None,
            origin: None,
        }
    }

    fn run(nodes: Vec<NodeRecord>) -> BlueprintRun {
        BlueprintRun {
            opening: Opening::new(Kind::BlueprintRun),
            given_digest: String::new(),
            system: "mini".to_owned(),
            header: String::new(),
            nodes,
            refinements: Vec::new(),
            whole: None,
        }
    }

    #[test]
    fn nodes_are_drawn_below_what_they_need() {
        let nodes = vec![
            record("a", &[], NodeState::FullyProved),
            record("b", &["a"], NodeState::Disproved),
            record("c", &["a", "b"], NodeState::Blocked),
            record("d", &["a"], NodeState::CanProve),
        ];
        let run = run(nodes);
        let names = |layer: &Vec<&NodeRecord>| layer.iter().map(|r| r.node.name.clone()).collect::<String>();
        assert_eq!(layers(&run).iter().map(names).collect::<Vec<_>>(), ["a", "bd", "c"]);
        let svg = blueprint_svg(&run);
        assert_eq!((svg.matches("<path d=\"M").count(), svg.matches("<g>").count()), (4 + 1, 4));
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot; \u{fffd}[31m"), "{svg}");
        for state in ["fully proved", "disproved", "blocked", "can be proved"] {
            assert!(svg.contains(&format!(">{state}</text>")), "{svg}");
        }
        let dot = blueprint_dot(&run);
        assert!(dot.contains("\"b\" -> \"c\";") && dot.contains("fillcolor=\"#1cac78\""), "{dot}");
        assert_eq!(dot.matches(" -> ").count(), 4);
    }
}
