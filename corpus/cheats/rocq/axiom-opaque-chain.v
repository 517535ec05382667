Module Deep.
  Axiom cheat : False.
  Lemma one : 0 = 1. Proof. destruct cheat. Qed.
End Deep.
Lemma two : False. Proof. discriminate Deep.one. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct two. Qed.
