Module A. Parameter x : nat. End A.
Module B := A.
Theorem goal : A.x + B.x = B.x + A.x.
Proof. reflexivity. Qed.
