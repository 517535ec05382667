Require Import Coq.Logic.Classical_Prop.
Theorem goal : forall P : Prop, ~ ~ (P \/ ~ P).
Proof. intros P h. apply h. right. intro p. apply h. left. exact p. Qed.
