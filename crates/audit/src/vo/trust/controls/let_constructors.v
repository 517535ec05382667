(* Lets in constructors, outside signatures and without SProp, as records of libraries have them. *)
Record point : Set := { x : nat; y := S x; z : nat }.
Inductive span : Set := between (low len : nat) (high := low + len).
Definition top (s : span) : nat := match s with between _ _ h => h end.
Lemma top_is : forall l n, top (between l n) = l + n. Proof. reflexivity. Qed.
Inductive param (A : Type) (pair := (A * A)%type) : Type := two : pair -> param A.
Module inside. Inductive t : Set := make (n : nat) (m := n). End inside.
Polymorphic Inductive poly@{u} (A : Type@{u}) : Type@{u} := mk (a : A) (b := a).
