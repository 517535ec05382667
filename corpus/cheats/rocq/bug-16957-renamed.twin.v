Section s.
Variable x : nat.
Definition d := x.
Lemma right : d = x /\ 10 * 10 = 100.
Proof. split; [reflexivity | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right n) as [e _]. rewrite <- e. exact (plus_n_O _). Qed.
