prelude
import Init.Macro
/-! Names that reach the machine in a real Lean: there they are compiled code, here nothing runs. -/
set_option linter.unusedVariables false
universe u
inductive IO.Error where
  | userError (msg : String)
def IO.RealWorld : Type := Unit
def EST (ε σ α : Type) : Type := σ → EStateM.Result ε σ α
def ST (σ α : Type) : Type := EST Empty σ α
def EIO (ε α : Type) : Type := EST ε IO.RealWorld α
def BaseIO (α : Type) : Type := EIO Empty α
def IO (α : Type) : Type := EIO IO.Error α
unsafe axiom unsafeBaseIO {α : Type} (fn : BaseIO α) : α
unsafe axiom unsafeEIO {ε α : Type} (fn : EIO ε α) : EStateM.Result ε Unit α
unsafe axiom unsafeIO {α : Type} (fn : IO α) : EStateM.Result IO.Error Unit α
structure System.FilePath where
  toString : String
def System.FilePath.pathExists (p : System.FilePath) : BaseIO Bool := fun s => .ok false s
def System.FilePath.isDir (p : System.FilePath) : BaseIO Bool := fun s => .ok false s
structure ST.Ref (σ α : Type) where
  value : α
def ST.Prim.mkRef {σ α : Type} (a : α) : ST σ (ST.Ref σ α) := fun s => .ok ⟨a⟩ s
structure Task (α : Type u) : Type u where
  pure ::
  get : α
def Task.spawn {α : Type u} (fn : Unit → α) (prio : Nat := 0) : Task α := ⟨fn ()⟩
def dbgTrace {α : Type u} (msg : String) (f : Unit → α) : α := f ()
def IO.println (s : String) : IO Unit := fun w => .ok () w
macro "println! " s:term : term => `(IO.println $s)
def Std.Internal.UV.System.osGetPid : IO Nat := fun w => .ok 0 w
