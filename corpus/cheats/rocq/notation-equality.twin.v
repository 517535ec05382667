Notation "x === y" := (x = y) (at level 70) : type_scope.
Theorem goal : forall n : nat, n === n + 0.
Proof. exact plus_n_O. Qed.
