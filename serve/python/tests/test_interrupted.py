"""Ctrl-C at any moment: what it leaves, and what has been performed."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import first, gone, opened, until

import privateer


class Interrupted:
    """To be traced with: Ctrl-C before a line of this package, after a number of others."""

    def __init__(self, lines):
        self.lines = lines

    def __call__(self, frame, event, _):
        if not frame.f_code.co_filename.startswith(str(Path(privateer.__file__).parent)):
            return None
        if event == "line":
            self.lines -= 1
            if self.lines < 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def test_an_interrupted_close_leaves_nothing():
    """Ctrl-C before each line of it: closing again, or forgetting it, does what was left."""
    before, tracing = opened(), sys.gettrace()
    for line in range(1000):
        session = privateer.make("kuhn")
        pid = session.client.pid
        sys.settrace(Interrupted(line))
        try:
            session.close()
            break
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        if line % 2:
            session.close()
        del session
        gc.collect()
        assert opened() == before and gone(pid), line
    assert 10 < line < 999


def children():
    return {int(child) for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


@pytest.mark.parametrize("begin", [privateer.launch, privateer.Program])
def test_a_start_that_is_interrupted_at_any_line_leaves_nothing(begin):
    """Python keeps a child that nobody holds until it has ended; what is to end it must not be kept with it."""
    before, others, tracing = opened(), children(), sys.gettrace()
    for line in range(1000):
        sys.settrace(Interrupted(line))
        try:
            started = begin()
            break
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        for child in children() - others:
            assert gone(child), line
        assert opened() == before, line
    started.__exit__()
    assert 10 < line < 999


def test_interrupt_of_a_program_does_not_reach_its_child():
    code = """
import os, signal, privateer
session = privateer.make("kuhn", 1)
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.killpg(0, signal.SIGINT)
session.reset()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, start_new_session=True)
    assert done.returncode == 0, done.stderr


def test_interrupted_anywhere_a_command_is_performed_once_or_not_at_all(make):
    """Ctrl-C at some hundred moments of a loop. Afterwards the batch is the one before or the one after."""

    def interrupt(*_):
        raise KeyboardInterrupt

    session = make("leduc", 3, seed=1, autoreset="SAME_STEP")
    other = make("leduc", 3, seed=1, autoreset="SAME_STEP")
    session.reset(), other.reset()
    before = signal.signal(signal.SIGALRM, interrupt)
    rng, interrupted, performed = np.random.default_rng(0), 0, 0
    try:
        until = time.monotonic() + 8
        while min(interrupted, performed) < 21 or interrupted < 300 and time.monotonic() < until:
            try:
                signal.setitimer(signal.ITIMER_REAL, float(rng.uniform(2e-6, 6e-4)))
                for _ in range(1000):
                    kind = rng.integers(8)
                    if kind == 0:
                        session.render(1)
                    elif kind == 1:
                        session.sample_actions()
                    before_step = session.batch
                    batch = session.step(first(before_step))
                    assert batch is session.batch
                    other_batch = other_step(other)
                    performed += 1
                    np.testing.assert_array_equal(batch.observation, other_batch.observation)
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
                interrupted += 1
                settle(session), settle(other)
                # At most one of the two has performed a step that the other has not.
                ahead = number(session) - number(other)
                assert ahead in (0, 1)
                if ahead:
                    other_step(other)
                np.testing.assert_array_equal(session.batch.observation, other.batch.observation)
                np.testing.assert_array_equal(session.batch.reward, other.batch.reward)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 20 and performed > 20
    session.close(), other.close()


def test_bots_do_not_think_for_a_step_that_was_interrupted(make):
    """They continue when its batch is wanted, and it is the batch that it would have been."""

    def interrupt(*_):
        raise KeyboardInterrupt

    def used(session):
        """The seconds of processor time that the program has had."""
        fields = Path(f"/proc/{session.client.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    slow = {"seed": 1, "autoreset": "SAME_STEP", "players": ["", "search(rollouts=50000)"]}
    with make("leduc", 50, **slow) as session, make("leduc", 50, **slow) as other:
        session.reset(), other.reset()
        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            for wait in (lambda: session.step(first(session.batch)), lambda: session.ask("search(rollouts=50000)")):
                signal.setitimer(signal.ITIMER_REAL, 0.05)
                with pytest.raises(KeyboardInterrupt):
                    wait()
                time.sleep(0.3)  # for the decision that was being taken
                idle = used(session)
                time.sleep(0.3)
                assert used(session) - idle <= 0.05
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        settle(session)
        other_step(other)
        np.testing.assert_array_equal(session.batch.observation, other.batch.observation)
        np.testing.assert_array_equal(other_step(session).observation, other_step(other).observation)


def other_step(session):
    return session.step(first(session.batch))


def settle(session):
    session.render()


def number(session) -> int:
    """How many commands the program has performed on the session."""
    from privateer.v1 import environment_pb2 as pb

    return session.client._call(session.client._env.Attach, pb.AttachRequest(session_id=session.id)).seq


def test_an_interrupted_launch_ends_what_does_not_look_at_its_input(tmp_path):
    program, number = tmp_path / "privateer", tmp_path / "number"
    program.write_text(f"#!/bin/sh\necho $$ >'{number}.made' && mv '{number}.made' '{number}'\nexec sleep 60\n")
    program.chmod(0o755)

    def interrupt():
        until(number.exists)
        os.kill(os.getpid(), signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has it ignored by what it runs in the background
    try:
        threading.Thread(target=interrupt, daemon=True).start()
        with pytest.raises(KeyboardInterrupt):
            privateer.launch(str(program))
    finally:
        signal.signal(signal.SIGINT, handler)
    assert gone(int(number.read_text()))


def test_an_interrupted_start_leaves_no_program():
    code = """
import gc, os, signal, time, privateer
from conftest import gone
signal.signal(signal.SIGALRM, signal.default_int_handler)
for begin in (privateer.Program, privateer.launch):
    begun = time.monotonic()
    begin().__exit__()
    took = time.monotonic() - begun
    for k in range(12):
        signal.setitimer(signal.ITIMER_REAL, took * (k + 1) / 14)
        try:
            begin().__exit__()
        except KeyboardInterrupt:
            pass
        signal.setitimer(signal.ITIMER_REAL, 0)
gc.collect()
# Python forgets a child that it was interrupted in starting, so that nobody waits for its end.
for child in open(f"/proc/self/task/{os.getpid()}/children").read().split():
    assert gone(int(child)), open(f"/proc/{child}/cmdline").read()
"""
    tests = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | tests, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_an_interrupted_start_does_not_hold_up_the_end():
    code = """
import threading, privateer
class Interrupted(threading.Timer):
    def start(self):
        super().start()
        raise KeyboardInterrupt
threading.Timer = Interrupted
try:
    privateer.launch(timeout=600)
except KeyboardInterrupt:
    pass
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
