Axiom own : 1 = 1.
Section S.
Variables x y : nat.
Theorem uses_x : x = x. Proof. pose proof own. auto. Qed.
End S.
