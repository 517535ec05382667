Bind Scope nat_scope with nat.
Definition same (n : nat) := n.
Theorem goal : forall n : nat, n = same (n + 0).
Proof. exact plus_n_O. Qed.
