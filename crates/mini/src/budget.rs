//! Resource limits: steps, memory, and cancellation.
//!
//! Terms are created, traversed and dropped in a thousand places, most of which cannot fail. Their cost is therefore
//! counted per thread, beside the code: creating a node, traversing one, and taking a step each charge for it. Work
//! that exceeds its limits or is cancelled is unwound to its entry, [`within`]. No code in between has to pass on an
//! error, and none can catch it by mistake. The unwound data is private to the work, so nobody sees it in an
//! incomplete state.
//!
//! Without an enclosing [`within`], work is counted but not limited.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// The cost of a step, relative to that of creating or visiting a node.
const STEP: u64 = 8;

/// Number of nodes between two checks for cancellation: less than a millisecond.
const LOOK_EVERY: u64 = 4096;

/// Memory limit of all threads of the program together, in bytes.
pub const MAX_BYTES_IN_ALL: u64 = 4 << 30;

/// The limits of some work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Steps of reduction, comparison and elaboration. Creating or visiting a node counts as an eighth of a step.
    pub steps: u64,
    /// Additional memory held at any one time, in bytes: terms, scopes, stacks, caches.
    pub bytes: u64,
}

impl Limits {
    /// No limits, for work that can only be cancelled.
    pub const NONE: Self = Self { steps: u64::MAX, bytes: i64::MAX as u64 };
}

/// Why work was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Exceeded {
    /// It exceeded its limit of steps.
    #[error("the step limit is reached")]
    Steps,
    /// It exceeded its memory limit.
    #[error("the memory limit is reached")]
    Memory,
    /// All work of the program together exceeded the memory limit.
    #[error("the memory limit of all work together is reached")]
    MemoryInAll,
    /// It was cancelled.
    #[error("it was stopped")]
    Stopped,
}

/// A cancellation flag. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Cancels the work, which ends within milliseconds.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_said(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Cancels when it is dropped: for work that is useless once nobody waits for it.
#[derive(Debug, Default)]
pub struct StopOnDrop(Stop);

impl StopOnDrop {
    /// The flag that it sets.
    pub fn stop(&self) -> Stop {
        self.0.clone()
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The counters of a thread.
struct Meter {
    /// What may be charged before the next check.
    fuel: Cell<u64>,
    /// What may be charged after that.
    left: Cell<u64>,
    /// Bytes held by the thread, minus those released. Another thread may release them, so this can be negative.
    held: Cell<i64>,
    /// The limit of `held`.
    ceiling: Cell<i64>,
    /// The value of `held` when the thread's outermost work began; `None` outside of work.
    base: Cell<Option<i64>>,
    /// The part since then that is included in the global total.
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
    /// The cancellation flags of the thread's work.
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The memory held by all work of the program, as last counted.
static IN_ALL: AtomicI64 = AtomicI64::new(0);

/// Runs work within limits, in addition to those of enclosing work.
pub fn within<R>(limits: Limits, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
    METER.with(|meter| meter.within(limits, None, work))
}

/// Like [`within`], with cancellation.
pub fn until<R>(stop: &Stop, limits: Limits, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
    METER.with(|meter| meter.within(limits, Some(stop.clone()), work))
}

/// Runs work whose result is shared, and which is therefore neither charged to its first user nor cancelled.
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

/// Charges a number of nodes, or work of the same duration.
pub(crate) fn visits(n: usize) {
    charge(n as u64);
}

fn charge(cost: u64) {
    METER.with(|meter| match meter.fuel.get().checked_sub(cost) {
        Some(fuel) => meter.fuel.set(fuel),
        None => meter.look(cost),
    });
}

/// Charges memory, which is released later.
pub(crate) fn take(bytes: usize) {
    METER.with(|meter| {
        let held = meter.held.get().saturating_add_unsigned(bytes as u64);
        if held > meter.ceiling.get() {
            exceed(Exceeded::Memory);
        }
        meter.held.set(held);
    });
}

/// Releases memory.
pub(crate) fn give_back(bytes: usize) {
    // A thread may drop terms after its counters at its end.
    let _ = METER.try_with(|meter| meter.held.set(meter.held.get().saturating_sub_unsigned(bytes as u64)));
}

/// The memory that the thread holds now, for later comparison.
pub(crate) fn held() -> i64 {
    METER.with(|meter| meter.held.get())
}

/// Stops the work.
pub(crate) fn exceed(why: Exceeded) -> ! {
    resume_unwind(Box::new(why))
}

impl Meter {
    fn within<R>(&self, limits: Limits, stop: Option<Stop>, work: impl FnOnce() -> R) -> Result<R, Exceeded> {
        let outer = self.fuel.get().saturating_add(self.left.get());
        let own = limits.steps.saturating_mul(STEP).min(outer);
        let (ceiling, before) = (self.ceiling.get(), self.held.get());
        // Initially nothing, so that the first charge checks for cancellation.
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
            // The enclosing work is cancelled too.
            Some(Exceeded::Stopped) if !is_stoppable => resume_unwind(payload),
            Some(Exceeded::MemoryInAll) if !is_outermost => resume_unwind(payload),
            Some(exceeded) => Err(*exceeded),
            None => resume_unwind(payload),
        })
    }

    /// Checks the limits, and grants the next allowance if they permit.
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

    /// Updates the global total with the thread's memory.
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

/// Memory that outlives the work that allocated it. Included in the global total until it is dropped.
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

/// Memory that is allocated in parts and released as a whole.
#[derive(Debug, Default)]
pub(crate) struct Account(Cell<usize>);

impl Account {
    /// Charges more memory.
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
