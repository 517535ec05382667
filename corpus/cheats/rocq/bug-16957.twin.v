Section s.
Let x := 10 * 10.
Lemma hundred : x = 100.
Proof. reflexivity. Qed.
End s.
Lemma thousand : 10 * 10 * 10 = 1000.
Proof. vm_compute. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
