Section s.
Let x := 0.
Variable h : x = 0.
Lemma right : x = 0 /\ 10 * 10 = 100.
Proof. split; [exact h | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right eq_refl). rewrite <- plus_n_O. reflexivity. Qed.
