Universes a b.
Polymorphic Definition code@{u | b < u, u < a} : nat := 0.
Theorem goal : forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q.
Admitted.
