Module Type T. Parameter Inline n : nat. End T.
Module F (X : T). Definition m := X.n + X.n. End F.
Module S <: T. Definition n := 4. End S.
Module G := F S.
Theorem goal : G.m = S.n + S.n.
Proof. reflexivity. Qed.
