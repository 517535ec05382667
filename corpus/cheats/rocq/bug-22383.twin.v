Set Universe Polymorphism.
Cumulative Inductive mark@{u v | u < v} : Type@{v} := make (seen : Type@{u}).
Definition look@{u v | u < v} (m : mark@{u v}) : Type@{u} := match m with make seen => seen end.
Definition same@{u v | u < v} (A : Type@{u}) (a : A) : look@{u v} (make A) := a.
Unset Universe Polymorphism.
Cumulative Polymorphic Inductive two : Set := tie (x : nat) (z : nat := x + 0).
Definition sum (t : two) : nat := match t with tie _ z => z end.
Theorem goal : forall n : nat, n = n + 0.
Proof. intro n. exact (eq_trans (plus_n_O n) (eq_refl (sum (tie n)))). Qed.
