//! Accounting of a child's processor time, including descendants that have ended.
//!
//! Linux adds the time of a process, with that of the children it has waited for, to its parent's when the parent
//! waits for it. The time of a process that nobody in the family waits for is lost: an orphan reaped by init, or the
//! children of a parent that ignores their end. The account therefore remembers every process it has seen, and counts
//! the last figures of one that is gone unless they appear in its parent's. No time is counted twice.
//!
//! Not seen are: a process that starts and ends between two samples without being waited for in the family; what such
//! a process uses after the last sample; and a process that opens a new session and loses its parent between two
//! samples. If a parent has both children that were seen but not waited for and children that were waited for but not
//! seen, the larger of the two sums is counted. Figures are in clock ticks of the kernel, 10 ms on most machines.
//! the kernel, 10 ms on most machines.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::tree::{Relative, look_again, relatives};
use crate::limits::{CpuLimit, TimeLimit};

/// A running account of the processor time of a child and all its descendants.
#[derive(Debug)]
pub struct CpuAccount {
    leader: u32,
    /// The processes alive, or not yet reaped, at the last sample.
    seen: HashMap<Process, Entry>,
    /// The ticks of ended processes that are not included in a living relative's.
    settled: u64,
}

/// A process, distinguished from earlier ones with the same id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Process {
    pid: u32,
    /// Its start time, in ticks since boot.
    started: u64,
}

/// The usage of a process, in ticks.
#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: u32,
    own: u64,
    /// The usage of the children it has waited for.
    waited: u64,
    /// The known usage of its ended children, waited for or not. At least `waited` at the time when the last of them
    /// was seen.
    gone: u64,
}

impl Entry {
    fn total(self) -> u64 {
        self.own + self.waited.max(self.gone)
    }
}

impl CpuAccount {
    /// The account of the session of `leader`, and of its descendants in other sessions.
    pub fn new(leader: u32) -> Self {
        Self { leader, seen: HashMap::new(), settled: 0 }
    }

    /// Samples all processes of the family, and returns the processor time used so far. It never decreases.
    pub fn total(&mut self) -> Duration {
        let known: HashSet<u32> = self.seen.keys().map(|process| process.pid).collect();
        self.enter(&relatives(self.leader, &known));
        self.sum()
    }

    /// Samples only the processes seen at the last sample, or all at the first one. Much cheaper than
    /// [`CpuAccount::total`], which reads every process of the machine; new processes are missed.
    pub fn estimate(&mut self) -> Duration {
        if self.seen.is_empty() {
            return self.total();
        }
        let mut known: Vec<Process> = self.seen.keys().copied().collect();
        // Parents first, so that a child that ends in between is not counted in both.
        known.sort_unstable_by_key(|p| (p.started, depth(*p, &self.seen)));
        let again = |p: Process| look_again(p.pid).filter(|found| found.started == p.started);
        self.enter(&known.into_iter().filter_map(again).collect::<Vec<_>>());
        self.sum()
    }

    fn sum(&self) -> Duration {
        let ticks = self.settled + self.seen.values().map(|entry| entry.total()).sum::<u64>();
        Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    }

    /// Records a sample: every process of the family, parents before their children.
    fn enter(&mut self, found: &[Relative]) {
        let mut before = std::mem::take(&mut self.seen);
        for relative in found {
            let process = Process { pid: relative.pid, started: relative.started };
            let gone = before.get(&process).map_or(0, |entry| entry.gone);
            let entry = Entry { parent: relative.parent, own: relative.own, waited: relative.waited, gone };
            self.seen.insert(process, entry);
        }
        let present: HashSet<Process> = self.seen.keys().copied().collect();
        let mut ended: Vec<Process> = before.keys().copied().filter(|p| !present.contains(p)).collect();
        // A process passes on what its children left to it, so children come first: none is older than its parent.
        ended.sort_unstable_by_key(|p| std::cmp::Reverse((p.started, depth(*p, &before))));
        for process in ended {
            let entry = before[&process];
            let parent = before.keys().copied().find(|p| p.pid == entry.parent);
            let Some(parent) = parent else {
                self.settled += entry.total();
                continue;
            };
            // The parent's figure of the last sample does not include this child yet.
            let heir = before.get_mut(&parent).expect("it was found there");
            heir.gone = heir.gone.max(heir.waited) + entry.total();
            let gone = heir.gone;
            if let Some(living) = self.seen.get_mut(&parent) {
                living.gone = gone;
            }
        }
    }
}

/// Waits until a limit is exceeded, and returns it. `slack` is added to the wall time, for a child that enforces that limit
/// itself; processor time is checked until the limit on wall time is over.
pub async fn limit_passed(
    account: &mut CpuAccount,
    wall: Duration,
    cpu: Option<CpuLimit>,
    slack: Duration,
) -> TimeLimit {
    let now = Instant::now();
    let (wall_end, end) = (now + wall, now + wall + slack);
    if let Some(CpuLimit { limit, poll }) = cpu {
        let before = account.estimate();
        let mut next = now + poll;
        while next < wall_end {
            tokio::time::sleep_until(next).await;
            if account.total() - before > limit {
                return TimeLimit::Cpu(limit);
            }
            next = Instant::now() + poll;
        }
    }
    tokio::time::sleep_until(end).await;
    TimeLimit::Wall(wall)
}

/// The number of a process's known ancestors.
fn depth(process: Process, known: &HashMap<Process, Entry>) -> usize {
    let parent_of = |p: &Process| known.keys().copied().find(|q| q.pid == known[p].parent);
    std::iter::successors(Some(process), parent_of).take(known.len()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process by its id, parent, own and waited-for ticks; it starts at the tick of its id.
    fn relative(pid: u32, parent: u32, own: u64, waited: u64) -> Relative {
        Relative { pid, parent, started: u64::from(pid), own, waited }
    }

    /// The ticks counted after each of several looks.
    fn counted(looks: &[&[Relative]]) -> Vec<u64> {
        let mut account = CpuAccount::new(10);
        let ticks = |account: &CpuAccount| {
            account.settled + account.seen.values().map(|entry| entry.total()).sum::<u64>()
        };
        let look = |found: &&[Relative]| {
            account.enter(found);
            ticks(&account)
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn a_child_that_is_waited_for_counts_once() {
        let looks: &[&[Relative]] = &[
            &[relative(10, 1, 5, 100), relative(11, 10, 20, 0)],
            // Gone, and not yet in its parent's figures; then there, with what it used last.
            &[relative(10, 1, 6, 100)],
            &[relative(10, 1, 6, 123)],
        ];
        assert_eq!(counted(looks), [125, 126, 129]);
    }

    #[test]
    fn a_child_that_nobody_waits_for_is_not_lost() {
        let looks: &[&[Relative]] = &[
            &[relative(10, 1, 5, 100), relative(11, 10, 20, 0)],
            &[relative(10, 1, 5, 100), relative(12, 10, 30, 0)],
            &[relative(10, 1, 5, 100)],
            // A later child is waited for, unseen.
            &[relative(10, 1, 5, 107)],
        ];
        assert_eq!(counted(looks)[..3], [125, 155, 155]);
    }

    #[test]
    fn an_orphan_is_not_lost_when_init_buries_it() {
        let looks: &[&[Relative]] = &[
            &[relative(10, 1, 5, 0), relative(11, 10, 1, 0), relative(12, 11, 20, 0)],
            &[relative(10, 1, 5, 1), relative(12, 1, 40, 0)],
            &[relative(10, 1, 5, 1)],
        ];
        assert_eq!(counted(looks), [26, 46, 46]);
    }

    #[test]
    fn a_whole_branch_may_end_between_two_looks() {
        let branch = [relative(10, 1, 5, 0), relative(11, 10, 1, 0), relative(12, 11, 20, 0)];
        // All waited for: the leader is credited with everything.
        assert_eq!(counted(&[&branch, &[relative(10, 1, 5, 23)]]), [26, 28]);
        // The middle one did not wait for the last.
        assert_eq!(counted(&[&branch, &[relative(10, 1, 5, 1)]]), [26, 26]);
        // The leader is gone too.
        assert_eq!(counted(&[&branch, &[]]), [26, 26]);
    }

    #[test]
    fn a_process_id_that_is_used_again_is_another_process() {
        let again = Relative { started: 99, ..relative(11, 10, 2, 0) };
        let looks: &[&[Relative]] =
            &[&[relative(10, 1, 0, 0), relative(11, 10, 20, 0)], &[relative(10, 1, 0, 20), again]];
        assert_eq!(counted(looks), [20, 22]);
    }
}
