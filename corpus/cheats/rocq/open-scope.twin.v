Declare Scope honest_scope.
Notation "x + y" := (Nat.add x y) : honest_scope.
Local Open Scope honest_scope.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
