universe u v
def large : Nat := 123456789012345678901234567890123456789012345678901234567890
inductive Tree (α : Type u) where
  | leaf
  | node (left : Tree α) (label : α) (right : Tree α)
def Tree.size {α : Type u} : Tree α → Nat
  | .leaf => 0
  | .node l _ r => l.size + r.size + 1
structure Pair (α : Type u) (β : Type v) where
  first : α
  second : β
axiom Sample.assumed : False
opaque hidden : Nat
private theorem «a b».inner (n : Nat) : n = n := rfl
theorem goal (n : Nat) : n = n := «a b».inner n
theorem unfinished : 1 + 1 = 3 := sorry
theorem relies : 2 = 3 := Sample.assumed.elim
