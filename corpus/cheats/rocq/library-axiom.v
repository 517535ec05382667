Require Import Coq.Logic.Classical_Prop.
Theorem goal : forall P : Prop, ~ ~ (P \/ ~ P).
Proof. intros P h. apply h, classic. Qed.
