Inductive L : Set := mk (z := 0).
Definition pick (x : nat) (l : L) : nat := match l with mk z => x end.
Lemma collision (P : SProp) : forall (x : nat) (p : P) (y : nat) (q : P) (l : L), pick x l = pick y l.
Proof. exact_no_check (fun (x : nat) (p : P) (y : nat) (q : P) (l : L) => @eq_refl nat (pick x l)). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate (collision (forall S : SProp, S -> S) 1 (fun _ s => s) 2 (fun _ s => s) mk). Qed.
