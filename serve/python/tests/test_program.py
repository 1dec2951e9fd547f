"""The program as a child of this process, or in it: how it begins, who ends when, what is left."""

import gc
import itertools
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
from privateer import connect
from privateer import link as module
from privateer.launch import find_binary


def test_no_server_is_needed_and_nothing_is_left():
    before, shared = opened(), sorted(os.listdir("/dev/shm"))
    with privateer.make("leduc", 4, seed=1, autoreset="SAME_STEP") as session:
        batch = session.reset()
        for _ in range(20):
            batch = session.step(first(batch))
        pid = session.client.pid
        assert sorted(os.listdir("/dev/shm")) == shared
    assert gone(pid)
    del session, batch
    gc.collect()
    assert opened() == before and sorted(os.listdir("/dev/shm")) == shared


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="the system cannot see to it")
def test_nobody_makes_the_shared_memory_shorter():
    """A further read would be ended by a signal, without a word."""
    with privateer.make("leduc", 4, seed=1) as session:
        batch = session.reset()
        program = session.client
        for number in (program._link.mailbox, program._link.batches):
            for file in (number, f"/proc/self/fd/{number}", f"/proc/{program.pid}/fd/{number}"):
                with pytest.raises(PermissionError):
                    os.truncate(file, 0)
        session.step(first(batch))


def test_script_of_an_environment_becomes_the_program(tmp_path):
    """Past itself and those of other environments, whatever PATH and PRIVATEER name first."""
    scripts = [tmp_path / "bin", tmp_path / "two", tmp_path / "program"]
    for folder in scripts:
        folder.mkdir()
    for folder in scripts[:2]:
        script = folder / "privateer"
        script.write_text(f"#!{sys.executable}\nimport sys\nfrom privateer.launch import main\nsys.exit(main())\n")
        script.chmod(0o755)
    program = scripts[2] / "privateer"
    program.symlink_to(find_binary())
    path = os.pathsep.join(map(str, scripts))
    for given in ("", "privateer", str(scripts[1] / "privateer"), str(program)):
        env = os.environ | {"PATH": path, "PRIVATEER": given}
        done = subprocess.run(["privateer", "sim", "kuhn", "--matches", "10"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0 and "kuhn" in done.stdout, (given, done)
    wrong = subprocess.run(["privateer", "sim", "chess"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    right = subprocess.run([program, "sim", "chess"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (wrong.returncode, wrong.stderr) == (right.returncode, right.stderr) and right.returncode != 0
    # An environment's folder has a bin as that of a checkout has.
    env |= {"PATH": str(scripts[0]), "PRIVATEER": ""}
    done = subprocess.run(["privateer", "sim", "kuhn", "--matches", "10"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 or "make build" in done.stderr, done
    env["PRIVATEER"] = str(tmp_path / "nothing")
    none = subprocess.run(["privateer"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert none.returncode == 1 and none.stderr.startswith("privateer: ") and none.stderr.count("\n") == 1, none


def test_nothing_is_left_for_python_to_complain_of():
    """Nor by a server; and what needs a library of its own is there without an import of its own."""
    code = """
import privateer
privateer.make("kuhn", 1).reset()
privateer.make_vec("kuhn", 1).close()
with privateer.launch() as server, server.client() as client:
    client.open("kuhn", 1).reset()
for wrong in (lambda: privateer.Program("--max-envs", "0"), lambda: privateer.launch(None, "--max-envs", "0")):
    try:
        wrong()
    except RuntimeError:
        pass
try:
    privateer.open_spiel.load("kuhn")
except ModuleNotFoundError as e:
    assert e.name == "pyspiel", e
assert server.log == "" or "serv" in server.log
"""
    done = subprocess.run([sys.executable, "-W", "always::ResourceWarning", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")


def test_program_ends_with_the_last_variable_that_has_its_session():
    session = privateer.make("kuhn", 2)
    kept, pid = session.reset(seed=1).observation, session.client.pid
    seen = kept.copy()
    del session
    gc.collect()
    assert gone(pid)
    np.testing.assert_array_equal(kept, seen)  # the memory stays for its reader


def test_many_environments_at_once():
    many = [privateer.make_vec("leduc", 8, seed=k, autoreset_mode="SAME_STEP") for k in range(12)]
    for envs in many:
        envs.reset(seed=1)
    views = [envs.step(first(envs.session.batch))[0] for envs in many]
    for view in views[1:]:
        np.testing.assert_array_equal(view, views[0])
    for envs in many:
        envs.close()


def test_killed_program_is_a_clear_error():
    session = privateer.make("leduc", 4)
    batch = session.reset(seed=1)
    seen = batch.observation.copy()
    os.kill(session.client.pid, signal.SIGKILL)
    for use in (lambda: session.step(first(batch)), session.reset, session.observe, session.sample_actions):
        with pytest.raises(privateer.ConnectionLost, match="signal 9 ended it.*make another"):
            use()
    np.testing.assert_array_equal(batch.observation, seen)
    session.close()
    session.close()


def test_killed_while_it_is_waited_for():
    session = privateer.make("leduc", 4)
    batch = session.reset(seed=1)
    os.kill(session.client.pid, signal.SIGSTOP)
    os.waitpid(session.client.pid, os.WUNTRACED)  # until it has stopped: a signal takes its time to another core
    session.send(first(batch))
    os.kill(session.client.pid, signal.SIGKILL)
    with pytest.raises(privateer.ConnectionLost, match="signal 9"):
        session.recv()


def test_a_program_that_is_asked_to_end_is_gone_whatever_it_was_doing():
    """It does not answer a command that it has cut short."""
    for k in range(40):
        session = privateer.make("leduc", 2)
        session.reset(seed=1)
        asking = threading.Timer(0.001 * (k % 8), os.kill, (session.client.pid, signal.SIGTERM))
        asking.start()
        with pytest.raises(privateer.ConnectionLost, match="make another environment"):
            while True:
                session.step(session.sample_actions())
        asking.join()


def test_a_second_thread_is_refused_while_the_first_waits():
    """It would take the other's answer, and one of them would wait for ever."""
    session, alone = (privateer.make("leduc", 2, seed=1, autoreset="SAME_STEP") for _ in range(2))
    batch, expected = session.reset(), alone.reset()
    os.kill(session.client.pid, signal.SIGSTOP)
    stepped = []
    thread = threading.Thread(target=lambda: stepped.append(session.step(first(batch))), daemon=True)
    thread.start()
    until(lambda: session.client._link.waiter)
    for use in (lambda: session.step(first(batch)), session.reset, session.render, session.sample_actions):
        with pytest.raises(RuntimeError, match="another thread is using this environment: .*, so make one for each"):
            use()
    os.kill(session.client.pid, signal.SIGCONT)
    thread.join(300)
    for _ in range(2):
        expected = alone.step(first(expected))
        np.testing.assert_array_equal(stepped[-1].observation, expected.observation)
        stepped.append(session.step(first(stepped[-1])))


@pytest.mark.parametrize("game", ["leduc", "doubloons(seats=2)"])
def test_threads_in_one_environment_end(game, make):
    """With answers that are not theirs or with an error, and each of them comes back."""
    session = make(game, 2, seed=1, autoreset="SAME_STEP")
    session.reset()
    start, refused = threading.Barrier(4), threading.Event()

    def play(k):
        start.wait()
        for i in itertools.count():
            if i >= 300 and refused.is_set():
                return
            try:
                [lambda: session.step(session.sample_actions()), session.reset, session.render][k % 3]()
            except Exception as error:  # of other threads' answers too
                if "another thread" in str(error):
                    refused.set()

    threads = [threading.Thread(target=play, args=(k,), daemon=True) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert not any(thread.is_alive() for thread in threads)
    assert refused.is_set()
    session.reset()
    assert session.step(session.sample_actions()).observation.shape[0] == 2


@pytest.mark.parametrize("forked", [False, True])
@pytest.mark.parametrize("started", ["privateer.make('leduc').client.pid", "privateer.launch().process.pid", "engine()"])
def test_program_ends_with_its_parent_however_that_ends(started, forked):
    """Even if a process that the parent has forked lives on, and holds what it has inherited."""
    code = f"""
import os, signal, sys, time, privateer
def engine():
    privateer.Engine("kuhn")
    return privateer.engine._child._process.pid
pid, child = {started}, 0
if {forked}:
    import ctypes
    sys.setswitchinterval(3600)  # no thread asks for Python's lock meanwhile: in the child nobody could take it, and it would wait for that for ever
    child = ctypes.PyDLL(None).fork()  # of which Python does not know
    if child == 0:
        os.close(1), os.close(2)
        time.sleep(3600)
        os._exit(0)
print(pid, child, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    left = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert left.returncode == -9, left.stderr
    pid, child = map(int, left.stdout.split())
    try:
        assert gone(pid), "the program has outlived its parent"
    finally:
        if child:
            os.kill(child, signal.SIGKILL)


def test_a_folder_that_has_been_deleted_is_no_hindrance(tmp_path):
    code = """
import os, privateer
os.rmdir(os.getcwd())
with privateer.make("leduc", 4) as session:
    session.reset()
privateer.Engine("kuhn").new()
privateer.rules("kuhn")
os.environ.update(PATH="", HOME="/")
os.environ.pop("PRIVATEER", None)
try:
    privateer.launch(privateer.launch.__globals__["find_binary"]()).stop()
except FileNotFoundError as error:
    assert "no privateer program" in str(error), error
"""
    folder = tmp_path / "deleted"
    folder.mkdir()
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("closed", [[0], [1], [0, 1, 2]])
def test_a_process_without_standard_files_has_environments_too(closed):
    """As daemons and some launchers of clusters run: what is opened next has those numbers."""
    code = f"""
import os
for file in {closed}:
    os.close(file)
import privateer
for make in (privateer.make, lambda *game: privateer.launch().client().open(*game)):
    with make("leduc", 4) as session:
        session.reset()
        session.step(session.sample_actions())
"""
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_what_is_kept_stays_and_what_is_not_is_used_again(make):
    session, other = (make("leduc", 16, seed=1, autoreset="SAME_STEP") for _ in range(2))
    batch = session.reset()
    assert batch.observation.flags.writeable
    places = set()
    for _ in range(20):
        batch = session.step(first(batch))
        places.add(batch.observation.ctypes.data)
    assert len(places) <= 2
    other.reset()
    for _ in range(20):
        other.step(first(other.batch))
    kept = []
    for _ in range(12):
        batch = session.step(first(batch))
        ends = batch.endings
        views = [batch.observation[::2], batch.action_mask.view(np.int8), batch.packed_mask, batch.reward]
        views += [ends.final_observation, ends.score] if ends else []
        kept.append((views, [view.copy() for view in views]))
        expected = other.step(first(other.batch))
        np.testing.assert_array_equal(batch.observation, expected.observation)
        np.testing.assert_array_equal(batch.action_mask, privateer.unpack_mask(expected.packed_mask, batch.actions))
        if expected.endings:
            np.testing.assert_array_equal(ends.final_observation, expected.endings.final_observation)
    for views, copies in kept:
        for view, then in zip(views, copies, strict=True):
            np.testing.assert_array_equal(view, then)
    session.close(), other.close()


def test_refused_actions_leave_the_batch_where_it_is(make):
    session = make("leduc", 3, seed=1)
    batch = session.reset()
    drawn = session.sample_actions()
    with pytest.raises(privateer.IllegalActionError) as e:
        session.step([1, 0, 1])
    assert (e.value.row, e.value.action) == (1, 0)
    np.testing.assert_array_equal(session.batch.observation, batch.observation)
    assert session.batch is batch
    again = session.sample_actions()
    assert batch.action_mask[np.arange(3), again].all() and drawn.shape == again.shape
    with pytest.raises(privateer.PrivateerError) as wrong:
        session.step(np.zeros(2, np.int32))
    assert wrong.value.field == "actions.shape"
    session.step(again)
    session.close()


def test_a_session_over_memory_cannot_be_left(make):
    with make("kuhn", 2) as session, pytest.raises(ValueError, match="snapshot"):
        session.detach()


def test_program_that_does_not_begin_says_why(tmp_path):
    killed, sleeps = tmp_path / "killed", tmp_path / "sleeps"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    sleeps.write_text("#!/bin/sh\nexec sleep 60\n")
    killed.chmod(0o755), sleeps.chmod(0o755)
    before = opened()
    with pytest.raises(RuntimeError, match="--max-envs 0.* did not begin to serve: .*max_envs: 0: want at least 1"):
        privateer.Program("--max-envs", "0")
    with pytest.raises(RuntimeError, match="did not begin to serve: it ended with 1"):
        privateer.Program(binary="/bin/false")
    with pytest.raises(RuntimeError, match="did not begin to serve: signal 9 ended it"):
        privateer.launch(str(killed))
    with pytest.raises(RuntimeError, match="did not begin to serve: it wrote nothing"):
        privateer.launch(str(sleeps), timeout=0.5)
    with pytest.raises(FileNotFoundError):
        privateer.Program(binary="/nowhere/privateer")
    gc.collect()
    assert opened() == before


def test_a_program_that_is_not_there_is_named_with_the_variable_that_names_it(monkeypatch, tmp_path):
    for given in (str(tmp_path / "nothing"), str(tmp_path), __file__):
        monkeypatch.setenv("PRIVATEER", given)
        with pytest.raises(FileNotFoundError, match="the variable PRIVATEER is .*: name one, or unset it"):
            privateer.make("kuhn")


def test_what_go_installed_is_found_where_go_puts_it(monkeypatch, tmp_path):
    """As the message says that nothing was found: Go's own folder is not on PATH of most machines."""
    program = Path(find_binary()).resolve()
    for variable in ("PRIVATEER", "GOBIN", "GOPATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    # Outside of any checkout, whose own program would come first.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys.modules[find_binary.__module__], "__file__", str(tmp_path / "launch.py"))
    monkeypatch.setattr(sys.modules[find_binary.__module__], "_source", lambda: iter(()))
    for folder, variable, value in (
        ("home/go/bin", None, ""),
        ("two/bin", "GOPATH", os.pathsep.join([str(tmp_path / "two"), str(tmp_path / "three")])),
        ("bins", "GOBIN", str(tmp_path / "bins")),
    ):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "privateer").symlink_to(program)
        if variable:
            monkeypatch.setenv(variable, value)
        assert find_binary() == str(tmp_path / folder / "privateer")


def test_no_file_system_is_needed(monkeypatch):
    """Containers may have none that can be written to."""

    def nowhere(*_, **__):
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("tempfile.TemporaryFile", nowhere)
    with privateer.make("kuhn", 2) as session, privateer.launch() as server, server.client() as client:
        session.reset()
        client.open("kuhn", 1).reset()
    with pytest.raises(RuntimeError, match="--max-envs 0.*want at least 1"):
        privateer.Program("--max-envs", "0")


def test_how_a_crash_begins_is_said(tmp_path):
    program = tmp_path / "privateer"
    program.write_text("#!/bin/sh\necho fatal error: out of memory >&2\nseq 1 2000 >&2\necho the end >&2\nexit 2\n")
    program.chmod(0o755)
    with pytest.raises(RuntimeError, match="(?s)fatal error: out of memory.* … .*the end"):
        privateer.Program(binary=str(program))


def test_program_of_another_version_is_refused(monkeypatch):
    monkeypatch.setattr(module, "_PROTOCOL", module._PROTOCOL + 1)
    with pytest.raises(RuntimeError, match="install the same version of both"):
        privateer.Program()


def test_release_of_another_version_is_refused():
    from privateer.session import check_version

    for same in (privateer.__version__, f"v{privateer.__version__}", "(devel)", "v0.0.0-20260101000000-0123456789ab+dirty"):
        check_version(same)
    for other in ("v9.9.9", "9.9.9"):
        with pytest.raises(privateer.PrivateerError, match="install the same version"):
            check_version(other)


def test_systems_without_shared_memory_start_a_server(monkeypatch):
    monkeypatch.setattr(connect, "SUPPORTED", False)
    envs = privateer.make_vec("leduc", 2, seed=1)
    server = envs.session.client._server
    envs.reset()
    envs.close()
    assert gone(server.process.pid)


def test_many_thousand_steps_do_not_fill_the_pipes(make):
    with make("kuhn", 1, seed=1, autoreset="SAME_STEP") as session:
        session.reset()
        for _ in range(3 * 4096):
            session.step(session.sample_actions())
        assert session.batch.episode_step[0] < 3


@pytest.mark.parametrize("busy", [False, True])
def test_a_client_looks_for_answers_where_that_is_quicker(monkeypatch, busy):
    looked = 0

    def give_way():
        nonlocal looked
        looked += 1
        if busy:
            time.sleep(2 * module._PATIENCE)  # as if somebody else had run

    def sleep(program, number):
        if not busy:
            time.sleep(0.001)
        asleep(program, number)

    asleep = module.Link._sleep
    monkeypatch.setattr(module, "_LOOKS", 0)
    monkeypatch.setattr(module, "_IN_ORDER", True)
    monkeypatch.setattr(module, "_give_way", give_way)
    monkeypatch.setattr(module.Link, "_sleep", sleep)
    if not busy:
        monkeypatch.setattr(module, "_PATIENCE", 10.0)
    with privateer.make("kuhn", 1, seed=1, autoreset="SAME_STEP") as session:
        session.reset()
        for _ in range(3000):
            session.step(session.sample_actions())
        assert session.batch.episode_step[0] < 3
    assert looked < 400 if busy else looked > 2500


@pytest.mark.parametrize("looks", [0, 10**6])
def test_where_loads_move_something_comes_between_an_answer_and_what_is_read_of_it(monkeypatch, looks):
    """No machine of ours shows what went wrong otherwise; that the program waits for rings is tested in Go."""
    since = 0

    def give_way():
        nonlocal since
        since += 1

    wait = module.Link.wait

    def waited(program):
        nonlocal since
        since = 0
        wait(program)
        assert since == 1

    monkeypatch.setattr(module, "_LOOKS", looks)
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    monkeypatch.setattr(module, "_IN_ORDER", False)
    monkeypatch.setattr(module, "_give_way", give_way)
    monkeypatch.setattr(module.Link, "wait", waited)
    with privateer.make("leduc", 8, seed=1, autoreset="SAME_STEP") as session, privateer.Program() as other:
        assert session.client._link.words[module._CLIENT_IN_ORDER] == 0
        twin = other.open("leduc", 8, seed=1, autoreset="SAME_STEP")
        session.reset(), twin.reset()
        for _ in range(500):
            actions = session.sample_actions()
            assert (session.step(actions).observation == twin.step(actions).observation).all()
