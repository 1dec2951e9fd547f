"""Masked PPO in self-play by RLlib's new API stack: one network for all seats, environments in Ray's workers over shared memory.

    python examples/rllib.py --game leduc --env-runners 2 --total-decisions 100000

Needs pip install "ray[rllib]" torch. Masking is RLlib's own (ActionMaskingTorchRLModule). RLlib steps its environments one match at a time in
Python, some hundreds of decisions a second each: ray_rollouts.py is for those who need more.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from typing import Any

import numpy as np
import ray
import ray.cloudpickle
import torch
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import privateer

ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers need not find this file


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--env-runners", type=int, default=2, help="workers that play, each on a core")
    parser.add_argument("--total-decisions", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=4000, help="decisions of an update")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--ent-coef", type=float, default=0.02)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--eval-matches", type=int, default=2048)
    return parser.parse_args(argv)


class SelfPlay(MultiAgentEnv):
    """One match: whoever is to act observes, everybody is paid, and all see the end."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.session = privateer.make(config["game"], 1, autoreset="DISABLED", seed=secrets.randbits(63))
        spec = self.session.spec
        self.scales, actions = spec.observation.scales(), len(spec.actions)
        self.nothing = np.ones(actions, np.float32)  # the mask of an end
        self.possible_agents = [f"player_{i}" for i in range(spec.seats)]
        self.agents = self.possible_agents[:]
        seen = spaces.Box(0, np.inf, (spec.observation.size,), np.float32)
        space = spaces.Dict({"observations": seen, "action_mask": spaces.Box(0, 1, (actions,), np.float32)})
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, spaces.Discrete(actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.views(self.session.reset(seed)), {}

    def views(self, batch: privateer.Batch) -> dict[str, Any]:
        """What whoever is to act sees or, at the end, everybody."""
        if (ends := batch.endings) is not None:
            views = ends.final_observation[0] * self.scales
            return {agent: {"observations": views[i], "action_mask": self.nothing} for i, agent in enumerate(self.possible_agents)}
        seen = {"observations": batch.observation[0] * self.scales, "action_mask": batch.action_mask[0].astype(np.float32)}
        return {self.possible_agents[batch.current_player[0]]: seen}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        [action] = action_dict.values()
        batch = self.session.step([action])
        rewards = {agent: float(batch.reward[0, i]) for i, agent in enumerate(self.possible_agents)}
        over, cut = {"__all__": bool(batch.terminated[0])}, {"__all__": bool(batch.truncated[0])}
        return self.views(batch), rewards, over, cut, {}

    def close(self) -> None:
        self.session.close()


def config(args: argparse.Namespace) -> PPOConfig:
    """All seats are played by the one module."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config=DefaultModelConfig(fcnet_hiddens=[64, 64], fcnet_activation="tanh", head_fcnet_hiddens=[], vf_share_layers=False),
    )
    return (
        PPOConfig()
        # Ray's check plays whatever it draws, whether it is legal or not.
        .environment(SelfPlay, env_config={"game": args.game}, disable_env_checking=True)
        .env_runners(num_env_runners=args.env_runners, batch_mode="complete_episodes")
        .multi_agent(policies={"all_seats"}, policy_mapping_fn=lambda agent, episode, **_: "all_seats", policies_to_train=["all_seats"])
        .rl_module(rl_module_spec=module)
        .training(
            train_batch_size_per_learner=args.batch, minibatch_size=500, num_epochs=4, lr=args.learning_rate, entropy_coeff=args.ent_coef,
            gamma=1.0, lambda_=0.95, vf_clip_param=100.0, grad_clip=0.5,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=args.seed, log_level="ERROR")
    )


def mean_return(algorithm: Algorithm, game: str, matches: int, seed: int = 2**32) -> float:
    """What the network earns against random players, from all seats, in matches that are not trained on."""
    module = algorithm.get_module("all_seats")
    envs = privateer.make_vec(game, matches, opponents="random", shuffle_seats=True, autoreset_mode="DISABLED", seed=seed, dtype=np.float32)
    returns, going = np.zeros(matches), np.ones(matches, np.bool_)
    seen, infos = envs.reset()
    while going.any():
        asked = {"observations": torch.from_numpy(seen), "action_mask": torch.from_numpy(infos["action_mask"].astype(np.float32))}
        with torch.no_grad():
            logits = module.forward_inference({Columns.OBS: asked})[Columns.ACTION_DIST_INPUTS]
        seen, _, _, _, infos = envs.step(torch.distributions.Categorical(logits=logits).sample().numpy())
        if "episode_return" in infos:
            ended = infos["_episode_return"]
            returns[ended] = infos["episode_return"][ended]
            going &= ~ended
    envs.close()
    return float(returns.mean())


def train(args: argparse.Namespace) -> tuple[float, float]:
    """Train, and return what the network earned before and earns after."""
    torch.manual_seed(args.seed)
    algorithm = config(args).build_algo()
    before, decisions = mean_return(algorithm, args.game, args.eval_matches), 0
    print(f"earns {before:+.3f} against random before training", flush=True)
    began = time.monotonic()
    while decisions < args.total_decisions:
        result = algorithm.train()
        decisions = int(result["env_runners"]["num_env_steps_sampled_lifetime"])
        print(f"{decisions:>9} decisions  {decisions / (time.monotonic() - began):,.0f} a second", flush=True)
    after = mean_return(algorithm, args.game, args.eval_matches)
    print(f"earns {after:+.3f} against random after training", flush=True)
    algorithm.stop()
    return before, after


def main() -> None:
    args = parse()
    ray.init(log_to_driver=False, logging_level="ERROR")
    train(args)


if __name__ == "__main__":
    main()
