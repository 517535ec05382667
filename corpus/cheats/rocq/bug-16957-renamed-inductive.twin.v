Section s.
Variable x : nat.
Definition d := x.
Inductive box : Set := pack : d = x -> box.
Lemma right (b : box) : d = x /\ 10 * 10 = 100.
Proof. split; [destruct b as [e]; exact e | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right n (pack n eq_refl)). rewrite <- plus_n_O. reflexivity. Qed.
