//! Terms as trees, with matching, instantiation and printing as Lean.

use andor_core::expr::{Expr, ExprId, ExprNode, Name};

/// A term, beta-reduced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Term {
    Const(Name),
    Local(Name),
    Meta(Name),
    /// A bound variable, by the number of binders between it and its own.
    Bound(u32),
    Sort(Name),
    Literal(Name),
    /// A head that is not an application, and its arguments.
    App(Box<Term>, Vec<Term>),
    Pi(Name, Box<Term>, Box<Term>),
    Lambda(Name, Box<Term>, Box<Term>),
}

use Term::{App, Bound, Const, Lambda, Literal, Local, Meta, Pi, Sort};

/// Deeper terms are ignored, which bounds the recursion.
const MAX_DEPTH: usize = 120;

/// The term of an expression; `None` for local definitions, other forms, and terms that are too deep.
pub(super) fn read(expr: &Expr) -> Option<Term> {
    read_at(expr, expr.root(), MAX_DEPTH)
}

fn read_at(expr: &Expr, id: ExprId, depth: usize) -> Option<Term> {
    let depth = depth.checked_sub(1)?;
    let part = |id| read_at(expr, id, depth).map(Box::new);
    Some(match expr.node(id) {
        ExprNode::Const(name) => Const(name.clone()),
        ExprNode::Local(name) => Local(name.clone()),
        ExprNode::Meta(name) => Meta(name.clone()),
        ExprNode::Bound(index) => Bound(*index),
        ExprNode::Sort(name) => Sort(name.clone()),
        ExprNode::Literal(name) => Literal(name.clone()),
        ExprNode::App { head, args } => {
            let head = read_at(expr, *head, depth)?;
            let args: Option<Vec<Term>> = expr.list(*args).iter().map(|a| read_at(expr, *a, depth)).collect();
            apply(head, args?)
        }
        ExprNode::Pi { name, ty, body } => Pi(name.clone(), part(*ty)?, part(*body)?),
        ExprNode::Lambda { name, ty, body } => Lambda(name.clone(), part(*ty)?, part(*body)?),
        ExprNode::Let { .. } | ExprNode::Other { .. } => return None,
    })
}

/// An application, beta-reduced at its head.
pub(super) fn apply(head: Term, mut args: Vec<Term>) -> Term {
    match head {
        head if args.is_empty() => head,
        Lambda(_, _, body) => {
            let rest = args.split_off(1);
            apply(body.instantiate(&args[0]), rest)
        }
        App(head, mut earlier) => {
            earlier.append(&mut args);
            App(head, earlier)
        }
        head => App(Box::new(head), args),
    }
}

impl Term {
    /// The head of an application and its arguments.
    pub(super) fn head_args(&self) -> (&Term, &[Term]) {
        match self {
            App(head, args) => (head, args),
            term => (term, &[]),
        }
    }

    /// The name of the constant at the head, and the arguments.
    pub(super) fn constant(&self) -> Option<(&str, &[Term])> {
        match self.head_args() {
            (Const(name), args) => Some((name, args)),
            _ => None,
        }
    }

    /// The arguments, if this is the constant `name` applied to `N` of them.
    pub(super) fn app_of<const N: usize>(&self, name: &str) -> Option<&[Term; N]> {
        match self.constant() {
            Some((head, args)) if head == name => args.try_into().ok(),
            _ => None,
        }
    }

    /// The name of the constant or local at the head.
    pub(super) fn head_name(&self) -> Option<&str> {
        match self.head_args().0 {
            Const(name) | Local(name) => Some(name),
            _ => None,
        }
    }

    /// This term with the outermost bound variable replaced.
    pub(super) fn instantiate(&self, value: &Term) -> Term {
        self.map_bound(0, &mut |index, depth| match index.cmp(&depth) {
            std::cmp::Ordering::Less => Bound(index),
            std::cmp::Ordering::Equal => value.lift(depth),
            std::cmp::Ordering::Greater => Bound(index - 1),
        })
    }

    /// This term under `by` more binders.
    pub(super) fn lift(&self, by: u32) -> Term {
        if by == 0 {
            return self.clone();
        }
        self.map_bound(0, &mut |index, depth| Bound(if index >= depth { index + by } else { index }))
    }

    fn map_bound(&self, depth: u32, f: &mut impl FnMut(u32, u32) -> Term) -> Term {
        match self {
            Bound(index) => f(*index, depth),
            App(head, args) => {
                let head = head.map_bound(depth, f);
                apply(head, args.iter().map(|a| a.map_bound(depth, f)).collect())
            }
            Pi(name, ty, body) => {
                let ty = ty.map_bound(depth, f);
                Pi(name.clone(), Box::new(ty), Box::new(body.map_bound(depth + 1, f)))
            }
            Lambda(name, ty, body) => {
                let ty = ty.map_bound(depth, f);
                Lambda(name.clone(), Box::new(ty), Box::new(body.map_bound(depth + 1, f)))
            }
            term => term.clone(),
        }
    }

    /// This term with a local replaced by a closed term.
    pub(super) fn replace_local(&self, local: &str, by: &Term) -> Term {
        let all = |terms: &[Term]| terms.iter().map(|t| t.replace_local(local, by)).collect();
        let boxed = |t: &Term| Box::new(t.replace_local(local, by));
        match self {
            Local(name) if &**name == local => by.clone(),
            App(head, args) => apply(head.replace_local(local, by), all(args)),
            Pi(name, ty, body) => Pi(name.clone(), boxed(ty), boxed(body)),
            Lambda(name, ty, body) => Lambda(name.clone(), boxed(ty), boxed(body)),
            term => term.clone(),
        }
    }

    /// The subterms, itself first, without heads, each with the number of binders above it.
    pub(super) fn subterms(&self) -> Vec<(&Term, u32)> {
        let mut found = vec![(self, 0)];
        let mut next = 0;
        while let Some(&(term, depth)) = found.get(next) {
            next += 1;
            match term {
                App(_, args) => found.extend(args.iter().map(|a| (a, depth))),
                Pi(_, ty, body) | Lambda(_, ty, body) => {
                    found.push((ty, depth));
                    found.push((body, depth + 1));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether some subterm, including heads, satisfies the predicate.
    pub(super) fn any(&self, mut is: impl FnMut(&Term) -> bool) -> bool {
        self.subterms().into_iter().any(|(t, _)| is(t.head_args().0) || is(t))
    }

    /// Whether it mentions a variable bound outside of it.
    pub(super) fn is_open(&self) -> bool {
        self.subterms().into_iter().any(|(t, depth)| {
            matches!(t.head_args().0, Bound(i) if *i >= depth) || matches!(t, Bound(i) if *i >= depth)
        })
    }

    /// Whether it mentions the variable bound just outside of it.
    pub(super) fn mentions_bound(&self) -> bool {
        self.subterms().into_iter().any(|(t, depth)| *t == Bound(depth) || *t.head_args().0 == Bound(depth))
    }

    /// Whether it mentions a local.
    pub(super) fn mentions(&self, local: &str) -> bool {
        self.any(|t| matches!(t, Local(name) if &**name == local))
    }

    /// Whether it mentions a constant.
    pub(super) fn mentions_constant(&self, constant: &str) -> bool {
        self.any(|t| matches!(t, Const(name) if &**name == constant))
    }

    /// The types of the leading binders, and the body.
    pub(super) fn telescope(&self) -> (Vec<(&Name, &Term, bool)>, &Term) {
        let (mut binders, mut at) = (Vec::new(), self);
        while let Pi(name, ty, body) = at {
            binders.push((name, &**ty, body.mentions_bound()));
            at = body;
        }
        (binders, at)
    }

    /// The premise and the conclusion of an implication.
    pub(super) fn implication(&self) -> Option<(&Term, Term)> {
        match self {
            // The variable does not occur, so its replacement does not matter.
            Pi(_, ty, body) if !body.mentions_bound() => Some((ty, body.instantiate(&Bound(0)))),
            _ => None,
        }
    }

    /// The negated statement of `¬ p` or `a ≠ b`.
    pub(super) fn denied(&self) -> Option<Term> {
        if let Some([p]) = self.app_of("Not") {
            return Some(p.clone());
        }
        let [ty, a, b] = self.app_of("Ne")?;
        Some(App(Box::new(Const("Eq".into())), vec![ty.clone(), a.clone(), b.clone()]))
    }
}

/// Matches `pattern`, whose variables bound outside are to be found, against a closed term. `found` is indexed by
/// variable.
pub(super) fn matches(pattern: &Term, term: &Term, found: &mut Vec<Option<Term>>) -> bool {
    matches_below(pattern, term, 0, found)
}

fn matches_below(pattern: &Term, term: &Term, depth: u32, found: &mut Vec<Option<Term>>) -> bool {
    if let Bound(index) = pattern
        && *index >= depth
    {
        let Some(place) = found.get_mut((*index - depth) as usize) else { return false };
        if depth > 0 && term.is_open() {
            return false;
        }
        return match place {
            Some(known) => known == term,
            None => {
                *place = Some(term.clone());
                true
            }
        };
    }
    match (pattern, term) {
        (App(f, xs), App(g, ys)) => {
            xs.len() == ys.len()
                && matches_below(f, g, depth, found)
                && xs.iter().zip(ys).all(|(x, y)| matches_below(x, y, depth, found))
        }
        (Pi(_, a, b), Pi(_, c, d)) | (Lambda(_, a, b), Lambda(_, c, d)) => {
            matches_below(a, c, depth, found) && matches_below(b, d, depth + 1, found)
        }
        (pattern, term) => pattern == term,
    }
}

/// A term as Lean source; `None` if it cannot be written because it contains inaccessible names or metavariables, or
/// is too long.
pub(super) fn write(term: &Term) -> Option<String> {
    write_below(term, &mut Vec::new(), 0).filter(|t| t.len() <= MAX_LENGTH)
}

/// A term as an argument, in parentheses if needed.
pub(super) fn write_argument(term: &Term) -> Option<String> {
    write_below(term, &mut Vec::new(), MAX).filter(|t| t.len() <= MAX_LENGTH)
}

const MAX_LENGTH: usize = 160;

/// Binary operators: constant, number of implicit arguments, symbol, precedence, and the precedences required on both
/// sides.
const OPERATORS: &[(&str, usize, &str, u32, u32, u32)] = &[
    ("Iff", 0, "↔", 20, 21, 21),
    ("Or", 0, "∨", 30, 31, 30),
    ("And", 0, "∧", 35, 36, 35),
    ("Eq", 1, "=", 50, 51, 51),
    ("Ne", 1, "≠", 50, 51, 51),
    ("Nat.le", 0, "≤", 50, 51, 51),
    ("Nat.lt", 0, "<", 50, 51, 51),
    ("GE.ge", 0, "≥", 50, 51, 51),
    ("GT.gt", 0, ">", 50, 51, 51),
    ("Dvd.dvd", 0, "∣", 50, 51, 51),
    ("Nat.add", 0, "+", 65, 65, 66),
    ("Nat.sub", 0, "-", 65, 65, 66),
    ("Nat.mul", 0, "*", 70, 70, 71),
    ("Nat.pow", 0, "^", 75, 76, 75),
    ("List.append", 1, "++", 65, 66, 65),
    ("List.cons", 1, "::", 67, 68, 67),
];

/// Functions whose first arguments are implicit, and how many of them.
const IMPLICIT: &[(&str, usize)] = &[
    ("List.length", 1),
    ("List.map", 2),
    ("List.reverse", 1),
    ("List.foldr", 2),
    ("List.foldl", 2),
    ("List.replicate", 1),
    ("List.Mem", 1),
    ("Prod.fst", 2),
    ("Prod.snd", 2),
    ("Prod.mk", 2),
    ("Option.some", 1),
    ("Nat.succ", 0),
    ("Nat.pred", 0),
    ("List", 0),
    ("Option", 0),
    ("Prod", 0),
    ("Bool.not", 0),
    ("Bool.and", 0),
    ("Bool.or", 0),
];

const MAX: u32 = 1024;

fn write_below(term: &Term, bound: &mut Vec<String>, strength: u32) -> Option<String> {
    let wrap = |text: String, own: u32| if own < strength { format!("({text})") } else { text };
    Some(match term {
        Const(name) if &**name == "List.nil" => "[]".to_owned(),
        Const(name) | Sort(name) | Literal(name) => name.to_string(),
        Local(name) => is_accessible(name).then(|| name.to_string())?,
        Meta(_) => return None,
        Bound(index) => {
            let place = bound.len().checked_sub(1 + *index as usize)?;
            bound[place].clone()
        }
        App(head, args) => return write_app(head, args, bound, strength),
        Pi(_, ty, body) if !body.mentions_bound() => {
            let ty = write_below(ty, bound, 26)?;
            bound.push(String::new());
            let body = write_below(body, bound, 25);
            bound.pop();
            wrap(format!("{ty} → {}", body?), 25)
        }
        Pi(name, ty, body) => wrap(write_binder("∀", ",", name, ty, body, bound)?, 0),
        Lambda(name, ty, body) => wrap(write_binder("fun", " =>", name, ty, body, bound)?, 0),
    })
}

fn write_binder(
    word: &str,
    separator: &str,
    name: &str,
    ty: &Term,
    body: &Term,
    bound: &mut Vec<String>,
) -> Option<String> {
    let ty = write_below(ty, bound, 0)?;
    // A name that is not used in the body.
    let taken = |n: &str| bound.iter().any(|b| b == n) || body.mentions(n) || body.mentions_constant(n);
    let name = fresh_by(base_of(name, "x"), taken);
    bound.push(name.clone());
    let body = write_below(body, bound, 0);
    bound.pop();
    Some(format!("{word} ({name} : {ty}){separator} {}", body?))
}

fn write_app(head: &Term, args: &[Term], bound: &mut Vec<String>, strength: u32) -> Option<String> {
    let wrap = |text: String, own: u32| if own < strength { format!("({text})") } else { text };
    if let Const(name) = head {
        let operator = OPERATORS.iter().find(|o| o.0 == &**name && args.len() == o.1 + 2);
        if let Some((_, skipped, symbol, own, left, right)) = operator {
            let left = write_below(&args[*skipped], bound, *left)?;
            let right = write_below(&args[skipped + 1], bound, *right)?;
            return Some(wrap(format!("{left} {symbol} {right}"), *own));
        }
        match (&**name, args) {
            ("Not", [p]) => return Some(wrap(format!("¬{}", write_below(p, bound, MAX)?), 40)),
            ("List.nil", [_]) => return Some("[]".to_owned()),
            ("Exists", [_, Lambda(x, ty, body)]) => {
                return Some(wrap(write_binder("∃", ",", x, ty, body, bound)?, 0));
            }
            _ => {}
        }
    }
    let (head, skipped) = match head {
        Const(name) => match IMPLICIT.iter().find(|(f, n)| *f == &**name && args.len() >= *n) {
            Some((_, skipped)) => (name.to_string(), *skipped),
            None => (format!("@{name}"), 0),
        },
        head => (write_below(head, bound, MAX)?, 0),
    };
    let mut text = head;
    for arg in &args[skipped..] {
        text.push(' ');
        text += &write_below(arg, bound, MAX)?;
    }
    Some(wrap(text, MAX - 1))
}

/// Whether a name is accessible: Lean marks those that are not.
pub(super) fn is_accessible(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        && name != "_"
}

/// A binder's name without trailing digits and marks.
pub(super) fn base_of<'a>(name: &'a str, otherwise: &'a str) -> &'a str {
    let base = name.trim_end_matches(|c: char| c.is_numeric() || c == '✝' || c == '\'');
    let base = base.trim_end_matches('_');
    if is_accessible(base) && !base.starts_with('_') { base } else { otherwise }
}

/// The first of `base`, `base1`, `base2`, … that is not taken.
pub(super) fn fresh_by(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (1u32..).map(|i| format!("{base}{i}"));
    let mut names = std::iter::once(base.to_owned()).chain(numbered);
    names.find(|n| !taken(n)).expect("there is always another number")
}
