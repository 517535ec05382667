//! Number systems: decision procedures and their preparation.

use andor_core::expr::{Expr, ExprNode};

use super::shape::{Domain, Shape, goal_mentions, head, locals_of_type, mentions, shape, shape_at};
use super::{Proposals, Situation};

pub(super) fn propose(s: &Situation<'_>, out: &mut Proposals) {
    if matches!(s.goal.target.expr.as_ref().map(shape), Some(Shape::Pi { .. })) {
        return;
    }
    let Some(expr) = &s.goal.target.expr else {
        for (log_prior, tactic) in [(-1.5, "lia"), (-1.6, "lra"), (-2.0, "ring")] {
            out.add(log_prior, tactic);
        }
        return;
    };
    let target = match shape(expr) {
        Shape::Order(domain) => Some(domain),
        Shape::Eq { ty, .. } => head(expr, ty).and_then(Domain::of_type),
        _ => None,
    };
    // A target that is not a relation may still follow from contradictory hypotheses.
    let domains: Vec<(Domain, f64)> = match target {
        Some(domain) => vec![(domain, 0.0)],
        None => s.domains.iter().map(|d| (*d, 0.5)).collect(),
    };
    let is_equation = matches!(shape(expr), Shape::Eq { .. }) || head(expr, expr.root()) == Some("Qeq");
    for (domain, malus) in domains {
        match domain {
            Domain::Nat | Domain::Integer => discrete(s, is_equation, malus, out),
            Domain::Rational => rational(s, is_equation, malus, out),
            Domain::Real => real(s, is_equation, malus, out),
        }
    }
    for domain in s.domains.iter().filter(|d| target.is_some_and(|t| t != **d)) {
        out.add(
            if domain.is_discrete() { -1.5 } else { -1.6 },
            if domain.is_discrete() { "lia" } else { "lra" },
        );
    }
    instances(s, out);
}

fn discrete(s: &Situation<'_>, is_equation: bool, malus: f64, out: &mut Proposals) {
    out.add(-0.3 - malus, "lia");
    out.add(-1.7 - malus, "nia");
    if is_equation {
        out.add(-1.2 - malus, "ring");
    }
    if goal_mentions(s.goal, &["Nat.modulo", "Nat.div", "Z.modulo", "Z.div", "N.modulo", "N.div"]) {
        out.add(-1.0 - malus, "zify; Z.div_mod_to_equations; lia");
        out.add(-2.2 - malus, "zify; Z.div_mod_to_equations; nia");
    }
    monotony(s, malus, out);
    bounded(s, out);
}

/// An inequality between two sums or two products follows from inequalities between their parts.
fn monotony(s: &Situation<'_>, malus: f64, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    let (_, &[left, right]) = expr.head_args(expr.root()) else { return };
    let lemma = match (head(expr, expr.root()), head(expr, left), head(expr, right)) {
        (Some("le"), Some("Nat.mul"), Some("Nat.mul")) => "Nat.mul_le_mono",
        (Some("lt"), Some("Nat.mul"), Some("Nat.mul")) => "Nat.mul_lt_mono",
        (Some("Z.le"), Some("Z.mul"), Some("Z.mul")) => "Z.mul_le_mono_nonneg",
        (Some("le"), Some("Nat.pow"), Some("Nat.pow")) => "Nat.pow_le_mono",
        _ => return,
    };
    out.add(-1.5 - malus, format!("apply {lemma}"));
}

/// Case analysis on a number that lies between two literals.
fn bounded(s: &Situation<'_>, out: &mut Proposals) {
    const MOST_CASES: i64 = 12;
    for ty in ["nat", "Z"] {
        for name in locals_of_type(s.goal, ty) {
            let (low, high) = bounds(s, name, if ty == "nat" { Some(0) } else { None });
            let (Some(low), Some(high)) = (low, high) else { continue };
            if low > high || high - low >= MOST_CASES {
                continue;
            }
            let cases: Vec<String> = (low..=high)
                .map(|k| if k < 0 { format!("{name} = ({k})") } else { format!("{name} = {k}") })
                .collect();
            let scope = if ty == "Z" { "%Z" } else { "%nat" };
            out.add(
                -1.8,
                format!(
                    "assert ({})%type as Hcase by lia; repeat destruct Hcase as [Hcase|Hcase]; subst",
                    cases.iter().map(|c| format!("({c}){scope}")).collect::<Vec<_>>().join(" \\/ ")
                ),
            );
        }
    }
}

/// The literal bounds on a local in single hypotheses.
fn bounds(s: &Situation<'_>, name: &str, least: Option<i64>) -> (Option<i64>, Option<i64>) {
    let (mut low, mut high) = (least, None);
    for expr in s.goal.hypotheses.iter().filter_map(|h| h.ty.expr.as_ref()) {
        for id in (0..expr.nodes().len()).filter_map(|i| expr.id_at(i)) {
            let (ExprNode::Const(relation), [a, b]) = expr.head_args(id) else { continue };
            let (is_x, number) = match (expr.node(*a), expr.node(*b)) {
                (ExprNode::Local(x), ExprNode::Literal(n)) if &**x == name => (true, n),
                (ExprNode::Literal(n), ExprNode::Local(x)) if &**x == name => (false, n),
                _ => continue,
            };
            let digits = number.split('%').next().unwrap_or(number);
            let Ok(number) = digits.parse::<i64>() else { continue };
            let relation = relation.rsplit('.').next().unwrap_or(relation);
            // In the form `x relation number`.
            let relation = match (relation, is_x) {
                (r, true) => r,
                ("le", false) => "ge",
                ("lt", false) => "gt",
                ("ge", false) => "le",
                ("gt", false) => "lt",
                (r, false) => r,
            };
            let tighter_high = |h: Option<i64>, n: i64| Some(h.map_or(n, |h| h.min(n)));
            let tighter_low = |l: Option<i64>, n: i64| Some(l.map_or(n, |l| l.max(n)));
            match relation {
                "le" => high = tighter_high(high, number),
                "lt" => high = tighter_high(high, number - 1),
                "ge" => low = tighter_low(low, number),
                "gt" => low = tighter_low(low, number + 1),
                _ => {}
            }
        }
    }
    (low, high)
}

fn rational(s: &Situation<'_>, is_equation: bool, malus: f64, out: &mut Proposals) {
    out.add(-0.6 - malus, "lra");
    out.add(-2.0 - malus, "nra");
    if is_equation {
        out.add(-0.5 - malus, "reflexivity");
        out.add(-1.0 - malus, "ring");
        out.add(-1.3 - malus, "field");
        out.add(-1.6 - malus, "vm_compute; reflexivity");
    }
    if s.goal.hypotheses.is_empty() {
        out.add(-1.5 - malus, "unfold Qle, Qlt; simpl; lia");
    }
}

fn real(s: &Situation<'_>, is_equation: bool, malus: f64, out: &mut Proposals) {
    out.add(-0.4 - malus, "lra");
    out.add(-1.6 - malus, "nra");
    let divides = |t| mentions(t, "Rdiv") || mentions(t, "Rinv");
    if is_equation {
        out.add(-0.8 - malus, "ring");
        if divides(&s.goal.target) {
            out.add(-0.7 - malus, "field");
            out.add(-1.2 - malus, "field; lra");
            out.add(-1.4 - malus, "field_simplify_eq");
            out.add(-2.0 - malus, "field; nra");
        }
    }
    if goal_mentions(s.goal, &["Rabs"]) {
        out.add(-0.9 - malus, "unfold Rabs in *; repeat destruct Rcase_abs; lra");
        out.add(-1.9 - malus, "unfold Rabs in *; repeat destruct Rcase_abs; nra");
    }
    if goal_mentions(s.goal, &["Rmin", "Rmax"]) {
        out.add(-1.1 - malus, "unfold Rmin, Rmax in *; repeat destruct Rle_dec; lra");
    }
    hypotheses_over_reals(s, malus, out);
    squares(s, malus, out);
    roots(s, malus, out);
    if mentions(&s.goal.target, "pow") {
        out.add(-2.3 - malus, "simpl; lra");
        out.add(-2.6 - malus, "simpl; nra");
    }
}

fn hypotheses_over_reals(s: &Situation<'_>, malus: f64, out: &mut Proposals) {
    for (name, hypothesis) in s.goal.locals() {
        let Some(expr) = &hypothesis.ty.expr else { continue };
        match shape(expr) {
            Shape::Eq { ty, left, right } if head(expr, ty) == Some("R") => {
                if mentions(&hypothesis.ty, "Rdiv") || mentions(&hypothesis.ty, "Rinv") {
                    out.add(-1.5 - malus, format!("field_simplify_eq in {name}"));
                    out.add(-2.1 - malus, format!("field_simplify_eq in {name}; [nra|lra]"));
                }
                let zero =
                    |id| matches!(expr.node(id), ExprNode::Literal(n) if n.split('%').next() == Some("0"));
                if head(expr, left) == Some("Rmult") && zero(right) {
                    out.add(-1.0 - malus, format!("destruct (Rmult_integral _ _ {name}) as [?|?]"));
                }
            }
            Shape::Not => {
                // A product with a nonzero factor: distinguish its sign.
                let inner = expr.head_args(expr.root()).1.first().map(|&a| shape_at(expr, a));
                if let Some(Shape::Eq { ty, .. }) = inner
                    && head(expr, ty) == Some("R")
                {
                    out.add(-2.4 - malus, format!("destruct (Rdichotomy _ _ {name}) as [?|?]"));
                }
            }
            _ => {}
        }
    }
}

/// Squares are nonnegative: the most frequent hint for non-linear inequalities.
fn squares(s: &Situation<'_>, malus: f64, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    let variables: Vec<&str> = locals_of_type(s.goal, "R")
        .filter(|v| expr.mentions_local(expr.root(), v) || s.goal.hypotheses.len() < 12)
        .take(4)
        .collect();
    let fact = |term: String| format!("pose proof (pow2_ge_0 ({term}))");
    let mut differences: Vec<String> = Vec::new();
    let mut sums: Vec<String> = Vec::new();
    for (index, a) in variables.iter().enumerate() {
        for b in &variables[index + 1..] {
            differences.push(fact(format!("{a} - {b}")));
            sums.push(fact(format!("{a} + {b}")));
        }
    }
    let around_one: Vec<String> = variables.iter().map(|v| fact(format!("{v} - 1"))).collect();
    let products: Vec<String> = match &variables[..] {
        [a, b] => vec![
            fact(format!("{a} * {b} - 1")),
            fact(format!("{a} ^ 2 - {b} ^ 2")),
            fact(format!("{a} * {b}")),
        ],
        _ => Vec::new(),
    };
    let nra = |facts: &[&[String]]| {
        let all: Vec<&str> = facts.iter().flat_map(|f| f.iter()).map(String::as_str).collect();
        format!("{}; nra", all.join("; "))
    };
    if !differences.is_empty() {
        out.add(-2.0 - malus, nra(&[&differences]));
        out.add(-2.5 - malus, nra(&[&differences, &sums]));
        out.add(-2.8 - malus, nra(&[&differences, &sums, &products]));
    }
    if !around_one.is_empty() {
        out.add(-2.7 - malus, nra(&[&around_one]));
        out.add(-3.0 - malus, nra(&[&around_one, &differences]));
    }
    // A square completed with the coefficients at hand: 2a, a/2, and the like.
    if let [a, b, ..] = variables[..] {
        let scaled: Vec<String> = ["2", "3"]
            .iter()
            .flat_map(|k| [fact(format!("{k} * {a} - {b}")), fact(format!("{a} - {k} * {b}"))])
            .collect();
        out.add(-3.1 - malus, nra(&[&scaled]));
        out.add(
            -3.2 - malus,
            nra(&[&[
                fact(format!("{a} - {b} - 1")),
                fact(format!("{a} - {b} - 2")),
                fact(format!("2 * {b} - {a} - 1")),
            ]]),
        );
    }
    if let [a] = variables[..] {
        let facts: Vec<String> = (2..=6).map(|k| fact(format!("{k} * {a} - 1"))).collect();
        out.add(-2.9 - malus, nra(&[&facts]));
        let facts: Vec<String> = (2..=5).map(|k| fact(format!("{a} - {k}"))).collect();
        out.add(-3.1 - malus, nra(&[&facts]));
    }
}

/// Facts about the square roots in the goal.
fn roots(s: &Situation<'_>, malus: f64, out: &mut Proposals) {
    let Some(expr) = &s.goal.target.expr else { return };
    let mut arguments: Vec<String> = Vec::new();
    for id in (0..expr.nodes().len()).filter_map(|i| expr.id_at(i)) {
        if let Some([argument]) = expr.app_of::<1>(id, "sqrt")
            && let Some(text) = super::shape::write(expr, argument)
            && !arguments.contains(&text)
        {
            arguments.push(text);
        }
    }
    if arguments.is_empty() || arguments.len() > 3 {
        return;
    }
    let facts: Vec<String> = arguments
        .iter()
        .map(|a| format!("pose proof (sqrt_pos ({a})%R); assert (sqrt ({a})%R * sqrt ({a})%R = ({a}))%R by (apply sqrt_sqrt; nra)"))
        .collect();
    out.add(-1.8 - malus, format!("{}; nra", facts.join("; ")));
}

/// Instances of quantified equations at the numbers in the goal.
fn instances(s: &Situation<'_>, out: &mut Proposals) {
    const MOST: usize = 10;
    for (name, hypothesis) in s.goal.locals() {
        let Some(expr) = &hypothesis.ty.expr else { continue };
        let Shape::Pi { ty, body, dependent: true } = shape(expr) else { continue };
        let Some(domain) = head(expr, ty).and_then(Domain::of_type) else { continue };
        let mut end = body;
        while let Shape::Pi { body, .. } = shape_at(expr, end) {
            end = body;
        }
        if !matches!(shape_at(expr, end), Shape::Eq { .. } | Shape::Order(_)) {
            continue;
        }
        let mut numbers: Vec<i64> = match domain {
            Domain::Nat => arguments(s),
            Domain::Integer | Domain::Rational | Domain::Real => {
                [arguments(s), vec![0, 1, -1, 2, -2]].concat()
            }
        };
        numbers.sort_by_key(|n| (n.abs(), *n < 0));
        numbers.dedup();
        numbers.truncate(MOST);
        for (index, number) in numbers.iter().enumerate() {
            out.add(-2.3 - 0.1 * index as f64, format!("pose proof ({name} ({number}))"));
        }
        if let (Domain::Nat, Some(&low), Some(&high)) = (domain, numbers.iter().min(), numbers.iter().max())
            && high - low <= 12
        {
            // A recurrence: all instances between the smallest and the largest index at once.
            let all: Vec<String> = (low.max(0)..=high).map(|n| format!("pose proof ({name} {n})")).collect();
            for (log_prior, closer) in
                [(-1.6, "simpl in *; lra"), (-1.7, "simpl in *; lia"), (-2.5, "simpl in *; nra")]
            {
                let reals = s.domains.contains(&Domain::Real);
                if closer.ends_with("lia") != reals {
                    out.add(log_prior, format!("{}; {closer}", all.join("; ")));
                }
            }
        }
    }
}

/// The literals to which functions of the context are applied.
fn arguments(s: &Situation<'_>) -> Vec<i64> {
    let mut found = Vec::new();
    let terms = [&s.goal.target].into_iter().chain(s.goal.hypotheses.iter().map(|h| &h.ty));
    for expr in terms.filter_map(|t| t.expr.as_ref()) {
        for node in expr.nodes() {
            let ExprNode::App { head, args } = node else { continue };
            if !matches!(expr.node(*head), ExprNode::Local(_)) {
                continue;
            }
            found.extend(expr.list(*args).iter().filter_map(|&a| literal(expr, a)));
        }
    }
    found
}

fn literal(expr: &Expr, id: andor_core::expr::ExprId) -> Option<i64> {
    match expr.node(id) {
        ExprNode::Literal(text) => text.split('%').next()?.parse().ok().filter(|n: &i64| n.abs() < 100),
        _ => None,
    }
}
