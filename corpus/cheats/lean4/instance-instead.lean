class Holds : Prop where

instance goal : Holds := ⟨⟩
