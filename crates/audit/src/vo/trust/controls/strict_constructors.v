(* Strict propositions in constructors, in a file without lets in constructors. *)
Inductive box : SProp := inbox (b : bool).
Inductive carries : Set := carry (n : nat) (b : box).
Definition same (n : nat) (b c : box) : carry n b = carry n c := eq_refl (carry n b).
