Require Import Coq.Logic.Hurkens.
Universes u v.
Constraint u < v.
Module Off.
  Local Unset Printing Universes.
End Off.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
