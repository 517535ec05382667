Theorem goal : forall (A : Type) (x : A), x = x.
Proof.
Admitted.
