//! The probes of `andor doctor`, on the real Lean of the tests and on what is none.

use std::path::PathBuf;

use andor_audit::olean::Version;
use andor_env::environment::{Environment as _, Finding};
use andor_system_lean::toolchain::Toolchain;
use andor_system_lean::{Lean, LeanConfig};
use andor_testkit::{block_on, lean};

/// What the probes find of a Lean.
fn tried_out(lean: PathBuf, sysroot: PathBuf, minor: u32) -> Vec<Finding> {
    let version = Version { minor, patch: 0 };
    let toolchain = Toolchain { lean, sysroot, version, search_path: Vec::new(), project: None };
    let config = LeanConfig { toolchain: Some(toolchain), sandbox: false, ..LeanConfig::default() };
    block_on(Lean::new(config).try_out())
}

#[test]
fn the_lean_of_the_tests_has_what_the_adapter_relies_on() {
    let findings = tried_out(lean::program(), lean::sysroot(), 35);
    let first = &findings[0];
    assert!(first.found.as_ref().is_ok_and(|found| found.starts_with("all 35 probes")), "{findings:#?}");
}

#[test]
fn what_is_no_lean_differs_by_name() {
    let findings = tried_out("/bin/true".into(), "/".into(), 7);
    assert!(
        findings[0].found.as_ref().is_err_and(|found| found.contains("of 35 probes")),
        "{:?}",
        findings[0]
    );
    for probe in ["version", "message-form", "sorry-warning", "axioms", "worker-opens"] {
        let named = format!("probe `{probe}`");
        assert!(findings.iter().any(|finding| finding.what == named && finding.found.is_err()), "{probe}");
    }
    // Nothing is also what Lean says about a good file.
    assert!(!findings.iter().any(|finding| finding.what.contains("silent-success")));
    let sorry = findings.iter().find(|finding| finding.what.contains("sorry-warning")).expect("it differs");
    let found = sorry.found.as_ref().unwrap_err();
    assert!(
        found.contains("expected: a proof by `sorry` has a warning") && found.contains("said nothing"),
        "{found}"
    );
    assert!(sorry.remedy.as_ref().is_some_and(|remedy| remedy.contains("cannot be judged")), "{sorry:?}");
    // Suggestions are all that one can do without.
    for finding in findings {
        assert_eq!(finding.needed, !finding.what.contains("suggestions"), "{finding:?}");
    }
}

/// A toolchain that lacks a module is one finding, not one for each probe.
#[test]
fn a_damaged_lean_is_told_at_once() {
    let folder = tempfile::tempdir().expect("folders can be made");
    let [bin, init] = ["bin", "lib/lean/Init"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(&bin).and_then(|()| std::fs::create_dir_all(&init)).expect("folders can be made");
    let link = |from: PathBuf, to: PathBuf| {
        for entry in std::fs::read_dir(from).expect("the toolchain can be read").flatten() {
            let to = to.join(entry.file_name());
            if !to.exists() && entry.file_name() != "Core.olean" && entry.file_name() != "lean" {
                std::os::unix::fs::symlink(entry.path(), to).expect("links can be made");
            }
        }
    };
    link(lean::sysroot().join("bin"), bin.clone());
    // Lean finds its modules from the place of its own program.
    let program = bin.join("lean");
    std::fs::copy(lean::program(), &program).expect("the program can be copied");
    link(lean::sysroot().join("lib/lean"), folder.path().join("lib/lean"));
    link(lean::sysroot().join("lib/lean/Init"), init);
    let findings = tried_out(program, folder.path().to_owned(), 35);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    let found = finding.found.as_ref().unwrap_err();
    assert!(finding.needed && found.contains("Core.olean"), "{found}");
    assert!(finding.remedy.as_ref().is_some_and(|remedy| remedy.contains("damaged or incomplete")));
}
