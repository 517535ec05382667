Module Type T. Parameter n : nat. End T.
Module A. Definition n := 2. End A.
Module F (X : T) : T. Definition n := X.n + 3. End F.
Module S := F A.
Theorem goal : S.n <= S.n + S.n.
Proof.
Admitted.
