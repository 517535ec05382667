//! Prints terms in Lean's notation and spacing, with as few parentheses as possible.

use std::fmt::Write;

use super::ast::{Argument, Binders, Expr, ExprKind, Grouping, Universe};
use crate::budget;
use crate::kernel::term::deeper;

/// The precedence of an argument.
const ARGUMENT: u32 = 1025;

/// The precedence of an application.
const APPLICATION: u32 = 1024;

/// A term as text, on one line.
pub fn print(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, 0, true, &mut out);
    out
}

/// The precedence of a term, by its outermost form.
fn precedence(expr: &Expr) -> u32 {
    match expr.kind() {
        ExprKind::Fun(..)
        | ExprKind::Forall(..)
        | ExprKind::Exists(..)
        | ExprKind::Let(..)
        | ExprKind::Have(..)
        | ExprKind::Show(..)
        | ExprKind::By(_) => 0,
        ExprKind::Arrow(..) | ExprKind::Pi(..) => 25,
        // Its operand extends as far as that of an operator of this precedence.
        ExprKind::Not(_) => 40,
        ExprKind::Binary(operator, ..) => operator.precedence(),
        ExprKind::App(..) => APPLICATION,
        _ => ARGUMENT,
    }
}

/// Writes a term, in parentheses if its precedence is less than `least`. A form that extends as
/// far to the right as possible needs none if it is `last`: nothing follows before the next closing bracket.
fn write(expr: &Expr, least: u32, last: bool, out: &mut String) {
    budget::visits(1);
    deeper(|| {
        let reaches = precedence(expr) == 0;
        if precedence(expr) < least && !(reaches && last && least < APPLICATION) {
            out.push('(');
            write_open(expr, true, out);
            out.push(')');
        } else {
            write_open(expr, last, out);
        }
    });
}

fn write_open(expr: &Expr, last: bool, out: &mut String) {
    match expr.kind() {
        ExprKind::Ident(name) => out.push_str(name),
        ExprKind::Explicit(name) => {
            let _ = write!(out, "@{name}");
        }
        ExprKind::Num(n) => {
            let _ = write!(out, "{n}");
        }
        ExprKind::Hole => out.push('_'),
        ExprKind::Synthetic(name) => {
            let _ = write!(out, "?{}", name.as_deref().unwrap_or("_"));
        }
        ExprKind::Sort(Universe::Num(0)) => out.push_str("Prop"),
        ExprKind::Sort(Universe::Num(1)) => out.push_str("Type"),
        ExprKind::Sort(Universe::Num(n)) => {
            let _ = write!(out, "(Type {})", n - 1);
        }
        ExprKind::Sort(Universe::Succ(level)) => {
            out.push_str("(Type ");
            universe(level, out);
            out.push(')');
        }
        ExprKind::Sort(level) => {
            out.push_str("(Sort ");
            universe(level, out);
            out.push(')');
        }
        ExprKind::App(function, arguments) => {
            write_before(function, arguments.first(), out);
            for (at, argument) in arguments.iter().enumerate() {
                out.push(' ');
                match argument {
                    Argument::Positional(term) => write_before(term, arguments.get(at + 1), out),
                    Argument::Named(name, term) => {
                        let _ = write!(out, "({name} := ");
                        write(term, 0, true, out);
                        out.push(')');
                    }
                }
            }
        }
        ExprKind::Fun(binders, body) => binding("fun", binders, " =>", body, out),
        ExprKind::Forall(binders, body) => binding("∀", binders, ",", body, out),
        ExprKind::Exists(binders, body) => binding("∃", binders, ",", body, out),
        ExprKind::Pi(binders, body) => {
            bracketed_binders(binders, out);
            out.push_str(" → ");
            write(body, 25, last, out);
        }
        ExprKind::Arrow(from, to) => {
            // `(x : T) → p` would bind `x`.
            let binds = matches!(from.kind(), ExprKind::Ascription(..));
            write(from, if binds { ARGUMENT + 1 } else { 26 }, false, out);
            out.push_str(" → ");
            write(to, 25, last, out);
        }
        ExprKind::Binary(operator, a, b) => {
            let at = operator.precedence();
            let (left, right) = match operator.grouping() {
                Grouping::Left => (at, at + 1),
                Grouping::Right => (at + 1, at),
                Grouping::None => (at + 1, at + 1),
            };
            write(a, left, false, out);
            let _ = write!(out, " {} ", operator.symbol());
            write(b, right, last, out);
        }
        ExprKind::Not(a) => {
            out.push('¬');
            write(a, 40, last, out);
        }
        ExprKind::Anonymous(all) => bracketed("⟨", all, "⟩", out),
        ExprKind::Tuple(all) => bracketed("(", all, ")", out),
        ExprKind::List(all) => bracketed("[", all, "]", out),
        ExprKind::Project(term, field) => {
            write(term, ARGUMENT, false, out);
            let _ = write!(out, ".{field}");
        }
        ExprKind::Ascription(term, ty) => {
            out.push('(');
            write(term, 0, true, out);
            out.push_str(" : ");
            write(ty, 0, true, out);
            out.push(')');
        }
        ExprKind::Let(name, ty, value, body) => {
            let _ = write!(out, "let {name}");
            definition(ty.as_deref(), value, body, out);
        }
        ExprKind::Have(name, ty, value, body) => {
            out.push_str("have");
            if let Some(name) = name {
                let _ = write!(out, " {name}");
            }
            definition(Some(ty), value, body, out);
        }
        // Only source text has tactics within terms; what is printed came from the kernel.
        ExprKind::By(_) => out.push_str("by …"),
        ExprKind::Show(ty, term) => {
            out.push_str("show ");
            write(ty, 0, true, out);
            out.push_str(" from ");
            write(term, 0, true, out);
        }
    }
}

fn universe(level: &Universe, out: &mut String) {
    match level {
        Universe::Num(n) => {
            let _ = write!(out, "{n}");
        }
        Universe::Name(name) => out.push_str(name),
        Universe::Succ(_) => {
            let (mut base, mut n) = (level, 0);
            while let Universe::Succ(before) = base {
                (base, n) = (before, n + 1);
            }
            out.push('(');
            universe(base, out);
            let _ = write!(out, "+{n})");
        }
        Universe::Max(a, b) | Universe::IMax(a, b) => {
            out.push_str(if matches!(level, Universe::Max(..)) { "(max " } else { "(imax " });
            universe(a, out);
            out.push(' ');
            universe(b, out);
            out.push(')');
        }
    }
}

/// Writes the head of an application or one of its arguments, with what comes next.
fn write_before(expr: &Expr, next: Option<&Argument>, out: &mut String) {
    // `Type 1`, `Type u` and `Type (u+1)` are universes, not `Type` applied.
    let is_applied = matches!(next, Some(Argument::Positional(_)));
    let is_type = matches!(expr.kind(), ExprKind::Sort(Universe::Num(1)));
    write(expr, if is_type && is_applied { ARGUMENT + 1 } else { ARGUMENT }, false, out);
}

fn definition(ty: Option<&Expr>, value: &Expr, body: &Expr, out: &mut String) {
    if let Some(ty) = ty {
        out.push_str(" : ");
        write(ty, 0, true, out);
    }
    out.push_str(" := ");
    write(value, 0, true, out);
    out.push_str("; ");
    write(body, 0, true, out);
}

fn binding(word: &str, binders: &[Binders], mark: &str, body: &Expr, out: &mut String) {
    out.push_str(word);
    for binders in binders {
        out.push(' ');
        match binders.ty {
            Some(_) => bracketed_binders(binders, out),
            None => out.push_str(&binders.names.join(" ")),
        }
    }
    let _ = write!(out, "{mark} ");
    write(body, 0, true, out);
}

fn bracketed_binders(binders: &Binders, out: &mut String) {
    let (open, close) = if binders.implicit { ('{', '}') } else { ('(', ')') };
    let _ = write!(out, "{open}{}", binders.names.join(" "));
    if let Some(ty) = &binders.ty {
        out.push_str(" : ");
        write(ty, 0, true, out);
    }
    out.push(close);
}

fn bracketed(open: &str, all: &[Expr], close: &str, out: &mut String) {
    out.push_str(open);
    for (at, term) in all.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write(term, 0, true, out);
    }
    out.push_str(close);
}
