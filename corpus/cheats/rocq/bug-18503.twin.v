Require Import PrimInt63.
Module Type op. Parameter f : int -> int -> int. End op.
Module use (X : op). Definition twice (i : int) : int := X.f i i. End use.
Module and. Definition f := land. End and.
Module done := use and.
Lemma same : done.twice 5%int63 = 5%int63. Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
