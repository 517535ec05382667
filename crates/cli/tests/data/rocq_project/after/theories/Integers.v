From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Lemma next x y : x < y -> x + 1 <= y.
Proof.
  intros.
  lia.
Qed.
