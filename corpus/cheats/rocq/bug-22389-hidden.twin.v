CoInductive stream (A : Set) : Set := link : A -> stream A -> stream A.
Definition twice (n : nat) (s : stream nat) : stream nat := link nat n (link nat n s).
CoFixpoint pairs (n : nat) : stream nat := twice n (pairs (S n)).
Definition head (s : stream nat) : nat := match s with link _ n _ => n end.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (eq_refl : n = head (pairs n)) (plus_n_O n)). Qed.
