"""What callers give is checked once, and what they are given is theirs: the same rules for every environment."""

import threading

import gymnasium
import numpy as np
import pytest

import privateer

KINDS = ["session", "vector", "single", "aec", "parallel"]


@pytest.fixture
def made(client):
    """Makes environments of each kind, over each transport, all of Leduc."""
    every = []

    def make(kind, **options):
        if kind == "session":
            every.append(client.open("leduc", 1, autoreset="DISABLED"))
        elif kind == "vector":
            every.append(privateer.make_vec("leduc", 1, client=client, opponents=None, autoreset_mode="DISABLED", **options))
        elif kind == "single":
            every.append(privateer.PrivateerEnv("leduc", client=client, **{"illegal": "raise"} | options))
        else:
            every.append({"aec": privateer.aec_env, "parallel": privateer.parallel_env}[kind]("leduc", client=client, **options))
        return every[-1]

    yield make
    for env in every:
        env.close()


def step(kind, env, action):
    if kind == "parallel":
        return env.step(dict.fromkeys(env.agents or env.possible_agents, action))
    return env.step([action] if kind in ("session", "vector") else action)


@pytest.mark.parametrize("kind", KINDS)
def test_seeds_are_integers_of_any_kind(made, kind):
    def first(seed):
        env = made(kind)
        env.reset(seed=seed)
        if kind in ("aec", "parallel"):
            return env.state()
        return (env if kind == "session" else env.session if kind == "vector" else env._session).observe()

    for seed in (np.int64(3), np.uint32(3), np.uint64(3), np.array(3)):
        np.testing.assert_array_equal(first(seed), first(3))
    for seed in (0, 2**64 - 1, np.uint64(2**64 - 1)):
        first(seed)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_seed_is_named(made, kind):
    env = made(kind)
    for seed in (True, np.True_, 1.0, np.float32(1), "1", -1, np.int64(-1), 2**64, float("nan"), {}):
        with pytest.raises((TypeError, ValueError), match=r"seed .*: want an integer from 0 to 2\*\*64 - 1"):
            env.reset(seed=seed)


def test_seeds_are_read_everywhere(client):
    engine = privateer.Engine("leduc")
    session = client.open("leduc", 1)
    session.reset(seed=1)
    mask = session.batch.packed_mask
    uses = {
        "open": lambda seed: client.open("leduc", 1, seed=seed).close(),
        "act": lambda seed: client.act("leduc", "random", mask, seed=seed),
        "ask": lambda seed: session.ask("random", seed=seed),
        "new": lambda seed: engine.new(seed=seed),
        "redeal": lambda seed: privateer.Engine("leduc(chance=sampled)").new(seed=1).redeal(0, seed),
        "transcript": lambda seed: engine.transcript([], seed=seed),
        "simulate": lambda seed: privateer.simulate("kuhn", matches=2, seed=seed),
        "make_vec": lambda seed: privateer.make_vec("leduc", 1, client=client, seed=seed).close(),
        "aec_env": lambda seed: privateer.aec_env("leduc", client=client, seed=seed).close(),
        "make": lambda seed: gymnasium.make("privateer/Leduc-v1", client=client, seed=seed).close(),
    }
    for use in uses.values():
        use(np.int64(3))
        for seed in (True, 1.0, -1, 2**64):
            with pytest.raises((TypeError, ValueError), match="seed .*: want an integer from 0"):
                use(seed)


@pytest.mark.parametrize("kind", ["session", "vector"])
def test_each_row_may_have_a_seed_of_its_own(client, kind):
    def make(n):
        return client.open("leduc", n) if kind == "session" else privateer.make_vec("leduc", n, client=client, opponents=None)

    def seen(env, **options):
        answer = env.reset(**options)
        return (answer.observation if kind == "session" else answer[0]).copy()

    one = make(1)
    alone = {seed: seen(one, seed=seed)[0] for seed in (7, 1000, 3, 8)}
    env = make(4)
    for seeds in ([7, 7, 1000, 3], np.array([7, 7, 1000, 3]), (7, np.int64(7), 1000, 3)):
        np.testing.assert_array_equal(seen(env, seed=seeds), [alone[int(seed)] for seed in seeds])
    # None leaves a row's series alone, at the first reset too.
    other, plain = make(4), make(4)
    plain.reset(seed=5), other.reset(seed=5), plain.reset()
    goes_on = seen(plain)
    other.reset(seed=[None, 7, None, 8])
    np.testing.assert_array_equal(seen(other, seed=[None, 7, None, 8]), [goes_on[0], alone[7], goes_on[2], alone[8]])
    fresh = make(4)
    np.testing.assert_array_equal(seen(fresh, seed=[None, 7, None, None])[1], alone[7])
    for wrong in ([], [1, 2], [1, 2, 3, 4, 5], [1, 2, 3, True], [1, 2, 3, -1], [1, 2, 3, 4.0]):
        with pytest.raises((TypeError, ValueError), match="seed"):
            env.reset(seed=wrong)
    if kind == "vector":
        before = env.reset(seed=[7, 7, 7, 7])[0].copy()
        after = env.reset(seed=[8, 8, None, 8], options={"reset_mask": np.array([True, False, False, False])})[0]
        np.testing.assert_array_equal(after[0], alone[8])
        np.testing.assert_array_equal(after[1:], before[1:], "rows that are not reset are not seeded either")


def test_vectors_of_neighbouring_seeds_have_no_row_in_common(client):
    def played(seed, rows=4):
        envs = privateer.make_vec("leduc", rows, client=client, opponents="random", autoreset_mode="SAME_STEP")
        seen, infos = envs.reset(seed=seed)
        every = [seen.copy()]
        for _ in range(60):
            seen, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
            every.append(seen.copy())
        envs.close()
        return [row.tobytes() for row in np.stack(every, 1)]

    rows = [row for seed in range(5) for row in played(seed)]
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("illegal", ["raise", "random"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_action_is_refused_for_what_it_is(made, kind, illegal):
    if kind == "session" and illegal == "random":
        pytest.skip("sessions draw no actions")
    env = made(kind, illegal=illegal)
    env.reset(seed=1)
    for action in (1.7, -0.5, float("nan"), 1.0, np.float32(1), "1", b"1", None, [1, 1], [1, 2.5], {}, 2**70):
        with pytest.raises((TypeError, ValueError, privateer.PrivateerError), match="action") as e:
            step(kind, env, action)
        assert not isinstance(e.value, privateer.IllegalActionError)


@pytest.mark.parametrize("kind", KINDS)
def test_actions_are_integers_of_any_kind_and_arrays_of_one(made, kind):
    for action in (1, np.int64(1), np.uint8(1), np.array(1), np.array([1]), [1], True, np.True_, np.array([1], ">i4")):
        if kind in ("session", "vector") and np.ndim(action):
            continue  # rows have one dimension
        env = made(kind)
        env.reset(seed=1)
        step(kind, env, action)


@pytest.mark.parametrize("kind", KINDS)
def test_large_numbers_do_not_become_actions(made, kind):
    env = made(kind)
    for action in (2**32 + 1, 2**63, 2**64 - 1, -(2**32) + 1, np.uint64(2**63 + 1), 99, -1):
        env.reset(seed=1)
        with pytest.raises(privateer.IllegalActionError):
            step(kind, env, action)


@pytest.mark.parametrize("kind", KINDS)
def test_before_the_first_reset_everything_says_so(made, kind):
    env = made(kind)
    uses = [lambda: step(kind, env, 1)]
    if kind == "session":
        uses += [env.sample_actions, env.observe, env.render, env.snapshot, lambda: env.ask("random")]
    if kind in ("aec", "parallel"):
        uses += [env.state]
    if kind == "aec":
        uses += [env.last, lambda: env.observe("player_0")]
    if kind == "single":
        uses += [env.action_masks]
    for use in uses:
        with pytest.raises(ValueError, match="^the environment has not been reset: call reset first$"):
            use()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_over_stays_over(made, kind):
    env = made(kind)
    env.reset(seed=1)
    over, paid = False, 0.0
    for _ in range(30):
        if over and kind in ("aec", "parallel"):
            with pytest.raises(ValueError, match="no agent is left: call reset first"):
                step(kind, env, 0)
            return
        if kind == "aec":
            _, _, terminated, truncated, info = env.last()
            env.step(None if terminated or truncated else int(info["action_mask"].argmax()))
            over = not env.agents
        elif kind == "parallel":
            acts = {agent: 1 for agent in env.agents}
            over = any(env.step(acts)[2].values())
        elif kind == "session":
            batch = env.step([1])
            over, now = bool(batch.terminated[0]) or over, batch.terminated[0]
            assert now == over and (batch.endings is not None) == (over and not paid)
            paid += over
        else:
            _, reward, terminated, truncated, info = env.step([1] if kind == "vector" else 1)
            now = bool(np.any(terminated) or np.any(truncated))
            assert now >= over, "what was over continues"
            assert not over or np.all(np.asarray(reward) == 0)
            over = now
    assert over


def test_agents_that_are_not_there_are_named(client):
    for env in (privateer.aec_env("leduc", client=client), privateer.parallel_env("leduc", client=client)):
        env.reset(seed=1)
        for use in (env.observation_space, env.action_space, *([env.observe] if hasattr(env, "observe") else [])):
            with pytest.raises(ValueError, match="agent 'player_9': want one of player_0, player_1"):
                use("player_9")
    with pytest.raises(TypeError, match="want a dict of them by agent"):
        env.step(1)
    with pytest.raises(ValueError, match="player_0 is to act"):
        env.step({})


def arrays(value):
    """All arrays in what an environment has handed out."""
    if isinstance(value, np.ndarray) and value.dtype != np.object_:
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from arrays(each)
    elif isinstance(value, (tuple, list, np.ndarray)):
        for each in value:
            yield from arrays(each)
    elif isinstance(value, privateer.Batch):
        for name in ("observation", "action_mask", "packed_mask", "current_player", "reward", "terminated", "truncated", "episode_step", "action_rows", "action_offsets"):
            if (found := getattr(value, name)) is not None:
                yield found
        if value.endings is not None:
            yield from arrays(vars(value.endings))


def scribble(*values):
    """Write into every array that can be written to; how many those were."""
    count = 0
    for array in arrays(list(values)):
        if array.flags.writeable:
            array[...] = 0 if array.dtype == np.bool_ or array.any() else 1
            count += 1
    return count


def frozen(value):
    return [array.copy() for array in arrays(value)]


class Played:
    """One environment, looked at in all ways at each decision, and played by its own first look."""

    def __init__(self, kind, env):
        self.kind, self.env = kind, env

    def reset(self):
        return self.look(self.env.reset(seed=3))

    def look(self, answer):
        env, kind = self.env, self.kind
        more = []
        if kind == "session":
            more = [env.observe(), env.ask("random", seed=1)]
            mask = answer.action_mask[0]
        elif kind == "vector":
            mask = answer[-1]["action_mask"][0]
        elif kind == "single":
            more = [env.action_masks()]
            mask = answer[-1]["action_mask"]
        elif kind == "aec":
            more = [env.observe(agent) for agent in env.possible_agents] + [env.state()]
            answer = env.last() if env.agents else ()
            mask = answer[-1]["action_mask"] if answer else np.ones(1)
        else:
            more = [env.state()]
            [mask] = [seen["action_mask"] for seen, info in zip(answer[0].values(), answer[-1].values(), strict=True) if info["acts"]] or [np.ones(1)]
        return int(np.flatnonzero(mask)[-1]), (answer, more)

    def step(self, action):
        env, kind = self.env, self.kind
        if kind == "aec":
            over = env.terminations[env.agent_selection]
            return self.look(env.step(None if over else action))
        return self.look(step(kind, env, action))

    def over(self, answer):
        if self.kind in ("aec", "parallel"):
            return not self.env.agents
        batch = answer[0]
        return bool(np.any(batch.terminated if self.kind == "session" else batch[-3]) if not isinstance(batch, tuple) or len(batch) == 5 else False)


@pytest.mark.parametrize("illegal", ["raise", "random"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_depends_on_what_becomes_of_arrays_that_were_handed_out(made, kind, illegal):
    """Two environments that are played alike; of one, every array is written to as soon as it has been read."""
    if kind == "session" and illegal == "random":
        pytest.skip("sessions draw no actions")
    options = {"illegal": illegal} | ({"action_rows": True} if kind in ("vector", "aec", "parallel") else {})
    left, spoilt = (Played(kind, made(kind, **options)) for _ in range(2))
    written = 0
    for _ in range(3):
        (action, a), (same, b) = left.reset(), spoilt.reset()
        for _ in range(40):
            assert action == same
            for x, y in zip(frozen(a), frozen(b), strict=True):
                np.testing.assert_array_equal(x, y)
            written += scribble(b)
            if kind == "single":  # asked again, it says the same
                assert spoilt.env.action_masks()[action]
            if left.over(a):
                break
            (action, a), (same, b) = left.step(action), spoilt.step(action)
            assert "illegal_action" not in str(b), "a legal action was replaced"
    assert written > 10


def test_a_match_does_not_change_with_the_lists_that_it_has_given():
    match = privateer.Engine("leduc(chance=sampled)").new(seed=1)
    actions, names = match.actions, match.names
    match.actions.clear()
    match.returns.append(9)
    match.probabilities.append(9)
    assert match.actions == actions and match.names == names and len(match.returns) == 2 and not match.probabilities
    with pytest.raises(ValueError):
        match.engine.scales[:] = 0


def test_a_second_thread_is_refused_wherever_it_comes_between(client):
    """Every error says so, and the session continues as if the others had not been."""
    session = client.open("leduc", 2, autoreset="SAME_STEP")
    session.reset(seed=1)
    errors, begin = [], threading.Barrier(3)

    def play():
        begin.wait(300)
        for _ in range(200):
            try:
                session.step(session.sample_actions())
            except Exception as error:
                errors.append(error)

    threads = [threading.Thread(target=play, daemon=True) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)  # only against hanging
    assert not any(thread.is_alive() for thread in threads)
    assert {type(error) for error in errors} <= {RuntimeError}, errors
    assert all("another thread" in str(error) and "one thread at a time" in str(error) for error in errors)
    for _ in range(20):
        session.step(session.sample_actions())


def test_threads_may_use_a_session_one_after_the_other(client):
    session = client.open("leduc", 2, autoreset="SAME_STEP")
    session.reset(seed=1)
    stepped = []
    for k in range(6):
        thread = threading.Thread(target=lambda: stepped.append(session.step(session.sample_actions())))
        thread.start()
        thread.join(300)
        assert len(stepped) == k + 1
    batch = session.step(stepped[-1].action_mask.argmax(1))
    with pytest.raises(privateer.IllegalActionError):
        session.step([99, 99])
    assert session.batch is batch
