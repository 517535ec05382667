Declare Scope cheat_scope.
Notation "x + y" := x : cheat_scope.
Delimit Scope cheat_scope with nat.
Theorem goal : forall n : nat, n = (n + 0)%nat.
Proof. reflexivity. Qed.
