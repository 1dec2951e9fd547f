"""Our vectors as Stable-Baselines3 wants them.

    from sb3_contrib import MaskablePPO

    envs = privateer.sb3.vec_env("leduc", 256, opponents="random")
    MaskablePPO("MlpPolicy", envs).learn(600_000)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from privateer.given import seed_of
from privateer.session import NOT_RESET
from privateer.vector import PrivateerVectorEnv, make_vec


class PrivateerVecEnv(VecEnv):
    """A :class:`privateer.PrivateerVectorEnv` with SAME_STEP, as a ``VecEnv``.

    Masks are where sb3-contrib looks for them (``action_masks``); a finished episode has its return and length in
    ``infos[row]["episode"]``, so that no ``VecMonitor`` is needed.
    """

    _seeds: list[int | None]
    reset_infos: list[dict[str, Any]]

    def __init__(self, envs: PrivateerVectorEnv) -> None:
        if envs.autoreset_mode != AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset {envs.autoreset_mode.name}: Stable-Baselines3 wants SAME_STEP")
        if envs.player is None:
            raise ValueError("opponents=None: Stable-Baselines3 learns one player; name bots for the others")
        self.envs = envs
        self.render_mode = envs.render_mode
        self._masks: np.ndarray | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def seed(self, seed: int | None = None) -> Sequence[None | int]:
        """Begin, with the next reset, what a vector of this seed begins; None leaves it to go on."""
        self._seeds = [None if seed is None else seed_of(seed)] * self.num_envs
        return self._seeds

    def reset(self) -> np.ndarray:
        """Begin new episodes, from the seed that :meth:`seed` has set, if it has."""
        seed, self._seeds = self._seeds[0], [None] * self.num_envs
        seen, infos = self.envs.reset(seed=seed)
        self._masks = infos["action_mask"].astype(np.bool_)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return seen

    def step_async(self, actions: np.ndarray) -> None:
        self.envs.step_async(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        seen, reward, terminated, truncated, infos = self.envs.step_wait()
        self._masks = infos["action_mask"].astype(np.bool_)
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(infos.get("_illegal_action", False)):
            each[row]["illegal_action"] = int(infos["illegal_action"][row])
        done = terminated | truncated
        for row in np.flatnonzero(done):
            each[row] |= {
                "terminal_observation": infos["final_obs"][row],
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
                "episode": {"r": float(infos["episode_return"][row]), "l": int(infos["episode_length"][row]), "t": 0.0},
            }
        return seen, reward, done, each

    def action_masks(self) -> np.ndarray:
        """Which actions are legal now: ``[N, A]`` bool."""
        if self._masks is None:
            raise ValueError(NOT_RESET)
        return self._masks.copy()

    def close(self) -> None:
        self.envs.close()

    def get_images(self) -> Sequence[np.ndarray | None]:
        """There are no pictures of pixels."""
        return [None] * self.num_envs

    def _rows(self, indices: None | int | Iterable[int]) -> list[int]:
        return list(self._get_indices(indices))

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: None | int | Iterable[int] = None) -> list[Any]:
        """The same for all rows: they are one environment."""
        value = self.action_masks if attr_name == "action_masks" else getattr(self.envs, attr_name)
        return [value for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: None | int | Iterable[int] = None) -> None:
        raise AttributeError(f"{attr_name}: the rows are one environment and have no attributes of their own to set")

    def env_method(self, method_name: str, *args: Any, indices: None | int | Iterable[int] = None, **kwargs: Any) -> list[Any]:
        """``action_masks``, by row; rows have no other methods of their own."""
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: the rows are one environment, and action_masks is the only method they have")
        masks = self.action_masks()
        return [masks[row] for row in self._rows(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: None | int | Iterable[int] = None) -> list[bool]:
        return [False for _ in self._rows(indices)]


def vec_env(game: str, num_envs: int, *, dtype: Any = np.float32, **options: Any) -> PrivateerVecEnv:
    """A ``VecEnv`` of ``num_envs`` matches; ``options`` are those of :func:`privateer.make_vec`."""
    return PrivateerVecEnv(make_vec(game, num_envs, autoreset_mode="SAME_STEP", dtype=dtype, **options))
