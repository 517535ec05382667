//! Applies a script to goals as far as it holds: decides which of its tactics is tried where, and keeps track of what
//! it leaves.
//!
//! A `Grafter` runs nothing itself. The driver of a search and an interactive proof ask it for the next `Trial`,
//! try it, and say what came of it. It keeps the list of goals that the script has in view as the assistant would,
//! while each tactic is tried on the obligation of its goal alone. Goals that share metavariables are one obligation:
//! tactics apply to its first goal, and the others follow it from step to step.
//!
//! A tactic that fails is cut off with what follows it in its block. A goal that is left stays open; the blocks of
//! other goals go on.

use std::collections::VecDeque;

use andor_artifact::graft::GraftOrigin;
use andor_core::goal::Goal;
use andor_core::plan::PlanStep;
use andor_env::outline::{Block, Gap, Item, Outline, Parts, Pick, Place, Skipped, Tactic, Targets, What};
use andor_env::session::{CheckpointId, Obligation, Session};

/// A script that a search begins with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    /// Its text (see [`andor_env::environment::Environment::outline`]).
    pub script: String,
    /// Where it begins in the file that positions refer to.
    pub start: Place,
    /// Where it comes from.
    pub origin: GraftOrigin,
    /// What it states, if it is a plan.
    pub plan: Vec<PlanStep>,
}

/// A tactic to be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trial {
    /// Where.
    pub(crate) at: Obligation,
    /// The tactic.
    pub(crate) tactic: String,
    /// Where it stands in the script.
    pub(crate) place: Place,
}

/// A tactic that was cut off, with what follows it in its block; or what cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where it stands in the script.
    pub place: Place,
    /// The tactic; `None` if the script itself is at fault there.
    pub tactic: Option<String>,
    /// Why it does not hold.
    pub error: String,
    /// The obligation that it was tried on.
    pub at: Option<Obligation>,
}

/// A goal that a script leaves open on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Where the script says so; `None` if its block just ends.
    pub gap: Option<Gap>,
    /// The obligation of the goal; `None` if it is no part of the search.
    pub at: Option<Obligation>,
}

/// What became of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grafted {
    /// The goals that it leaves open on purpose.
    pub holes: Vec<Hole>,
    /// What was left out because it changes no goal, in order.
    pub skipped: Vec<Skipped>,
    /// What was cut off, in order.
    pub cuts: Vec<Cut>,
}

/// A goal, as it is followed through the script.
struct Followed {
    /// Its obligation now; `None` when it is closed, or no part of the search.
    at: Option<Obligation>,
    /// Its place among the goals of its checkpoint.
    rank: usize,
    name: String,
    /// How a script addresses it.
    tag: Option<String>,
    /// The metavariables that it mentions.
    metas: Vec<String>,
}

/// A block that is being applied.
struct Frame {
    items: VecDeque<Item>,
    /// The goals in view, in order, by number.
    view: VecDeque<usize>,
}

/// The tactic that is being tried, or will be on further goals.
struct Current {
    place: Place,
    tactic: Tactic,
    /// The goals on which it is still to be tried, the present one first.
    targets: VecDeque<usize>,
    /// Whether it is tried without the proofs in it.
    is_head: bool,
}

/// Applies an outline.
pub(crate) struct Grafter {
    goals: Vec<Followed>,
    /// The open blocks, the innermost last.
    frames: Vec<Frame>,
    current: Option<Current>,
    grafted: Grafted,
    /// The goals that were left open on purpose, by number, and where.
    holes: Vec<(usize, Option<Gap>)>,
}

impl Grafter {
    /// Applies an outline to an obligation. `start` is the place of the script in its file.
    pub(crate) fn new(session: &Session, at: Obligation, outline: Outline, start: Place) -> Self {
        let mut grafter = Self {
            goals: Vec::new(),
            frames: Vec::new(),
            current: None,
            grafted: Grafted::default(),
            holes: Vec::new(),
        };
        let goals = session.goals(at);
        let view = goals.iter().enumerate().map(|(rank, goal)| grafter.follow(at, rank, goal)).collect();
        grafter.frames.push(Frame { items: located(outline.block, start).into(), view });
        let within = |Skipped { place, text }| Skipped { place: place.within(start), text };
        grafter.grafted.skipped = outline.skipped.into_iter().map(within).collect();
        if let Some(unread) = outline.unread {
            let place = unread.place.within(start);
            grafter.grafted.cuts.push(Cut { place, tactic: None, error: unread.what, at: None });
        }
        grafter
    }

    fn follow(&mut self, at: Obligation, rank: usize, goal: &Goal) -> usize {
        let tag = goal.tag.clone().or_else(|| goal.case.clone());
        let (name, metas) = (goal.name.clone(), goal.metas.clone());
        self.goals.push(Followed { at: Some(at), rank, name, tag, metas });
        self.goals.len() - 1
    }

    /// The next trial; `None` when the script is over. Its result must be told before the next call.
    pub(crate) fn next(&mut self) -> Option<Trial> {
        loop {
            if let Some(trial) = self.trial() {
                return Some(trial);
            }
            let frame = self.frames.last_mut()?;
            frame.view.retain(|&goal| self.goals[goal].at.is_some());
            let Some(Item { place, what }) = frame.items.pop_front() else {
                self.leave();
                continue;
            };
            let view = &mut frame.view;
            let goals = &self.goals;
            let tagged = |view: &VecDeque<usize>, wanted: &str| {
                let is_it = |tag: &str| tag.rsplit('.').next() == Some(wanted) || tag == wanted;
                view.iter().position(|&goal| goals[goal].tag.as_deref().is_some_and(is_it))
            };
            match what {
                What::Tactic(mut tactic) => {
                    let targets: VecDeque<usize> = match &tactic.on {
                        Targets::First => view.front().copied().into_iter().collect(),
                        Targets::Nth(n) => {
                            n.checked_sub(1).and_then(|n| view.get(n)).copied().into_iter().collect()
                        }
                        Targets::All => view.clone(),
                        Targets::Named(name) => match tagged(view, name) {
                            Some(at) => VecDeque::from([view[at]]),
                            None => {
                                let meta = format!("?{name}");
                                tactic.text = format!("[{name}]: {}", tactic.text);
                                let mentions = |goal: &&usize| goals[**goal].metas.contains(&meta);
                                view.iter().find(mentions).copied().into_iter().collect()
                            }
                        },
                    };
                    if targets.is_empty() {
                        self.cut(place, Some(tactic.text), "no goal is left for it".to_owned(), None);
                    } else {
                        let is_head = tactic.parts.as_ref().is_some_and(|parts| parts.has_hole);
                        self.current = Some(Current { place, tactic, targets, is_head });
                    }
                }
                What::Focus(pick, block) => {
                    let found = match &pick {
                        Pick::First => Some(0),
                        Pick::Nth(n) => n.checked_sub(1),
                        Pick::Case(tag) => Some(tagged(view, tag).unwrap_or(0)),
                    };
                    match found.and_then(|index| view.remove(index)) {
                        Some(goal) => {
                            let view = VecDeque::from([goal]);
                            self.frames.push(Frame { items: block.into(), view });
                        }
                        None => self.cut(place, None, "no goal is left for this block".to_owned(), None),
                    }
                }
                What::Rotate(by) => {
                    let length = i64::try_from(view.len()).unwrap_or(i64::MAX).max(1);
                    let by = i64::from(by).rem_euclid(length);
                    view.rotate_left(usize::try_from(by).unwrap_or(0));
                }
                What::Hole { on, is_inside } => {
                    let found: Vec<usize> = match on {
                        Targets::All => view.drain(..).collect(),
                        Targets::First => view.pop_front().into_iter().collect(),
                        Targets::Nth(n) => {
                            n.checked_sub(1).and_then(|n| view.remove(n)).into_iter().collect()
                        }
                        Targets::Named(name) => {
                            tagged(view, &name).and_then(|at| view.remove(at)).into_iter().collect()
                        }
                    };
                    let gap = Gap { place, is_inside };
                    self.holes.extend(found.into_iter().map(|goal| (goal, Some(gap))));
                }
            }
        }
    }

    /// Leaves the innermost block. The goals that it has not closed stay open.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("there is a block to leave");
        self.holes.extend(frame.view.into_iter().map(|goal| (goal, None)));
    }

    /// The trial of the current tactic on its next goal.
    fn trial(&mut self) -> Option<Trial> {
        loop {
            let current = self.current.as_mut()?;
            let Some(&goal) = current.targets.front() else {
                self.current = None;
                return None;
            };
            // The tactic on another goal may have closed this one.
            let Some(at) = self.goals[goal].at else {
                current.targets.pop_front();
                continue;
            };
            let rank = self.goals[goal].rank;
            let is_first = !self.goals.iter().any(|other| other.at == Some(at) && other.rank < rank);
            if !is_first {
                let error = "its goal shares metavariables with an open goal before it";
                self.failed(error.to_owned());
                continue;
            }
            let tactic = &current.tactic;
            let head = tactic.parts.as_ref().filter(|_| current.is_head).map(|parts| &parts.head);
            return Some(Trial { at, tactic: head.unwrap_or(&tactic.text).clone(), place: current.place });
        }
    }

    /// The trial held, and left these goals, in the assistant's order. Goals that are no part of the search are not
    /// among them.
    pub(crate) fn held(&mut self, left: Vec<(Obligation, Goal)>) {
        let current = self.current.as_mut().expect("a trial was asked for");
        let goal = current.targets.pop_front().expect("it was tried on a goal");
        let parts = current.tactic.parts.clone().filter(|_| current.is_head);
        let at = self.goals[goal].at.take();
        // The other goals of the obligation go on as they are, in new company.
        let mut left: Vec<_> = left.into_iter().enumerate().map(Some).collect();
        for other in self.goals.iter_mut().filter(|other| other.at.is_some() && other.at == at) {
            let is_it = |l: &&mut Option<(usize, (Obligation, Goal))>| {
                l.as_ref().is_some_and(|(_, (_, goal))| goal.name == other.name)
            };
            let found = left.iter_mut().find(is_it).and_then(Option::take);
            other.at = found.as_ref().map(|(_, (at, _))| *at);
            other.rank = found.map_or(0, |(rank, _)| rank);
        }
        let left = left.into_iter().flatten();
        let new: Vec<usize> = left.map(|(rank, (at, goal))| self.follow(at, rank, &goal)).collect();
        let frame = self.frames.last_mut().expect("a tactic stands in a block");
        let place = frame.view.iter().position(|&g| g == goal).unwrap_or(0);
        frame.view.remove(place);
        for (offset, goal) in new.into_iter().enumerate() {
            frame.view.insert(place + offset, goal);
        }
        self.go_on_with(parts);
    }

    /// The trial held, and left its goals as they were, so that it is no step.
    pub(crate) fn changed_nothing(&mut self) {
        let current = self.current.as_mut().expect("a trial was asked for");
        current.targets.pop_front();
        let parts = current.tactic.parts.clone().filter(|_| current.is_head);
        self.go_on_with(parts);
    }

    /// Goes on with the proofs in a tactic.
    fn go_on_with(&mut self, parts: Option<Parts>) {
        let frame = self.frames.last_mut().expect("a tactic stands in a block");
        for proof in parts.into_iter().flat_map(|parts| parts.proofs).rev() {
            frame.items.push_front(proof);
        }
    }

    /// The trial did not hold. A tactic with proofs in it is taken apart; anything else is cut off.
    pub(crate) fn failed(&mut self, error: String) {
        let current = self.current.as_mut().expect("a trial was asked for");
        if current.tactic.parts.is_some() && !current.is_head {
            current.is_head = true;
            return;
        }
        let current = self.current.take().expect("a trial was asked for");
        let at = current.targets.front().and_then(|&goal| self.goals[goal].at);
        self.cut(current.place, Some(current.tactic.text), error, at);
    }

    fn cut(&mut self, place: Place, tactic: Option<String>, error: String, at: Option<Obligation>) {
        self.current = None;
        if let Some(frame) = self.frames.last_mut() {
            frame.items.clear();
            frame.view.clear();
        }
        self.grafted.cuts.push(Cut { place, tactic, error, at });
    }

    /// What was cut off so far.
    pub(crate) fn cuts(&self) -> &[Cut] {
        &self.grafted.cuts
    }

    /// What became of the script, in the order of its text.
    pub(crate) fn finish(mut self) -> Grafted {
        self.grafted.cuts.sort_by_key(|cut| cut.place);
        let hole = |(goal, gap): (usize, Option<Gap>)| Hole { gap, at: self.goals[goal].at };
        self.grafted.holes = self.holes.into_iter().map(hole).collect();
        self.grafted
    }
}

/// The goals that a checkpoint leaves, without those that are no part of the search.
pub(crate) fn left(
    session: &Session,
    checkpoint: CheckpointId,
    is_kept: impl Fn(Obligation) -> bool,
) -> Vec<(Obligation, Goal)> {
    let mut goals = session.goals_left(checkpoint);
    goals.retain(|(at, _)| is_kept(*at));
    goals
}

/// A block with its places in the file.
fn located(block: Block, start: Place) -> Block {
    if start == Place::START {
        return block;
    }
    let item = |Item { place, what }: Item| {
        let what = match what {
            What::Focus(pick, block) => What::Focus(pick, located(block, start)),
            What::Tactic(Tactic { text, on, parts: Some(parts) }) => {
                let parts = Parts { proofs: located(parts.proofs, start), ..parts };
                What::Tactic(Tactic { text, on, parts: Some(parts) })
            }
            what => what,
        };
        Item { place: place.within(start), what }
    };
    block.into_iter().map(item).collect()
}
