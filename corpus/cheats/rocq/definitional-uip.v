Set Definitional UIP.
Inductive same {A : Type} (a : A) : A -> SProp := refl : same a a.
Definition cast (P : nat -> Prop) (a : nat) (e : same a a) (x : P a) : P a := match e in same _ b return P b with refl _ => x end.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (cast (fun k => k = k + 0) n (refl n) (plus_n_O n)). Qed.
