Module Type T. Parameter n : nat. End T.
Module F (X : T). Definition m := X.n + X.n. End F.
Declare Module S : T.
Module G := F S.
Theorem goal : G.m = S.n + S.n.
Proof. reflexivity. Qed.
