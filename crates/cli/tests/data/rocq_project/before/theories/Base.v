From Coq Require Import Arith List.
Import ListNotations.

Section Doubling.
  Variable A : Type.
  Implicit Types (xs ys : list A).

  Definition double xs : list A := xs ++ xs.

  Lemma double_nil : double nil = nil.
  Proof. reflexivity. Qed.

  Lemma nil_double xs : xs = nil -> double xs = nil.
  Proof.
  Admitted.
End Doubling.

Notation "x <+> y" := (x + y + 1) (at level 50, left associativity).

(* Needs more than this file requires. *)
Lemma plus1_pos n m : 0 < n <+> m.
Admitted.

Fixpoint sum_to (n : nat) : nat :=
  match n with
  | 0 => 0
  | S k => S k + sum_to k
  end.

Lemma sum_to_two : sum_to 2 = 3.
Proof. admit. Admitted.
