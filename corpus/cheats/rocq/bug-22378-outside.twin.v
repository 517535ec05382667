Inductive L : Set := mk (z := 0).
Lemma same (x y : nat) (l : L) : x = y -> match l with mk z => x end = match l with mk z => y end.
Proof. intros []. exact eq_refl. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := same 1 1 mk eq_refl). exact plus_n_O. Qed.
