"""Errors, in this process and others."""

import copy
import importlib
import inspect
import multiprocessing
import pickle
import pkgutil
import socket
import subprocess
import sys

import grpc
import gymnasium
import pytest

import privateer
from privateer.connect import LaunchedClient


def kinds():
    """Every class of exceptions of this package."""
    found = set()
    for module in pkgutil.walk_packages(privateer.__path__, "privateer."):
        try:
            members = vars(importlib.import_module(module.name)).values()
        except ImportError:  # of a library that is not installed here
            continue
        found |= {m for m in members if inspect.isclass(m) and issubclass(m, BaseException) and m.__module__.startswith("privateer.")}
    return sorted(found, key=lambda kind: kind.__name__)


def test_there_are_such_classes():
    assert {privateer.BundleError, privateer.ConnectionLost, privateer.IllegalActionError, privateer.PrivateerError} < set(kinds())


@pytest.mark.parametrize("how", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_error_is_made_of_a_message_alone_and_survives_with_all_that_it_says(kind, how):
    """As a pool's worker sends it, and Gymnasium's raises it again."""
    error = kind("what is wrong")
    assert str(error) == "what is wrong"
    error.__dict__.update(code=grpc.StatusCode.ABORTED, field="actions", reason="ILLEGAL_ACTION", row=2, seat=1, action=7)
    again = how(error)
    assert type(again) is kind and str(again) == str(error) and vars(again) == vars(error)
    for name in [name for name in vars(kind("again")) if not name.startswith("_")]:
        assert hasattr(again, name)


def test_what_a_server_refused_survives_too(client):
    session = client.open("leduc", 2)
    session.reset(seed=1)
    caught = []
    for wrong in (lambda: session.step([1, 99]), lambda: client.open("chess", 1), lambda: client.open("leduc", 1, players=["", "nobody"])):
        with pytest.raises(privateer.PrivateerError) as e:
            wrong()
        caught.append(e.value)
    for error in caught:
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
    assert (caught[0].row, caught[0].action) == (1, 99)


def refused(game):
    with privateer.make(game, 1) as session:
        session.reset(seed=1)
        session.step([99])


@pytest.mark.parametrize("game", ["leduc", "chess"])
def test_a_pool_raises_what_its_worker_raised(game):
    with multiprocessing.get_context("spawn").Pool(1) as pool, pytest.raises(privateer.PrivateerError, match="99" if game == "leduc" else "chess"):
        pool.apply_async(refused, (game,)).get(120)  # the deadline only guards against hanging


def test_gymnasiums_processes_show_the_error_that_there_was():
    envs = gymnasium.make_vec("privateer/Leduc-v1", 2, vectorization_mode="async", illegal="raise")
    try:
        envs.reset(seed=1)
        with pytest.raises(privateer.IllegalActionError, match="action 99|illegal action"):
            envs.step([99, 99])
    finally:
        envs.close(terminate=True)


def test_a_server_of_ones_own_that_has_stopped_is_not_waited_for():
    with privateer.launch() as server, server.client() as client:
        session = client.open("leduc", 2)
        session.reset(seed=1)
        server.stop()
        for use in (lambda: session.step(session.sample_actions()), client.games):
            with pytest.raises(privateer.ConnectionLost, match="has ended: it ended with 0"):
                use()


def test_waiting_for_a_server_is_said_once(caplog):
    with privateer.launch() as server, privateer.Client(server.addr, reconnect=0.5) as client:
        session = client.open("leduc", 2)
        session.reset(seed=1)
        server.stop()
        with pytest.raises(privateer.ConnectionLost):
            session.step([1, 1])
    [said] = [r.getMessage() for r in caplog.records if r.name == "privateer"]
    assert server.addr in said and "reconnect=0.5" in said


def test_tls_to_a_plain_server_is_told_in_one_line(server):
    program = f"import privateer; privateer.Client({server.addr!r}, tls=True).games()"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stderr
    assert said.splitlines()[-1].endswith("does not speak TLS: leave out tls and the certificates")
    assert "ssl_transport_security" not in said


def test_the_loopback_interface_is_not_behind_a_proxy(monkeypatch):
    for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as nobody:  # takes what comes and never answers
        for name in ("grpc_proxy", "https_proxy", "http_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{nobody.getsockname()[1]}")
        with privateer.launch() as server:
            port = server.addr.rpartition(":")[2]
            for target in (server.addr, f"localhost:{port}", f"dns:///127.0.0.1:{port}"):
                with privateer.Client(target) as client, client.open("leduc", 2) as session:
                    session.reset(seed=1)
                    session.step([1, 1])
        with LaunchedClient() as client, client.open("leduc", 2) as session:
            session.reset(seed=1)
        nobody.setblocking(False)
        with pytest.raises(BlockingIOError):
            nobody.accept()


def test_a_seat_is_played_by_its_key(server):
    with server.client() as client, client.host("leduc", ["", "random"]) as table:
        for wrong in (0, None, b"key"):
            with pytest.raises(TypeError, match="seat_key .*: want the key of a seat .*table.seat_keys"):
                table.play(wrong)
        turn = table.play(table.seat_keys[0])
        with pytest.raises(TypeError, match="turn 0: want what play has returned"):
            table.play(table.seat_keys[0], 0)
        with pytest.raises(TypeError, match="action 1.5: want an integer"):
            table.play(table.seat_keys[0], turn, 1.5)


@pytest.mark.parametrize("name", ["x.bundle", "policy:x.bundle"])
def test_a_file_is_no_players_name(client, name):
    with pytest.raises(ValueError, match=rf"'{name}', a file: read it with privateer.load_policy .* policy:NAME"):
        client.open("leduc", 2, players=["", name])


def test_a_command_that_finds_no_player_says_so():
    with pytest.raises(privateer.PrivateerError, match="^nosuch is no bundle, run or checkpoint"):
        privateer.evaluate("nosuch")
