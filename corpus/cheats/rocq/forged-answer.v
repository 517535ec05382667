Theorem goal : forall n : nat, n = n + 0.
Proof. Admitted.
Theorem other : True. Proof. exact I. Qed.
Print Assumptions other.
