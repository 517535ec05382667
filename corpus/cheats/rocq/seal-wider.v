Module Type T. Parameter n : nat. Axiom is7 : n = 7. End T.
Module S : T. Definition n := 7. Lemma is7 : n = 7. Proof. reflexivity. Qed. End S.
Theorem goal : S.n <= S.n + S.n.
Proof. rewrite S.is7. repeat constructor. Qed.
