Notation "x @( * y" := x (at level 40, y at level 30).
Notation "*) x" := x (at level 30).
Check 1 @( * 2. Check nat. (* Redirect *) Check *) 2.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
