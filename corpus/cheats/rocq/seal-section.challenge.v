Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Theorem goal : S.n <= S.n + S.n.
Proof.
Admitted.
