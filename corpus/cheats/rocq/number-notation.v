Definition parse (_ : Number.uint) : option nat := Some O.
Definition print (_ : nat) : option Number.uint := None.
Number Notation nat parse print : nat_scope.
Theorem goal : exists n : nat, n * n = 9.
Proof. exists O. reflexivity. Qed.
