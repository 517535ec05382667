//! The account of processor time, with children that burn some in every corner of a family.

use std::path::PathBuf;
use std::time::Duration;

use andor_process::{
    ChildProcess, ChildSpec, CpuAccount, FrameReader, ResourceLimits, Spawned, family as living,
};
use andor_testkit::block_on;
use andor_testkit::contract::kill;
use tokio::process::ChildStdout;

/// What a burner uses up, less a tick for each of its two figures.
const BURNT: Duration = Duration::from_millis(280);
/// More than one burner and all the others use, and less than two burners.
const TWICE: Duration = Duration::from_millis(560);

struct Family {
    child: ChildProcess,
    lines: FrameReader<ChildStdout>,
    account: CpuAccount,
}

impl Family {
    fn start(mode: &str) -> Self {
        let spec = ChildSpec {
            program: env!("CARGO_BIN_EXE_fake-child").to_owned(),
            args: vec![mode.to_owned()],
            env: Vec::new(),
            directory: PathBuf::from("."),
            limits: ResourceLimits::default(),
        };
        let Spawned { child, stdout, .. } = ChildProcess::spawn(&spec).expect("the child starts");
        let account = CpuAccount::new(child.id());
        Self { child, lines: FrameReader::new(stdout, b"\n", 1 << 10), account }
    }

    /// Reads until the family says `word`; gives the last process id said before.
    async fn until(&mut self, word: &str) -> Option<u32> {
        let mut pid = None;
        loop {
            let line = self.lines.next().await.expect("the family goes on talking");
            match String::from_utf8_lossy(line).trim_end() {
                said if said == word => return pid,
                other => pid = other.parse().ok(),
            }
        }
    }

    fn total(&mut self) -> Duration {
        let total = self.account.total();
        assert!(total < TWICE, "{total:?}: something was counted twice");
        total
    }
}

#[test]
fn a_child_that_burns_is_seen_and_stays_seen_when_its_parent_buries_it() {
    block_on(async {
        let mut family = Family::start("fork-burner-and-wait");
        let burner = family.until("burnt").await.expect("it said who it is");
        assert!(family.total() >= BURNT, "while it lives");
        kill(burner);
        family.until("buried").await;
        assert!(family.total() >= BURNT, "its parent waited for it");
        assert!(family.account.estimate() >= BURNT);
    });
}

#[test]
fn a_child_that_was_never_seen_counts_when_its_parent_buries_it() {
    block_on(async {
        let mut family = Family::start("fork-burner-and-wait");
        let burner = family.until("burnt").await.expect("it said who it is");
        kill(burner);
        family.until("buried").await;
        assert!(family.account.estimate() >= BURNT, "one look at the leader is enough");
        assert!(family.total() >= BURNT);
    });
}

#[test]
fn an_orphan_that_was_seen_stays_seen_when_it_is_buried_elsewhere() {
    block_on(async {
        let mut family = Family::start("orphan-burner");
        let burner = family.until("burnt").await.expect("it said who it is");
        assert!(family.total() >= BURNT, "while it lives");
        kill(burner);
        let leader = family.child.id();
        // Until it has ended; whether it is buried yet makes no difference.
        while living(leader).contains(&burner) {
            tokio::task::yield_now().await;
        }
        assert!(family.total() >= BURNT, "nobody in the family waited for it");
    });
}

#[test]
fn a_family_that_is_gone_keeps_its_account() {
    block_on(async {
        let mut family = Family::start("orphan-burner");
        family.until("burnt").await;
        let before = family.total();
        let leader = family.child.id();
        let Family { child, mut account, .. } = family;
        drop(child);
        assert_eq!(living(leader), Vec::<u32>::new());
        assert!(account.total() >= before);
    });
}
