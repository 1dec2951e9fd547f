"""Stable-Baselines3 and its masked PPO learn on our vectors."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402

import privateer.sb3  # noqa: E402


@pytest.fixture
def envs():
    made = privateer.sb3.vec_env("leduc", 64, opponents="random", seed=3)
    yield made
    made.close()


def test_masks_are_where_sb3_contrib_looks(envs):
    envs.seed(5)
    seen = envs.reset()
    assert is_masking_supported(envs) and seen.shape == (64, *envs.observation_space.shape) and seen.dtype == np.float32
    returns = []
    for _ in range(40):
        masks = get_action_masks(envs)
        np.testing.assert_array_equal(masks, envs.envs.session.batch.action_mask)
        seen, rewards, dones, infos = envs.step(masks.argmax(1))
        for row in np.flatnonzero(dones):
            assert envs.observation_space.contains(infos[row]["terminal_observation"]) and not infos[row]["TimeLimit.truncated"]
            returns.append(infos[row]["episode"]["r"])
        assert all(not infos[row] for row in np.flatnonzero(~dones))
    assert len(returns) > 100 and len(set(returns)) > 2


def test_ppo_without_masks_plays_legal_actions_that_are_drawn():
    envs = privateer.sb3.vec_env("leduc", 8, opponents="random", illegal="random", seed=1)
    PPO("MlpPolicy", envs, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu").learn(256)
    envs.reset()
    wrong = envs.action_masks().argmin(1)
    assert [info["illegal_action"] for info in envs.step(wrong)[3]] == wrong.tolist()
    envs.close()


def test_seed_repeats(envs):
    envs.seed(5)
    first = envs.reset()
    envs.reset()
    envs.seed(5)
    np.testing.assert_array_equal(envs.reset(), first)


def test_masked_ppo_learns(envs):
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=512, n_epochs=4, seed=1, device="cpu")
    model.learn(30_000)
    judge = privateer.sb3.vec_env("leduc", 512, opponents="random", seed=9)
    seen, returns = judge.reset(), []
    for _ in range(12):
        actions, _ = model.predict(seen, action_masks=get_action_masks(judge))
        seen, _, dones, infos = judge.step(actions)
        returns += [infos[row]["episode"]["r"] for row in np.flatnonzero(dones)]
    judge.close()
    # Random play is worth nothing against random play; this is six standard errors and more.
    assert np.mean(returns) > 0.04, np.mean(returns)


def test_single_matches_train_in_processes_of_their_own():
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import SubprocVecEnv

    options = {"opponents": "random", "illegal": "raise"}
    envs = make_vec_env("privateer/Leduc-v0", 2, seed=1, env_kwargs=options, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": "fork"})
    MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=32, device="cpu").learn(128)
    envs.close()


def test_what_it_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="SAME_STEP"):
        privateer.sb3.PrivateerVecEnv(privateer.make_vec("kuhn", 2))
    with pytest.raises(ValueError, match="opponents=None"):
        privateer.sb3.vec_env("kuhn", 2, opponents=None)


def test_masks_that_were_handed_out_are_the_learners():
    envs = privateer.sb3.vec_env("leduc", 4, opponents="random", seed=1)
    envs.reset()
    before = envs.action_masks()
    envs.action_masks()[:] = False
    envs.env_method("action_masks")[0][:] = False
    assert (envs.action_masks() == before).all() and before.any(1).all()
    for wrong in (True, 1.5, -1):
        with pytest.raises((TypeError, ValueError), match="seed .*: want an integer"):
            envs.seed(wrong)
    envs.close()
