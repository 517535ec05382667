Declare Scope cheat_scope.
Delimit Scope cheat_scope with cheat.
Notation "x + y" := x : cheat_scope.
Bind Scope cheat_scope with nat.
Definition same (n : nat) := n.
Theorem goal : forall n : nat, n = same (n + 0).
Proof. reflexivity. Qed.
