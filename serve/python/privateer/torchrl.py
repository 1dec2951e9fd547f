"""Our vectors as TorchRL's environments, in batches and with masks that its action specs draw by.

    env = privateer.torchrl.env("leduc", 256, opponents="random")
    env.rollout(100, policy, break_when_any_done=False)

One match with all its players is TorchRL's ``PettingZooWrapper(privateer.aec_env(game), use_mask=True)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from privateer.given import seed_of
from privateer.vector import PrivateerVectorEnv, make_vec


class PrivateerTorchRLEnv(EnvBase):
    """A :class:`privateer.PrivateerVectorEnv` with DISABLED, as an ``EnvBase`` of batch size ``[N]``.

    A tensordict has ``observation`` ``[N, D]`` (uint8 or float32, as the vector), ``action_mask`` ``[N, A]`` bool, ``reward`` ``[N, 1]``
    float32 (earnings of ``player`` since its last decision), ``terminated``, ``truncated`` and ``done`` ``[N, 1]`` bool; an action is
    ``[N]`` int64. ``action_spec`` has the present mask, so that ``rand_action`` and exploration draw legal actions.

    Raises:
        ValueError: the vector has another autoreset, or plays all players.
    """

    def __init__(self, envs: PrivateerVectorEnv) -> None:
        if envs.autoreset_mode != AutoresetMode.DISABLED:
            raise ValueError(f"autoreset {envs.autoreset_mode.name}: TorchRL resets rows itself and wants DISABLED")
        if envs.player is None:
            raise ValueError("opponents=None: this environment has one player; name bots for the others, or use TorchRL's PettingZooWrapper")
        super().__init__(batch_size=[envs.num_envs])
        self.envs = envs
        n, actions = envs.num_envs, len(envs.session.spec.actions)
        space: Any = envs.single_observation_space
        least, most = (torch.from_numpy(np.tile(edge, (n, 1))) for edge in (space.low, space.high))
        self.observation_spec = Composite(
            observation=Bounded(least, most, dtype=least.dtype),
            action_mask=Binary(actions, shape=(n, actions), dtype=torch.bool),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, shape=(n,))
        self.reward_spec = Unbounded((n, 1))
        ended = Categorical(2, shape=(n, 1), dtype=torch.bool)
        self.done_spec = Composite(done=ended, terminated=ended.clone(), truncated=ended.clone(), shape=(n,))
        self._seed: int | None = None

    def _seen(self, observations: np.ndarray, infos: dict[str, Any]) -> dict[str, torch.Tensor]:
        mask = torch.tensor(infos["action_mask"]).bool()
        # Copies: TorchRL keeps the tensors of many steps, and what is drawn by does not depend on what becomes of them.
        self.action_spec.update_mask(mask.clone())
        return {"observation": torch.tensor(observations), "action_mask": mask}

    def _reset(self, tensordict: TensorDictBase | None, **_: Any) -> TensorDictBase:
        rows = None if tensordict is None else tensordict.get("_reset", None)
        if rows is None:
            seed, self._seed = self._seed, None
            seen = self._seen(*self.envs.reset(seed=seed))
        else:
            seen = self._seen(*self.envs.reset(options={"reset_mask": rows.reshape(-1).numpy()}))
        return TensorDict(seen, batch_size=self.batch_size)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        observations, rewards, terminated, truncated, infos = self.envs.step(tensordict["action"])
        after = self._seen(observations, infos)
        for name, each in (("reward", rewards), ("terminated", terminated), ("truncated", truncated), ("done", terminated | truncated)):
            after[name] = torch.from_numpy(each)[:, None]
        return TensorDict(after, batch_size=self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        self._seed = None if seed is None else seed_of(seed)

    def close(self, *, raise_if_closed: bool = True) -> None:
        """End the matches."""
        self.envs.close()
        super().close(raise_if_closed=raise_if_closed)


def env(game: str, num_envs: int, *, dtype: Any = np.float32, **options: Any) -> PrivateerTorchRLEnv:
    """An ``EnvBase`` of ``num_envs`` matches; ``options`` are those of :func:`privateer.make_vec`."""
    return PrivateerTorchRLEnv(make_vec(game, num_envs, autoreset_mode=AutoresetMode.DISABLED, dtype=dtype, **options))
