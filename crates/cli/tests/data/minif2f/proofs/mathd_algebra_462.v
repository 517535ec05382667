Require Import Reals.
Open Scope R_scope.
Theorem mathd_algebra_462 :
  (1/2 + 1/3) * (1/2 - 1/3) = 5/36.
Proof.
  From Coq Require Import Lra.
  lra.
Qed.
