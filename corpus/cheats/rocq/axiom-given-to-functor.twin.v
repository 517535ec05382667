From Coq Require Import OrderedType.
Module Type SIG. Parameter good : False -> False. End SIG.
Module M : SIG.
Module Type S. End S. Module Type T. End T. Module B. End B.
Module A.
  Definition t := unit.
  Definition eq (x y : unit) := True. Definition lt (x y : unit) := False.
  Definition eq_refl (x : unit) : True := I.
  Definition eq_sym (x y : unit) (h : True) : True := I.
  Definition eq_trans (x y z : unit) (h : True) (k : True) : True := I.
  Definition lt_trans (x y z : unit) (h : False) (k : False) : False := h.
  Definition compare (x y : unit) : Compare (fun x y : unit => False) (fun x y : unit => True) x y := EQ I.
  Definition eq_dec (x y : unit) : {True} + {~ True} := left I.
  Definition lt_not_eq (x y : unit) (h : False) (k : True) : False := h.
End A.
Module E. Include OrderedTypeFacts A. End E.
Lemma good : False -> False. Proof. exact (E.lt_antirefl (x := tt)). Qed.
End M.
Theorem goal : forall n : nat, n = n + 0.
Proof. assert (H := M.good). exact plus_n_O. Qed.
