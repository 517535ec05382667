//! Coq's document, which is linear: going back destroys everything after the target.
//!
//! A proof state is identified by its path, the sentences after the statement. [`Document::goto`] reaches it by going
//! back to the longest common prefix with the current path, and adding the rest.

use std::sync::Arc;
use std::time::Duration;

use andor_process::error::ProcessError;

use super::connection::{Connection, Exchanged, Patience};
use super::goal::{self, PrintedGoals};
use super::wire::{self, Call, CoqError, DocState, Reply, Setting, shorten};
use andor_env::error::EnvError;
use andor_env::worker::TacticLimits;
use andor_process::limits::TimeLimit;

/// Printing options for the explicit form. Notations are off, but numerals are kept: `Printing All` would print 3000
/// as three thousand successors.
pub(super) const EXPLICIT: &[(&str, bool)] = &[
    ("Printing Notations", false),
    ("Printing Implicit", true),
    ("Printing Coercions", true),
    ("Printing Records", false),
];
const PRETTY: &[(&str, bool)] = &[
    ("Printing Notations", true),
    ("Printing Implicit", false),
    ("Printing Coercions", false),
    ("Printing Records", true),
];

/// What a header may set and would change or hide parts of goals, in both forms: elided subterms, the names of goals.
const WHOLE: &[(&str, Setting)] = &[
    ("Printing Depth", Setting::Number(1_000_000)),
    ("Printing Goal Names", Setting::Switch(true)),
    ("Printing All", Setting::Switch(false)),
    ("Printing Existential Instances", Setting::Switch(false)),
];

/// A process idle for longer than this may have been stopped.
const LONG_IDLE: Duration = Duration::from_secs(1);

/// A sentence; those of a proof in committed form (without a time limit).
pub(super) type Sentence = Arc<str>;

/// Goals in both printed forms.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    pub(super) pretty: PrintedGoals,
    pub(super) explicit: PrintedGoals,
}

/// The result of running a sentence.
#[derive(Debug)]
pub(super) enum Ran {
    Goals(Box<Goals>),
    /// The proof is no longer open.
    NoProof,
    Failed(CoqError),
    /// It exceeded a limit, and was stopped by Coq itself or by an interrupt.
    Stopped(TimeLimit),
}

/// The document of one process.
#[derive(Debug)]
pub(super) struct Document {
    connection: Connection,
    /// The initial state.
    start: DocState,
    /// The sentences of the header, with the resulting states.
    header: Vec<(Sentence, DocState)>,
    /// The state before the first sentence of the proof.
    base: DocState,
    /// The current sentences of the proof, with the resulting states.
    live: Vec<(Sentence, DocState)>,
    /// Whether something was added beyond `live` that must be undone before continuing.
    ahead: bool,
}

impl Document {
    /// Performs the handshake with a fresh process; returns its version too.
    pub(super) async fn start(mut connection: Connection, program: &str) -> Result<(Self, String), EnvError> {
        let refused =
            |error: CoqError| EnvError::Handshake { program: program.to_owned(), got: error.message };
        let garbled = |got| EnvError::Garbled { doing: Call::Init.describe(), got };
        let exchanged = connection.exchange(&[Call::Init, Call::About], Patience::QUICK).await?;
        let [init, about] = &exchanged.replies[..] else { unreachable!("one reply per call") };
        let (reply, result) = init.result().map_err(refused)?;
        let start = wire::state_id(reply, result).map_err(garbled)?;
        let (reply, result) = about.result().map_err(refused)?;
        let version = wire::version(reply, result).map_err(garbled)?;
        let document =
            Self { connection, start, header: Vec::new(), base: start, live: Vec::new(), ahead: false };
        Ok((document, version))
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.connection.process_id()
    }

    /// Adds and runs a sentence that proof steps never undo. Both may take long: `Require` reads libraries when it is added.
    /// That time was up is [`ProcessError::Overdue`], and no answer of Coq's.
    pub(super) async fn add_to_base(
        &mut self,
        sentence: &str,
        patience: Patience,
    ) -> Result<Result<(), CoqError>, EnvError> {
        debug_assert!(self.live.is_empty() && !self.ahead, "the base comes before the proof");
        let before = self.base;
        let overdue = || {
            EnvError::Process(ProcessError::Overdue {
                doing: format!("reading `{}`", shorten(sentence)),
                after: patience.wall,
            })
        };
        let exchanged = self.exchange(&[Call::Add { sentence, tip: before }], patience).await?;
        self.base = match added(sentence, before, &exchanged)? {
            Ok(state) => state,
            Err(_) if exchanged.interrupted.is_some() => return Err(overdue()),
            Err(error) => return Ok(Err(error)),
        };
        let exchanged = self.exchange(&[Call::Status], patience).await?;
        if let Err(error) = exchanged.replies[0].result() {
            if exchanged.interrupted.is_some() {
                return Err(overdue());
            }
            self.edit_at(before, Patience::QUICK).await?;
            self.base = before;
            return Ok(Err(error));
        }
        Ok(Ok(()))
    }

    /// Adds and runs a sentence of the header, before all others.
    pub(super) async fn add_to_header(
        &mut self,
        sentence: &str,
        patience: Patience,
    ) -> Result<Result<(), CoqError>, EnvError> {
        let added = self.add_to_base(sentence, patience).await?;
        if added.is_ok() {
            self.header.push((sentence.into(), self.base));
        }
        Ok(added)
    }

    /// The sentences of the header.
    pub(super) fn header(&self) -> impl ExactSizeIterator<Item = &str> {
        self.header.iter().map(|(sentence, _)| &**sentence)
    }

    /// Undoes everything after the first `n` sentences of the header.
    pub(super) async fn back_to_header(&mut self, n: usize) -> Result<(), EnvError> {
        let state = if n == 0 { self.start } else { self.header[n - 1].1 };
        self.edit_at(state, Patience::WAKE).await?;
        self.header.truncate(n);
        self.base = state;
        self.live.clear();
        self.ahead = false;
        Ok(())
    }

    /// Checks that a process that was idle for long still answers.
    pub(super) async fn wake(&mut self) -> Result<(), EnvError> {
        if self.connection.idle_for() > LONG_IDLE {
            let woken = self.exchange(&[Call::About], Patience::WAKE).await?;
            if woken.interrupted.is_some() {
                self.after_interrupt().await?;
            }
        }
        Ok(())
    }

    /// The values of options at the tip; `None` for those without a value. Everything before was executed.
    pub(super) async fn options<const N: usize>(
        &mut self,
        names: [&str; N],
    ) -> Result<[Option<String>; N], EnvError> {
        let exchanged = self.exchange(&[Call::GetOptions], Patience::QUICK).await?;
        let garbled = |got| EnvError::Garbled { doing: Call::GetOptions.describe(), got };
        let (document, result) = exchanged.replies[0].result().map_err(|error| garbled(error.message))?;
        Ok(names.map(|name| wire::option(document, result, name)))
    }

    /// The goals at the tip.
    pub(super) async fn goals(&mut self, patience: Patience) -> Result<Ran, EnvError> {
        let calls = [
            Call::Set(WHOLE),
            Call::Subgoals,
            Call::SetOptions(EXPLICIT),
            Call::Subgoals,
            Call::SetOptions(PRETTY),
        ];
        let Exchanged { replies, interrupted } = self.exchange(&calls, patience).await?;
        let (pretty, explicit) = (read_goals(&replies[1])?, read_goals(&replies[3])?);
        if interrupted.is_some() {
            self.after_interrupt().await?;
        }
        Ok(match (pretty, explicit) {
            (Ok(Some(pretty)), Ok(Some(explicit))) => Ran::Goals(Box::new(Goals { pretty, explicit })),
            (Ok(None), _) | (_, Ok(None)) => Ran::NoProof,
            (Err(error), _) | (_, Err(error)) => match interrupted {
                Some(limit) => Ran::Stopped(limit),
                None if error.message.starts_with("Timeout!") => Ran::Stopped(TimeLimit::Wall(patience.wall)),
                None => Ran::Failed(error),
            },
        })
    }

    /// Moves the process to exactly the sentences of `path`, all of which are known to succeed.
    pub(super) async fn goto(&mut self, path: &[Sentence]) -> Result<(), EnvError> {
        let common = self.live.iter().zip(path).take_while(|((live, _), wanted)| live == *wanted).count();
        if common < self.live.len() || self.ahead {
            let target = if common == 0 { self.base } else { self.live[common - 1].1 };
            self.edit_at(target, Patience::QUICK).await?;
            self.live.truncate(common);
            self.ahead = false;
        }
        for sentence in &path[common..] {
            match self.add(sentence, self.tip()).await? {
                Ok(state) => self.live.push((Arc::clone(sentence), state)),
                Err(error) => {
                    let got = format!(
                        "`{}` was accepted before and now gives: {}",
                        shorten(sentence),
                        error.message
                    );
                    return Err(EnvError::Garbled { doing: "going to a known state".into(), got });
                }
            }
        }
        Ok(())
    }

    /// Adds and runs a sentence at the tip. It is not part of the known path until [`Document::keep`] is called.
    pub(super) async fn try_sentence(
        &mut self,
        sentence: &str,
        patience: Patience,
    ) -> Result<(Ran, DocState), EnvError> {
        debug_assert!(!self.ahead, "the tip is where the last goto went");
        match self.add(sentence, self.tip()).await? {
            Err(error) => Ok((Ran::Failed(error), self.tip())),
            Ok(state) => {
                self.ahead = true;
                Ok((self.goals(patience).await?, state))
            }
        }
    }

    /// Makes the last sentence, in its committed form, part of the known path.
    pub(super) fn keep(&mut self, sentence: Sentence, state: DocState) {
        self.live.push((sentence, state));
        self.ahead = false;
    }

    /// Whether `sentence` would succeed at the tip. Must be undone, but has no other effect.
    pub(super) async fn would_accept(
        &mut self,
        sentence: &str,
        patience: Patience,
    ) -> Result<Result<(), CoqError>, EnvError> {
        let before = self.tip();
        if let Err(error) = self.add(sentence, before).await? {
            return Ok(Err(error));
        }
        let exchanged = self.exchange(&[Call::Status], patience).await?;
        let result = exchanged.replies[0].result().map(|_| ());
        self.edit_at(before, Patience::QUICK).await?;
        Ok(result)
    }

    /// Coq's answers to queries at the tip; `None` for those without an answer. Everything before was executed.
    pub(super) async fn ask(&mut self, questions: &[String]) -> Result<Vec<Option<String>>, EnvError> {
        debug_assert!(!self.ahead, "the tip is where the last goto went");
        let at = self.tip();
        let calls: Vec<Call<'_>> = questions.iter().map(|sentence| Call::Query { sentence, at }).collect();
        let exchanged = self.exchange(&calls, Patience::QUICK).await?;
        let answer = |reply: &Reply| reply.result().ok().and_then(|_| reply.message());
        Ok(exchanged.replies.iter().map(answer).collect())
    }

    /// All messages of Coq in answer to queries at the tip after some settings, which are undone; none where a query fails.
    pub(super) async fn ask_under(
        &mut self,
        settings: &[String],
        questions: &[String],
    ) -> Result<Vec<Vec<String>>, EnvError> {
        debug_assert!(!self.ahead, "the tip is where the last goto went");
        let mut at = self.tip();
        for setting in settings {
            self.ahead = true;
            match self.add(setting, at).await? {
                Ok(state) => at = state,
                Err(error) => {
                    let doing = format!("adding `{setting}`");
                    return Err(EnvError::Garbled { doing, got: error.message });
                }
            }
        }
        let calls = questions.iter().map(|sentence| Call::Query { sentence, at });
        let calls: Vec<Call<'_>> = std::iter::once(Call::Status).chain(calls).collect();
        let Exchanged { replies, interrupted } = self.exchange(&calls, Patience::QUICK).await?;
        if interrupted.is_some() {
            self.after_interrupt().await?;
        }
        if self.ahead {
            self.edit_at(self.tip(), Patience::QUICK).await?;
            self.ahead = false;
        }
        let messages =
            |reply: &Reply| reply.result().map_or_else(|_| Vec::new(), |_| reply.messages().collect());
        Ok(replies.iter().skip(1).map(messages).collect())
    }

    fn tip(&self) -> DocState {
        self.live.last().map_or(self.base, |(_, state)| *state)
    }

    async fn add(&mut self, sentence: &str, tip: DocState) -> Result<Result<DocState, CoqError>, EnvError> {
        let exchanged = self.exchange(&[Call::Add { sentence, tip }], Patience::QUICK).await?;
        added(sentence, tip, &exchanged)
    }

    async fn edit_at(&mut self, state: DocState, patience: Patience) -> Result<(), EnvError> {
        // A late interrupt hits the next call, whichever it is; that call is repeated once.
        for _ in 0..2 {
            let exchanged = self.exchange(&[Call::EditAt(state)], patience).await?;
            match exchanged.replies[0].result() {
                Ok(_) => return Ok(()),
                Err(error) if error.message.contains("User interrupt") => {}
                Err(error) => {
                    return Err(EnvError::Garbled {
                        doing: "going back".into(),
                        got: shorten(&error.message),
                    });
                }
            }
        }
        Err(EnvError::Garbled { doing: "going back".into(), got: "interrupted twice".into() })
    }

    /// Absorbs an interrupt that may not have arrived yet.
    async fn after_interrupt(&mut self) -> Result<(), EnvError> {
        self.exchange(&[Call::About], Patience::QUICK).await?;
        Ok(())
    }

    async fn exchange(&mut self, calls: &[Call<'_>], patience: Patience) -> Result<Exchanged, EnvError> {
        self.connection.exchange(calls, patience).await
    }
}

/// The state after a sentence that was added at `tip`.
fn added(
    sentence: &str,
    tip: DocState,
    exchanged: &Exchanged,
) -> Result<Result<DocState, CoqError>, EnvError> {
    match exchanged.replies[0].result() {
        Ok((reply, result)) => {
            let garbled = |got| EnvError::Garbled { doing: Call::Add { sentence, tip }.describe(), got };
            wire::added(reply, result).map(Ok).map_err(garbled)
        }
        Err(error) => Ok(Err(error)),
    }
}

fn read_goals(reply: &Reply) -> Result<Result<Option<PrintedGoals>, CoqError>, EnvError> {
    match reply.result() {
        Err(error) => Ok(Err(error)),
        Ok((document, result)) => {
            let garbled = |got| EnvError::Garbled { doing: "reading goals".into(), got };
            goal::read(document, result).map(Ok).map_err(garbled)
        }
    }
}

impl Patience {
    /// For a tactic, whose wall time Coq limits itself in whole seconds.
    pub(super) fn for_tactic(TacticLimits { wall, cpu }: TacticLimits) -> Self {
        // Limits in whole seconds are enforced by Coq, up to 0.13 s late; finer ones by us.
        let slack = if wall.subsec_nanos() == 0 { Duration::from_millis(500) } else { Duration::ZERO };
        Self { wall, slack, then_kill_after: Duration::from_secs(1), cpu }
    }
}
