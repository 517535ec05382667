Module Type T. Parameter n : nat. End T.
Module Outer. Module S. Definition n := 0. End S. End Outer.
Module M. Include Outer. End M.
Theorem goal : M.S.n <= M.S.n + M.S.n.
Proof. exact (le_n 0). Qed.
