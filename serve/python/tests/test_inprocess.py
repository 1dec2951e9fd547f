"""Games in this process: that they are those of a child, and what a fork does to them."""

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import privateer
from privateer import library

ARRAYS = (
    "observation", "full_observation", "packed_mask", "action_mask", "current_player", "reward", "terminated", "truncated", "episode_step", "seating",
    "action_rows", "action_offsets",
)
ENDINGS = ("row", "final_observation", "final_full_observation", "final_player", "episode_return", "length", "score")


def same(one, other):
    for batches, names in (((one, other), ARRAYS), ((one.endings, other.endings), ENDINGS)):
        assert (batches[0] is None) == (batches[1] is None)
        for name in names if batches[0] is not None else ():
            a, b = (getattr(batch, name) for batch in batches)
            assert (a is None) == (b is None), name
            if a is not None:
                assert a.dtype == b.dtype, name
                np.testing.assert_array_equal(a, b, name)


@pytest.mark.parametrize("autoreset", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
@pytest.mark.parametrize(
    ("game", "n", "options"),
    [
        ("leduc", 1, {}),
        ("kuhn", 1, {}),
        ("doubloons(seats=4)", 1, {"full_view": True, "shuffle_seats": True, "action_rows": True}),
        ("doubloons(seats=2)", 5, {"players": ["", "policy:captain"], "max_decisions": 9}),
        ("jolly_roger(seats=3)", 2, {"players": ["heuristic", "", ""], "action_rows": True}),
        ("leduc", 3, {"players": ["", "search(rollouts=20)"]}),
        ("leduc", 300, {"shuffle_seats": True}),
    ],
)
def test_transcripts_are_those_of_a_child(game, n, options, autoreset):
    here, there = (privateer.make(game, n, seed=11, autoreset=autoreset, inprocess=inprocess, **options) for inprocess in (True, False))
    same(here.reset(), there.reset())
    for k in range(150):
        if k == 60:
            kept = there.snapshot()
            same(here.restore(kept), there.restore(here.snapshot()))
            assert here.snapshot() and (here.render(), here.draw()) == (there.render(), there.draw())
            np.testing.assert_array_equal(here.observe(), there.observe())
        if k == 90:
            rows = np.arange(n) % 2 == 0
            same(here.reset(rows=rows), there.reset(rows=rows))
            same(here.reset(seed=5), there.reset(seed=5))
            np.testing.assert_array_equal(here.ask("random", seed=2), there.ask("random", seed=2))
        actions = here.sample_actions()
        np.testing.assert_array_equal(actions, there.sample_actions())
        same(here.step(actions), there.step(actions))
    here.close(), there.close()


def test_all_kinds_of_environments_take_it():
    with privateer.Program(inprocess=True) as program:
        assert program.pid == os.getpid() and program.describe("leduc").seats == 2
        envs = privateer.make_vec("leduc", 4, seed=1, client=program)
        other = privateer.make_vec("leduc", 4, seed=1)
        np.testing.assert_array_equal(envs.reset()[0], other.reset()[0])
        env = privateer.PrivateerEnv("leduc", opponents="random", client=program)  # the program has a session: this has another
        assert env._session.client.pid == os.getpid()
        env.reset(seed=1)
        again = pickle.loads(pickle.dumps(env))
        assert again._session.client.pid == os.getpid()
        np.testing.assert_array_equal(again.reset(seed=3)[0], env.reset(seed=3)[0])
        for each in (envs, other, env, again):
            each.close()
    with pytest.raises(privateer.ConnectionLost, match="has been closed"):
        program.describe("leduc")


def test_a_policy_that_was_read_plays(tmp_path):
    file = tmp_path / "captain.bundle"
    file.write_bytes(next(Path(__file__).parents[3].glob("encode/policy/zoo/captain*.bundle")).read_bytes())
    policy = privateer.load_policy(str(file))
    here, there = (privateer.make("doubloons(seats=2)", 2, seed=1, players=["", policy], inprocess=inprocess) for inprocess in (True, False))
    same(here.reset(), there.reset())
    for _ in range(40):
        actions = here.sample_actions()
        same(here.step(actions), there.step(actions))
    here.close(), there.close()


def test_what_is_closed_leaves_nothing():
    def opened():
        gc.collect()
        return sorted(os.listdir("/proc/self/fd")), len(Path("/proc/self/maps").read_text().split("privateer-batches")) - 1

    privateer.make("leduc", 1, inprocess=True).close()
    before = opened()
    for _ in range(20):
        session = privateer.make("leduc", 1, seed=1, inprocess=True)
        session.reset()
        session.close()
        session.close()
        with pytest.raises(privateer.ConnectionLost, match="closed"):
            session.step([1])
        del session
    assert opened() == before


def test_a_library_that_is_not_there_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PRIVATEER_LIBRARY", str(tmp_path / "none.so"))
    with pytest.raises(FileNotFoundError, match="the variable PRIVATEER_LIBRARY is .*none.so.*: name libprivateer, or unset it"):
        privateer.make("leduc", inprocess=True)
    monkeypatch.delenv("PRIVATEER_LIBRARY")
    monkeypatch.setattr(library, "around", lambda: iter([tmp_path]))
    with pytest.raises(FileNotFoundError, match="`make library`.*PRIVATEER_LIBRARY"):
        privateer.make("leduc", inprocess=True)
    wrong = tmp_path / "wrong.so"
    wrong.write_text("no library")
    monkeypatch.setenv("PRIVATEER_LIBRARY", str(wrong))
    with pytest.raises(RuntimeError, match="wrong.so is no libprivateer of this machine"):
        privateer.make("leduc", inprocess=True)
    with pytest.raises(ValueError, match="inprocess=True with .*--workers"):
        privateer.Program("--workers", "1", inprocess=True)


def told(code: str) -> str:
    """What a program writes that ends by itself."""
    done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def test_after_a_fork_it_is_refused_and_the_parent_goes_on():
    """Whatever the child does with what it has, with another thread in a call meanwhile or not: nothing hangs, and nothing ends it."""
    said = told("""
import os, sys, threading, privateer
session = privateer.make("leduc", 4, seed=1, autoreset="SAME_STEP", inprocess=True)
busy = privateer.make("leduc", 2000, seed=1, autoreset="SAME_STEP", players=["", "search(rollouts=100)"], inprocess=True)
session.reset(), busy.reset()
def play():
    while not over.is_set():
        busy.step(busy.batch.action_mask.argmax(1)) if slow else other.step(other.sample_actions())
other = privateer.make("leduc", 4, seed=1, autoreset="SAME_STEP", inprocess=True)
other.reset()
for slow in (None, False, True):
    over = threading.Event()
    thread = threading.Thread(target=play)
    if slow is not None:
        thread.start()
    for _ in range(5):
        child = os.fork()
        if child == 0:
            refused = 0
            for use in (
                lambda: session.step([1, 1, 1, 1]), session.reset, session.render, session.snapshot, session.observe,
                lambda: session.client.describe("kuhn"), lambda: privateer.make("leduc", inprocess=True), lambda: busy.step([1] * 2000),
            ):
                try:
                    use()
                except (privateer.ConnectionLost, RuntimeError) as error:
                    assert "does not survive" in str(error) and "spawn" in str(error), error
                    refused += 1
            session.close()
            del session, busy, other
            assert refused == 8
            with privateer.make("leduc", 2, seed=1) as own:  # with a child of its own it may
                own.reset()
                own.step(own.sample_actions())
            sys.exit(0)
        assert os.waitpid(child, 0)[1] == 0
        session.step(session.sample_actions())
    over.set()
    if slow is not None:
        thread.join()
print("the parent continued")
""")
    assert said == "the parent continued\n"


def test_a_process_that_has_forked_before_may_use_it():
    said = told("""
import os, privateer
with privateer.make("leduc", 2, seed=1) as session:
    session.reset()
    if os.fork() == 0:
        with privateer.make("leduc", 2, seed=1, inprocess=True) as own:
            own.reset()
            own.step(own.sample_actions())
        print("played", flush=True)
        os._exit(0)
    os.wait()
""")
    assert said == "played\n"


def played(send, env):
    send.send(env.reset().observation)
    env.close()


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_workers_get_their_own(method):
    context = multiprocessing.get_context(method)
    with privateer.make("leduc", 2, seed=3, inprocess=True) as mine:
        expected = mine.reset().observation
        receive, send = context.Pipe()
        child = context.Process(target=played, args=(send, mine))
        child.start()
        assert receive.poll(300)
        np.testing.assert_array_equal(receive.recv(), expected)
        child.join(300)
        assert child.exitcode == 0
