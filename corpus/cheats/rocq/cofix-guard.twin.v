CoInductive endless : Prop := more : True -> endless -> endless.
CoFixpoint loop : endless := more I loop.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct loop. exact plus_n_O. Qed.
