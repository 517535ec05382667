Require Import Coq.Logic.Classical_Prop.
Theorem goal : forall P Q : Prop, (~ Q -> ~ P) -> P -> Q.
Proof. intros P Q h p. destruct (classic Q) as [q | n]; [exact q | destruct (h n p)]. Qed.
