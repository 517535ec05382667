Require Import QArith.
Require Import QArith_base.
Theorem amc12a_2009_p2 :
  1 + (1 / (1 + (1 / (1 + 1)))) = (5 # 3)%Q.
Proof.
  reflexivity.
Qed.
