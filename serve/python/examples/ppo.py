"""Masked PPO against bots of a privateer server, in one file, in the manner of CleanRL.

    python examples/ppo.py --game leduc --opponents random --total-timesteps 400000

Needs PyTorch: pip install "./serve/python[examples]". The details follow Schulman et al.,
"Proximal Policy Optimization Algorithms" (2017), and Huang et al., "The 37 Implementation Details of
Proximal Policy Optimization" (2022); masking follows Huang and Ontañón, "A Closer Look at Invalid
Action Masking in Policy Gradient Algorithms" (2020).
"""

from __future__ import annotations

import argparse
import random
import time
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import privateer


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    p = argparse.ArgumentParser(description="masked PPO against bots of a privateer server")
    p.add_argument("--server", default="", help="host:port; empty starts a server and stops it in the end")
    p.add_argument("--game", default="leduc")
    p.add_argument("--opponents", default="random", help="the bot that plays all other players")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--total-timesteps", type=int, default=400_000)
    p.add_argument("--learning-rate", type=float, default=1e-3)
    p.add_argument("--num-envs", type=int, default=128)
    p.add_argument("--num-steps", type=int, default=32)
    p.add_argument("--anneal-lr", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--gamma", type=float, default=1.0)
    p.add_argument("--gae-lambda", type=float, default=0.95)
    p.add_argument("--num-minibatches", type=int, default=4)
    p.add_argument("--update-epochs", type=int, default=4)
    p.add_argument("--norm-adv", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--clip-coef", type=float, default=0.2)
    p.add_argument("--ent-coef", type=float, default=0.01)
    p.add_argument("--vf-coef", type=float, default=0.5)
    p.add_argument("--max-grad-norm", type=float, default=0.5)
    p.add_argument("--hidden", type=int, default=128)
    p.add_argument("--eval-episodes", type=int, default=2048, help="matches that measure the policy before and after")
    return p.parse_args(argv)


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """A trunk of two layers, a head for the policy and one for the value."""

    def __init__(self, inputs: int, actions: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(layer(inputs, hidden), nn.Tanh(), layer(hidden, hidden), nn.Tanh())
        self.policy = layer(hidden, actions, 0.01)
        self.critic = layer(hidden, 1, 1.0)

    def value(self, obs: torch.Tensor) -> torch.Tensor:
        return self.critic(self.body(obs)).squeeze(-1)

    def act(
        self, obs: torch.Tensor, mask: torch.Tensor, action: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """The action (drawn if none is given), its log probability, the entropy and the value."""
        features = self.body(obs)
        # Illegal actions get no probability and no gradient. A mask is never all zero.
        logits = self.policy(features)
        logits = logits.masked_fill(~mask, torch.finfo(logits.dtype).min)
        dist = Categorical(logits=logits)
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), self.critic(features).squeeze(-1)


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} ± {1.96 * self.error:.3f}"


def evaluate(agent: Agent, args: argparse.Namespace, client: privateer.Client) -> Estimate:
    """The return of the policy, which samples, in matches that are not trained on.

    Every row plays one match to its end: counting the first n that end would count short ones too often.
    """
    envs = privateer.make_vec(
        args.game, args.eval_episodes, client=client, opponents=args.opponents, seed=args.seed + 2**32,
        autoreset_mode="DISABLED", shuffle_seats=True, dtype=np.float32,
    )
    obs, infos = envs.reset()
    returns, open_rows = np.zeros(args.eval_episodes), np.ones(args.eval_episodes, np.bool_)
    while open_rows.any():
        with torch.no_grad():
            action = agent.act(torch.from_numpy(obs), torch.from_numpy(infos["action_mask"].astype(np.bool_)))[0]
        obs, _, _, _, infos = envs.step(action.numpy())
        if "episode_return" in infos:
            ended = infos["_episode_return"]
            returns[ended] = infos["episode_return"][ended]
            open_rows &= ~ended
    envs.close()
    return Estimate(float(returns.mean()), float(returns.std(ddof=1) / len(returns) ** 0.5))


def train(args: argparse.Namespace, client: privateer.Client) -> tuple[Estimate, Estimate]:
    """Train, and return what the policy's return was before and is after, each with its error."""
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    # With SAME_STEP a finished row shows its next episode at once: no step is lost.
    envs = privateer.make_vec(
        args.game, args.num_envs, client=client, opponents=args.opponents, seed=args.seed,
        autoreset_mode="SAME_STEP", shuffle_seats=True, dtype=np.float32,
    )
    n, steps, spec = args.num_envs, args.num_steps, envs.session.spec
    actions, width = len(spec.actions), spec.observation.size
    agent = Agent(width, actions, args.hidden)
    before = evaluate(agent, args, client)
    print(f"before training: return {before} against {args.opponents}", flush=True)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)

    obs_t = torch.zeros(steps, n, width)
    mask_t = torch.zeros(steps, n, actions, dtype=torch.bool)
    action_t = torch.zeros(steps, n, dtype=torch.long)
    logprob_t, reward_t, done_t, value_t, cut_t = (torch.zeros(steps, n) for _ in range(5))

    obs, infos = envs.reset(seed=args.seed)
    next_obs, next_mask = torch.from_numpy(obs), torch.from_numpy(infos["action_mask"].astype(np.bool_))
    updates = max(1, args.total_timesteps // (n * steps))
    returns: list[float] = []
    tenths = 0
    began = time.time()
    for update in range(1, updates + 1):
        if args.anneal_lr:
            optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - (update - 1) / updates)

        for t in range(steps):
            obs_t[t], mask_t[t] = next_obs, next_mask
            with torch.no_grad():
                action_t[t], logprob_t[t], _, value_t[t] = agent.act(next_obs, next_mask)
            obs, reward, terminated, truncated, infos = envs.step(action_t[t].numpy())
            reward_t[t] = torch.from_numpy(reward)
            done_t[t] = torch.from_numpy(terminated | truncated)
            cut_t[t] = 0.0
            if truncated.any():
                # A truncated match is bootstrapped with the value of its last observation.
                with torch.no_grad():
                    cut_t[t] = agent.value(torch.from_numpy(infos["final_obs"])) * torch.from_numpy(truncated & ~terminated)
            if "episode_return" in infos:
                returns += infos["episode_return"][infos["_episode_return"]].tolist()
            next_obs, next_mask = torch.from_numpy(obs), torch.from_numpy(infos["action_mask"].astype(np.bool_))

        # Generalised advantage estimation (Schulman et al., 2015).
        advantage_t = torch.zeros(steps, n)
        with torch.no_grad():
            following, running = agent.value(next_obs), torch.zeros(n)
            for t in reversed(range(steps)):
                alive = 1.0 - done_t[t]
                delta = reward_t[t] + args.gamma * (following * alive + cut_t[t]) - value_t[t]
                running = delta + args.gamma * args.gae_lambda * alive * running
                advantage_t[t], following = running, value_t[t]
        target_t = advantage_t + value_t

        flat = [x.reshape(steps * n, *x.shape[2:]) for x in (obs_t, mask_t, action_t, logprob_t, advantage_t, target_t)]
        for _ in range(args.update_epochs):
            for rows in torch.randperm(steps * n).chunk(args.num_minibatches):
                o, m, a, old, adv, target = (x[rows] for x in flat)
                _, logprob, entropy, value = agent.act(o, m, a)
                if args.norm_adv:
                    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                ratio = (logprob - old).exp()
                policy_loss = -torch.min(adv * ratio, adv * ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)).mean()
                value_loss = 0.5 * (value - target).square().mean()
                loss = policy_loss - args.ent_coef * entropy.mean() + args.vf_coef * value_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()

        if update * 10 // updates > tenths:
            tenths = update * 10 // updates
            mean = float(np.mean(returns)) if returns else float("nan")
            sps = int(update * n * steps / (time.time() - began))
            print(f"step {update * n * steps:>9}  return {mean:+.3f} over {len(returns)} episodes  {sps} steps/s", flush=True)
            returns = []
    envs.close()
    after = evaluate(agent, args, client)
    print(f"after training: return {after} against {args.opponents}", flush=True)
    return before, after


def main() -> None:
    args = parse()
    if args.server:
        with privateer.Client(args.server) as client:
            train(args, client)
        return
    with privateer.launch() as server, server.client() as client:
        train(args, client)


if __name__ == "__main__":
    main()
