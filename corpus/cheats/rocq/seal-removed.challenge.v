Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Theorem goal : S.n + 0 = S.n /\ (S.n = 7 \/ ~ S.n = 7).
Proof.
Admitted.
