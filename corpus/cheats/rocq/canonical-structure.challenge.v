Structure magma := Magma { carrier : Type; op : carrier -> carrier -> carrier }.
Arguments op {_}.
Canonical sum_magma := Magma nat Nat.add.
Theorem goal : forall n : nat, op n 0 = n.
Proof.
Admitted.
