Require Import Lia.

Theorem my_lemma : forall p q : Prop, p /\ q -> q /\ p.
Proof.
Admitted.

Theorem hard : forall n : nat, n + 0 = n.
Proof.
Admitted.
