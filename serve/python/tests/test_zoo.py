"""PettingZoo's own tests, over several games."""

import re
import types
import urllib.request

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec, turn_based_aec_to_parallel

import privateer

GAMES = ["kuhn", "leduc", "liars_dice(seats=6,dice=5)", "doubloons(seats=2)", "doubloons(seats=4)", "jolly_roger(seats=10)"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
def test_api(client, game):
    env = privateer.aec_env(game, client=client, seed=1)
    api_test(env, num_cycles=200)
    env.close()


@pytest.mark.parametrize("game", GAMES)
def test_parallel_api(client, game):
    env = privateer.parallel_env(game, client=client, seed=1)
    parallel_api_test(env, num_cycles=100)
    env.close()


@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")
def test_masks_may_be_in_the_infos_alone(client):
    env, dicts = (privateer.aec_env("leduc", client=client, seed=1, masked=masked) for masked in (False, True))
    api_test(env, num_cycles=50)
    parallel = privateer.parallel_env("leduc", client=client, seed=1, masked=False, illegal="random")
    parallel_api_test(parallel, num_cycles=50)
    for each in (env, dicts):
        each.reset(seed=4)
    seen, infos = parallel.reset(seed=4)
    for agent in env.agents:
        np.testing.assert_array_equal(env.observe(agent), dicts.observe(agent)["observation"])
        np.testing.assert_array_equal(seen[agent], env.observe(agent))
        np.testing.assert_array_equal(infos[agent]["action_mask"], dicts.observe(agent)["action_mask"])
        assert env.observation_space(agent).contains(seen[agent])
    with pytest.raises(ValueError, match="masked=False"):
        privateer.aec_env("leduc", client=client, action_rows=True, masked=False)


@pytest.mark.parametrize("game", ["leduc", "doubloons(seats=3)"])
def test_seeds(client, game):
    seed_test(lambda: privateer.aec_env(game, client=client), num_cycles=30)
    parallel_seed_test(lambda: privateer.parallel_env(game, client=client, illegal="random"), num_cycles=30)


def test_max_cycles(client):
    # The test samples without masks, and counts a cycle when everybody has acted once:
    # what the parallel environment does, and the AEC environment that PettingZoo makes of it.
    def parallel(max_cycles):
        return privateer.parallel_env("doubloons(seats=3)", client=client, max_cycles=max_cycles, illegal="random")

    max_cycles_test(types.SimpleNamespace(parallel_env=parallel, env=lambda max_cycles: parallel_to_aec(parallel(max_cycles))))


def test_a_limit_of_the_game_truncates(client):
    """A match that max_rounds cuts short does not end by the rules, and nobody has won it."""
    game, rng = "doubloons(seats=3,max_rounds=1)", np.random.default_rng(0)

    def choose(mask):
        return int(rng.choice(np.flatnonzero(mask)))

    env = privateer.aec_env(game, client=client)
    env.reset(seed=4)
    for _ in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        assert not terminated and reward == 0
        if truncated:
            assert all(env.truncations.values()) and seen["observation"].any()
        env.step(None if truncated else choose(seen["action_mask"]))
    assert not env.agents
    env.close()

    many = privateer.parallel_env(game, client=client)
    views, infos = many.reset(seed=4)
    while many.agents:
        acting = next(agent for agent in many.agents if infos[agent]["acts"])
        views, rewards, terminations, truncations, infos = many.step({acting: choose(views[acting]["action_mask"])})
        assert not any(terminations.values()) and not any(rewards.values())
    assert all(truncations.values()) and all(view["observation"].any() for view in views.values())
    many.close()


def test_match_that_is_forgotten_is_ended(server, remote):
    def sessions():
        with urllib.request.urlopen(f"http://{server.metrics_addr}/metrics") as page:
            return sum(float(n) for n in re.findall(r"\nprivateer_sessions{.*} (\d+)", page.read().decode()))

    already = sessions()
    for make in (privateer.aec_env, privateer.parallel_env):
        env = make("kuhn", client=remote)
        env.reset()
        assert sessions() == already + 1
        del env
        assert sessions() == already


def test_turns_are_not_taken_for_cycles(client):
    """Who acts next depends on the match: PettingZoo is told, and can convert it as what it is."""
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(privateer.aec_env("doubloons(seats=3)", client=client))
    parallel_api_test(turn_based_aec_to_parallel(privateer.aec_env("doubloons(seats=3)", client=client)), num_cycles=50)


def test_spaces_are_where_older_code_looks_for_them(client):
    for make in (privateer.aec_env, privateer.parallel_env):
        env = make("kuhn", client=client)
        assert env.observation_spaces == {agent: env.observation_space(agent) for agent in env.possible_agents}
        assert env.action_spaces == {agent: env.action_space(agent) for agent in env.possible_agents}
        env.close()


def test_render(client, capsys):
    render_test(lambda render_mode: privateer.aec_env("leduc", client=client, render_mode=render_mode))
    assert capsys.readouterr().out


def test_illegal_action_is_an_error_that_changes_nothing(client):
    env = privateer.aec_env("leduc", client=client, seed=3)
    env.reset(seed=3)
    before = env.last()[0]
    illegal = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(privateer.IllegalActionError) as e:
        env.step(illegal)
    assert e.value.action == illegal and e.value.row == 0
    np.testing.assert_array_equal(env.last()[0]["observation"], before["observation"])
    env.step(int(np.flatnonzero(before["action_mask"])[0]))
    env.close()


def test_what_has_not_been_reset_says_so(client):
    env = privateer.aec_env("leduc", client=client)
    for ask in (lambda: env.step(0), lambda: env.observe("player_0"), env.state):
        with pytest.raises(ValueError, match="call reset first"):
            ask()
    env.close()


def test_mask_is_never_empty(client):
    env = privateer.aec_env("doubloons(seats=3)", client=client, seed=2)
    env.reset(seed=2)
    for _, agent in zip(range(60), env.agent_iter()):
        for a in env.agents:
            assert env.observe(a)["action_mask"].any() and env.infos[a]["action_mask"].any()
        env.step(env.action_space(agent).sample(env.infos[agent]["action_mask"]))
    env.close()


@pytest.mark.parametrize("game", ["kuhn", "leduc", "jolly_roger(seats=4,variants=hidden_prizes)"])
def test_finished_agents_see_the_end_as_their_own(client, game):
    env = privateer.aec_env(game, client=client, seed=5)
    env.reset(seed=5)
    rng = np.random.default_rng(0)
    while not any(env.terminations.values()):
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    views, left = env._session.batch.endings.final_observation[0], env.agents[:]
    assert len({view.tobytes() for view in views}) == len(views)
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        np.testing.assert_array_equal(observation["observation"], views[env.possible_agents.index(agent)])
        assert terminated and not truncated
        env.step(None)
        left.remove(agent)
    assert not left
    env.close()


def test_nobody_else_is_told_what_was_asked_for(client):
    """What somebody wanted to do may show what it holds."""
    env = privateer.aec_env("leduc", client=client, seed=3, illegal="random")
    env.reset(seed=3)
    acting, illegal = env.agent_selection, int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(illegal)
    assert {agent: info.get("illegal_action") for agent, info in env.infos.items()} == {
        agent: illegal if agent == acting else None for agent in env.possible_agents
    }
    env.close()
    together = privateer.parallel_env("leduc", client=client, seed=3, illegal="random")
    _, infos = together.reset(seed=3)
    acting = next(agent for agent in together.agents if infos[agent]["acts"])
    *_, infos = together.step(dict.fromkeys(together.agents, illegal))
    assert {agent for agent, info in infos.items() if "illegal_action" in info} == {acting}
    together.close()


def test_the_parallel_mask_is_in_one_place(client):
    """TorchRL's wrapper fails on one that is in the observation and beside it, among infos that are no masks."""
    env = privateer.parallel_env("leduc", client=client, seed=1)
    views, infos = env.reset()
    assert all(set(info) == {"acts"} for info in infos.values()) and all("action_mask" in view for view in views.values())
    env.close()


@pytest.mark.parametrize("make", [privateer.aec_env, privateer.parallel_env])
def test_state_is_what_all_players_see(client, make):
    env = make("doubloons(seats=3)", client=client, seed=1)
    with pytest.raises(ValueError, match="reset"):
        env.state()
    env.reset(seed=1)
    rng, session = np.random.default_rng(0), env._session
    for _ in range(20):
        state = env.state()
        assert env.state_space.contains(state)
        parts = state.reshape(3, -1)
        player = session.batch.current_player[0]
        np.testing.assert_array_equal(parts[player], session.batch.observation[0])
        assert len({part.tobytes() for part in parts}) == 3
        action = rng.choice(np.flatnonzero(session.batch.action_mask[0]))
        env.step(action if make is privateer.aec_env else {f"player_{player}": action})
    env.close()
