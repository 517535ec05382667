Parameter A : Set.
Axiom small : exists B : Set, @eq Type B A.
Theorem goal : exists B : Set, @eq Type B A.
Proof. exists A. reflexivity. Qed.
