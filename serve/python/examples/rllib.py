"""Masked PPO in self-play by RLlib's new API stack: one network for all seats, environments in Ray's workers over shared memory.

    python examples/rllib.py --game leduc --env-runners 2 --total-decisions 100000
    python examples/rllib.py --env pettingzoo --out mine.bundle

Needs pip install "ray[rllib]" torch. Masking is RLlib's own (ActionMaskingTorchRLModule). RLlib steps one match after the other in Python, a
thousand decisions or two a second on each core: ray_rollouts.py is for those who need more. What it has learnt becomes a bot.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import ray
import torch
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune import register_env

import privateer
import privateer.rllib

ENVIRONMENTS = {"multi-agent": privateer.rllib.SelfPlay, "pettingzoo": privateer.rllib.pettingzoo_env}


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--env", default="multi-agent", choices=ENVIRONMENTS, help="RLlib's own kind of environment, or PettingZoo's")
    parser.add_argument("--env-runners", type=int, default=2, help="workers that play, each on a core; 0 plays in this process")
    parser.add_argument("--num-envs", type=int, default=16, help="matches of each worker")
    parser.add_argument("--total-decisions", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=4000, help="decisions of an update")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--ent-coef", type=float, default=0.05, help="at the beginning; it falls to a tenth")
    parser.add_argument("--seed", type=int, default=1, help="of the network")
    parser.add_argument("--eval-matches", type=int, default=4000)
    parser.add_argument("--out", type=Path, help="bundle to write, which privateer eval, play, rate and export take")
    return parser.parse_args(argv)


def config(args: argparse.Namespace) -> PPOConfig:
    """All seats are played by the one module."""
    register_env(args.env, ENVIRONMENTS[args.env])
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config=DefaultModelConfig(fcnet_hiddens=[64, 64], fcnet_activation="tanh", head_fcnet_hiddens=[], vf_share_layers=False),
    )
    return (
        PPOConfig()
        .environment(args.env, env_config={"game": args.game}, disable_env_checking=True)
        # Matches are cut where a sample is full: of complete episodes only, RLlib throws away those that last longer than others.
        # A sample may take long on a busy machine: after a minute RLlib would continue without it, and without anything learnt.
        .env_runners(
            num_env_runners=args.env_runners, num_envs_per_env_runner=args.num_envs, batch_mode="truncate_episodes", sample_timeout_s=1800,
        )
        .multi_agent(policies={"all_seats"}, policy_mapping_fn=lambda agent, episode, **_: "all_seats", policies_to_train=["all_seats"])
        .rl_module(rl_module_spec=module)
        .training(
            train_batch_size_per_learner=args.batch, minibatch_size=500, num_epochs=4, lr=args.learning_rate,
            entropy_coeff=[[0, args.ent_coef], [args.total_decisions, args.ent_coef / 10]],
            gamma=1.0, lambda_=0.95, use_kl_loss=False, clip_param=0.2, vf_clip_param=100.0, grad_clip=0.5,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=args.seed, log_level="ERROR")
    )


class Earned(NamedTuple):
    """What a player earns a match, with the ends of the 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} [{self.low:+.2f}, {self.high:+.2f}]"


def against_random(algorithm: Algorithm, args: argparse.Namespace, path: Path) -> Earned:
    """Write the network as a bot, and return what it earns against random players, from all seats."""
    privateer.save_bundle(privateer.rllib.network(algorithm.get_module("all_seats")), args.game, path, about="RLlib")
    paid = privateer.evaluate(path, against="random", game=args.game, matches=args.eval_matches)[0]["one"]["return"]
    return Earned(paid["mean"], paid["low"], paid["high"])


def train(args: argparse.Namespace) -> tuple[Earned, Earned]:
    """Train, and return what the network earned before and earns after."""
    torch.manual_seed(args.seed)
    algorithm = config(args).build_algo()
    with tempfile.TemporaryDirectory() as folder:
        path = args.out or Path(folder) / "rllib.bundle"
        before, decisions = against_random(algorithm, args, path), 0
        print(f"earns {before} a match against random before training", flush=True)
        began = time.monotonic()
        while decisions < args.total_decisions:
            result = algorithm.train()
            decisions = int(result["env_runners"]["num_env_steps_sampled_lifetime"])
            print(f"{decisions:>9} decisions  {decisions / (time.monotonic() - began):,.0f} a second", flush=True)
        after = against_random(algorithm, args, path)
        print(f"earns {after} a match against random after training", flush=True)
    algorithm.stop()
    return before, after


def main() -> None:
    args = parse()
    ray.init(log_to_driver=False, logging_level="ERROR")
    train(args)


if __name__ == "__main__":
    main()
