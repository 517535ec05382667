//! Which server runs tactics if none is named.

use andor_system_lean::LEAN4;
use std::os::unix::fs::symlink;
use std::path::Path;

use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_system_lean::{Lean, LeanBackend, LeanConfig};
use andor_testkit::{block_on, lean, theorem};

/// The Lean of the tests in a project.
fn in_project(folder: &Path, backend: LeanBackend) -> Lean {
    let toolchain = Some(lean::toolchain());
    Lean::new(LeanConfig { toolchain, project: Some(folder.to_owned()), backend, ..LeanConfig::default() })
}

/// What opens a theorem, and what the report says.
async fn chosen(environment: &Lean) -> (String, String) {
    let mut worker = environment.new_worker(Grouping::Coupled);
    let opened = worker.open(&theorem(LEAN4, "t", "theorem t (p : Prop) (h : p) : p")).await.unwrap();
    let findings = environment.probe().await;
    let finding = findings.into_iter().find(|finding| finding.what == "tactics run on").unwrap();
    (opened.assistant, finding.found.unwrap())
}

#[test]
fn pantograph_is_chosen_where_it_works() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let built = folder.path().join(".lake/packages/Pantograph/.lake/build/bin");
        let (assistant, report) = chosen(&in_project(folder.path(), LeanBackend::Auto)).await;
        assert_eq!(assistant, "lean 4.35.0 (server)");
        assert_eq!(report, "Lean's own server (Pantograph is not found)");
        std::fs::create_dir_all(&built).unwrap();
        symlink(env!("CARGO_BIN_EXE_fake-pantograph"), built.join("repl")).unwrap();
        let environment = in_project(folder.path(), LeanBackend::Auto);
        let (assistant, report) = chosen(&environment).await;
        assert!(assistant.starts_with("lean (Pantograph 0.3."), "{assistant}: {report}");
        assert!(report.starts_with("Pantograph (") && report.ends_with("works)"), "{report}");
        assert!(environment.new_library().await.is_some(), "lemmas are looked up elsewhere");
        let (assistant, report) = chosen(&in_project(folder.path(), LeanBackend::Server)).await;
        assert!(assistant.ends_with("(server)") && report == "Lean's own server (as configured)", "{report}");
        // One that is built for another Lean, or is something else.
        std::fs::remove_file(built.join("repl")).unwrap();
        symlink("/bin/true", built.join("repl")).unwrap();
        let (assistant, report) = chosen(&in_project(folder.path(), LeanBackend::Auto)).await;
        assert_eq!(assistant, "lean 4.35.0 (server)");
        assert!(report.contains("does not work with this Lean"), "{report}");
    });
}
