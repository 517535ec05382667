//! What Rocq reads tries to get out: out of a worker of a search, and out of the compiler of a checker.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_core::theorem::{System, Theorem};
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::process::program_within;
use andor_env::rocq::{Rocq, RocqConfig};
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_testkit::{block_on, theorem};

fn rocq(sandbox: bool) -> Arc<Rocq> {
    Arc::new(Rocq::new(RocqConfig { sandbox, ..RocqConfig::default() }))
}

/// Opens a theorem below a header that no filter has seen.
async fn open(sandbox: bool, header: &str) -> Result<Arc<Session>, String> {
    let theorem = Theorem { header: header.to_owned(), ..theorem(System::Rocq, "t", "Theorem t : True.") };
    let workers = Workers::new(rocq(sandbox), Grouping::Coupled);
    Session::open(workers, theorem, Limits::default()).await.map_err(|error| error.to_string())
}

/// The folder that the prover of a session works in, as the outside calls it.
fn folder(session: &Session) -> PathBuf {
    let started = session.process_ids()[0];
    let prover = program_within(started).unwrap_or(started);
    std::fs::read_link(format!("/proc/{prover}/cwd")).unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_worker_writes_into_its_own_folder_alone() {
    block_on(async {
        let outside = tempfile::tempdir().unwrap();
        let redirect = |to: &Path| format!("Redirect \"{}\" Print nat.\n", to.join("out").display());
        // The very same text writes where there are no walls.
        drop(open(false, &redirect(outside.path())).await.unwrap());
        assert_eq!(files(outside.path()), ["out.out"]);
        std::fs::remove_file(outside.path().join("out.out")).unwrap();
        for target in [outside.path(), &std::env::temp_dir(), Path::new("/dev/shm"), Path::new("/etc")] {
            let refused = open(true, &redirect(target)).await.err().expect("it cannot be written");
            assert!(refused.contains("out.out"), "{refused}");
        }
        assert_eq!(files(outside.path()), Vec::<String>::new());
        let session = open(true, "Redirect \"out\" Print nat.\n").await.unwrap();
        let own = folder(&session);
        assert_eq!(files(&own), ["out.out"], "{}", own.display());
        drop(session);
        assert!(!own.exists(), "it goes with its worker");
    });
}

#[test]
fn workers_do_not_see_each_other() {
    block_on(async {
        for sandbox in [true, false] {
            let first = open(sandbox, "").await.unwrap();
            let second = open(sandbox, "").await.unwrap();
            let folders = [folder(&first), folder(&second)];
            assert_ne!(folders[0], folders[1]);
            std::fs::write(folders[0].join("secret.v"), "Definition secret := tt.").unwrap();
            let header = format!("Load \"{}\".\n", folders[0].join("secret").display());
            assert_eq!(open(sandbox, &header).await.is_err(), sandbox);
            drop((first, second));
            assert!(folders.iter().all(|folder| !folder.exists()));
        }
    });
}

#[test]
fn a_session_that_ends_leaves_no_process_within_its_walls() {
    block_on(async {
        let session = open(true, "").await.unwrap();
        let prover = program_within(session.process_ids()[0]).unwrap();
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
        assert!(why.contains("--no-sandbox"), "{why}");
        assert_eq!(reach.shortfall.as_ref(), Some(why));
        let verdict = judge(open.checker(), &claim(), Level::Rechecked).await;
        assert!(matches!(&verdict, Verdict::Accepted { shortfall: None, .. }), "{verdict:?}");
    });
}
