Module Type T. Parameter n : nat. End T.
Module Type E. Declare Module S : T. Parameter e : S.n = 0. End E.
Module B : E.
  Module S <: T. Definition n := 0. End S.
  Definition e : S.n = 0 := eq_refl.
End B.
Module S := B.S.
Section s.
Let k := B.e.
Theorem goal : S.n <= S.n + S.n.
Proof. rewrite k. exact (le_n 0). Qed.
End s.
