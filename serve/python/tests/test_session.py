"""What a session offers besides steps, over shared memory as over the network."""

import json
import signal
import time

import numpy as np
import pytest

import privateer


def test_actions_are_drawn_where_the_game_is(client):
    session = client.open("doubloons(seats=3)", 5, seed=4, autoreset="SAME_STEP")
    batch = session.reset(seed=4)
    for _ in range(30):
        actions = session.sample_actions()
        assert actions.dtype == np.int32 and batch.action_mask[np.arange(5), actions].all()
        batch = session.step(actions)
    several = [session.sample_actions() for _ in range(20)]
    assert len({a.tobytes() for a in several}) > 1, "each call draws anew"
    session.close()


def test_drawn_actions_follow_from_the_seed_however_they_come(remote):
    """Drawn with the batch, on demand or over the network."""
    with privateer.make("leduc", 40, seed=4, autoreset="SAME_STEP") as here, remote.open("leduc", 40, seed=4, autoreset="SAME_STEP") as there:
        here.reset(), there.reset()
        for k in range(30):
            if k == 20:
                here.reset(seed=9), there.reset(seed=9)
            for _ in range(k % 3):
                a, b = here.sample_actions(), there.sample_actions()
                np.testing.assert_array_equal(a, b)
            if k % 3 == 0:
                a = here.batch.action_mask.argmax(1)
            np.testing.assert_array_equal(here.step(a).observation, there.step(a).observation)


def test_actions_come_with_the_batch_when_they_are_wanted_again(client, monkeypatch):
    session, asked = client.open("leduc", 7, seed=4, autoreset="SAME_STEP"), []
    drawn = session._drawn
    monkeypatch.setattr(session, "_drawn", lambda seed: asked.append(seed) or drawn(seed))
    session.reset()
    for _ in range(5):
        session.step(session.sample_actions())
    assert len(asked) == 1
    kept = session.snapshot()
    ahead = session.sample_actions()
    session.step(ahead)
    batch = session.restore(kept)
    for _ in range(5):
        actions = session.sample_actions()
        assert batch.action_mask[np.arange(7), actions].all()
        batch = session.step(actions)
    session.step(batch.action_mask.argmax(1))
    batch = session.step(session.batch.action_mask.argmax(1))
    del asked[:]
    assert batch.action_mask[np.arange(7), session.sample_actions()].all() and len(asked) == 1
    session.close()


def test_what_is_asked_while_a_step_is_on_its_way_is_about_what_it_brings(client):
    """Between send and recv, which is also where Ctrl-C leaves a step."""
    session = client.open("leduc", 64, seed=4, autoreset="SAME_STEP")
    batch, rows = session.reset(), np.arange(64)
    for _ in range(20):
        batch = session.step(session.sample_actions())  # others come with it, which nobody asks for
        session.send(batch.action_mask.argmax(1))
        actions, asked = session.sample_actions(), session.ask("random", seed=5)
        kept = session.snapshot()
        with pytest.raises(ValueError, match="send before the last command's answer was received"):
            session.send(actions)
        batch = session.recv()
        assert batch is session.batch
        assert batch.action_mask[rows, actions].all() and batch.action_mask[rows, asked].all()
        np.testing.assert_array_equal(session.restore(kept).observation, batch.observation)
    session.send(np.full(64, 99))
    assert session.batch.action_mask[rows, session.sample_actions()].all()
    with pytest.raises(privateer.IllegalActionError, match="row 0"):
        session.recv()
    with pytest.raises(ValueError, match="recv without a command"):
        session.recv()
    session.send(session.sample_actions())
    session.render()
    session.step(session.sample_actions())  # drops the answer that nobody took
    session.close()


# Not over gRPC's channel, where a request sometimes has no answer after hundreds of interrupts (of ten such tests one).
@pytest.mark.parametrize("client", ["memory", "inprocess", "network"], indirect=True)
def test_interrupts_at_any_moment_leave_a_session_usable(client):
    """Ctrl-C, hundreds of times: what is drawn is legal, and no request meets what is left of another."""

    def interrupt(*_):
        raise KeyboardInterrupt

    session = client.open("leduc", 32, seed=4, autoreset="SAME_STEP")
    session.reset()
    rng, interrupted, until = np.random.default_rng(0), 0, time.monotonic() + 600
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        while interrupted < 400:
            assert time.monotonic() < until, f"only {interrupted} interrupts"
            try:
                signal.setitimer(signal.ITIMER_REAL, float(rng.uniform(1e-4, 6e-3)))
                while True:
                    for _ in range(4):
                        session.step(session.sample_actions())
                    session.restore(session.snapshot())
                    session.step(session.ask("random", seed=interrupted))
                    session.send(session.batch.action_mask.argmax(1))
                    actions = session.sample_actions()
                    session.recv()
                    session.step(actions)
                    session.reset()
            except KeyboardInterrupt:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    for _ in range(10):
        batch = session.step(session.sample_actions())
        assert batch.action_mask[np.arange(32), session.sample_actions()].all()
    session.close()


def test_buffers_of_the_callers_are_filled(client):
    session = client.open("leduc", 6, seed=1, autoreset="SAME_STEP")
    batch = session.reset(seed=1)
    d, a = session.spec.observation.size, len(session.spec.actions)
    observations, masks, rewards = np.zeros((9, 6, d), np.uint8), np.zeros((9, 6, a), np.int8), np.zeros((9, 6, 2), np.float32)
    floats = np.zeros((9, 6, d), np.float32)
    for t in range(9):
        out = {"observation": observations[t], "action_mask": masks[t], "reward": rewards[t]}
        batch = session.step(batch.action_mask.argmax(1), out=out)
        assert batch.observation.base is observations and session.batch is batch
    again = client.open("leduc", 6, seed=1, autoreset="SAME_STEP")
    batch = again.reset(seed=1)
    for t in range(9):
        batch = again.step(batch.action_mask.argmax(1), out={"observation": floats[t]})
        np.testing.assert_array_equal(floats[t], observations[t])
        np.testing.assert_array_equal(batch.action_mask, masks[t])
        np.testing.assert_array_equal(batch.reward, rewards[t])
    assert observations.any() and masks.any()
    session.close(), again.close()


def test_buffers_that_do_not_fit_are_named_and_the_step_is_performed(client):
    session = client.open("leduc", 3, seed=1, autoreset="SAME_STEP")
    batch = session.reset(seed=1)
    a, shape = len(session.spec.actions), batch.observation.shape
    read_only = np.zeros(shape, np.uint8)
    read_only.flags.writeable = False
    for wrong, why in (
        ({"observation": np.zeros((5, *shape), np.uint8)}, r"out\['observation'\] \(5, 3, .*: want \(3, "),  # the rollout, and not a row of it
        ({"observation": np.zeros((1, shape[1]), np.uint8)}, "want"),
        ({"observation": [[0] * shape[1]] * 3}, "out.*is a list"),  # a copy of it would be filled
        ({"observation": read_only}, "out.*read-only"),
        ({"reward": np.zeros((3, 2), np.int64)}, "out.*of int64: want float32"),
        ({"observation": np.zeros(shape, np.bool_)}, "out.*of bool: want uint8"),
        ({"observations": np.zeros(shape, np.uint8)}, "out has 'observations'"),
        ({"full_observation": np.zeros(shape, np.uint8)}, "out has 'full_observation'"),
        ({"endings": np.zeros(shape, np.uint8)}, "out has 'endings'"),
    ):
        steps = session.batch.episode_step.sum(), session.batch.terminated.sum()
        with pytest.raises((TypeError, ValueError), match=why):
            session.step(session.batch.action_mask.argmax(1), out=wrong)
        assert (session.batch.episode_step.sum(), session.batch.terminated.sum()) != steps
    masks = np.zeros((3, a), np.bool_)
    batch = session.step(session.batch.action_mask.argmax(1), out={"action_mask": masks})
    assert batch.action_mask is masks and masks.any() and not masks.all()
    session.close()


def test_what_does_not_fit_into_a_request_is_named(client):
    for wrong, why in (
        ({"seed": -1}, "seed -1: "),
        ({"seed": 1.5}, "seed 1.5: "),
        ({"num_envs": -1}, "num_envs -1: "),
        ({"num_envs": "2"}, "num_envs '2': "),
        ({"max_decisions": -1}, "max_decisions -1: "),
        ({"players": [None, "random"]}, "players .None, 'random'.: "),
        ({"players": "random"}, "players 'random': want a list"),
        ({"game": "le\ud800duc"}, "game 'le.*duc': "),
    ):
        with pytest.raises((TypeError, ValueError), match=why):
            client.open(**({"game": "leduc", "num_envs": 2} | wrong))
        if "game" not in wrong:
            with pytest.raises((TypeError, ValueError), match=why):
                privateer.make(**({"game": "leduc", "num_envs": 2} | wrong))
    session = client.open("leduc", 2, seed=1)
    session.reset()
    for ask, why in (
        (lambda: session.reset(seed=-1), "seed -1: "),
        (lambda: session.observe(-1), "row -1: "),
        (lambda: session.render(1.5), "row 1.5: "),
        (lambda: session.draw(0, view="all"), "view 'all': "),
        (lambda: session.step([0.0, 1.0]), "actions of float64: want integers"),
        (lambda: session.step(np.zeros(2, np.float32)), "actions of float32: want integers"),
        (lambda: session.step([None, 1]), "actions of object: want integers"),
    ):
        with pytest.raises((TypeError, ValueError), match=why):
            ask()
    session.close()


@pytest.mark.parametrize("kind", [np.int32, np.uint64])
def test_numpys_numbers_are_seeds(client, kind):
    drawn = []
    for seed in (5, kind(5)):
        session = client.open("leduc", 4, seed=seed)
        session.reset(seed=seed)
        drawn.append([session.step(session.sample_actions()).observation.tolist() for _ in range(5)])
        session.close()
    assert drawn[0] == drawn[1]


def test_a_notebook_shows_a_session_as_a_picture(client):
    session = client.open("leduc", 2, seed=1)
    assert session._repr_html_() is None
    batch = session.reset()
    picture = session.draw(1)
    assert isinstance(picture, privateer.Picture) and picture.startswith("<svg") and picture._repr_svg_() == picture
    assert picture == session.draw(1, view=int(batch.current_player[1])) != session.draw(1, view=1 - int(batch.current_player[1]))
    assert "leduc" in session._repr_html_() and session.draw(0) in session._repr_html_()
    with pytest.raises(privateer.PrivateerError, match="full_view"):
        session.draw(0, view=-1)
    session.close()
    assert session._repr_html_() is None


def test_requests_may_come_between_a_command_and_its_answer(client):
    session, other = (client.open("leduc", 4, seed=1) for _ in range(2))
    session.reset(), other.reset()
    expected = other.step([1, 1, 1, 1])
    session.send([1, 1, 1, 1])
    assert session.render() and session.observe(1).any()
    with pytest.raises(ValueError, match="recv it first"):
        session.send([1, 1, 1, 1])
    np.testing.assert_array_equal(session.recv().observation, expected.observation)
    session.send([9, 9, 9, 9])
    session.observe()
    with pytest.raises(privateer.IllegalActionError):
        session.recv()
    np.testing.assert_array_equal(session.step(expected.action_mask.argmax(1)).episode_step, [2, 2, 2, 2])
    session.close(), other.close()


def test_all_integer_types_are_actions(client):
    session = client.open("leduc", 4, seed=1, autoreset="SAME_STEP")
    session.reset()
    for kind in (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.int64, np.uint64, np.bool_):
        session.step(np.ones(4, kind))
        session.reset()
    with pytest.raises(privateer.IllegalActionError, match="4294967297") as e:
        session.step(np.full(4, (1 << 32) + 1))  # whose lower half is legal
    assert e.value.action == (1 << 32) + 1
    with pytest.raises(TypeError):
        session.step(np.full(4, "x"))
    session.step(np.ones(8, np.int64)[::2])
    session.close()


def test_rows_can_be_reset_alone(client):
    session = client.open("doubloons(seats=2)", 5, seed=3, autoreset="DISABLED")
    batch = session.reset(seed=3)
    for _ in range(3):
        batch = session.step(batch.action_mask.argmax(1))
    seen = batch.observation.copy()
    after = session.reset(rows=[True, False, False, True, False])
    assert after.episode_step.tolist() == [0, 3, 3, 0, 3]
    np.testing.assert_array_equal(after.observation[[1, 2, 4]], seen[[1, 2, 4]])
    assert (after.observation[[0, 3]] != seen[[0, 3]]).any()
    session.close()


def test_observations_are_writable_on_request(remote):
    for client in (None, remote):
        envs = privateer.make_vec("leduc", 3, seed=1, client=client, writable=True)
        seen, infos = envs.reset()
        seen[:] = 0
        seen, *_ = envs.step(infos["action_mask"].argmax(1))
        assert seen.flags.writeable and seen.any()
        envs.close()


def test_a_child_of_ones_own_reads_the_files_that_game_strings_name(tmp_path):
    engine = privateer.Engine("doubloons(seats=2,chance=sampled)")
    file = tmp_path / "endgame.json"
    file.write_text(json.dumps({"phase": "action", "ships": [{"hull": 3}, {"hull": 7}]}))
    hull = engine.read({"phase": "action", "ships": [{"hull": 3}, {"hull": 7}]}).position()["ships"][0]["hull"]
    game = f"doubloons(seats=2,start={file})"
    with privateer.make(game, 3, seed=1) as session:
        batch = session.reset()
        decoded = session.spec.observation.decode(batch.observation)
        assert {int(h) for h in decoded["self.hull"][:, 0]} <= {hull, 7}
    with pytest.raises(privateer.PrivateerError, match="nowhere.json"):
        privateer.make("doubloons(seats=2,start=nowhere.json)", 1)
