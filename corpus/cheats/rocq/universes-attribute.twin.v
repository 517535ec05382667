Require Import Coq.Logic.Hurkens.
Lemma fine : forall A : Type, Type = A -> False.
Proof. exact TypeNeqSmallType.paradox. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
