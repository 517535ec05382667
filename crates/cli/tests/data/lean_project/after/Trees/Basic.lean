/-- A binary tree. -/
inductive Tree (α : Type) where
  | leaf : Tree α
  | node (l : Tree α) (x : α) (r : Tree α) : Tree α

namespace Tree
variable {α : Type}

def mirror : Tree α → Tree α
  | leaf => leaf
  | node l x r => node r.mirror x l.mirror

theorem mirror_mirror (t : Tree α) : t.mirror.mirror = t := by
  induction t with
  | leaf => rfl
  | node l x r hl hr =>
    simp only [mirror, hl, hr]

theorem mirror_leaf : (leaf : Tree α).mirror = leaf := by rfl
end Tree
