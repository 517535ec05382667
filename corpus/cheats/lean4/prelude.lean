prelude

inductive Nat where
  | zero
  | succ (n : Nat)

theorem goal (n : Nat) (p : Prop) (h : p) : p := h
