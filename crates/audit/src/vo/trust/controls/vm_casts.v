Require Import ZArith Lia Lra Reals Ring Field.
Section s.
  Let big := 2 ^ 10.
  Lemma pow : big = 1024. Proof. reflexivity. Qed.
  Variable n : Z.
  Lemma used : (n < n + 1)%Z. Proof. lia. Qed.
End s.
Lemma closed : (2 * 3 = 6)%Z. Proof. ring. Qed.
Lemma closed_lia : (2 * 3 < 7)%Z. Proof. lia. Qed.
Lemma lra_ : (1 < 2)%R. Proof. lra. Qed.
Lemma posed : forall a : Z, (a + 0 = a)%Z. Proof. pose (k := 12%Z). intro a. ring. Qed.
Lemma by_vm : Nat.pow 2 10 = 1024. Proof. vm_compute. reflexivity. Qed.
Lemma hyp : forall n : nat, Nat.pow 2 3 = n -> n = 8. Proof. intros n h. vm_compute in h. symmetry. exact h. Qed.
Lemma cast : (2 ^ 70 <> 0)%Z. Proof. vm_cast_no_check (fun e : (2 ^ 70 = 0)%Z => match e in _ = k return match k with Z0 => False | _ => True end with eq_refl => I end) || (vm_compute; discriminate). Qed.
Section with_let.
  Let five := 5%R.
  Lemma of_field : (forall x, x <> 0 -> five <> 0 -> five * x / (five * x) = 1)%R. Proof. intros. field. auto. Qed.
  Lemma of_ring : (forall x, five * x = x * five)%R. Proof. intros. ring. Qed.
  Lemma of_lra : (forall x, five > 0 -> five + x = x + five)%R. Proof. intros. lra. Qed.
  Let small := 3.
  Definition twice n := let m := small + n in m + m.
  Lemma apart : twice 0 = 6 /\ Nat.pow 2 10 = 1024. Proof. split. reflexivity. vm_compute. reflexivity. Qed.
End with_let.
