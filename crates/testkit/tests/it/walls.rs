//! What Rocq reads tries to get out: out of a worker of a search, and out of the compiler of a checker.

use andor_system_rocq::ROCQ;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_process::program_within;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

fn rocq(sandbox: bool) -> Arc<Rocq> {
    Arc::new(Rocq::new(RocqConfig { sandbox, ..RocqConfig::default() }))
}

/// A session whose worker is at work.
async fn open(sandbox: bool) -> Arc<Session> {
    let workers = Workers::new(rocq(sandbox), Grouping::Coupled);
    let theorem = theorem(ROCQ, "t", "Theorem t : True.");
    Session::open(workers, theorem, Limits::default()).await.unwrap()
}

/// The prover of a session.
fn prover(session: &Session) -> u32 {
    let started = session.process_ids()[0];
    program_within(started).unwrap_or(started)
}

/// The folder that the prover of a session works in, as the outside calls it.
fn folder(session: &Session) -> PathBuf {
    std::fs::read_link(format!("/proc/{}/cwd", prover(session))).unwrap()
}

/// A path as the prover of a session sees it.
fn seen(session: &Session, path: &Path) -> PathBuf {
    let below = path.strip_prefix("/").expect("it is absolute");
    Path::new("/proc").join(prover(session).to_string()).join("root").join(below)
}

#[test]
fn a_worker_sees_and_writes_its_own_folder_alone() {
    block_on(async {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "").unwrap();
        for sandbox in [true, false] {
            let session = open(sandbox).await;
            let own = folder(&session);
            assert_eq!(seen(&session, &outside.path().join("secret")).exists(), !sandbox);
            let write = |path: &Path| std::fs::write(seen(&session, path).join("written"), "").is_ok();
            for other in ["/etc", "/usr", "/dev/shm", "/"].map(Path::new) {
                assert!(!sandbox || !write(other), "{}", other.display());
            }
            assert!(write(&own));
            assert!(own.join("written").exists());
            drop(session);
            assert!(!own.exists(), "it goes with its worker");
        }
    });
}

#[test]
fn workers_do_not_see_each_other() {
    block_on(async {
        for sandbox in [true, false] {
            let (first, second) = (open(sandbox).await, open(sandbox).await);
            let folders = [folder(&first), folder(&second)];
            assert_ne!(folders[0], folders[1]);
            assert_eq!(seen(&second, &folders[0]).exists(), !sandbox);
            drop((first, second));
            assert!(folders.iter().all(|folder| !folder.exists()));
        }
    });
}

#[test]
fn a_session_that_ends_leaves_no_process_within_its_walls() {
    block_on(async {
        let session = open(true).await;
        let prover = prover(&session);
        drop(session);
        assert!(!Path::new(&format!("/proc/{prover}")).exists());
    });
}

/// A claim that holds.
fn claim() -> Claim {
    let submission = "Theorem t : 1 + 1 = 2. Proof. reflexivity. Qed.\n".to_owned();
    Claim { challenge: submission.clone(), submission, theorems: vec!["t".to_owned()] }
}

#[test]
fn level_4_asks_for_walls_and_says_that_there_are_none() {
    block_on(async {
        let walled = rocq(true);
        let verdict = judge(walled.checker(), &claim(), Level::Judged).await;
        assert!(
            matches!(&verdict, Verdict::Accepted { level: Level::Judged, shortfall: None, .. }),
            "{verdict:?}"
        );
        let open = rocq(false);
        let reach = open.checker().reach().await;
        assert_eq!(reach.highest, Level::Rechecked);
        let verdict = judge(open.checker(), &claim(), Level::Judged).await;
        let Verdict::Accepted { level, shortfall: Some(why), .. } = &verdict else { panic!("{verdict:?}") };
        assert_eq!(*level, Level::Rechecked);
        assert!(why.contains("switched off"), "{why}");
        assert_eq!(reach.shortfall.as_ref(), Some(why));
        let verdict = judge(open.checker(), &claim(), Level::Rechecked).await;
        assert!(matches!(&verdict, Verdict::Accepted { shortfall: None, .. }), "{verdict:?}");
    });
}
