//! Blueprints that try to get something accepted that is not proved.

use andor_artifact::blueprint::NodeState;
use andor_config::{Level, VerifyConfig};
use andor_run::orchestrate::RunRequest;

use super::{read, run, states, with_tactics};

/// Runs a blueprint whose theorem `top` is false, or must not be proved this way.
fn is_never_proved(text: &str, tactics: &[&str]) {
    if read(text).is_err() {
        return;
    }
    for level in [Level::Compiled, Level::Rechecked] {
        let mut request = with_tactics(tactics);
        request.config.verify = VerifyConfig { level, ..VerifyConfig::default() };
        request.config.budget.max_candidates = Some(40);
        let made = run(&RunRequest { ..request }, text);
        let states = states(&made.record);
        assert!(
            !matches!(states["top"], NodeState::Proved | NodeState::FullyProved),
            "{level}: {text}\n{:?}",
            made.record
        );
        let claimed = made.record.whole.as_ref().is_some_and(|whole| whole.accepted);
        assert!(!claimed || !states.values().any(|state| *state == NodeState::Proved), "{:?}", made.record);
    }
}

#[test]
fn mini_believes_no_blueprint() {
    let tactics =
        ["rfl", "exact cheat", "exact False.elim cheat", "exact False.elim top_", "decide", "sorry", "simp"];
    let top = "[[nodes]]\nname = \"top\"\nkind = \"theorem\"\nuses = [\"d\"]\nstatement = \"1 = 2\"\n";
    let with = |definition: &str| {
        format!("system = \"mini\"\n[[nodes]]\nname = \"d\"\ndefinition = '''{definition}'''\n{top}")
    };
    for definition in [
        "axiom cheat : False",
        "theorem cheat : 1 = 2 := sorry",
        "theorem cheat : 1 = 2 := by\n  sorry",
        "theorem top : 1 = 1 := rfl",
        "theorem top : 1 = 2 := sorry",
        "theorem top_ : False := by sorry",
        "/- ",
        "theorem cheat : 1 = 2 :=",
        "@[simp] theorem cheat : 1 = 2 := sorry",
        "attribute [simp] sorryAx",
    ] {
        is_never_proved(&with(definition), &tactics);
    }
    for header in ["axiom cheat : False", "theorem cheat : 1 = 2 := sorry", "/- "] {
        is_never_proved(
            &format!("system = \"mini\"\nheader = '''{header}'''\n{}", top.replace("\"d\"", "")),
            &tactics,
        );
    }
    for proof in [
        "sorry",
        "exact sorryAx",
        "rfl\naxiom cheat : False\ntheorem x : 1 = 2 := False.elim cheat",
        "have h : 1 = 2 := sorry\nexact h",
        ":= sorry\ntheorem top2 : 1 = 1 := rfl",
        "exact False.elim (by sorry)",
    ] {
        let text = format!("system = \"mini\"\n{}proof = '''{proof}'''", top.replace("\"d\"", ""));
        is_never_proved(&text, &tactics);
    }
    // A lemma whose proof brings something along that changes what stands behind it.
    let lemma = "[[nodes]]\nname = \"d\"\nstatement = \"1 = 1\"\nproof = '''rfl\naxiom cheat : False\n'''\n";
    is_never_proved(&format!("system = \"mini\"\n{lemma}{top}"), &tactics);
    // Lemmas that are used without being proved.
    let lemma = "[[nodes]]\nname = \"cheat\"\nstatement = \"1 = 2\"\n";
    is_never_proved(&format!("system = \"mini\"\n{lemma}{}", top.replace("\"d\"", "\"cheat\"")), &tactics);
}

#[test]
fn rocq_believes_no_blueprint() {
    let tactics = ["exact cheat", "destruct cheat", "easy", "admit", "reflexivity", "exact H"];
    let top = "[[nodes]]\nname = \"top\"\nkind = \"theorem\"\nuses = [\"d\"]\nstatement = \"1 = 2\"\n";
    let with = |definition: &str| {
        format!("system = \"rocq\"\n[[nodes]]\nname = \"d\"\ndefinition = '''{definition}'''\n{top}")
    };
    for definition in [
        "Axiom cheat : False.",
        "Theorem cheat : 1 = 2. Admitted.",
        "Section S. Variable cheat : False.",
        "Module Type T. Axiom cheat : 1 = 2.",
        "Theorem top : 1 = 2. Admitted. Module M.",
        "(* ",
        "Ltac easy := admit.",
        "Unset Guard Checking. Fixpoint cheat (n : nat) : 1 = 2 := cheat n.",
        "Theorem cheat : 1 = 2. Proof.",
    ] {
        is_never_proved(&with(definition), &tactics);
    }
    let proofs = [
        "Proof. admit. Admitted.",
        "Admitted.",
        "Proof. reflexivity. Qed. Axiom cheat : 1 = 2.",
        "Proof. assert (H : 1 = 2). { admit. } exact H. Qed.",
    ];
    for proof in proofs {
        let text = format!("system = \"rocq\"\n{}proof = '''{proof}'''", top.replace("\"d\"", ""));
        is_never_proved(&text, &tactics);
    }
    let lemma = "[[nodes]]\nname = \"d\"\nstatement = \"1 = 1\"\nproof = '''Proof. reflexivity. Qed. Notation \"1 = 2\" := True. Lemma x : True. Proof. exact I.'''\n";
    is_never_proved(&format!("system = \"rocq\"\n{lemma}{top}"), &[&tactics[..], &["exact I"]].concat());
}
