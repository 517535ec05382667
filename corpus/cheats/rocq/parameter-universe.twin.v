Parameter A : Type.
Axiom small : exists B : Set, @eq Type B A.
Theorem goal : exists B : Set, @eq Type B A.
Proof. exact small. Qed.
