Module Type bit. Parameter b : bool. End bit.
Module zero. Definition b := false. End zero.
Module one. Definition b := true. End one.
Module Type SHELF.
  Module copy (B : bit).
    Module inner. Definition value := B.b. End inner.
  End copy.
End SHELF.
Module shelf.
  Module copy (B : bit).
    Module inner. Definition value := B.b. End inner.
  End copy.
End shelf.
Module Big (Sh : SHELF).
  Include Sh.
  Module c0 := copy zero.
  Module c1 := copy one.
  Theorem good : c0.inner.value = false /\ c1.inner.value = true.
  Proof. split; reflexivity. Qed.
End Big.
Module N := Big shelf.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct N.good. exact plus_n_O. Qed.
