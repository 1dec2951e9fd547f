"""The single-agent environment and its ids."""

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

import privateer
from privateer.tasks import TASKS

IDS = ["Kuhn", "Leduc", "Doubloons", "JollyRoger"]


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("options", [{}, {"dtype": np.float32, "masked": True}], ids=["bytes", "floats"])
@pytest.mark.filterwarnings("error::UserWarning")
def test_gymnasiums_own_check(name, options, capsys):
    env = gymnasium.make(f"privateer/{name}-v1", **options)
    check_env(env.unwrapped)
    env.close()
    capsys.readouterr()


def test_an_id_takes_parameters_of_the_game_and_opponents():
    env = gymnasium.make("privateer/Doubloons-v1", seats=4, opponents="heuristic")
    seen, info = env.reset(seed=1)
    assert env.unwrapped._session.spec.seats == 4 and env.unwrapped._session.opened.players == ["", *["heuristic"] * 3]
    over = False
    while not over:
        seen, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        over = terminated or truncated
        assert "illegal_action" not in info
    assert reward in (1.0, pytest.approx(-1 / 3)) or -1 / 3 <= reward <= 1
    env.close()


def test_what_is_no_parameter_is_an_unexpected_keyword():
    """As libraries expect that try keywords."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip', .*leduc has no parameter .*known are"):
        gymnasium.make("privateer/Leduc-v1", frameskip=1)
    with pytest.raises(privateer.PrivateerError, match="seats=99"):
        gymnasium.make("privateer/Doubloons-v1", seats=99)


def test_a_way_to_show_matches_that_there_is_not_is_refused():
    for make in (privateer.PrivateerEnv, privateer.aec_env):
        with pytest.raises(ValueError, match="render_mode 'pixels': want human, ansi or rgb_array"):
            make("kuhn", render_mode="pixels")


def test_vector_of_an_id():
    envs = gymnasium.make_vec("privateer/Leduc-v1", num_envs=5, vectorization_mode="vector_entry_point", opponents="random")
    assert envs.reset(seed=3)[0].shape[0] == 5
    envs.close()
    envs = gymnasium.make_vec("privateer/Leduc-v1", num_envs=2, vectorization_mode="sync")
    assert envs.reset(seed=3)[1]["action_mask"].shape[0] == 2
    envs.close()


def test_a_vector_says_where_its_masks_are():
    with pytest.raises(ValueError, match=r'masked=True: .* infos\["action_mask"\]'):
        gymnasium.make_vec("privateer/Leduc-v1", num_envs=2, masked=True)
    gymnasium.make_vec("privateer/Leduc-v1", num_envs=2, masked=False).close()
    envs = gymnasium.make_vec("privateer/Leduc-v1", num_envs=2, vectorization_mode="sync", masked=True)
    assert envs.reset(seed=3)[0]["action_mask"].shape[0] == 2
    envs.close()


def test_an_id_meets_illegal_actions_in_one_way():
    """Whatever Gymnasium makes of it, on its own choice too, which is the vector of this package."""
    for mode in ({}, {"vectorization_mode": "vector_entry_point"}, {"vectorization_mode": "sync"}):
        envs = gymnasium.make_vec("privateer/Leduc-v1", num_envs=4, **mode)
        wrong = envs.reset(seed=3)[1]["action_mask"].argmin(1)
        infos = envs.step(wrong)[-1]
        assert infos["_illegal_action"].all(), mode
        np.testing.assert_array_equal(infos["illegal_action"], wrong)
        envs.close()
        envs = gymnasium.make_vec("privateer/Leduc-v1", num_envs=4, illegal="raise", **mode)
        envs.reset(seed=3)
        with pytest.raises(privateer.IllegalActionError):
            envs.step(wrong)
        envs.close()


def test_it_is_the_first_row_of_the_vector(client):
    """The same deals, decisions and rewards, however they are made."""
    one = privateer.PrivateerEnv("leduc", client=client, opponents="random", player=1)
    many = privateer.make_vec("leduc", 1, opponents="random", player=1, autoreset_mode="DISABLED")
    for seed in range(6):
        (a, info), (b, infos) = one.reset(seed=seed), many.reset(seed=seed)
        over = False
        while not over:
            np.testing.assert_array_equal(a, b[0])
            np.testing.assert_array_equal(info["action_mask"], infos["action_mask"][0])
            np.testing.assert_array_equal(one.action_masks(), info["action_mask"])
            action = int(np.flatnonzero(info["action_mask"])[-1])
            a, reward, terminated, truncated, info = one.step(action)
            b, rewards, terminations, truncations, infos = many.step([action])
            assert (reward, terminated, truncated) == (rewards[0], terminations[0], truncations[0])
            over = terminated or truncated
        np.testing.assert_array_equal(a, b[0])
    one.close(), many.close()


def test_illegal_actions_are_replaced_and_told_or_refused():
    env = privateer.PrivateerEnv("leduc", seed=1)
    _, info = env.reset()
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    assert env.step(illegal)[-1]["illegal_action"] == illegal
    strict = pickle.loads(pickle.dumps(privateer.PrivateerEnv("leduc", seed=1, illegal="raise")))
    strict.reset()
    with pytest.raises(privateer.IllegalActionError):
        strict.step(illegal)
    env.close(), strict.close()


def test_a_copy_is_the_same_environment():
    env = privateer.PrivateerEnv("kuhn", seed=1, masked=True, dtype=np.float32)
    again = pickle.loads(pickle.dumps(env))
    assert again.observation_space == env.observation_space
    assert data_equivalence(env.reset(seed=2), again.reset(seed=2))
    env.close(), again.close()


def test_the_tasks_of_scores_have_ids():
    listed = privateer.benchmark()
    exact = {"doubloons-duel@1", "jolly-cards@1"}  # which begin at positions of the program's own
    assert {task["task"]: privateer.describe(task["game"]).config for task in listed if task["task"] not in exact} == {task: privateer.describe(game).config for task, game in TASKS.items()}
    with gymnasium.make("privateer/JollyGifts-v1", opponents="heuristic") as env:
        assert env.unwrapped._session.spec.config == privateer.describe("jolly-gifts@1").config != privateer.describe("jolly_roger(seats=6)").config
    env = privateer.aec_env("privateer/Doubloons6-v1")
    assert len(env.possible_agents) == 6
    env.close()
