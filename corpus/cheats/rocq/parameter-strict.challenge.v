Parameter A : Type.
Axiom alike : forall x y : A, x = y.
Theorem goal : forall x y : A, x = y.
Proof.
Admitted.
