(* sorry, admit. and Admitted. in a comment: “ünïcödé” *)
From Coq Require Import String.
Definition words := "admit. Admitted."%string.

Lemma both (P Q R : Prop) : P -> Q -> R -> P /\ (Q /\ R).
Proof.
  intros p q r.
  split; [exact p | tauto].
Qed.

Lemma by_way (P Q : Prop) : (P -> Q) -> P -> Q /\ P.
Proof.
  intros f p.
  assert (q : Q) by (apply f; assumption).
  split; [exact q | assumption].
Qed.

Example nothing : True.
Proof. exact I. Qed.
