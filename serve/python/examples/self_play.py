"""Masked PPO that learns by playing all seats against itself, and how far from an equilibrium it comes.

    python examples/self_play.py --game leduc --total-timesteps 500000

What self-play needs beside PPO is in train: whose a reward is (privateer.credit), and which decisions are still open at the
end of a rollout, which are left out. On games that are small enough (kuhn, leduc) the policy's exploitability is measured.
PPO is not made for it: the last policy of a run goes in circles around an equilibrium, which its average comes near.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from ppo import Agent
from torch import nn

import privateer


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The flags, with ppo.py's names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--total-timesteps", type=int, default=500_000)
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--num-steps", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--ent-coef", type=float, default=0.02)
    parser.add_argument("--update-epochs", type=int, default=4)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(argv)


def nash_conv(agent: Agent, game: str) -> float:
    """How much all seats together would gain by best responses, in the game's own unit."""
    engine = privateer.Engine(game)

    def policy(observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
        with torch.no_grad():
            logits = agent.policy(agent.body(torch.from_numpy(observations * engine.scales)))
            return logits.masked_fill(torch.from_numpy(masks) == 0, -torch.inf).softmax(1)

    return engine.exploitability(policy).nash_conv


def train(args: argparse.Namespace) -> Agent:
    """One network for all seats."""
    torch.manual_seed(args.seed)
    envs = privateer.make_vec(
        args.game, args.num_envs, opponents=None, autoreset_mode="SAME_STEP", seed=args.seed, dtype=np.float32
    )
    steps, n, spec = args.num_steps, args.num_envs, envs.session.spec
    agent = Agent(spec.observation.size, len(spec.actions), args.hidden)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    seen = torch.zeros(steps, n, spec.observation.size)
    mask = torch.zeros(steps, n, len(spec.actions), dtype=torch.bool)
    chosen, logprob, value = torch.zeros(steps, n, dtype=torch.long), torch.zeros(steps, n), torch.zeros(steps, n)
    rewards, ended = np.zeros((steps, n, spec.seats), np.float32), np.zeros((steps, n), np.bool_)
    players = np.zeros((steps, n), np.int32)

    obs, infos = envs.reset()
    for _ in range(max(1, args.total_timesteps // (n * steps))):
        for t in range(steps):
            seen[t], mask[t] = torch.from_numpy(obs), torch.from_numpy(infos["action_mask"].astype(np.bool_))
            players[t] = infos["current_player"]
            with torch.no_grad():
                chosen[t], logprob[t], _, value[t] = agent.act(seen[t], mask[t])
            obs, _, terminated, truncated, infos = envs.step(chosen[t].numpy())
            rewards[t], ended[t] = infos["rewards"], terminated | truncated
        earned = privateer.credit(rewards, players, value.numpy(), ended)
        closed = torch.from_numpy(earned.closed)
        advantage, target = torch.from_numpy(earned.advantage)[closed], torch.from_numpy(earned.target)[closed]
        o, m, a, old = seen[closed], mask[closed], chosen[closed], logprob[closed]
        for _ in range(args.update_epochs):
            for rows in torch.randperm(len(a)).chunk(4):
                _, new, entropy, v = agent.act(o[rows], m[rows], a[rows])
                adv = (advantage[rows] - advantage[rows].mean()) / (advantage[rows].std() + 1e-8)
                ratio = (new - old[rows]).exp()
                policy_loss = -torch.min(adv * ratio, adv * ratio.clamp(0.8, 1.2)).mean()
                loss = policy_loss - args.ent_coef * entropy.mean() + 0.5 * (v - target[rows]).square().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
    envs.close()
    return agent


def main() -> None:
    args = parse()
    agent = train(args)
    if args.game.partition("(")[0] in ("kuhn", "leduc"):
        print(f"NashConv {nash_conv(agent, args.game):.3f}")


if __name__ == "__main__":
    main()
