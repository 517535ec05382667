Global Set Printing Width 2.
Global Set Printing Depth 1.
Axiom cheat : forall a_long_name : Prop, a_long_name.
Theorem goal : forall n : nat, n = n + 0.
Proof. apply cheat. Qed.
