//! Finds lemmas by the symbols in their statements.
//!
//! Lean's server has no search by symbols without `import Lean`, and `exact?` answers for one goal only. So the names come from
//! the compiled modules, which are read once for each set of imports, and from the theorem's own header. The most promising ones
//! are then looked at more closely: `#check` tells how people write their names and statements where the theorem stands.

mod index;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};

use andor_core::lemma::{self, FoundLemma, Lemma};
use tokio::sync::OnceCell;

use super::explicit;
use super::modules::Modules;
use super::toolchain::Toolchain;
use andor_lean_language::declarations;
use index::{Found, Index};

/// How many names are looked at more closely.
const CLOSELY: usize = 128;

/// An index, or a place for one that is still to be read.
type Slot = Arc<OnceCell<Arc<Index>>>;

/// The indexes of the sets of imports that were needed.
#[derive(Default)]
pub(super) struct Lookups {
    indexes: Mutex<HashMap<Vec<String>, Slot>>,
}

impl Lookups {
    /// The lemmas that a header imports. Where compiled modules cannot be read, as those of other releases, there are none.
    async fn imported(&self, toolchain: &Toolchain, header: &str) -> Arc<Index> {
        let mut imports: Vec<String> = declarations::imports(header).into_iter().map(str::to_owned).collect();
        imports.sort();
        imports.dedup();
        let cell = {
            let mut indexes = self.indexes.lock().expect("nothing panics while holding the indexes");
            Arc::clone(indexes.entry(imports.clone()).or_default())
        };
        let modules = Modules::of(toolchain);
        let read = || async {
            let reading = tokio::task::spawn_blocking(move || Index::read(&modules, &imports));
            match reading.await {
                Ok(Ok(index)) => Arc::new(index),
                Ok(Err((path, error))) => {
                    tracing::warn!("no lemmas of the imports are looked up: `{}`: {error}", path.display());
                    Arc::default()
                }
                Err(error) => {
                    tracing::warn!("no lemmas of the imports are looked up: {error}");
                    Arc::default()
                }
            }
        };
        Arc::clone(cell.get_or_init(read).await)
    }

    /// The most promising lemmas of a header and its imports.
    pub(super) async fn promising(
        &self,
        toolchain: &Toolchain,
        header: &str,
        symbols: &[String],
    ) -> Vec<Found> {
        let imported = self.imported(toolchain, header).await;
        let declared = declarations::declarations(header).unwrap_or_default();
        let own = declared.into_iter().rev().filter(|d| d.sort == declarations::Sort::Theorem);
        let own = own.filter_map(|d| d.name).filter(|name| !name.starts_with("_example_"));
        let mut found: Vec<Found> =
            own.take(CLOSELY / 2).map(|name| Found { name, is_proof: true }).collect();
        found.extend(imported.promising(symbols, CLOSELY - found.len()));
        found
    }
}

/// A question about a name, asked of Lean as a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Question {
    /// Its name and type, as people write them.
    Shown,
    /// The same with everything shown.
    Explicit,
    /// Whether it is a proof: then there is an answer.
    Proof,
}

/// The commands that ask about some lemmas, each with the lemma that it is about.
pub(super) struct Questions {
    asked: Vec<(usize, Question)>,
    pub(super) commands: Vec<String>,
}

impl Questions {
    pub(super) fn about(found: &[Found]) -> Self {
        let mut questions = Self { asked: Vec::new(), commands: Vec::new() };
        for (lemma, Found { name, is_proof }) in found.iter().enumerate() {
            let mut ask = |question, command: String| {
                questions.asked.push((lemma, question));
                questions.commands.push(command);
            };
            ask(Question::Shown, format!("#check @_root_.{name}"));
            ask(Question::Explicit, format!("set_option pp.all true in #check @_root_.{name}"));
            if !is_proof {
                ask(Question::Proof, format!("#check (@id.{{0}} _ @_root_.{name})"));
            }
        }
        questions
    }

    /// The best lemmas by the answers, which are messages that are no errors with the number of the command.
    pub(super) fn best<'a>(
        &self,
        answers: impl Iterator<Item = (usize, &'a str)>,
        symbols: &[String],
        most: usize,
    ) -> Vec<Lemma> {
        let answers =
            answers.filter_map(|(command, text)| Some((*self.asked.get(command)?, on_one_line(text))));
        let answers: BTreeMap<(usize, Question), String> = answers.collect();
        let asks_proof: HashSet<usize> = self
            .asked
            .iter()
            .filter(|(_, question)| *question == Question::Proof)
            .map(|(of, _)| *of)
            .collect();
        let is_proof =
            |lemma: &usize| !asks_proof.contains(lemma) || answers.contains_key(&(*lemma, Question::Proof));
        let lemmas: BTreeSet<usize> = self.asked.iter().map(|(lemma, _)| *lemma).filter(is_proof).collect();
        let found = lemmas.into_iter().filter_map(|lemma| {
            let (name, statement) = answers.get(&(lemma, Question::Shown))?.split_once(" : ")?;
            let (_, explicit) = answers.get(&(lemma, Question::Explicit))?.split_once(" : ")?;
            let symbols = match explicit::parse(explicit, &HashSet::new()) {
                Some(expr) => expr.constants().map(ToString::to_string).collect(),
                None => lemma::words(explicit).map(str::to_owned).collect(),
            };
            let name = name.trim_start_matches('@').to_owned();
            Some(FoundLemma { lemma: Lemma { name, statement: statement.to_owned() }, symbols })
        });
        lemma::best(found.collect(), symbols, most)
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
