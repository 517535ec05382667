"""LeanInteract, as it comes, against a server that it takes for the REPL: `client.py FOLDER LAKE`."""

import os
import sys
import tempfile

from lean_interact import (
    AutoLeanServer, Command, FileCommand, LeanREPLConfig, LeanServer, PickleEnvironment, PickleProofState, ProofStep,
    UnpickleEnvironment, UnpickleProofState,
)
from lean_interact.interface import LeanError

folder, lake = sys.argv[1:]
config = LeanREPLConfig(local_repl_path=folder, lake_path=lake)
assert config.lean_version == "v4.33.0", config.lean_version

with LeanServer(config) as server:
    # Commands and environments.
    version = server.run(Command(cmd="#eval Lean.versionString"))
    assert version.messages[0].data == '"4.33.0"', version
    base = server.run(Command(cmd="import Mathlib\ntheorem two (p : Prop) (h : p) : p ∧ p := ⟨h, h⟩"))
    assert base.lean_code_is_valid(), base
    good = server.run(Command(cmd="theorem t (a b : Nat) : a + b = b + a := by\n  omega\n#print axioms two", env=base.env))
    assert good.lean_code_is_valid() and "does not depend" in good.messages[-1].data, good
    bad = server.run(Command(cmd="theorem t : 1 = 2 := by\n  rfl", env=base.env))
    assert not bad.lean_code_is_valid() and bad.get_errors(), bad
    later = server.run(Command(cmd="import Mathlib", env=base.env))
    assert later.has_errors(), later
    unknown = server.run(Command(cmd="#check 1", env=99))
    assert isinstance(unknown, LeanError) and unknown.message == "Unknown environment.", unknown

    # Proofs, step by step.
    opened = server.run(Command(cmd="example (p q : Prop) (hp : p) (hq : q) : p ∧ q := by sorry", env=base.env))
    assert opened.lean_code_is_valid() and not opened.lean_code_is_valid(allow_sorry=False), opened
    [hole] = opened.sorries
    assert hole.goal == "p q : Prop\nhp : p\nhq : q\n⊢ p ∧ q" and hole.start_pos.line == 1, hole
    split = server.run(ProofStep(tactic="constructor", proof_state=hole.proof_state))
    assert len(split.goals) == 2 and split.goals[0].startswith("case left"), split
    first = server.run(ProofStep(tactic="exact hp", proof_state=split.proof_state))
    assert len(first.goals) == 1 and first.proof_status == "Incomplete: open goals remain", first
    done = server.run(ProofStep(tactic="exact hq", proof_state=first.proof_state))
    assert done.goals == [] and done.proof_status == "Completed", done
    # An earlier state is as it was.
    again = server.run(ProofStep(tactic="exact ⟨hp, hq⟩", proof_state=hole.proof_state))
    assert again.proof_status == "Completed", again
    failed = server.run(ProofStep(tactic="apply hp", proof_state=hole.proof_state))
    assert isinstance(failed, LeanError), failed
    recovered = server.run(ProofStep(tactic="exact nonsense", proof_state=hole.proof_state))
    assert recovered.has_errors() and recovered.proof_status == "Incomplete: contains sorry", recovered
    given_up = server.run(ProofStep(tactic="all_goals sorry", proof_state=split.proof_state))
    assert len(given_up.sorries) == 2, given_up

    # Files and pickles.
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "File.lean")
        with open(file, "w", encoding="utf-8") as text:
            text.write("theorem u (n : Nat) : n = n := rfl\n")
        assert server.run(FileCommand(path=file)).lean_code_is_valid()
        pickle = os.path.join(scratch, "env.olean")
        assert server.run(PickleEnvironment(env=base.env, pickle_to=pickle)).env == base.env
        back = server.run(UnpickleEnvironment(unpickle_env_from=pickle))
        used = server.run(Command(cmd="example (p : Prop) (h : p) : p ∧ p := two p h", env=back.env))
        assert used.lean_code_is_valid(), used
        pickle = os.path.join(scratch, "state.olean")
        assert len(server.run(PickleProofState(proof_state=split.proof_state, pickle_to=pickle)).goals) == 2
        back = server.run(UnpickleProofState(unpickle_proof_state_from=pickle))
        assert len(back.goals) == 2, back

    # What ends the real program ends this one, and the client starts another.
    try:
        server.run_dict({"nonsense": 1})
        raise AssertionError("a request of no known form has an answer")
    except (ConnectionAbortedError, ConnectionError, BrokenPipeError):
        pass
    server.restart()
    assert server.run(Command(cmd="theorem v : True := trivial")).env == 0

auto = AutoLeanServer(config)
base = auto.run(Command(cmd="theorem w (p : Prop) (h : p) : p := h"), add_to_session_cache=True)
assert auto.run(Command(cmd="example (p : Prop) (h : p) : p := w p h", env=base.env)).lean_code_is_valid()
auto.restart()
assert auto.run(Command(cmd="example (p : Prop) (h : p) : p := w p h", env=base.env)).lean_code_is_valid()
print("it did not notice")
