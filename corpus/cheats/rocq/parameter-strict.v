Global Set Cumulative StrictProp.
Parameter A : SProp.
Axiom alike : forall x y : A, x = y.
Theorem goal : forall x y : A, x = y.
Proof. reflexivity. Qed.
