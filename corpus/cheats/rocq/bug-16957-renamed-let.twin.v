Section s.
Let x := 0.
Definition d := x.
Definition e := S d.
Lemma right : e = 1 /\ 10 * 10 = 100.
Proof. split; [reflexivity | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct right. rewrite <- plus_n_O. reflexivity. Qed.
