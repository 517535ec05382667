Module Type T. Parameter n : nat. End T.
Module S : T. Definition n := 5. End S.
Lemma dec : forall n m : nat, {n = m} + {~ n = m}.
Proof. decide equality. Qed.
Theorem goal : S.n + 0 = S.n /\ (S.n = 7 \/ ~ S.n = 7).
Proof. split; [symmetry; apply plus_n_O | destruct (dec S.n 7); auto]. Qed.
