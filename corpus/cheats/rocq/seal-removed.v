Module Type T. Parameter n : nat. End T.
Module S. Definition n := 7. End S.
Theorem goal : S.n + 0 = S.n /\ (S.n = 7 \/ ~ S.n = 7).
Proof. split; [reflexivity | left; reflexivity]. Qed.
