Module Type T. Parameter n : nat. End T.
Module A. Definition n := 2. End A.
Module F (X : T). Definition n := 0. End F.
Module S := F A.
Theorem goal : S.n <= S.n + S.n.
Proof. exact (le_n 0). Qed.
