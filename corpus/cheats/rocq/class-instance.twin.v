Class Op (A : Type) := op : A -> A -> A.
Instance sum : Op nat := Nat.add.
Instance other : Op bool := andb.
Theorem goal : forall n : nat, op n 0 = n.
Proof. intro n. exact (eq_sym (plus_n_O n)). Qed.
