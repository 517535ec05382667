//! Writes theorems for Lean's own kernel: every declaration that they depend on, as a term with all its arguments,
//! from the constants of Lean's core alone.
//!
//! Families and functions that Lean's core has with the same meaning are Lean's own. Everything else is declared again
//! in the namespace `Mini`: functions, lemmas, and what the file itself declares.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::judge::SORRY;
use crate::kernel::env::{Body, Declaration, Env};
use crate::kernel::term::{Binder, Kind, Level, Name, Term, deeper};

/// The namespace of what is declared again.
pub const NAMESPACE: &str = "Mini";

/// Families of the prelude that are Lean's, with their constructors and recursors.
const FAMILIES: &[&str] = &[
    "False", "True", "Eq", "And", "Or", "Iff", "Exists", "Nat", "Nat.le", "Prod", "Option", "Bool", "List",
    "List.Mem",
];

/// Functions and axioms of the prelude that are Lean's, up to computation.
const FUNCTIONS: &[&str] = &[
    "Not",
    "Ne",
    "id",
    "Nat.pred",
    "Nat.add",
    "Nat.mul",
    "Nat.pow",
    "Nat.sub",
    "Nat.lt",
    "Prod.fst",
    "Prod.snd",
    "Option.getD",
    "Option.map",
    "List.append",
    "List.length",
    "List.map",
    "List.foldr",
    "List.foldl",
    "List.replicate",
    "propext",
    "funext",
    "Classical.em",
];

/// The largest text that is written, in bytes.
const MAX_TEXT: usize = 64 << 20;

/// Why theorems cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unwritable {
    /// There is no such theorem.
    #[error("there is no theorem `{0}`")]
    Missing(String),
    /// A proof is given up.
    #[error("`{0}` depends on a proof that is given up")]
    Unproved(String),
    /// A name cannot be quoted.
    #[error("Lean cannot read the name `{0}`")]
    Name(String),
    /// The text would be too large.
    #[error("its terms take more than {} MB when they are written out", MAX_TEXT >> 20)]
    TooLarge,
}

/// A Lean file that proves theorems of an environment. The theorem `t` is `Mini.t` there.
pub fn written(env: &Env, prelude: &Env, theorems: &[String]) -> Result<String, Unwritable> {
    let needed = needed(env, prelude, theorems)?;
    let mut file = Writer { env, prelude, out: HEADER.to_owned(), family: None };
    for (name, declaration) in env.declarations().filter(|(name, _)| needed.contains(*name)) {
        file.declaration(name, declaration)?;
    }
    file.out.push_str("end\n");
    Ok(file.out)
}

/// A Lean file that compares what is Lean's own with the prelude: types, constructors, recursors, and the values of
/// functions. Those of recursive functions are equal for given arguments only; lemmas of the prelude say so.
pub fn comparison(prelude: &Env) -> Result<String, Unwritable> {
    let mut file = Writer { env: prelude, prelude, out: HEADER.to_owned(), family: None };
    for (name, declaration) in prelude.declarations().filter(|(name, _)| is_leans(prelude, name)) {
        let levels = Level::params(declaration.n_levels);
        file.head("def", &format!("typed.{name}"), declaration.n_levels);
        file.out.push_str(" : ");
        file.term(&declaration.ty, &mut Vec::new())?;
        file.out.push_str(" :=\n  ");
        file.constant(name, &levels);
        file.out.push('\n');
        let is_recursor = |t: &Term| matches!(t.kind(), Kind::Const(name, _) if name.ends_with(".rec"));
        if let Body::Definition(value, _) = &declaration.body
            && !value.any(is_recursor)
        {
            file.head("theorem", &format!("valued.{name}"), declaration.n_levels);
            file.out.push_str(" :\n  ");
            file.constant(name, &levels);
            file.out.push_str(" = ");
            file.term(value, &mut Vec::new())?;
            file.out.push_str(" := rfl\n");
        }
    }
    file.out.push_str("end\n");
    Ok(file.out)
}

/// Options and universes of the file.
const HEADER: &str = "\
set_option autoImplicit false
set_option linter.all false
set_option maxRecDepth 100000
set_option maxUniverseOffset 1000000
set_option maxHeartbeats 0
noncomputable section
";

/// The name of a constant in the file.
pub fn lean_name(prelude: &Env, name: &str) -> String {
    if is_leans(prelude, name) { name.to_owned() } else { format!("{NAMESPACE}.{}", quoted(name)) }
}

/// Whether a constant of the prelude is Lean's own.
fn is_leans(prelude: &Env, name: &str) -> bool {
    let Some(declaration) = prelude.get(name) else { return false };
    match &declaration.body {
        Body::Constructor { family, .. } => FAMILIES.contains(&&**family),
        Body::Inductive { .. } => FAMILIES.contains(&name),
        Body::Recursor(_) => name.strip_suffix(".rec").is_some_and(|family| FAMILIES.contains(&family)),
        Body::Axiom | Body::Definition(..) => FUNCTIONS.contains(&name),
        Body::Theorem(_) => false,
    }
}

/// The constants to declare for theorems, themselves included.
fn needed(env: &Env, prelude: &Env, theorems: &[String]) -> Result<FxHashSet<Name>, Unwritable> {
    let (mut needed, mut waiting) = (FxHashSet::default(), Vec::<Name>::new());
    for theorem in theorems {
        let found = env.get_key(theorem).filter(|(_, d)| matches!(d.body, Body::Theorem(_)));
        let Some((name, _)) = found else { return Err(Unwritable::Missing(theorem.clone())) };
        waiting.push(Name::clone(name));
    }
    while let Some(name) = waiting.pop() {
        if is_leans(prelude, &name) || !needed.insert(Name::clone(&name)) {
            continue;
        }
        if &*name == SORRY {
            return Err(Unwritable::Unproved(theorems.join("`, `")));
        }
        if name.contains(['«', '»', '\n']) {
            return Err(Unwritable::Name(name.to_string()));
        }
        let Some(declaration) = env.get(&name) else { continue };
        let mut mention = |term: &Term| {
            term.any(|t| {
                if let Kind::Const(name, _) = t.kind() {
                    waiting.push(Name::clone(name));
                }
                false
            });
        };
        mention(&declaration.ty);
        match &declaration.body {
            Body::Definition(value, _) => mention(value),
            Body::Theorem(proof) => mention(&without_unused(proof)),
            Body::Inductive { constructors, .. } => waiting.extend(constructors.iter().cloned()),
            Body::Constructor { family, .. } => waiting.push(Name::clone(family)),
            Body::Recursor(_) => waiting.extend(name.strip_suffix(".rec").map(Name::from)),
            Body::Axiom => {}
        }
    }
    Ok(needed)
}

/// A proof without the claims in it that the rest does not use: they could be of any size, and say nothing about the
/// theorem.
fn without_unused(proof: &Term) -> Term {
    let rest = |body: &Term| (!body.uses_variable()).then(|| body.instantiated(&Term::prop()));
    proof.replace(&mut |term, _| match term.kind() {
        Kind::App(..) => {
            let (head, args) = term.head_args();
            let Kind::Lambda(_, _, body) = head.kind() else { return None };
            let rest = Term::apps(rest(body)?, args[1..].iter().map(|&argument| argument.clone()));
            Some(deeper(|| without_unused(&rest)))
        }
        Kind::Let(_, _, _, body) => {
            let rest = rest(body)?;
            Some(deeper(|| without_unused(&rest)))
        }
        _ => None,
    })
}

struct Writer<'e> {
    env: &'e Env,
    prelude: &'e Env,
    out: String,
    /// The family whose constructors are being written; Lean takes it for a variable there.
    family: Option<Name>,
}

impl Writer<'_> {
    fn declaration(&mut self, name: &str, declaration: &Declaration) -> Result<(), Unwritable> {
        let (keyword, value) = match &declaration.body {
            Body::Axiom => ("axiom", None),
            Body::Definition(value, _) => ("def", Some(value)),
            Body::Theorem(proof) => ("theorem", Some(&without_unused(proof))),
            Body::Inductive { n_params, constructors } => {
                return self.family(name, declaration, *n_params, constructors);
            }
            // Declared with their family.
            Body::Constructor { .. } | Body::Recursor(_) => return Ok(()),
        };
        self.head(keyword, name, declaration.n_levels);
        self.out.push_str(" : ");
        self.term(&declaration.ty, &mut Vec::new())?;
        if let Some(value) = value {
            self.out.push_str(" :=\n  ");
            self.term(value, &mut Vec::new())?;
        }
        self.out.push('\n');
        Ok(())
    }

    fn head(&mut self, keyword: &str, name: &str, n_levels: usize) {
        let name = lean_name(self.prelude, name);
        let levels: Vec<String> = (0..n_levels).map(|at| format!("u{at}")).collect();
        let levels = if levels.is_empty() { String::new() } else { format!(".{{{}}}", levels.join(", ")) };
        let _ = write!(self.out, "{keyword} {name}{levels}");
    }

    fn family(
        &mut self,
        name: &str,
        declaration: &Declaration,
        n_params: usize,
        constructors: &[Name],
    ) -> Result<(), Unwritable> {
        self.head("inductive", name, declaration.n_levels);
        let (mut names, mut ty) = (Vec::new(), &declaration.ty);
        for _ in 0..n_params {
            let Kind::Pi(binder, from, to) = ty.kind() else { break };
            self.out.push_str(" (");
            let own = self.bound(binder, &names);
            self.out.push_str(&own);
            self.out.push_str(" : ");
            self.term(from, &mut names)?;
            self.out.push(')');
            names.push(own);
            ty = to;
        }
        self.out.push_str(" : ");
        self.term(ty, &mut names)?;
        self.out.push_str(" where\n");
        self.family = Some(name.into());
        for constructor in constructors {
            let Some(declaration) = self.env.get(constructor) else { continue };
            let mut ty = &declaration.ty;
            for _ in 0..n_params {
                let Kind::Pi(_, _, to) = ty.kind() else { break };
                ty = to;
            }
            let short = constructor.rsplit('.').next().unwrap_or(constructor);
            let _ = write!(self.out, "  | {} : ", quoted(short));
            self.term(ty, &mut names)?;
            self.out.push('\n');
        }
        self.family = None;
        Ok(())
    }

    /// A term below named variables, outermost first.
    fn term(&mut self, term: &Term, names: &mut Vec<String>) -> Result<(), Unwritable> {
        if self.out.len() > MAX_TEXT {
            return Err(Unwritable::TooLarge);
        }
        if matches!(term.kind(), Kind::Lambda(..)) {
            // Keeps Lean from introducing the implicit arguments of a case by itself.
            self.out.push('@');
        }
        deeper(|| self.form(term, names))
    }

    fn form(&mut self, term: &Term, names: &mut Vec<String>) -> Result<(), Unwritable> {
        match term.kind() {
            Kind::Bound(index) => {
                let at = names.len().checked_sub(1 + *index as usize).expect("a declared term is closed");
                let name = names[at].clone();
                self.out.push_str(&name);
            }
            Kind::Local(_) | Kind::Meta(_) => unreachable!("a declared term is closed"),
            Kind::Sort(level) => {
                let _ = match level {
                    Level::Num(0) => write!(self.out, "Prop"),
                    Level::Num(1) => write!(self.out, "Type"),
                    level => write!(self.out, "(Sort {})", Shown(level)),
                };
            }
            Kind::Const(name, levels) => self.constant(name, levels),
            Kind::Lit(n) => {
                let _ = write!(self.out, "({n} : Nat)");
            }
            Kind::App(..) => {
                let (head, args) = term.head_args();
                self.out.push('(');
                // A function that is applied must not have the `@`.
                deeper(|| self.form(head, names))?;
                for arg in args {
                    self.out.push(' ');
                    self.term(arg, names)?;
                }
                self.out.push(')');
            }
            Kind::Lambda(binder, ty, body) => self.binding("fun", " => ", binder, ty, None, body, names)?,
            Kind::Pi(binder, ty, body) => self.binding("∀", ", ", binder, ty, None, body, names)?,
            Kind::Let(binder, ty, value, body) => {
                self.binding("let", "; ", binder, ty, Some(value), body, names)?
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of three forms that are written alike")]
    fn binding(
        &mut self,
        word: &str,
        before_body: &str,
        binder: &Binder,
        ty: &Term,
        value: Option<&Term>,
        body: &Term,
        names: &mut Vec<String>,
    ) -> Result<(), Unwritable> {
        let own = self.bound(binder, names);
        let (open, close) = if value.is_some() { ("", "") } else { ("(", ")") };
        let _ = write!(self.out, "({word} {open}{own} : ");
        self.term(ty, names)?;
        if let Some(value) = value {
            self.out.push_str(" := ");
            self.term(value, names)?;
        }
        self.out.push_str(close);
        self.out.push_str(before_body);
        names.push(own);
        let written = self.term(body, names);
        names.pop();
        self.out.push(')');
        written
    }

    fn constant(&mut self, name: &str, levels: &[Level]) {
        if self.family.as_deref() == Some(name) {
            let _ = write!(self.out, "@{}", lean_name(self.prelude, name));
            return;
        }
        let is_recursor = |name: &str| matches!(self.env.get(name).map(|d| &d.body), Some(Body::Recursor(_)));
        let mut levels: Vec<String> = levels.iter().map(|l| Shown(l).to_string()).collect();
        let own = name.strip_suffix(".rec").and_then(|family| self.env.get(family)).map_or(0, |d| d.n_levels);
        if is_recursor(name) && levels.len() > own {
            // Lean has the level of the result first.
            levels.rotate_right(1);
        }
        let levels = if levels.is_empty() { String::new() } else { format!(".{{{}}}", levels.join(", ")) };
        // Inside of a namespace, a name without this may stand for another.
        let _ = write!(self.out, "@_root_.{}{levels}", lean_name(self.prelude, name));
    }

    /// The name of a bound variable: unlike those around it.
    fn bound(&self, binder: &Binder, around: &[String]) -> String {
        let is_simple = |name: &str| {
            let mut letters = name.chars();
            letters.next().is_some_and(|c| c.is_ascii_alphabetic())
                && letters.all(|c| c.is_ascii_digit() || c == '\'')
        };
        let own = &*binder.name;
        match is_simple(own) && !around.iter().any(|name| name == own) {
            true => own.to_owned(),
            false => format!("x_{}", around.len()),
        }
    }
}

/// A name whose parts are quoted where Lean might read them as something else.
fn quoted(name: &str) -> String {
    let is_plain = |part: &str| {
        part.chars().all(|c| c.is_ascii_alphanumeric() || "_'!?".contains(c))
            && part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    };
    let part = |part| if is_plain(part) { part.to_owned() } else { format!("«{part}»") };
    name.split('.').map(part).collect::<Vec<_>>().join(".")
}

/// A level as Lean writes it.
struct Shown<'l>(&'l Level);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Level::Num(n) => write!(f, "{n}"),
            Level::Param(at) => write!(f, "u{at}"),
            Level::Meta(_) => unreachable!("a declared term has no metavariables"),
            Level::Succ(level) => write!(f, "({}+1)", Shown(level)),
            Level::Max(a, b) => write!(f, "(max {} {})", Shown(a), Shown(b)),
            Level::IMax(a, b) => write!(f, "(imax {} {})", Shown(a), Shown(b)),
        }
    }
}
