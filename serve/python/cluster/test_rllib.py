"""RLlib learns Leduc by self-play, through its own kind of environment and through PettingZoo's, and nothing is lost between it and them."""

from __future__ import annotations

import collections

import numpy as np
import pytest
import rllib
import torch
from ray.cluster_utils import Cluster
from ray.rllib.core.columns import Columns
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

kinds = pytest.mark.parametrize("env", rllib.ENVIRONMENTS)


@kinds
def test_deals_change_though_the_same_seed_is_given_again(env: str) -> None:
    match = rllib.ENVIRONMENTS[env]({"game": "leduc"})
    seen = {next(iter(match.reset(seed=7)[0].values()))["observations"].tobytes() for _ in range(40)}
    match.close()
    assert len(seen) == 3  # the first player's card is a jack, a queen or a king


@kinds
def test_every_decision_is_legal_and_paid_to_whoever_took_it_wherever_samples_are_cut(env: str) -> None:
    runner = MultiAgentEnvRunner(config=rllib.config(rllib.parse(["--env", env, "--env-runners", "0", "--num-envs", "4"])))
    earned, taken = collections.defaultdict[str, np.ndarray](lambda: np.zeros(2)), collections.Counter[str]()
    over: dict[str, int] = {}
    for _ in range(6):
        for episode in runner.sample(num_timesteps=50):
            for agent, played in episode.agent_episodes.items():
                masks, actions = played.get_observations()["action_mask"][: len(played)], played.get_actions()
                assert (masks[np.arange(len(actions)), actions] == 1).all()
                earned[episode.id_][int(agent[-1])] += played.get_return()
                taken[episode.id_] += len(played)
            if episode.is_done:
                over[episode.id_] = episode.env_t
    runner.stop()
    assert len(over) > 30 and any(earned[i].any() for i in over)
    for i, steps in over.items():
        assert earned[i].sum() == pytest.approx(0) and taken[i] == steps


@kinds
def test_leduc_is_learnt_by_self_play(env: str, cluster: Cluster) -> None:
    args = rllib.parse(["--env", env, "--total-decisions", "12000", "--batch", "2000"])
    before, after = rllib.train(args)
    assert abs(before.mean) < 0.5  # chips
    assert after.low > before.high + 0.25


def test_what_is_illegal_is_masked_in_training_too() -> None:
    config = rllib.config(rllib.parse(["--env-runners", "0", "--num-envs", "1"]))
    runner = MultiAgentEnvRunner(config=config)
    module = config.get_multi_rl_module_spec(spaces=runner.get_spaces(), inference_only=False).build()["all_seats"]
    runner.stop()
    rows = torch.tensor([[1.0, 0, 1], [0, 1, 1], [1, 0, 0]])
    batch = {Columns.OBS: {"observations": torch.rand(3, module.observation_space["observations"].shape[0]), "action_mask": rows}}
    module.compute_values(batch)  # as the learner does, of advantages, before it trains
    probs = torch.softmax(module.forward_train(batch)[Columns.ACTION_DIST_INPUTS], -1)
    assert (probs[rows == 0] == 0).all() and (probs[rows == 1] > 0).all()
