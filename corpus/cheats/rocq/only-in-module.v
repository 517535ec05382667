Module Inner.
  Theorem goal : True. Proof. exact I. Qed.
End Inner.
Export Inner.
