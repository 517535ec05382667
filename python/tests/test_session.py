"""Proofs by hand, and asyncio."""

import asyncio

import andor
import pytest

#: Without a proof, and searched without end.
HARD = "theorem hard (f : Nat → Nat) (a b c : Nat) (h : f a = b) (k : f b = c) : f (f (f a)) = f (a + b * c + 1)"
BOTH = "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q"


@pytest.mark.parametrize(
    "theorem, system, split, left, right",
    [
        (BOTH, "mini", "constructor", "exact hp", "exact hq"),
        ("Theorem t (p q : Prop) (hp : p) (hq : q) : p /\\ q.", "rocq", "split", "exact hp", "exact hq"),
        (BOTH, "lean4", "constructor", "exact hp", "exact hq"),
    ],
)
def test_a_proof_in_every_system(theorem, system, split, left, right):
    session = andor.Session(theorem, system=system, workers=2, verify=2)
    assert session.goals[0].target
    with pytest.raises(TypeError, match="give a list of texts"):
        session.try_many(split)
    good, bad = session.try_many([split, right])
    assert good and [goal.target for goal in good.goals] == ["p", "q"] and not bad and bad.error
    session.commit(good)
    fork = session.fork()
    session.focus(1)
    assert [goal.target for goal in session.commit(right)] == ["p"]
    assert session.undo() and len(session.goals) == 2
    with pytest.raises(andor.TacticError):
        session.commit("nonsense")
    with pytest.raises(andor.SessionError) as error:
        session.check()
    assert error.value.variant == "Unfinished"
    fork.commit(left)
    fork.commit(right)
    assert fork.script == [split, left, right] and len(session.goals) == 2
    verdict = fork.check()
    assert verdict and verdict.level == 2 and verdict.theorems == ["t"]
    assert right in fork.source


def test_misuse_of_a_session():
    session = andor.Session(BOTH, system="mini")
    with pytest.raises(andor.SessionError):
        session.focus(1)
    assert not session.undo()
    assert session.search()
    assert session.goals == () and session.check()
    with pytest.raises(andor.SessionError) as error:
        session.try_many(["rfl"])
    assert error.value.variant == "NoGoal"
    assert str(session.goals) == "no goals"


def test_lemmas():
    lemmas = andor.Session("theorem t (a b : Nat) : a + b = b + a", system="mini").lemmas(most=5)
    assert 0 < len(lemmas) <= 5 and all(isinstance(statement, str) for statement in lemmas.values())


def test_many_searches_at_once():
    async def main():
        theorems = [f"theorem t{n} (p q : Prop) (h : p ∧ q) : q ∧ p" for n in range(4)]
        return await asyncio.gather(*(andor.aprove(theorem) for theorem in theorems))

    assert all(asyncio.run(main()))


def test_cancelling_a_task_ends_the_search():
    async def main():
        task = asyncio.create_task(andor.aprove(HARD, time=None))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_a_run_in_asyncio():
    async def main():
        run = andor.Run.start(andor.read("examples/logic.lean")[:3])
        arrived = [result.theorem async for result in run]
        results = await run
        return arrived, results

    arrived, results = asyncio.run(main())
    assert sorted(arrived) == sorted(result.theorem for result in results) and len(results.proved) == 3
