"""Environments in processes that are forked or spawned, and pickled for them."""

import copy
import multiprocessing
import os
import pickle

import numpy as np
import pytest
from conftest import first

import privateer


@pytest.mark.parametrize("kind", ["memory", "network"])
def test_after_fork_it_is_refused_and_the_parent_goes_on(kind, request):
    client = request.getfixturevalue("remote") if kind == "network" else None
    envs = privateer.make_vec("leduc", 4, seed=1, client=client, autoreset_mode="SAME_STEP")
    envs.reset()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            envs.session.step(first(envs.session.batch))
            said = "it was not refused"
        except privateer.ConnectionLost as e:
            said = str(e)
        except BaseException as e:
            said = repr(e)
        try:
            envs.session._settle()
            envs.close()
        except BaseException as e:
            said += f"; {e!r}" if not isinstance(e, privateer.ConnectionLost) else ""
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        said = told.read()
    os.waitpid(child, 0)
    assert "make one in this process" in said and ";" not in said, said
    other = privateer.make_vec("leduc", 4, seed=1, autoreset_mode="SAME_STEP")
    other.reset()
    for _ in range(5):
        a, b = (e.step(first(e.session.batch))[0] for e in (envs, other))
        np.testing.assert_array_equal(a, b)
    envs.close(), other.close()


def of_every_kind():
    yield privateer.make("leduc", 3, seed=5, autoreset="SAME_STEP")
    yield privateer.make("leduc", 3, seed=5, autoreset="SAME_STEP", inprocess=True)
    yield privateer.make_vec("leduc", 3, seed=5, player=1, dtype=np.float32)
    yield privateer.aec_env("leduc", seed=5)
    yield privateer.parallel_env("leduc", seed=5, max_cycles=7)


def begun(env) -> np.ndarray:
    if isinstance(env, privateer.Session):
        return env.reset().observation
    if isinstance(env, privateer.PrivateerAECEnv):
        env.reset()
        return env.last()[0]["observation"]
    seen = env.reset()[0]
    return seen["player_0"]["observation"] if isinstance(seen, dict) else seen


@pytest.mark.parametrize("how", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_an_environment_is_pickled_as_its_recipe(how):
    for env in of_every_kind():
        expected = begun(env)
        again = how(env)
        np.testing.assert_array_equal(begun(again), expected)
        assert getattr(again, "dtype", None) == getattr(env, "dtype", None)
        again.close()
        begun(env)  # has a program of its own
        env.close()


def test_over_the_network_too(remote):
    envs = privateer.make_vec("leduc", 3, client=remote, seed=5)
    again = pickle.loads(pickle.dumps(envs))
    np.testing.assert_array_equal(again.reset()[0], envs.reset()[0])
    again.close(), envs.close()
    again.session.client.close()


def worker(send, env):
    env = pickle.loads(env) if isinstance(env, bytes) else env
    envs = privateer.make_vec("leduc", 2, seed=3)
    send.send((envs.reset()[0], env.reset().observation))
    envs.close(), env.close()


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_workers(method):
    context = multiprocessing.get_context(method)
    envs = privateer.make_vec("leduc", 2, seed=3)
    with privateer.make("leduc", 2, seed=3) as mine:
        expected = envs.reset()[0], mine.reset().observation
        receive, send = context.Pipe()
        # A process that is forked is given no pickle: it would get the environment that is not its own.
        given = pickle.dumps(mine) if method == "fork" else mine
        child = context.Process(target=worker, args=(send, given))
        child.start()
        assert receive.poll(300)
        got = receive.recv()
        child.join(300)
        assert child.exitcode == 0
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_array_equal(a, b)
        mine.step([1, 1])
    envs.close()
