"""Exported policies as bots of a server."""

import json
import struct
import subprocess

import numpy as np
import pytest

import privateer
from privateer.launch import find_binary


@pytest.fixture(scope="module")
def policies(server, tmp_path_factory):
    """A folder with shark.bundle: a policy for leduc that always raises when it may."""
    folder = tmp_path_factory.mktemp("policies")
    with server.client() as client:
        spec = client.describe("leduc")
    tensors = {
        "policy.bias": np.array([0, 0, 100], np.float32),
        "policy.weight": np.zeros((3, 4), np.float32),
        "trunk.0.linear.bias": np.zeros(4, np.float32),
        "trunk.0.linear.weight": np.ones((4, spec.observation.size), np.float32),
        "trunk.0.norm.bias": np.zeros(4, np.float32),
        "trunk.0.norm.weight": np.ones(4, np.float32),
    }
    about = {"config": "game: leduc\nhidden: [4]\n", "schema_hash": spec.observation.hash, "iteration": "0", "steps": "0"}
    header, data = {"__metadata__": about}, b""
    for name, t in tensors.items():
        header[name] = {"dtype": "F32", "shape": t.shape, "data_offsets": [len(data), len(data) + t.nbytes]}
        data += t.tobytes()
    text = json.dumps(header).encode()
    weights = folder / "shark.safetensors"
    weights.write_bytes(struct.pack("<Q", len(text)) + text + data)
    subprocess.run([find_binary(), "export", weights, "--matches", "0"], check=True, capture_output=True)
    weights.unlink()
    return folder


@pytest.fixture(scope="module")
def sharks(policies):
    """A client of a server that has it."""
    with privateer.launch(None, "--policies", str(policies)) as server, server.client() as client:
        yield client


def test_policy_is_listed_for_its_game_only(sharks):
    assert sharks.bots("leduc")["policy:shark"] and "policy:shark" in sharks.describe("leduc").bots
    assert "policy:shark" not in sharks.bots("kuhn")
    with pytest.raises(privateer.PrivateerError, match="policy:shark"):
        sharks.open("kuhn", 2, players=["", "policy:shark"])


def test_policy_acts_on_tensors(sharks):
    session = sharks.open("leduc", 16, autoreset="SAME_STEP")
    batch = session.reset(seed=4)
    for _ in range(20):
        chosen = sharks.act("leduc", "policy:shark", batch.packed_mask, batch.observation)
        assert ((chosen == 2) == (batch.action_mask[:, 2] == 1)).all()
        assert (session.ask("policy:shark") == chosen).sum() >= (batch.action_mask[:, 2] == 1).sum()
        batch = session.step(chosen)
    session.close()


def test_policy_is_an_opponent(sharks):
    """A player who folds to raises loses at once."""
    envs = privateer.make_vec("leduc", 32, client=sharks, opponents="policy:shark", player=1, seed=3, autoreset_mode="SAME_STEP")
    _, infos = envs.reset(seed=3)
    fold = infos["action_mask"][:, 0]
    assert fold.all(), "the shark begins with a raise, to which one may fold"
    _, reward, terminated, _, infos = envs.step(np.zeros(32, int))
    assert terminated.all() and (reward < 0).all() and (infos["episode_length"] == 1).all()
    envs.close()


def test_policy_has_a_seat_at_a_table(sharks):
    table = sharks.host("leduc", ["policy:shark", ""], seed=1)
    key = table.seat_keys[1]
    turn = table.play(key)
    assert privateer.unpack_mask(turn.packed_mask, table.actions).tolist() == [1, 1, 1]
    assert table.play(key, turn, 0).over
