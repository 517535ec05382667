//! The words with which the commands begin that a module defines.
//!
//! A module says which parsers it adds to Lean's commands. Each is a constant whose value is a composition of smaller
//! parsers, the words of the command among them.

use crate::olean::{Address, Kind, Literal, Module, Name, Names, Node, OleanError, Term};

/// The extension in which a module lists its parsers and the symbols in them.
const PARSERS: &str = "Lean.Parser.parserExtension";

/// The parsers of commands.
const COMMANDS: &str = "command";

/// The most levels of a parser that are read.
const DEEPEST: usize = 400;

/// What may be absent from the text of a command, by the name of its parser.
const OPTIONAL: &[&str] =
    &["optional", "many", "sepBy", "lookahead", "notFollowedBy", "checkPrec", "mkAntiquot"];

/// Parsers of one symbol, which is their first argument.
const SYMBOLS: &[&str] = &["symbol", "nonReservedSymbol", "unicodeSymbol", "keywordCore"];

/// The words of a module's commands: whoever uses one of them writes at least one of its words.
pub(super) fn commands(
    module: &Module,
    names: &mut Names,
    index: &[(Name, Address)],
) -> Result<Vec<String>, OleanError> {
    let mut symbols = Vec::new();
    let mut parsers = Vec::new();
    for node in module.entries(PARSERS, names)? {
        // For all files, or for those that open a namespace.
        let entry = node.any_constructor("an entry with a scope")?;
        let entry = entry.field(entry.len().saturating_sub(1))?.any_constructor("an entry of a parser")?;
        match (entry.tag, entry.len()) {
            (0, 1) => symbols.push(entry.field(0)?.text("a symbol")?.trim().to_owned()),
            (3, 3) if names.read(entry.field(0)?)?.as_str() == COMMANDS => {
                parsers.push(names.read(entry.field(1)?)?);
            }
            _ => {}
        }
    }
    let mut words = Vec::new();
    for parser in parsers {
        let at = index.iter().find(|(name, _)| *name == parser).map(|(_, at)| *at);
        let value =
            match at.map(|at| module.constant(parser.as_str(), at, names)).transpose()?.map(|c| c.kind) {
                Some(Kind::Definition { value, .. }) => needed(value, names, 0)?,
                _ => None,
            };
        // A parser that cannot be read begins with some symbol of its module.
        words.extend(value.unwrap_or_else(|| symbols.iter().filter(|word| is_word(word)).cloned().collect()));
    }
    words.sort_unstable();
    words.dedup();
    Ok(words)
}

/// Symbols of which every text that a parser reads has at least one.
fn needed(node: Node<'_>, names: &mut Names, depth: usize) -> Result<Option<Vec<String>>, OleanError> {
    if depth > DEEPEST {
        return Ok(None);
    }
    let mut arguments = Vec::new();
    let mut head = node;
    let head = loop {
        match Term::read(head)? {
            Term::Application(function, argument) => {
                arguments.push(argument);
                head = function;
            }
            other => break other,
        }
    };
    arguments.reverse();
    let parser = match head {
        Term::Lambda(_, body) | Term::Let(_, _, body) => return needed(body, names, depth + 1),
        Term::Constant(name, _) => last(names.read(name)?.as_str()).to_owned(),
        _ => return Ok(None),
    };
    let parser = match (parser.as_str(), arguments.first()) {
        // Described by data: the name of the combination comes first.
        ("unary" | "binary", Some(&name)) => literals(name, depth)?.pop().unwrap_or_default(),
        _ => parser,
    };
    if SYMBOLS.contains(&parser.as_str()) {
        let mut found = Vec::new();
        for &argument in &arguments {
            found.extend(literals(argument, depth)?.iter().map(|symbol| symbol.trim().to_owned()));
        }
        return Ok(Some(found).filter(|found| found.iter().any(|symbol| is_word(symbol))));
    }
    if OPTIONAL.iter().any(|optional| parser.starts_with(optional) && !parser.starts_with("sepBy1")) {
        // `many1` needs what it repeats.
        if !parser.starts_with("many1") {
            return Ok(None);
        }
    }
    if matches!(parser.as_str(), "orelse" | "hOrElse") {
        let mut all = Vec::new();
        let choices = arguments.len().saturating_sub(2);
        for &choice in &arguments[choices..] {
            let Some(words) = needed(choice, names, depth + 1)? else { return Ok(None) };
            all.extend(words);
        }
        return Ok(Some(all));
    }
    for argument in arguments {
        if let Some(words) = needed(argument, names, depth + 1)? {
            return Ok(Some(words));
        }
    }
    Ok(None)
}

/// The texts in a term.
fn literals(node: Node<'_>, depth: usize) -> Result<Vec<String>, OleanError> {
    if depth > DEEPEST {
        return Ok(Vec::new());
    }
    Ok(match Term::read(node)? {
        Term::Literal(Literal::Text(text)) => vec![text.into_owned()],
        Term::Application(function, argument) => {
            [literals(function, depth + 1)?, literals(argument, depth + 1)?].concat()
        }
        _ => Vec::new(),
    })
}

/// Whether a symbol tells its command from others: a bracket or `:=` does not.
fn is_word(symbol: &str) -> bool {
    symbol.chars().any(|c| c.is_alphabetic() || c == '#')
}

/// The last part of a name.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
