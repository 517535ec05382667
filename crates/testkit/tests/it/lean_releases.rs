//! Releases of Lean other than that of the tests, as far as one can act them.

use andor_env::checker::{Checker, Level, Verdict};
use andor_system_lean::toolchain::Toolchain;
use andor_testkit::{block_on, lean};

use super::lean_judge::{PROVED, STATED, claim, judge};

#[test]
fn another_version_reaches_level_1_and_says_why() {
    let toolchain = Toolchain { version: "4.9.0".parse().unwrap(), ..lean::toolchain() };
    let judge = judge(toolchain);
    match block_on(andor_env::checker::judge(&judge, &claim(STATED, PROVED), Level::Judged)) {
        Verdict::Accepted { level: Level::Compiled, axioms, shortfall: Some(why), .. } => {
            assert!(axioms.is_empty() && why.contains("4.9.0"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_newer_version_is_judged_as_far_as_its_own_files_can_be_read() {
    let newer = || Toolchain { version: "4.77.0-rc1".parse().unwrap(), ..lean::toolchain() };
    let check = |toolchain| {
        block_on(andor_env::checker::judge(&judge(toolchain), &claim(STATED, PROVED), Level::Rechecked))
    };
    assert!(matches!(check(newer()), Verdict::Accepted { level: Level::Rechecked, shortfall: None, .. }));
    // A release that writes objects of another shape: the root of a module has one field less.
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("lib/lean");
    std::fs::create_dir_all(&library).unwrap();
    let mut init = std::fs::read(lean::sysroot().join("lib/lean/Init.olean")).unwrap();
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let root = usize::try_from(word(&init, 88) - word(&init, 80)).unwrap();
    init[root + 6] -= 1;
    std::fs::write(library.join("Init.olean"), init).unwrap();
    let reach = block_on(judge(Toolchain { sysroot: folder.path().to_owned(), ..newer() }).reach());
    assert_eq!(reach.highest, Level::Compiled);
    let why = reach.shortfall.unwrap();
    assert!(why.contains("Lean 4.77.0 have a form that is not known") && why.contains("`Init`"), "{why}");
}
