Section s.
Let x := 0.
Inductive box : Set := pack : x = 0 -> box.
Lemma right (b : box) : x = 0 /\ 10 * 10 = 100.
Proof. split; [destruct b as [e]; exact e | vm_compute; reflexivity]. Qed.
End s.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (right (pack eq_refl)). rewrite <- plus_n_O. reflexivity. Qed.
