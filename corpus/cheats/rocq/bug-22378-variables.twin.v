Inductive L : Set := mk (z : nat).
Definition pick (x : nat) (l : L) : nat := match l with mk z => x end.
Lemma same (P : SProp) : forall (x : nat) (p q : P) (l : L), pick x l = pick x l.
Proof. intros. exact eq_refl. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := same (forall S : SProp, S -> S) 1 (fun _ s => s) (fun _ s => s) (mk 0)). exact plus_n_O. Qed.
