Definition part (n : nat) : n = n + 0.
Proof. exact (plus_n_O n). Qed.

Definition sum (n : nat) : { m : nat | m = n + 0 /\ n = m } := exist _ n (conj (part n) eq_refl).

Theorem goal : forall n : nat, n = n + 0.
Proof.
  intro n. destruct (sum n) as [m [h e]]. exact (eq_trans e h).
Qed.
