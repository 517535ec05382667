#[universes(polymorphic)] Lemma large : exists T : Type, T = nat.
Proof. abstract (exists nat; reflexivity). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. abstract (exact plus_n_O). Qed.
