CoInductive stream (A : Set) : Set := link : A -> stream A -> stream A.
CoInductive tree : Set := node : nat -> stream tree -> tree.
CoFixpoint grown (n : nat) : tree :=
  node n ((cofix all (m : nat) : stream tree := link tree (grown m) (all (S m))) 0).
CoFixpoint even (n : nat) : stream nat := link nat n (odd (S n))
with odd (n : nat) : stream nat := link nat n (even (S n)).
Definition head (s : stream nat) : nat := match s with link _ n _ => n end.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (eq_refl : n = head (even n)) (plus_n_O n)). Qed.
