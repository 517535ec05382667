Definition zero_only := {n : nat | n = 0}.
Definition value (z : zero_only) : nat := proj1_sig z.
Coercion value : zero_only >-> nat.
Theorem goal : forall n : zero_only, n = n + 0 :> nat.
Proof. intros [n e]. simpl. rewrite e. reflexivity. Qed.
