//! Declarations of submissions that could reach the machine.

use andor_core::verdict::Reason;
use andor_testkit::lean;

use crate::lean_judge::{PROVED, STATED, judge, rejected};

#[test]
fn what_could_reach_the_machine_is_refused_by_its_type() {
    let judge = judge(lean::toolchain());
    for (used, said) in [
        ("open System in\ndef found (path : FilePath) := path.isDir\n", "`found` uses `BaseIO`"),
        (
            "open System in\ntheorem lemma (p : FilePath) : p.isDir = p.isDir := rfl\n",
            "programs of the type `BaseIO`",
        ),
        ("open System in\nprivate def hidden (p : FilePath) := (fun q => q.pathExists) p\n", "`hidden` uses"),
    ] {
        let found = rejected(&judge, STATED, &format!("{used}{PROVED}"));
        let Some((Reason::Forbidden, message)) = found else { panic!("{used}: {found:?}") };
        assert!(message.contains(said), "{message}");
    }
    for honest in [
        "open System in\ndef named (path : FilePath) : String := path.toString\n",
        "notation:65 a \" ⊕⊕ \" b => Nat.add a b\ninfixl:70 \" ** \" => Nat.mul\n",
        "def later (n : Nat) : Option Nat := if h : n = 0 then none else some (n - 1)\n",
        "instance : Inhabited (Nat → Nat) := ⟨fun n => n * 2 / 3 % 5⟩\nstructure S where\n  a : Nat := 1\n  deriving Inhabited\n",
        "partial def spin (n : Nat) : Nat := spin (n + 1)\n",
    ] {
        assert_eq!(rejected(&judge, STATED, &format!("{honest}{PROVED}")), None, "{honest}");
    }
}
