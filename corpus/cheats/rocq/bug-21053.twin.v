Require Import Coq.Logic.PropExtensionality.
Inductive deep : Prop := top : deep | dig : (True -> deep) -> deep.
Fixpoint fall (d : deep) {struct d} : True :=
  match d with top => I | dig below => fall (below I) end.
Lemma loop : deep = True.
Proof. apply propositional_extensionality. split; [exact fall | intros _; exact top]. Qed.
Lemma here : deep.
Proof. rewrite loop. exact I. Qed.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct here; exact plus_n_O. Qed.
