Module Type T. Parameter n : nat. End T.
Declare Module S : T.
Theorem goal : S.n <= S.n + S.n.
Proof.
Admitted.
