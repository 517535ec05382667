Inductive reach : nat -> Prop :=
| start : reach 0
| step n : reach n -> reach (S (S n)).
Theorem goal : reach 4.
Proof.
Admitted.
