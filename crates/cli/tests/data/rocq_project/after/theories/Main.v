From Coq Require Import Arith.
From Shop Require Import Base Trees Monoids.

Module Facts.
  Lemma mirror_twice A (t : tree A) : size (mirror (mirror t)) = size t.
  Proof. rewrite mirror_mirror. reflexivity. Qed.

  Lemma false_lemma (n : nat) : n * n = n + n.
  Admitted.

  Definition helper n := n <+> n.
  Lemma helper_zero : helper 0 = 1.
  Proof.
    reflexivity.
  Qed.
End Facts.
