"""Exported policies as bots of a server."""

import json
import pickle
import struct
import subprocess

import numpy as np
import pytest

import privateer
from privateer.bundle import Bundle, Network, Provenance, Slice, Tensor
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


def test_policies_of_the_program_act_on_tensors_and_think_about_positions(sharks):
    """As in the rows of a session, and in a match of one's own."""
    game = "jolly_roger(seats=3,advice=reign)"
    session = sharks.open(game, 8, seed=2, autoreset="SAME_STEP", action_rows=True)
    batch = session.reset()
    for _ in range(10):
        likely = sharks.probabilities(game, "policy:pirate", batch.packed_mask, batch.observation, batch.action_rows)
        assert likely.shape == batch.action_mask.shape and likely.sum(1) == pytest.approx(1) and not likely[batch.action_mask == 0].any()
        chosen = sharks.act(game, "policy:pirate", batch.packed_mask, batch.observation, batch.action_rows)
        assert (chosen == session.ask("policy:pirate")).all()
        batch = session.step(chosen)
    session.close()
    with pytest.raises(privateer.PrivateerError, match=r"tensors\.action_rows"):
        sharks.act(game, "policy:pirate", batch.packed_mask, batch.observation)
    match = privateer.Engine("jolly_roger(seats=3,chance=sampled)").new(seed=5)
    thought = sharks.think(match.position(), "policy:pirate")
    own = match.think("pirate")
    assert isinstance(thought, type(own)) and (thought.choice, thought.name) == (own.choice, own.name)
    assert thought.values == pytest.approx(own.values, nan_ok=True) and thought.unit == own.unit
    for entry in ("game", "seat", "decision", "choice"):
        assert thought.account[entry] == own.account[entry]
    likely = {a["action"]: a["prior_weight"] for a in own.account["actions"]}
    assert set(likely) == set(match.names) and {a["action"]: a["probability"] for a in thought.account["actions"]} == pytest.approx(likely)
    assert thought.probabilities.argmax() == thought.choice and thought.probabilities.sum() == pytest.approx(1)


def test_policy_is_an_opponent(sharks):
    """A player who folds to raises loses at once."""
    envs = privateer.make_vec("leduc", 32, client=sharks, opponents="policy:shark", player=1, seed=3, autoreset_mode="SAME_STEP")
    _, infos = envs.reset(seed=3)
    fold = infos["action_mask"][:, 0]
    assert fold.all(), "the shark begins with a raise, to which one may fold"
    _, reward, terminated, _, infos = envs.step(np.zeros(32, int))
    assert terminated.all() and (reward < 0).all() and (infos["episode_length"] == 1).all()
    envs.close()


def test_a_seat_is_told_what_it_may_choose_and_what_has_happened(sharks):
    with sharks.host("doubloons(seats=2)", ["", "heuristic"], seed=1) as table:
        turn = table.play(table.seat_keys[0])
        for _ in range(5):
            assert all(turn.packed_mask[action // 8] >> action % 8 & 1 and name and words for action, name, words in turn.legal)
            assert turn.position is None and turn.picture is None
            turn = table.play(table.seat_keys[0], turn, turn.legal[0][0])
        seen = table.play(table.seat_keys[0], view=True)
        assert seen.decision == turn.decision and "generator" not in seen.position and "cards" in seen.position["deck"]
        assert seen.picture.startswith("<svg") and seen.picture._repr_svg_() == seen.picture
        assert turn.log and all(event["kind"] for event in turn.events)


def test_policy_has_a_seat_at_a_table(sharks):
    table = sharks.host("leduc", ["policy:shark", ""], seed=1)
    key = table.seat_keys[1]
    turn = table.play(key)
    assert privateer.unpack_mask(turn.packed_mask, table.actions).tolist() == [1, 1, 1]
    assert table.play(key, turn, 0).over


def weighted(game, seed, path=None):
    """A policy that nobody has trained, of the file at a path or of none."""
    rng = np.random.default_rng(seed)
    with privateer.make(game) as session:
        spec = session.spec
    shapes = {"trunk.0.linear.weight": (8, spec.observation.size), "trunk.0.linear.bias": (8,), "policy.weight": (len(spec.actions), 8), "policy.bias": (len(spec.actions),)}
    weights = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    made = privateer.Policy(
        Bundle(
            game=game, name=spec.name, schema=spec.observation.hash, actions=list(spec.actions), choice="greedy",
            observation=[Slice(g.name, g.offset, int(np.prod(g.shape)), float(g.scale)) for g in spec.observation.groups],
            network=Network("mlp", [8], activation="tanh", norm="none"),
            weights=[Tensor(name, list(w.shape), w.astype("<f4").tobytes()) for name, w in weights.items()],
            provenance=Provenance(config=f"game: {game}\n"),
        )
    )
    made.bundle.golden.observation = bytes(spec.observation.size)
    made.bundle.golden.logits = made.logits(np.zeros((1, spec.observation.size), np.uint8), np.ones((1, len(spec.actions)))).ravel().tolist()
    return made if path is None else made.save(path)


@pytest.fixture
def runs(request, tmp_path):
    """Two files of one name, as all runs export them, in folders as Hydra names them."""
    folders = [tmp_path / "lr=0.1,seed=1", tmp_path / "lr=0.1,seed=2 (b)"]
    for folder in folders:
        folder.mkdir()
    return [weighted(getattr(request, "param", "leduc"), seed, folder / "policy.bundle") for seed, folder in enumerate(folders)]


def greedily(session, policy):
    """What a greedy policy does in each row."""
    return policy.act(session.batch)


@pytest.mark.parametrize("runs", ["doubloons(seats=3)"], indirect=True)
def test_players_are_what_was_read(runs):
    """Neither one of the same name, nor what has been written to the file since, or removed."""
    first, second = runs
    weighted("doubloons(seats=3)", 9, first.path)
    second.path.unlink()
    with privateer.make("doubloons(seats=3)", 64, players=["", first, second], seed=1) as session:
        session.reset()
        for policy in runs:
            np.testing.assert_array_equal(session.ask(policy), greedily(session, policy))
        assert not np.array_equal(greedily(session, first), greedily(session, second))
        again = pickle.loads(pickle.dumps(session))  # as another process gets it, or another machine
    again.reset()
    np.testing.assert_array_equal(again.ask(second), greedily(again, second))
    again.close()


def test_policies_in_no_file_and_changed_ones_are_players_as_they_are(tmp_path):
    policy = weighted("leduc", 3)
    kept = privateer.load_policy(policy.data)
    policy.bundle.choice = "sample"
    assert policy.digest != kept.digest == privateer.load_policy(kept.save(tmp_path / "kept.bundle").path).digest
    with privateer.make_vec("leduc", 8, opponents=policy, seed=1).session as session:
        assert session.opened.players[1] == f"policy:#{policy.digest}"
        session.reset()


@pytest.mark.parametrize("make", ["vec", "single", "open", "program", "gymnasium"])
def test_every_environment_reads_policies_alike(make, runs):
    import gymnasium

    policy = runs[1]
    with privateer.Program() as program:
        made = {
            "vec": lambda: privateer.make_vec("leduc", 4, opponents=policy.bot()),
            "single": lambda: privateer.PrivateerEnv("leduc", opponents=[policy]),
            "open": lambda: privateer.open("leduc", 4, players=["", policy]),
            "program": lambda: privateer.make_vec("leduc", 4, client=program, opponents=policy),
            "gymnasium": lambda: gymnasium.make_vec("privateer/Leduc-v1", 4, opponents=policy),
        }[make]()
        made.reset(seed=1)
        session = made if isinstance(made, privateer.Session) else getattr(made, "session", None) or made._session
        assert session.opened.players[1].endswith(policy.digest)
        made.close()


def test_server_plays_what_was_read_or_says_that_it_has_not_got_it(runs):
    first, second = runs
    with privateer.launch(None, "--policies", str(first.path)) as server, server.client() as client:
        envs = privateer.make_vec("leduc", 64, client=client, opponents=first, seed=2)
        envs.reset()
        np.testing.assert_array_equal(envs.session.ask(first), greedily(envs.session, first))
        assert client.host("leduc", [first, ""]).seat_keys[1]
        for refused in (lambda: privateer.make_vec("leduc", 4, client=client, opponents=second), lambda: client.host("leduc", ["", second]), lambda: envs.session.ask(second)):
            with pytest.raises(privateer.PrivateerError, match=f"{second.digest}.*--policies"):
                refused()
        envs.close()


def test_commands_play_policies_and_files_with_commas(runs):
    first, second = runs
    path = first.path
    played = privateer.simulate("leduc", bots=[f"policy:{path}", "random"], matches=40)["bots"][0]["return"]
    assert privateer.simulate("leduc", bots=f"policy:{path},random", matches=40)["bots"][0]["return"] == played
    path.write_bytes(second.data)
    assert privateer.simulate("leduc", bots=[first, "random"], matches=40)["bots"][0]["return"] == played
    assert privateer.simulate("leduc", bots=[second, "random"], matches=40)["bots"][0]["return"] != played
    [compared] = privateer.evaluate(first, against=second, matches=4, alone=True)
    assert first.digest in compared["a"] and second.digest in compared["b"]
    assert privateer.exploit(first, rollouts=0, matches=10, trials=4, out=path.parent / "against")["exact"]["exploitability"] > 0
    assert len(privateer.rate(*runs, "random", game="leduc", matches=4)["ratings"]) == 3
