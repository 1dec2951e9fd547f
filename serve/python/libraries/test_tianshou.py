"""Tianshou collects matches of ours, of several agents in one process or in many, and its agents keep to the masks."""

import numpy as np
import pytest
from tianshou.algorithm import MARLRandomDiscreteMaskedOffPolicyAlgorithm as Random
from tianshou.algorithm import MultiAgentOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv, SubprocVectorEnv

import privateer


@pytest.mark.parametrize(("kind", "game"), [(DummyVectorEnv, "leduc"), (DummyVectorEnv, "doubloons(seats=3)"), (SubprocVectorEnv, "leduc")])
def test_matches_are_collected_with_masks(kind, game):
    one = PettingZooEnv(privateer.aec_env(game))
    seats = len(one.agents)
    agents = MultiAgentOffPolicyAlgorithm(algorithms=[Random(one.action_space) for _ in range(seats)], env=one)
    envs = kind([lambda seed=seed: PettingZooEnv(privateer.aec_env(game, seed=seed)) for seed in range(2)])
    collector = Collector(agents, envs, VectorReplayBuffer(4000, 2))
    # An illegal action would be an error.
    stats = collector.collect(n_episode=6, reset_before_collect=True)
    assert stats.n_collected_episodes == 6 and stats.n_collected_steps >= 12
    kept = collector.buffer[:]
    assert kept.obs.obs.shape == (len(kept), privateer.Engine(game).observation_size)
    assert kept.obs.mask[np.arange(len(kept)), kept.act].all() and kept.rew.shape == (len(kept), seats)
    np.testing.assert_allclose(kept.rew.sum(1), 0, atol=1e-6)
    envs.close()
    one.close()
