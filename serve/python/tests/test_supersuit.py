"""SuperSuit's wrappers: those that take dicts of observation and mask, and the others with masked=False."""

import numpy as np
import pytest
import supersuit

import privateer

ANY = {
    "clip_reward": supersuit.clip_reward_v0,
    "reward_lambda": lambda env: supersuit.reward_lambda_v0(env, lambda reward: 2 * reward),
    "nan_random": supersuit.nan_random_v0,
    "pad_action_space": supersuit.pad_action_space_v0,
}
ARRAYS = {
    "dtype": lambda env: supersuit.dtype_v0(env, np.float32),
    "normalize_obs": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, np.float32)),
    "flatten": supersuit.flatten_v0,
    "frame_stack": lambda env: supersuit.frame_stack_v1(env, 4),
    "agent_indicator": supersuit.agent_indicator_v0,
    "pad_observations": supersuit.pad_observations_v0,
    "max_observation": lambda env: supersuit.max_observation_v0(env, 2),
}


def play(env):
    """Some turns by the masks of the infos: an illegal action would be an error."""
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        seen, _, terminated, truncated, info = env.last()
        if not isinstance(seen, dict):
            assert (seen.shape, seen.dtype) == (env.observation_space(agent).shape, env.observation_space(agent).dtype)
        env.step(None if terminated or truncated else int(np.flatnonzero(info["action_mask"])[0]))
    env.close()


@pytest.mark.parametrize("name", ANY)
def test_wrappers_that_take_dicts(name):
    play(ANY[name](privateer.aec_env("leduc", seed=1)))


@pytest.mark.parametrize("name", [*ANY, *ARRAYS])
def test_wrappers_that_take_arrays(name):
    play((ANY | ARRAYS)[name](privateer.aec_env("leduc", seed=1, masked=False)))


@pytest.mark.parametrize("masked", [True, False])
def test_wrappers_that_repeat_draw_from_the_environment(masked):
    env = supersuit.frame_skip_v0(privateer.parallel_env("leduc", seed=1, illegal="random", masked=masked), (1, 3))
    env.reset(seed=1)
    for _ in range(10):
        if not env.agents:
            env.reset()
        env.step(dict.fromkeys(env.agents, 0))
    env.close()


@pytest.mark.parametrize("processes", [0, 2])
def test_vectors_of_parallel_environments(processes):
    each = supersuit.pettingzoo_env_to_vec_env_v1(privateer.parallel_env("leduc", seed=1, illegal="random", masked=False))
    envs = supersuit.concat_vec_envs_v1(each, 2, num_cpus=processes, base_class="gymnasium")
    envs.reset(seed=1)
    for _ in range(20):
        seen, *_ = envs.step(np.zeros(4, np.int64))
    assert seen.shape == (4, 39)
    envs.close()
