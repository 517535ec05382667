(* Aliases, includes, functors, inlined parameters, inductive types in signatures: names and their canonical names are right. *)
Module Type ordered. Parameter t : Type. Parameter Inline le : t -> t -> bool. End ordered.
Module sort (O : ordered).
  Fixpoint insert (x : O.t) (l : list O.t) : list O.t :=
    match l with nil => cons x nil | cons y m => if O.le x y then cons x l else cons y (insert x m) end.
  Module inner. Definition two (x : O.t) := insert x (insert x nil). End inner.
  Module again := inner.
End sort.
Module nats <: ordered. Definition t := nat. Definition le := Nat.leb. End nats.
Module bools <: ordered. Definition t := bool. Definition le := implb. End bools.
Module sn := sort nats.
Module sb := sort bools.
Module copy := sn.
Module wide. Include sort nats. Definition more := insert 1 nil. End wide.
Module Type shape. Inductive t : Set := square (side : nat) | point. Parameter area : t -> nat. End shape.
Module plain <: shape. Inductive t : Set := square (side : nat) | point. Definition area (x : t) := match x with square s => s * s | point => 0 end. End plain.
Module use (S : shape). Definition unit := S.square 1. Lemma ne : S.square 0 <> S.point. Proof. discriminate. Qed. End use.
Module used := use plain.
Module Type fixed := ordered with Definition t := nat.
Module f : fixed. Definition t := nat. Definition le := Nat.leb. End f.
Module Type num. Declare Module O : ordered. Include shape. End num.
