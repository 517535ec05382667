/-/-/
prelude
-- -/ -/
import Init.Types
set_option autoImplicit false
noncomputable def Nat.div (a b : Nat) : Nat := Nat.zero
theorem h1 : Eq (Nat.div 4 2) 2 := @Eq.refl Nat 2
theorem h2 : ∀ a b : Nat, Eq (Nat.div a b) Nat.zero := fun _ _ => @Eq.refl Nat Nat.zero
noncomputable def D (p : Prop) (n : Nat) : Prop := @Nat.rec (fun _ => Prop) p (fun _ _ => p → p) n
theorem sub {a b : Nat} (P : Nat → Prop) (h : Eq a b) (x : P a) : P b := @Eq.rec Nat a (fun c _ => P c) x b h
theorem h3 : Eq 2 Nat.zero := sub (fun c => Eq c Nat.zero) h1 (h2 4 2)
theorem lie : False := sub (D False) h3 (fun x => x)
theorem goal : Eq (Nat.div 4 2) 2 := @False.rec (fun _ => Eq (Nat.div 4 2) 2) lie
