"""The thin client."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import grpc
import numpy as np
import pytest
from conftest import gone, until

import privateer
from privateer.launch import find_binary
from privateer.v1 import environment_pb2 as pb


def pick(batch: privateer.Batch, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(batch.action_mask.shape) * batch.action_mask).argmax(1)


def test_shapes_and_dtypes(client):
    session = client.open("doubloons(seats=4)", 6, autoreset="SAME_STEP", full_view=True, shuffle_seats=True, max_decisions=30)
    spec, batch = session.spec, session.reset(seed=1)
    n, p, d, f, a = 6, 4, spec.observation.size, spec.full_observation.size, len(spec.actions)
    for array, shape, dtype in [
        (batch.observation, (n, d), np.uint8),
        (batch.full_observation, (n, f), np.uint8),
        (batch.action_mask, (n, a), np.uint8),
        (batch.current_player, (n,), np.int32),
        (batch.reward, (n, p), np.float32),
        (batch.terminated, (n,), np.bool_),
        (batch.truncated, (n,), np.bool_),
        (batch.episode_step, (n,), np.int32),
        (batch.seating, (n, p), np.int32),
    ]:
        assert array.shape == shape and array.dtype == dtype
        assert array.flags.writeable == (isinstance(client, privateer.Program) or array is batch.action_mask)
    assert batch.endings is None
    rng = np.random.default_rng(0)
    for _ in range(30):
        batch = session.step(pick(batch, rng))
    ends = batch.endings
    assert batch.truncated.all() and ends is not None
    assert ends.final_observation.shape == (n, p, d) and ends.score.shape == (n, p, len(spec.score_sources))
    assert (ends.length == 30).all() and (batch.episode_step == 0).all()
    session.close()


def test_a_field_that_the_server_does_not_know_is_refused(remote):
    sparse = pb.OpenRequest.FromString(pb.OpenRequest(game="kuhn", num_envs=1).SerializeToString() + b"\x58\x01")  # field 11, which is no more
    with pytest.raises(privateer.PrivateerError, match="field 11.*install the same version") as refused:
        remote._open(sparse)
    assert refused.value.field == "request"


@pytest.mark.parametrize(("version", "why"), [("v9.9.9", "the program is privateer v9.9.9"), ("", "older than this package")])
def test_server_of_another_version_is_refused(remote, monkeypatch, version, why):
    described = remote.describe("kuhn")  # by the real one
    answer = pb.OpenResponse(session_id="x", game=pb.Game(name=described.name), version=version)
    monkeypatch.setattr(remote._env, "Open", lambda request, **_: answer)
    monkeypatch.setattr(remote._env, "Renew", lambda request, **_: pb.RenewResponse())
    monkeypatch.setattr(remote._env, "Attach", lambda request, **_: pb.AttachResponse(session=answer))
    for ask in (lambda: remote.open("kuhn", 1), lambda: remote.attach("x")):
        with pytest.raises(privateer.PrivateerError, match=why + ".*install the same version of both"):
            ask()


def test_no_seed_is_a_random_one(client):
    drawn = [client.open("leduc", 64) for _ in range(2)]
    assert drawn[0].seed != drawn[1].seed
    again = client.open("leduc", 64, seed=drawn[0].seed)
    first, second, third = (s.reset().observation for s in (*drawn, again))
    np.testing.assert_array_equal(first, third)
    assert (first != second).any()
    assert again.seed == drawn[0].seed
    if isinstance(client, privateer.Client):
        assert client.attach(again.id).seed == again.seed
    zero = client.open("leduc", 1, seed=0)
    assert zero.seed == 0
    for session in (*drawn, again, zero):
        session.close()


def test_same_seed_same_match(client):
    a, b = (client.open("leduc", 8, autoreset="SAME_STEP") for _ in range(2))
    x, y = a.reset(seed=5), b.reset(seed=5)
    rng = np.random.default_rng(0)
    for _ in range(30):
        actions = pick(x, rng)
        x, y = a.step(actions), b.step(actions.astype(np.int8))
        np.testing.assert_array_equal(x.observation, y.observation)
        np.testing.assert_array_equal(x.reward, y.reward)


def test_illegal_action_names_row_seat_and_action(client):
    session = client.open("leduc", 3)
    before = session.reset(seed=1)
    with pytest.raises(privateer.IllegalActionError) as e:
        session.step([1, 0, 1])
    assert (e.value.row, e.value.seat, e.value.action) == (1, 0, 0)
    assert e.value.code == grpc.StatusCode.INVALID_ARGUMENT
    after = session.step([1, 1, 1])
    assert (after.episode_step == before.episode_step + 1).all()


def test_errors_name_the_field(client):
    session = client.open("kuhn", 2)
    session.reset()
    for field, open_session in {
        "game": lambda: client.open("chess", 1),
        "num_envs": lambda: client.open("kuhn", 0),
        "actions.shape": lambda: session.step([0]),
    }.items():
        with pytest.raises(privateer.PrivateerError) as e:
            open_session()
        assert e.value.field == field


def test_detach_and_attach(server, remote):
    session = remote.open("leduc", 4, seed=2)
    session.reset()
    left = session.step([1, 1, 1, 1])
    name = session.detach()
    with server.client() as other:
        again = other.attach(name)
        np.testing.assert_array_equal(again.batch.observation, left.observation)
        again.step(pick(again.batch, np.random.default_rng(0)))
        again.close()


def test_second_command_waits_until_the_answer_to_the_first_is_taken(client):
    session = client.open("kuhn", 2, autoreset="SAME_STEP")
    session.reset(seed=0)
    session.send([0, 0])
    with pytest.raises(ValueError, match="recv it first"):
        session.send([0, 0])
    assert session.recv().episode_step.tolist() == [1, 1]
    session.send([0, 0])
    assert session.recv().episode_step.tolist() == [0, 0]
    with pytest.raises(ValueError, match="send one first"):
        session.recv()


def test_interrupted_step_is_answered_to_nobody_else():
    """Ctrl-C in the middle of a step, as in a notebook: what is asked next gets its own answer."""

    def interrupt(*_):
        raise KeyboardInterrupt

    def first(batch):
        return batch.action_mask.argmax(1)

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with privateer.launch() as server, server.client() as client:
            session, other = (client.open("leduc", 4, autoreset="SAME_STEP") for _ in range(2))

            def interrupted_step():
                server.process.send_signal(signal.SIGSTOP)
                os.waitpid(server.process.pid, os.WUNTRACED)
                signal.setitimer(signal.ITIMER_REAL, 0.1)
                with pytest.raises(KeyboardInterrupt):
                    session.step(first(session.batch))
                server.process.send_signal(signal.SIGCONT)

            session.reset(seed=1)
            interrupted_step()
            np.testing.assert_array_equal(session.reset(seed=2).observation, other.reset(seed=2).observation)
            interrupted_step()
            actions = first(other.step(first(other.batch)))  # it has been performed, once
            np.testing.assert_array_equal(session.step(actions).observation, other.step(actions).observation)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_command_whose_answer_nobody_took_does_not_confuse_the_next(client, remote):
    session = client.open("kuhn", 2, autoreset="SAME_STEP")
    session.reset(seed=0)
    session.send([0, 0])
    session.reset(seed=0)
    session.send([0, 0])
    assert session.step([0, 0]).episode_step.tolist() == [0, 0]
    # Interrupted before it was sent.
    session = remote.open("kuhn", 2, autoreset="SAME_STEP")
    session.reset(seed=0)
    session._pending = pb.StepRequest(session_id=session.id, seq=session._next_seq(), reset=pb.ResetCommand())
    assert session.reset(seed=0).episode_step.tolist() == [0, 0]


def test_session_that_is_forgotten_is_left():
    """The server does not keep a session that no variable refers to any more: its lease runs."""

    def attached(server):
        with urllib.request.urlopen(f"http://{server.metrics_addr}/metrics") as page:
            found = re.search(r'requests_running{method="/privateer.v1.EnvironmentService/Step"} (\d+)', page.read().decode())
        return int(found[1]) if found else 0

    with privateer.launch() as server, server.client() as client:
        session = client.open("kuhn", 1)
        session.reset()
        assert attached(server) == 1
        del session
        until(lambda: not attached(server))


def test_snapshot(client):
    session = client.open("leduc", 5, autoreset="SAME_STEP")
    batch = session.reset(seed=9)
    saved = session.snapshot()
    first = session.step(pick(batch, np.random.default_rng(1)))
    np.testing.assert_array_equal(session.restore(saved).observation, batch.observation)
    np.testing.assert_array_equal(session.step(pick(batch, np.random.default_rng(1))).observation, first.observation)
    for game, n in (("leduc", 4), ("kuhn", 3)):
        other = client.open(game, n)
        with pytest.raises(privateer.PrivateerError, match=f'with 5 matches of "leduc": this one has {n} of "{game}"'):
            other.restore(saved)
        other.close()


def test_bots_act(client):
    session = client.open("doubloons(seats=2)", 4)
    batch = session.reset(seed=1)
    bots = client.bots("doubloons")
    assert bots["random"] and not bots["heuristic"]
    for _ in range(5):
        batch = session.step(session.ask("heuristic"))
    actions = client.act("doubloons(seats=2)", "random", batch.packed_mask, batch.observation, seed=3)
    assert batch.action_mask[np.arange(4), actions].all()


def test_table(client):
    table = client.host("leduc", ["", "random"], seed=4)
    turn = table.play(table.seat_keys[0])
    while not turn.over:
        assert turn.seed is None
        legal = np.flatnonzero(privateer.unpack_mask(turn.packed_mask, table.actions))
        turn = table.play(table.seat_keys[0], turn, int(legal[0]))
    assert turn.episode_return.sum() == pytest.approx(0)
    assert turn.seed is not None and turn.seed != 4


def test_closed_table_is_gone(client):
    with client.host("leduc", ["", "random"]) as table:
        table.play(table.seat_keys[0])
    with pytest.raises(privateer.PrivateerError) as gone:
        table.play(table.seat_keys[0])
    assert gone.value.code == grpc.StatusCode.NOT_FOUND
    table.close()


def test_scales(client):
    spec = client.describe("leduc")
    assert spec.observation.scales().shape == spec.observation.maxima().shape == (spec.observation.size,)


def test_killed_server_is_an_error_in_time():
    server = privateer.launch()
    with server.client(reconnect=0.5) as client:
        session = client.open("kuhn", 2)
        session.reset(seed=1)
        server.process.kill()
        with pytest.raises(privateer.ConnectionLost):
            session.step([0, 0])
    server.stop()


def test_client_that_is_killed_leaves_its_session(server, remote):
    code = f"""
import os, signal, privateer
session = privateer.Client({server.addr!r}).open("leduc", 2, seed=1)
session.reset()
session.step([1, 1])
print(session.id, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    left = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert left.returncode == -9, left.stderr
    session = remote.attach(left.stdout.strip())
    assert session.batch.episode_step.tolist() == [1, 1]
    assert session.step([1, 1]).terminated.tolist() == [False, False]
    session.close()


def test_server_of_a_program_that_is_killed_ends_and_leaves_nothing(tmp_path):
    code = """
import os, signal, privateer
server = privateer.launch()
print(server.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    # The server would keep a pipe open that it had inherited, and this would not return.
    left = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=os.environ | {"TMPDIR": str(tmp_path)})
    assert left.returncode == -9, left.stderr
    assert gone(int(left.stdout)), "the server has outlived its program"
    assert not list(tmp_path.iterdir())


def test_launched_server_may_log_as_it_is_told():
    for arguments in (["--log-level", "error"], ["--log-format", "json"], ["--metrics-addr", ""]):
        with privateer.launch(None, *arguments) as server, server.client() as client:
            assert client.games() and bool(server.metrics_addr) == ("--metrics-addr" not in arguments)


def test_server_that_does_not_begin_says_why():
    with pytest.raises(RuntimeError, match="--max-envs 0 did not begin to serve: .*max_envs: 0: want at least 1"):
        privateer.launch(None, "--max-envs", "0")


def test_interrupt_of_a_program_does_not_reach_its_server():
    """A terminal and a notebook send Ctrl-C to the whole group of processes."""
    code = """
import os, signal, privateer
server = privateer.launch()
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.killpg(0, signal.SIGINT)
with server.client() as client:
    client.open("kuhn", 1).reset()
server.stop()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, start_new_session=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("signals", [True, False])
def test_restarted_server_goes_on(monkeypatch, tmp_path, signals):
    """The server ends in the middle, as Windows lets it too, and another one takes its place: the client does not notice."""
    monkeypatch.setattr(sys.modules["privateer.launch"], "_SIGNALS", signals)
    binary = find_binary()
    first = privateer.launch(binary, "--snapshots", str(tmp_path))
    with first.client() as client:
        session = client.open("leduc", 4, autoreset="SAME_STEP")
        batch = session.reset(seed=1)
        table = client.host("leduc", ["", "random"], seed=4)
        turn = table.play(table.seat_keys[0])
        first.stop()
        command = [binary, "serve", "--addr", first.addr, "--metrics-addr", "", "--snapshots", str(tmp_path)]
        second = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            rng = np.random.default_rng(0)
            with privateer.Client(first.addr) as other:
                local = other.open("leduc", 4, autoreset="SAME_STEP")
                expected = local.reset(seed=1)
                for _ in range(5):
                    actions = pick(batch, rng)
                    batch, expected = session.step(actions), local.step(actions)
                    np.testing.assert_array_equal(batch.observation, expected.observation)
            session.close()
            while not turn.over:
                turn = table.play(table.seat_keys[0], turn, 1)
            assert turn.episode_return.sum() == pytest.approx(0)
        finally:
            second.terminate()
            second.wait()


@pytest.fixture
def relay(server):
    """Where to reach the server, and two flags: while the first is set, what a client sends cuts all connections, and while the
    second is, nothing comes back."""
    host, _, port = server.addr.partition(":")
    cut, mute, listener = threading.Event(), threading.Event(), socket.create_server(("127.0.0.1", 0))
    connections, cutting = [], threading.Lock()

    def forward(a, b, sends):
        with contextlib.suppress(OSError):
            while data := a.recv(1 << 16):
                with cutting:
                    if sends and cut.is_set():
                        for end in connections:
                            with contextlib.suppress(OSError):
                                end.shutdown(socket.SHUT_RDWR)
                        cut.clear()
                        break
                while not sends and mute.is_set():
                    time.sleep(0.001)
                b.sendall(data)
        for end in (a, b):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def listen():
        with contextlib.suppress(OSError):
            while True:
                near, far = listener.accept()[0], socket.create_connection((host, int(port)))
                connections.extend((near, far))
                for ends in ((near, far, True), (far, near, False)):
                    threading.Thread(target=forward, args=ends, daemon=True).start()

    threading.Thread(target=listen, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}", cut, mute
    listener.close()


@pytest.mark.parametrize("direct", [True, False])
def test_request_whose_connection_is_lost_is_sent_again(relay, direct):
    target, cut, _ = relay
    with privateer.Client(target) as client:
        client._direct = client._direct if direct else None
        spec = client.describe("leduc")
        session = client.open("leduc", 2)
        batch = session.reset(seed=1)
        table = client.host("leduc", ["", "random"], seed=4)
        for ask in (
            lambda: client.describe("leduc") == spec,
            lambda: session.observe()[batch.current_player[0]].tolist() == batch.observation[0].tolist(),
            lambda: session.restore(session.snapshot()).observation.tolist() == batch.observation.tolist(),
            lambda: session.reset(seed=1).observation.tolist() == batch.observation.tolist(),
            lambda: session.step([1, 1]).episode_step.tolist() == [1, 1],
            lambda: table.play(table.seat_keys[0]).decision == 1,
            lambda: client.open("leduc", 2).close() is None,
        ):
            cut.set()
            assert ask()
            assert not cut.is_set()


@pytest.mark.parametrize("direct", [True, False])
def test_answer_that_a_cut_connection_lost_is_given_again(server, relay, direct):
    """The server has performed the command, and nothing of its answer has arrived."""
    target, cut, mute = relay
    with privateer.Client(target) as client, server.client() as untouched:
        client._direct = client._direct if direct else None
        session, other = (c.open("leduc", 4, autoreset="SAME_STEP") for c in (client, untouched))
        batch, expected = session.reset(seed=1), other.reset(seed=1)
        rng = np.random.default_rng(0)
        for _ in range(6):
            actions = pick(batch, rng)
            expected = other.step(actions)
            mute.set()
            session.send(actions)
            attach = pb.AttachRequest(session_id=session.id)
            until(lambda: untouched._call(untouched._env.Attach, attach).seq >= session._pending.seq)
            cut.set()
            with pytest.raises(ValueError, match="recv it first"):
                session.send(actions)
            asking = threading.Thread(target=client._call, args=(client._env.Attach, attach))  # which meets the cut, and comes over another connection
            asking.start()
            until(lambda: not cut.is_set())
            mute.clear()
            asking.join()
            batch = session.recv()
            np.testing.assert_array_equal(batch.observation, expected.observation)
            np.testing.assert_array_equal(batch.episode_step, expected.episode_step)


def test_killed_server_is_an_error_of_any_request():
    server = privateer.launch()
    with server.client(reconnect=0.5) as client:
        session = client.open("kuhn", 2)
        session.reset(seed=1)
        server.process.kill()
        with pytest.raises(privateer.ConnectionLost):
            session.observe()
    server.stop()


def nobodys_address() -> str:
    """An address at which no server listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_server_that_is_not_there_is_named_soon():
    target = nobodys_address()
    with privateer.Client(target, connect=0.2) as client:
        with pytest.raises(privateer.ConnectionLost, match=f"{target} cannot be reached.*privateer serve"):
            client.games()
    with pytest.raises(privateer.ConnectionLost, match="cannot be reached"):
        privateer.make_vec("leduc", 2, client=privateer.Client(target, connect=0.2))


def test_closing_does_not_wait_for_a_server_that_has_gone():
    server = privateer.launch()
    client = server.client(timeout=3600)
    envs = privateer.make_vec("leduc", 2, client=client)
    match = privateer.aec_env("leduc", client=client)
    session, kept = client.open("leduc", 2), client.open("leduc", 2)
    envs.reset(seed=1), match.reset(seed=1), session.reset()
    server.stop()
    began = time.monotonic()
    for each in (envs, match, session):
        each.close()
    client.close()
    kept.close()
    assert time.monotonic() - began < 600, "it waits for the server until its requests time out"


def test_tls_is_spoken_where_it_is_asked_for(server):
    with server.client(tls=True, connect=0.2) as client, pytest.raises(privateer.ConnectionLost, match="TLS"):
        client.games()


def test_server_that_comes_a_little_later_is_waited_for():
    target = nobodys_address()
    with privateer.Client(target, connect=20) as client:
        begin = threading.Timer(0.3, lambda: servers.append(privateer.launch(find_binary(), "--addr", target)))
        servers: list[privateer.Server] = []
        begin.start()
        try:
            assert any(game.name == "leduc" for game in client.games())
        finally:
            begin.join()
            servers[0].stop()


def test_a_name_with_several_servers_is_resolved_to_each():
    found = privateer.addresses("localhost:50051")
    assert found and set(found) <= {"127.0.0.1:50051", "[::1]:50051"}
    assert privateer.addresses("127.0.0.1:7") == ["127.0.0.1:7"]
    with pytest.raises(ValueError, match="want name:port"):
        privateer.addresses("privateer-each")
    with pytest.raises(privateer.ConnectionLost, match="is the name right"):
        privateer.addresses("privateer-each.invalid:50051")


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is this machine on Linux")
def test_when_one_of_several_servers_is_killed_its_clients_go_to_another_and_the_others_stay(monkeypatch):
    with privateer.launch() as one:
        port = one.addr.rpartition(":")[2]
        with privateer.launch(None, "--addr", f"127.0.0.2:{port}") as other:
            resolve = socket.getaddrinfo
            both = resolve("127.0.0.1", int(port)) + resolve("127.0.0.2", int(port))
            monkeypatch.setattr(socket, "getaddrinfo", lambda name, *a, **k: both if name == "privateer-each" else resolve(name, *a, **k))
            servers = privateer.addresses(f"privateer-each:{port}")
            assert servers == [one.addr, other.addr]

            clients = [privateer.Client(server, reconnect=0.5) for server in servers]
            sessions = [client.open("leduc", 8, seed=3, autoreset="SAME_STEP") for client in clients]
            for session in sessions:
                session.reset()
            other.process.kill()
            with pytest.raises(privateer.ConnectionLost):
                sessions[1].step(sessions[1].batch.action_mask.argmax(1))
            # Its matches are gone, and are played from their seed at a server that is there.
            moved = clients[0].open("leduc", 8, seed=3, autoreset="SAME_STEP")
            moved.reset()
            for _ in range(5):
                np.testing.assert_array_equal(moved.batch.observation, sessions[0].batch.observation)
                for session in (sessions[0], moved):
                    session.step(session.batch.action_mask.argmax(1))
            for client in clients:
                client.close()
