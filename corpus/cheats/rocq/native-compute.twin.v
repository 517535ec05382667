Definition two := Eval vm_compute in 1 + 1.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
