Require Import Arith.
Theorem mathd_numbertheory_101 :
  (17 * 18) mod 4 = 2.
Proof.
  From Coq Require Import Lia ZifyNat.
  lia.
Qed.
