Require Import Coq.Logic.Classical_Prop.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof.
Admitted.
