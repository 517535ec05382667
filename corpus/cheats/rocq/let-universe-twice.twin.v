Set Universe Polymorphism.
Inductive same@{i} {A : Type@{i}} (a : A) : A -> Prop := refl : same a a.
Inductive mark@{u} : Type@{u} := make (x : nat) (seen : nat := x + 0).
Definition look@{u} (m : mark@{u}) : nat := match m with make _ seen => seen end.
Definition equal@{a b | a < b} (n : nat) : same@{b} (n + 0) (look@{a} (make@{a} n)) := refl@{b} _.
Unset Universe Polymorphism.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. destruct (equal n). exact (plus_n_O n). Qed.
