Require Import Coq.Logic.Classical_Prop.
Global Set Printing All.
Global Set Printing Universes.
Global Set Warnings "+all".
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. intros P Q h p. destruct (classic Q) as [q | n]; [exact q | destruct (h n p)]. Qed.
