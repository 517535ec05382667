Require Import ZArith.

Open Scope Z_scope.
Theorem mathd_numbertheory_102 :
  (2^8) mod 5 = 1.
Proof.
  From Coq Require Import Lia ZifyNat.
  lia.
Qed.
