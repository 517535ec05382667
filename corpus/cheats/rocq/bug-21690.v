Inductive sFalse : SProp := .
Definition f (x : sFalse) : nat -> nat := match x with end.
Lemma wrong : (fun x : sFalse => f x 0) = (fun x : sFalse => f x 1).
Proof. match goal with |- ?l = _ => exact_no_check (eq_refl l) end. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
