Require Import Arith.
Require Import ZArith.

Open Scope Z_scope.
Theorem mathd_numbertheory_30:
  (33818^2 + 33819^2 + 33820^2 + 33821^2 + 33822^2) mod 17 = 0.
Proof.
  From Coq Require Import Lia ZifyNat.
  lia.
Qed.
