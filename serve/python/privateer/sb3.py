"""Our vectors as Stable-Baselines3 wants them.

    from sb3_contrib import MaskablePPO

    envs = privateer.sb3.vec_env("leduc", 256, opponents="random")
    MaskablePPO("MlpPolicy", envs).learn(600_000)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import NormalizeObservation, TransformObservation
from stable_baselines3.common.vec_env import (
    DummyVecEnv,
    VecCheckNan,
    VecEnv,
    VecEnvWrapper,
    VecExtractDictObs,
    VecMonitor,
    VecNormalize,
    VecVideoRecorder,
)

from privateer.given import seed_of
from privateer.session import NOT_RESET
from privateer.single import PrivateerEnv
from privateer.spec import GameSpec
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
        """Begin, with the next reset, what a vector of this seed begins; None lets it continue."""
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
        """A picture of each match, ``[H, W, 3]`` uint8, with ``render_mode="rgb_array"``."""
        return (self.envs.render() if self.render_mode == "rgb_array" else None) or [None] * self.num_envs

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


def reads(algorithm: Any, spec: GameSpec, forms: dict[str, Any], inputs: str | None) -> tuple[Callable[[np.ndarray], np.ndarray], str]:
    """What an algorithm, or its policy, is given of our observations ``[N, D]`` of bytes, and where that is known from.

    ``forms`` are the ways in which environments of ours show them, ``scaled`` and ``bytes``, and ``inputs`` is the one that the caller has named.
    """
    space, policy = algorithm.observation_space, getattr(algorithm, "policy", algorithm)
    base, steps = _between(algorithm.get_env() if hasattr(algorithm, "get_env") else None)
    form = base or _form_of(space, spec)
    if form is None:
        raise ValueError(f"its observations are {space}, which no environment of ours has: want those of make_vec or gymnasium.make, as uint8 or float32")
    if inputs not in (None, form):
        raise ValueError(f"inputs {inputs!r}: its environment gives it {form!r}: leave inputs out")

    def read(x: np.ndarray) -> np.ndarray:
        seen = forms[form](x)
        for step in steps:
            seen = step(seen)
        return np.asarray(seen)

    last = getattr(algorithm, "_last_obs", None)
    if last is not None and not steps:
        # Whatever is between, it was given no more than there is to see.
        seen, unit = np.asarray(last, np.float64), forms[form](np.ones(spec.observation.size, np.uint8)).astype(np.float64)
        if (np.abs(seen / unit - np.rint(seen / unit)) > 1e-3).any() or (seen < 0).any() or (seen / unit > spec.observation.maxima() + 1e-3).any():
            raise ValueError(
                "what it was given last is no observation of ours: something between changes them, as VecNormalize does. "
                "Load the model with its environment (PPO.load(path, env=VecNormalize.load(…))), so that this can be taken into the bundle"
            )
    return read, f"what {type(policy).__name__} reads"


def _form_of(space: Any, spec: GameSpec) -> str | None:
    """How an environment of ours shows observations in this space."""
    most = spec.observation.maxima()
    if not isinstance(space, spaces.Box) or space.shape != most.shape or space.low.any():
        return None
    if space.dtype == np.uint8 and np.array_equal(space.high, most):
        return "bytes"
    return "scaled" if space.dtype == np.float32 and np.allclose(space.high, most * spec.observation.scales()) else None


# Wrappers that leave observations as they are: modules of Gymnasium and others, and classes of Stable-Baselines3.
_PLAIN = (
    "gymnasium.wrappers.common",
    "gymnasium.wrappers.rendering",
    "gymnasium.wrappers.stateful_reward",
    "gymnasium.wrappers.transform_reward",
    "stable_baselines3.common.monitor",
    "sb3_contrib.common.wrappers.action_masker",
)
_PLAIN_VECS = (VecMonitor, VecCheckNan, VecExtractDictObs, VecVideoRecorder)


def _between(envs: Any) -> tuple[str | None, list[Callable[[np.ndarray], Any]]]:
    """How the environment behind others shows its observations, None if that cannot be seen from here, and what those do to them, in order."""
    steps: list[Callable[[np.ndarray], Any]] = []

    def refused(wrapper: Any) -> ValueError:
        name = type(wrapper).__name__
        return ValueError(
            f"its environment is behind {name}, and what that makes of observations no bundle computes: train without it, or give model.policy "
            "and not the model if it leaves them as they are"
        )

    while isinstance(envs, VecEnvWrapper):
        if isinstance(envs, VecNormalize) and not isinstance(envs.observation_space, spaces.Dict):
            if envs.norm_obs:
                steps.append(envs.normalize_obs)
        elif not isinstance(envs, _PLAIN_VECS):
            raise refused(envs)
        envs = envs.venv
    if isinstance(envs, PrivateerVecEnv):
        return ("scaled" if envs.observation_space.dtype == np.float32 else "bytes"), steps[::-1]
    if not isinstance(envs, DummyVecEnv):
        return None, steps[::-1]  # in processes of its own, or there is none
    env: Any = envs.envs[0]
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, NormalizeObservation) and len(envs.envs) == 1:
            steps.append(functools.partial(_normalized, mean=env.obs_rms.mean, deviation=np.sqrt(env.obs_rms.var + env.epsilon)))
        elif isinstance(env, TransformObservation):
            steps.append(functools.partial(_each, env.func))
        elif type(env).__module__ not in _PLAIN:
            raise refused(env)
        env = env.env
    if not isinstance(env, PrivateerEnv):
        return None, steps[::-1]
    return ("scaled" if env._scales is not None else "bytes"), steps[::-1]


def _normalized(x: np.ndarray, mean: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    return np.asarray((x - mean) / deviation, np.float32)


def _each(func: Callable[[np.ndarray], Any], x: np.ndarray) -> np.ndarray:
    return np.stack([func(one) for one in x])


def vec_env(game: str, num_envs: int, *, dtype: Any = np.float32, **options: Any) -> PrivateerVecEnv:
    """A ``VecEnv`` of ``num_envs`` matches; ``options`` are those of :func:`privateer.make_vec`."""
    return PrivateerVecEnv(make_vec(game, num_envs, autoreset_mode="SAME_STEP", dtype=dtype, **options))
