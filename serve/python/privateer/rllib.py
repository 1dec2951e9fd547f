"""One match as RLlib's environments, for self-play by its new API stack.

    PPOConfig().environment(privateer.rllib.SelfPlay, env_config={"game": "leduc"}, disable_env_checking=True)

Observations have the names that RLlib's own module for masked actions wants (``ActionMaskingTorchRLModule``). Ray's check of
environments is to be left out: it plays whatever it draws, whether it is legal or not.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo.utils import BaseWrapper
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from torch import nn

from privateer.batch import Batch
from privateer.connect import make
from privateer.given import action_of
from privateer.session import NOT_RESET
from privateer.spec import GameSpec
from privateer.zoo import GONE, aec_env


class SelfPlay(MultiAgentEnv):
    """One match: the agent that is to act observes, all are paid at once, and all see the end.

    ``config`` has the ``game``. Seeds of ``reset`` are not listened to, because RLlib gives neighbouring workers the same ones, and, if it
    samples complete episodes, each worker its first seed before every sample: a few deals would be all that is ever played.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self.session = make(config["game"], 1, autoreset="DISABLED", seed=secrets.randbits(63))
        spec = self.session.spec
        self._scales, self._no_mask = spec.observation.scales(), np.ones(len(spec.actions))
        self.possible_agents = [f"player_{i}" for i in range(spec.seats)]
        self.agents = self.possible_agents[:]
        self.observation_spaces = dict.fromkeys(self.agents, _space(spec))
        self.action_spaces = dict.fromkeys(self.agents, spaces.Discrete(len(spec.actions)))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal the next match."""
        return self._views(self.session.reset()), {}

    def _views(self, batch: Batch) -> dict[str, Any]:
        """What the agent that is to act sees or, at the end, what all see."""
        if (ends := batch.endings) is not None:
            return {agent: _view(ends.final_observation[0, i], self._scales, self._no_mask) for i, agent in enumerate(self.possible_agents)}
        return {self.possible_agents[batch.current_player[0]]: _view(batch.observation[0], self._scales, batch.action_mask[0])}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Perform the action of the agent that is to act, and of no other.

        Raises:
            TypeError, ValueError: it is no integer, another agent's or missing, or the match is over.
        """
        if (before := self.session.batch) is None:
            raise ValueError(NOT_RESET)
        if before.terminated[0] or before.truncated[0]:
            raise ValueError(GONE)
        acting = self.possible_agents[before.current_player[0]]
        if list(action_dict) != [acting]:
            raise ValueError(f"actions of {', '.join(map(str, action_dict)) or 'nobody'}: {acting} is to act")
        batch = self.session.step([action_of(action_dict[acting])])
        rewards = {agent: float(batch.reward[0, i]) for i, agent in enumerate(self.possible_agents)}
        over, cut = {"__all__": bool(batch.terminated[0])}, {"__all__": bool(batch.truncated[0])}
        return self._views(batch), rewards, over, cut, {}

    def close(self) -> None:
        self.session.close()


class _Renamed(BaseWrapper):
    """PettingZoo's environment of a match, whose observations have RLlib's names."""

    def __init__(self, game: str) -> None:
        env = aec_env(game, seed=secrets.randbits(63))
        super().__init__(env)
        self._scales, self._seen = env.spec.observation.scales(), _space(env.spec)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._seen

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        seen = self.env.observe(agent)
        return _view(seen["observation"], self._scales, seen["action_mask"])


def pettingzoo_env(config: dict[str, Any]) -> PettingZooEnv:
    """The same by way of :func:`privateer.aec_env` and RLlib's wrapper of PettingZoo, for ``ray.tune.register_env``."""
    return PettingZooEnv(_Renamed(config["game"]))


def network(module: Any) -> nn.Sequential:
    """The policy's layers of RLlib's PPO module (``algorithm.get_module(…)``), as :func:`privateer.save_bundle` takes them."""
    return nn.Sequential(*module.encoder.actor_encoder.net.mlp, *module.pi.net.mlp)


def _space(spec: GameSpec) -> spaces.Dict:
    seen, actions = spaces.Box(0, np.inf, (spec.observation.size,), np.float32), len(spec.actions)
    return spaces.Dict({"observations": seen, "action_mask": spaces.Box(0, 1, (actions,), np.float32)})


def _view(observation: np.ndarray, scales: np.ndarray, mask: np.ndarray) -> dict[str, np.ndarray]:
    return {"observations": observation * scales, "action_mask": mask.astype(np.float32)}
