From Coq Require Import List.
From Shop Require Import Base.
Import ListNotations.

Inductive tree (A : Type) : Type :=
| Leaf : tree A
| Node : tree A -> A -> tree A -> tree A.
Arguments Leaf {A}.
Arguments Node {A} l x r.

Fixpoint mirror {A} (t : tree A) : tree A :=
  match t with
  | Leaf => Leaf
  | Node l x r => Node (mirror r) x (mirror l)
  end.

Fixpoint size {A} (t : tree A) : nat :=
  match t with
  | Leaf => 0
  | Node l _ r => size l <+> size r
  end.

Theorem mirror_mirror A (t : tree A) : mirror (mirror t) = t.
Proof.
  induction t as [| l IHl x r IHr]; simpl.
  * (* nothing to mirror *)
    admit.
  * rewrite IHl, IHr.
    admit.
Admitted.

Lemma mirror_leaf A : mirror (@Leaf A) = Leaf.
Proof. Admitted.
