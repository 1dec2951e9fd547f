"""Masked PPO on as many machines as there are: actors of Ray that play, against themselves or bots, and one learner.

    python examples/ray_rollouts.py --game leduc --workers 2 --total-decisions 400000

Each actor has an environment of its own over shared memory, pulls the newest weights, plays some steps with them, and says
whose each reward was (privateer.credit). The learner takes what comes first, improves the network by PPO, and lets that actor continue with the
new weights; it waits for nobody. Actors that die, alone or with their machine, are started again by Ray. What the learner has counted
it has learnt from, and with --checkpoint it is on the disk too: the same command continues.

The network is NumPy's, so that nothing but Ray is needed; self_play.py is the same on one machine with PyTorch. On a cluster, run this
where Ray runs (RAY_ADDRESS says where), with the privateer wheel installed on every machine.
"""

from __future__ import annotations

import argparse
import os
import secrets
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import ray

import privateer

Weights = dict[str, np.ndarray]


def parse(argv: list[str] | None = None) -> argparse.Namespace:
    """The flags, with self_play.py's names where they mean the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--opponents", help="the bot of all other seats, such as random (default: all seats are the network's)")
    parser.add_argument("--workers", type=int, default=2, help="actors that play, each on a core")
    parser.add_argument("--total-decisions", type=int, default=400_000)
    parser.add_argument("--num-envs", type=int, default=256, help="matches of each actor")
    parser.add_argument("--num-steps", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--ent-coef", type=float, default=0.02)
    parser.add_argument("--update-epochs", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1, help="of the network")
    parser.add_argument("--checkpoint", type=Path, help="file to continue from and to write")
    parser.add_argument("--eval-matches", type=int, default=4096)
    return parser.parse_args(argv)


class Forward(NamedTuple):
    """What a network says of some decisions."""

    scaled: np.ndarray  #: [N, D]
    hidden: np.ndarray  #: [N, H]
    log_probs: np.ndarray  #: [N, A], very low at illegal actions
    value: np.ndarray  #: [N]


def fresh(spec: privateer.GameSpec, hidden: int, seed: int) -> Weights:
    """A network with one hidden layer, a head for the policy and one for the value."""
    draws, inputs, actions = np.random.default_rng(seed), spec.observation.size, len(spec.actions)
    return {
        "scales": spec.observation.scales().astype(np.float32),
        "body": draws.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
        "body_bias": np.zeros(hidden, np.float32),
        "policy": draws.normal(0, 0.01, (hidden, actions)).astype(np.float32),
        "policy_bias": np.zeros(actions, np.float32),
        "value": draws.normal(0, 0.1, hidden).astype(np.float32),
        "value_bias": np.zeros((), np.float32),
    }


def forward(w: Weights, observation: np.ndarray, mask: np.ndarray) -> Forward:
    scaled = observation * w["scales"]
    hidden = np.tanh(scaled @ w["body"] + w["body_bias"])
    logits = np.where(mask != 0, hidden @ w["policy"] + w["policy_bias"], np.finfo(np.float32).min)
    logits -= logits.max(1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    return Forward(scaled, hidden, log_probs, hidden @ w["value"] + w["value_bias"])


def choose(log_probs: np.ndarray, draws: np.random.Generator) -> np.ndarray:
    """A draw for each row: the largest of logits with Gumbel noise is one from their softmax."""
    return (log_probs + draws.gumbel(size=log_probs.shape)).argmax(1)


class Rollout(NamedTuple):
    """Decisions to learn from, and who played them."""

    observation: np.ndarray  #: [N, D] uint8
    mask: np.ndarray  #: [N, A] uint8
    action: np.ndarray  #: [N]
    log_prob: np.ndarray  #: [N], of the action when it was played
    advantage: np.ndarray  #: [N]
    target: np.ndarray  #: [N]
    node: str
    process: int


@ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD")
class Player:
    """Plays some matches. Ray starts it again if it dies, and asks again for what it had not answered."""

    def __init__(self, game: str, matches: int, opponents: str | None) -> None:
        # By a seed that is drawn: one that is started again must not play the same deals again.
        seed = secrets.randbits(63)
        self.draws = np.random.default_rng(seed)
        self.envs = privateer.make_vec(
            game, matches, opponents=opponents, shuffle_seats=opponents is not None, autoreset_mode="SAME_STEP", seed=seed
        )
        self.observation, self.infos = self.envs.reset()

    def play(self, w: Weights, steps: int) -> Rollout:
        spec, n = self.envs.session.spec, self.envs.num_envs
        seen = np.empty((steps, n, spec.observation.size), np.uint8)
        mask = np.empty((steps, n, len(spec.actions)), np.uint8)
        action, log_prob, value = np.empty((steps, n), np.int32), np.empty((steps, n), np.float32), np.empty((steps, n), np.float32)
        rewards, ended = np.empty((steps, n, spec.seats), np.float32), np.empty((steps, n), np.bool_)
        players = np.empty((steps, n), np.int32)
        for t in range(steps):
            seen[t], mask[t], players[t] = self.observation, self.infos["action_mask"], self.infos["current_player"]
            out = forward(w, seen[t], mask[t])
            action[t], value[t] = choose(out.log_probs, self.draws), out.value
            log_prob[t] = out.log_probs[np.arange(n), action[t]]
            self.observation, _, terminated, truncated, self.infos = self.envs.step(action[t])
            rewards[t], ended[t] = self.infos["rewards"], terminated | truncated
        earned = privateer.credit(rewards, players, value, ended)
        k = earned.closed  # the others' worth is not known yet
        where = ray.get_runtime_context().get_node_id(), os.getpid()
        return Rollout(seen[k], mask[k], action[k], log_prob[k], earned.advantage[k], earned.target[k], *where)


class Learner:
    """The network, what has been learnt from, and Adam's moments: all that must not be lost."""

    def __init__(self, args: argparse.Namespace, spec: privateer.GameSpec) -> None:
        self.args = args
        self.weights = fresh(spec, args.hidden, args.seed)
        self.learnt = [name for name in self.weights if name != "scales"]
        self.first = {name: np.zeros_like(self.weights[name]) for name in self.learnt}
        self.second = {name: np.zeros_like(self.weights[name]) for name in self.learnt}
        self.decisions = self.rollouts = self.moves = 0
        self.draws = np.random.default_rng(args.seed)
        if args.checkpoint and args.checkpoint.exists():
            self.load(args.checkpoint)

    def learn(self, r: Rollout) -> None:
        """Improve the network by a rollout, and count it."""
        n = len(r.action)
        advantage = (r.advantage - r.advantage.mean()) / (r.advantage.std() + 1e-8)
        for _ in range(self.args.update_epochs):
            for k in np.array_split(self.draws.permutation(n), 4):
                self.move(self.gradient(r, k, advantage[k]))
        self.decisions += n
        self.rollouts += 1
        if self.args.checkpoint:
            self.save(self.args.checkpoint)

    def gradient(self, r: Rollout, k: np.ndarray, advantage: np.ndarray) -> Weights:
        """Of PPO's clipped loss, less some entropy, plus half the squared error of values, over rows k."""
        out, rows = forward(self.weights, r.observation[k], r.mask[k]), np.arange(len(k))
        probs = np.exp(out.log_probs)
        ratio = np.exp(out.log_probs[rows, r.action[k]] - r.log_prob[k])
        clipped = np.where(advantage > 0, ratio > 1.2, ratio < 0.8)
        weight = np.where(clipped, 0, -advantage * ratio)[:, None]
        entropy = -(probs * out.log_probs).sum(1, keepdims=True)
        logits = weight * (np.eye(probs.shape[1], dtype=np.float32)[r.action[k]] - probs)
        logits += self.args.ent_coef * probs * (out.log_probs + entropy)
        value = out.value - r.target[k]
        body = (logits @ self.weights["policy"].T + value[:, None] * self.weights["value"]) * (1 - out.hidden**2)
        summed = {
            "policy": out.hidden.T @ logits, "policy_bias": logits.sum(0), "value": value @ out.hidden, "value_bias": value.sum(),
            "body": out.scaled.T @ body, "body_bias": body.sum(0),
        }
        return {name: g / len(k) for name, g in summed.items()}

    def move(self, gradient: Weights) -> None:
        """A step of Adam (Kingma and Ba, 2015), with the gradient's norm clipped. Actors may still read the old arrays."""
        self.moves += 1
        norm = sum(float((g**2).sum()) for g in gradient.values()) ** 0.5
        for name, g in gradient.items():
            g = g * min(1, 0.5 / (norm + 1e-6))
            self.first[name] = 0.9 * self.first[name] + 0.1 * g
            self.second[name] = 0.999 * self.second[name] + 0.001 * g**2
            mean, square = self.first[name] / (1 - 0.9**self.moves), self.second[name] / (1 - 0.999**self.moves)
            self.weights[name] = (self.weights[name] - self.args.learning_rate * mean / (np.sqrt(square) + 1e-5)).astype(np.float32)

    def save(self, path: Path) -> None:
        """Write all of it, whole or not at all."""
        part = path.with_name(path.name + ".part")
        kept = {f"{kind}/{name}": a for kind in ("weights", "first", "second") for name, a in getattr(self, kind).items()}
        with part.open("wb") as file:
            np.savez(file, counts=[self.decisions, self.rollouts, self.moves], **kept)
        os.replace(part, path)

    def load(self, path: Path) -> None:
        with np.load(path) as kept:
            self.decisions, self.rollouts, self.moves = map(int, kept["counts"])
            for kind in ("weights", "first", "second"):
                getattr(self, kind).update({name: kept[f"{kind}/{name}"] for name in getattr(self, kind)})


class Training:
    """Actors and the learner."""

    def __init__(self, args: argparse.Namespace) -> None:
        with privateer.make(args.game, 1) as session:
            self.learner = Learner(args, session.spec)
        self.args = args
        self.players = [Player.remote(args.game, args.num_envs, args.opponents) for _ in range(args.workers)]  # type: ignore[attr-defined]
        self.asked: dict[ray.ObjectRef, ray.actor.ActorHandle] = {}
        self.learning = 0.0  # seconds
        for player in self.players:
            self.ask(player)

    def ask(self, player: ray.actor.ActorHandle) -> None:
        """Let an actor play with the newest weights, which its machine pulls from this one's memory."""
        self.asked[player.play.remote(ray.put(self.learner.weights), self.args.num_steps)] = player

    def step(self) -> Rollout:
        """Learn from whatever comes first."""
        [first], _ = ray.wait(list(self.asked))
        player = self.asked.pop(first)
        try:
            rollout: Rollout = ray.get(first)
        except ray.exceptions.ObjectLostError:  # its machine died before it was fetched
            self.ask(player)
            return self.step()
        began = time.monotonic()
        self.learner.learn(rollout)
        self.learning += time.monotonic() - began
        self.ask(player)
        return rollout

    def close(self) -> None:
        """Let the actors end what they play, and go."""
        ray.wait(list(self.asked), num_returns=len(self.asked), timeout=60)
        self.asked.clear()
        self.players.clear()


class Results(NamedTuple):
    """How a network does against random players, from all seats."""

    wins: float  #: the share of matches; one without a winner counts half
    earned: float  #: the mean return

    def __str__(self) -> str:
        return f"wins {self.wins:.3f} of its matches against random and earns {self.earned:+.3f}"


def judge(w: Weights, game: str, matches: int, seed: int = 2**32) -> Results:
    """Play matches that are not trained on, each to its end."""
    envs = privateer.make_vec(game, matches, opponents="random", shuffle_seats=True, autoreset_mode="DISABLED", seed=seed)
    draws, returns, going = np.random.default_rng(seed), np.zeros(matches), np.ones(matches, np.bool_)
    seen, infos = envs.reset()
    while going.any():
        seen, _, _, _, infos = envs.step(choose(forward(w, seen, infos["action_mask"]).log_probs, draws))
        if "episode_return" in infos:
            ended = infos["_episode_return"]
            returns[ended] = infos["episode_return"][ended]
            going &= ~ended
    envs.close()
    return Results(float((np.sign(returns) + 1).mean() / 2), float(returns.mean()))


def main() -> None:
    args = parse()
    ray.init(log_to_driver=False, logging_level="WARNING")
    training = Training(args)
    learner = training.learner
    print(f"{args.game}, {args.workers} actors: the network {judge(learner.weights, args.game, args.eval_matches)}")
    training.step()  # until here actors have started
    training.learning, began, tenths, before = 0.0, time.monotonic(), 0, learner.decisions
    while learner.decisions < args.total_decisions:
        rollout = training.step()
        if learner.decisions * 10 // args.total_decisions > tenths:
            tenths = learner.decisions * 10 // args.total_decisions
            spent = time.monotonic() - began
            size = sum(a.nbytes for a in rollout if isinstance(a, np.ndarray)) / len(rollout.action)
            print(
                f"{learner.decisions:>9} decisions  {(learner.decisions - before) / spent:,.0f} a second  "
                f"learner busy {training.learning / spent:.0%}  {size:.0f} bytes a decision",
                flush=True,
            )
    training.close()
    print(f"the network {judge(learner.weights, args.game, args.eval_matches)}")


if __name__ == "__main__":
    main()
