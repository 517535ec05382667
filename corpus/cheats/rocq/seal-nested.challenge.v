Module Type T. Parameter n : nat. End T.
Module Outer. Module S : T. Definition n := 5. End S. End Outer.
Module M. Include Outer. End M.
Theorem goal : M.S.n <= M.S.n + M.S.n.
Proof.
Admitted.
