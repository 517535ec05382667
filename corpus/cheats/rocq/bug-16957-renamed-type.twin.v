Section s.
Variable x : nat.
Definition d := x.
Variable h : d = x.
Lemma right : d = x /\ 10 * 10 = 100.
Proof. split; [exact h | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right n eq_refl). rewrite <- plus_n_O. reflexivity. Qed.
