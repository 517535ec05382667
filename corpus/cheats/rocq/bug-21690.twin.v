Inductive sFalse : SProp := .
Inductive sOr (A B : SProp) : SProp := left (a : A) | right (b : B).
Definition swap (A B : SProp) (x : sOr A B) : sOr B A :=
  match x with left _ _ a => right _ _ a | right _ _ b => left _ _ b end.
Lemma same : forall f : sFalse -> nat, (fun x y : sFalse => f x) = (fun x y => f y).
Proof. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
