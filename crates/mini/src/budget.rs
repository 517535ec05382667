//! What work may cost: steps, memory, and a word from outside that it is to end.
//!
//! Terms are made, walked through and dropped in a thousand places, most of which cannot fail. So what they cost is counted
//! beside the code, for each thread: whoever makes a node, walks through one or takes a step charges for it. Work that
//! exceeds its limits is unwound to where it began, in [`within`], as work is that was told to stop. Nothing between has to
//! pass the news on, and nothing can catch it by mistake. What is unwound was private to the work, so nobody sees it half
//! done.
//!
//! Without a [`within`] around it, work is counted and not limited.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// What a step counts, in what making or visiting one node of a term counts.
const STEP: u64 = 8;

/// So many nodes may pass between two looks at whether the work is to stop: less than a millisecond.
const LOOK_EVERY: u64 = 4096;

/// The most that all threads of the program may hold at once, in bytes.
pub const MAX_BYTES_IN_ALL: u64 = 4 << 30;

/// What work may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps: of reduction, comparison, elaboration. A node of a term that is made or visited counts an eighth.
    pub steps: u64,
    /// Memory that is held at any one time and was not held before, in bytes: terms, scopes, stacks, what is remembered.
    pub bytes: u64,
}

impl Limits {
    /// No limits: for work that can only be stopped.
    pub const NONE: Self = Self { steps: u64::MAX, bytes: i64::MAX as u64 };
}

/// Why work was broken off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Exceeded {
    /// It took more steps than it may.
    #[error("the limit of steps is reached")]
    Steps,
    /// It held more memory than it may.
    #[error("the limit of memory is reached")]
    Memory,
    /// All work of the program together held more memory than it may.
    #[error("the limit of memory for all work together is reached")]
    MemoryInAll,
    /// It was told to stop.
    #[error("it was stopped")]
    Stopped,
}

/// A word to work that it is to stop. Clones are the same word.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Says it. The work ends soon, within milliseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_said(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says to stop when it is dropped: for work that is of use only as long as somebody waits for it.
#[derive(Debug, Default)]
pub struct StopOnDrop(Stop);

impl StopOnDrop {
    /// The word that it will say.
    pub fn stop(&self) -> Stop {
        self.0.clone()
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// What a thread counts.
struct Meter {
    /// What may be charged until the next look.
    fuel: Cell<u64>,
    /// What may be charged after that.
    left: Cell<u64>,
    /// Bytes that are held, less those given back. What one thread takes another may give back, so it may be negative.
    held: Cell<i64>,
    /// What `held` may not exceed.
    ceiling: Cell<i64>,
    /// What was held when the outermost work of the thread began; `None` while there is none.
    base: Cell<Option<i64>>,
    /// What of that held since then was counted in all.
    counted: Cell<i64>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            fuel: Cell::new(LOOK_EVERY),
            left: Cell::new(u64::MAX),
            held: Cell::new(0),
            ceiling: Cell::new(i64::MAX),
            base: Cell::new(None),
            counted: Cell::new(0),
        }
    };
    /// What the work of the thread listens to.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// What all work of the program holds, as far as it was counted lately.
static IN_ALL: AtomicI64 = AtomicI64::new(0);

/// Does something within limits, and within those of what it is part of.
pub fn within<R>(limits: Limits, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
    METER.with(|meter| meter.within(limits, None, work))
}

/// Like [`within`], until it is told to stop.
pub fn until<R>(stop: &Stop, limits: Limits, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
    METER.with(|meter| meter.within(limits, Some(stop.clone()), work))
}

/// Does something that others will use too, whoever happens to be the first: neither charged nor stopped.
pub(crate) fn apart<R>(work: impl FnOnce() -> R) -> R {
    METER.with(|meter| {
        let (fuel, left) = (meter.fuel.replace(0), meter.left.replace(u64::MAX));
        let (ceiling, held) = (meter.ceiling.replace(i64::MAX), meter.held.get());
        let stop = STOP.replace(None);
        let done = work();
        meter.fuel.set(fuel);
        meter.left.set(left);
        meter.ceiling.set(ceiling);
        meter.held.set(held);
        STOP.set(stop);
        done
    })
}

/// Charges a step.
pub(crate) fn step() {
    charge(STEP);
}

/// Charges so many nodes that are made or visited, or whatever takes as long.
pub(crate) fn visits(n: usize) {
    charge(n as u64);
}

fn charge(cost: u64) {
    METER.with(|meter| match meter.fuel.get().checked_sub(cost) {
        Some(fuel) => meter.fuel.set(fuel),
        None => meter.look(cost),
    });
}

/// Takes memory, which someone gives back later.
pub(crate) fn take(bytes: usize) {
    METER.with(|meter| {
        let held = meter.held.get().saturating_add_unsigned(bytes as u64);
        if held > meter.ceiling.get() {
            exceed(Exceeded::Memory);
        }
        meter.held.set(held);
    });
}

/// Gives memory back.
pub(crate) fn give_back(bytes: usize) {
    // A thread that ends may drop terms after its meter.
    let _ = METER.try_with(|meter| meter.held.set(meter.held.get().saturating_sub_unsigned(bytes as u64)));
}

/// What the thread holds by now, to be compared with what it holds later.
pub(crate) fn held() -> i64 {
    METER.with(|meter| meter.held.get())
}

/// Breaks the work off.
pub(crate) fn exceed(why: Exceeded) -> ! {
    resume_unwind(Box::new(why))
}

impl Meter {
    fn within<R>(&self, limits: Limits, stop: Option<Stop>, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
        let outer = self.fuel.get().saturating_add(self.left.get());
        let own = limits.steps.saturating_mul(STEP).min(outer);
        let (ceiling, before) = (self.ceiling.get(), self.held.get());
        // Nothing at first, so that it looks at once whether it is to stop.
        self.fuel.set(0);
        self.left.set(own);
        self.ceiling.set(ceiling.min(before.saturating_add_unsigned(limits.bytes)));
        let is_outermost = self.base.get().is_none();
        if is_outermost {
            self.base.set(Some(before));
        }
        let is_stoppable = stop.is_some();
        let outer_stop = stop.map(|stop| STOP.replace(Some(stop)));
        let done = catch_unwind(AssertUnwindSafe(work));
        let rest = self.fuel.get().saturating_add(self.left.get());
        self.fuel.set(0);
        self.left.set(outer - own.saturating_sub(rest));
        self.ceiling.set(ceiling);
        if let Some(outer) = outer_stop {
            STOP.set(outer);
        }
        if is_outermost {
            self.base.set(None);
            IN_ALL.fetch_sub(self.counted.replace(0), Ordering::Relaxed);
        }
        done.or_else(|payload| match payload.downcast_ref::<Exceeded>() {
            // Not only this part of the work is to stop.
            Some(Exceeded::Stopped) if !is_stoppable => resume_unwind(payload),
            Some(Exceeded::MemoryInAll) if !is_outermost => resume_unwind(payload),
            Some(exceeded) => Err(*exceeded),
            None => resume_unwind(payload),
        })
    }

    /// Sees whether the work may go on, and lets it have more to spend if so.
    #[cold]
    fn look(&self, cost: u64) {
        if STOP.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_said)) {
            exceed(Exceeded::Stopped);
        }
        let Some(rest) = self.fuel.get().saturating_add(self.left.get()).checked_sub(cost) else {
            self.fuel.set(0);
            self.left.set(0);
            exceed(Exceeded::Steps);
        };
        let fuel = rest.min(LOOK_EVERY);
        self.fuel.set(fuel);
        self.left.set(rest - fuel);
        if let Some(base) = self.base.get() {
            self.count_in_all(base);
        }
    }

    /// Adds what is held to what all hold.
    fn count_in_all(&self, base: i64) {
        let news = (self.held.get() - base).max(0) - self.counted.get();
        if news == 0 {
            return;
        }
        self.counted.set(self.counted.get() + news);
        let all = IN_ALL.fetch_add(news, Ordering::Relaxed) + news;
        if news > 0 && all > MAX_BYTES_IN_ALL as i64 {
            exceed(Exceeded::MemoryInAll);
        }
    }
}

/// Memory that is kept after the work that made it. Counted in all until it is dropped.
#[derive(Debug)]
pub(crate) struct Kept(u64);

impl Kept {
    pub(crate) fn new(bytes: u64) -> Self {
        IN_ALL.fetch_add(bytes as i64, Ordering::Relaxed);
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        IN_ALL.fetch_sub(self.0 as i64, Ordering::Relaxed);
    }
}

/// Memory that something takes bit by bit, and gives back as a whole.
#[derive(Debug, Default)]
pub(crate) struct Account(Cell<usize>);

impl Account {
    /// Takes more.
    pub(crate) fn take(&self, bytes: usize) {
        take(bytes);
        self.0.set(self.0.get() + bytes);
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        give_back(self.0.get());
    }
}
