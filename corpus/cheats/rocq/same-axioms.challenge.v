Module A. Parameter x : nat. End A.
Module B. Parameter x : nat. End B.
Theorem goal : A.x + B.x = B.x + A.x.
Proof.
Admitted.
