From Coq Require Import Arith.

Class Monoid (A : Type) := {
  op : A -> A -> A;
  e : A;
  op_assoc : forall x y z, op x (op y z) = op (op x y) z;
  op_e_l : forall x, op e x = x;
  op_e_r : forall x, op x e = x;
}.
Infix "**" := op (at level 40, left associativity).

Section M.
  Context {A : Type} `{Monoid A}.

  Lemma e_e : e ** e = e.
  Proof.
  Admitted.

	Lemma e_e_r (x : A) : x ** e = x.
	Proof.
	Admitted.
End M.
