/-! What a library could define that a cheat would use. -/
set_option linter.unusedVariables false
macro "conjure" : tactic => `(tactic| set_option debug.skipKernelTC true in decide +kernel)
macro "assured" : term => `(by set_option debug.skipKernelTC true in decide +kernel)
macro "grant" n:declId ":" t:term : command =>
  `(set_option debug.skipKernelTC true in theorem $n : $t := by decide +kernel)
namespace Tricks
axiom given (p : Prop) : p
theorem holds (p : Prop) : p := given p
def small (_ : Nat) : Prop := True
scoped macro:50 (priority := high) a:term:51 " = " b:term:51 : term => `(True)
end Tricks
namespace Tricks.Sum
scoped instance (priority := high) : HAdd Nat Nat Nat := ⟨fun _ n => n⟩
end Tricks.Sum
