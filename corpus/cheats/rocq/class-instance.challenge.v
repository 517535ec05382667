Class Op (A : Type) := op : A -> A -> A.
Instance sum : Op nat := Nat.add.
Theorem goal : forall n : nat, op n 0 = n.
Proof.
Admitted.
