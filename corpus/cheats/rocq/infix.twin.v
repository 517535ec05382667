Infix "=<" := le (at level 70) : nat_scope.
Theorem goal : forall n : nat, n =< S n.
Proof. intro n. apply le_S, le_n. Qed.
