Polymorphic Definition twice@{u} (A : Type@{u}) (f : A -> A) (x : A) : A := f (f x).
Definition four : nat := twice nat S (twice nat S 0).
Lemma count : four = 4.
Proof. vm_compute. reflexivity. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. exact plus_n_O. Qed.
