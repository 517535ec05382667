#[bypass_check(positivity)]
Inductive bad : Prop := wrap : (bad -> False) -> bad.
Lemma no (b : bad) : False. Proof. destruct b as [f] eqn:e. exact (f b). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (no (wrap no)). Qed.
