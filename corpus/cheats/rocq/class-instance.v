Class Op (A : Type) := op : A -> A -> A.
Instance sum : Op nat := Nat.add.
Instance first : Op nat := fun n _ => n.
Theorem goal : forall n : nat, op n 0 = n.
Proof. reflexivity. Qed.
