"""One match as a Gymnasium environment, for one learner among bots, and the ids under which Gymnasium knows our games.

    env = gymnasium.make("privateer/Doubloons-v1", seats=4, opponents="heuristic")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from privateer.batch import Batch
from privateer.connect import open_session
from privateer.errors import PrivateerError
from privateer.given import action_of, seed_of
from privateer.picture import Film
from privateer.session import NOT_RESET, Requests
from privateer.tasks import TASKS, id_of
from privateer.vector import Opponents, PrivateerVectorEnv, make_vec
from privateer.zoo import RENDER_MODES, Illegal, known, legal, shown

#: The ids and their games: ``privateer/Kuhn-v1`` and so on for any settings, and those of the tasks of scores.
IDS = {
    "privateer/Kuhn-v1": "kuhn",
    "privateer/Leduc-v1": "leduc",
    "privateer/Doubloons-v1": "doubloons",
    "privateer/JollyRoger-v1": "jolly_roger",
    **{id_of(task): game for task, game in TASKS.items()},
}


class PrivateerEnv(gymnasium.Env[Any, np.int64]):
    """One match, of which this side plays one player and bots play the others.

    ``game`` is a game string; further parameters of it may be given by name, as in ``seats=4``. An
    observation is ``[D]`` uint8, or float32 as values by ``dtype``; with ``masked`` it is a dict of
    ``observation`` and ``action_mask``. The mask ``[A]`` int8 is in ``info["action_mask"]`` too, and :meth:`action_masks`
    has it as sb3-contrib asks for it. The reward is what ``player`` earned since its last decision.

    ``illegal`` is the treatment of an illegal action: with ``random``, a legal one is drawn
    instead, and ``info["illegal_action"]`` has the requested one, because many wrappers sample
    without masks; ``raise`` is better for a learner of your own.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        opponents: Opponents = "random",
        player: int = 0,
        client: Requests | str | None = None,
        seed: int | None = None,
        shuffle_seats: bool = False,
        max_decisions: int = 0,
        dtype: npt.DTypeLike = np.uint8,
        masked: bool = False,
        illegal: Illegal = "random",
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        if np.dtype(dtype) not in (np.uint8, np.float32):
            raise ValueError(f"dtype {np.dtype(dtype)}: want uint8 or float32")
        render_mode, self._illegal = shown(render_mode), known(illegal)
        game = with_parameters(game, parameters)
        self._recipe: dict[str, Any] = {
            "game": game,
            "opponents": opponents,
            "player": player,
            "client": client,
            "seed": seed,
            "shuffle_seats": shuffle_seats,
            "max_decisions": max_decisions,
            "dtype": dtype,
            "masked": masked,
            "illegal": illegal,
            "render_mode": render_mode,
        }
        try:
            self._session = open_session(
                client,
                game,
                1,
                opponents=opponents,
                player=player,
                seed=seed,
                autoreset="DISABLED",
                max_decisions=max_decisions,
                shuffle_seats=shuffle_seats,
            )
        except PrivateerError as error:
            for name in parameters:
                if f'no parameter "{name}"' in str(error):
                    # As of any function: libraries that try a keyword, such as TorchRL with frameskip, then continue without it.
                    raise TypeError(f"unexpected keyword argument {name!r}, which is no parameter of the game either: {error}") from None
            raise
        spec = self._session.spec
        self.render_mode = render_mode
        self._film = Film()
        self._player, self._masked = player, masked
        self._mask: np.ndarray | None = None  # of what is legal now
        self._scales = spec.observation.scales() if np.dtype(dtype) == np.float32 else None
        maxima = spec.observation.maxima()
        most = maxima if self._scales is None else maxima * self._scales
        seen = spaces.Box(np.zeros_like(most), most, dtype=most.dtype.type)
        self.action_space: spaces.Discrete = spaces.Discrete(len(spec.actions))
        self.observation_space: spaces.Space[Any] = seen
        if masked:
            self.observation_space = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (len(spec.actions),), np.int8)})

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        # As its recipe: the copy is a match of its own, which is to be reset first.
        return functools.partial(type(self), **self._recipe), ()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new match. Without a seed it is the next of the same series."""
        seed = None if seed is None else seed_of(seed)
        super().reset(seed=seed)
        batch = self._session.reset(seed)
        self._mask = batch.action_mask[0].copy()
        self._show()
        return self._observation(batch), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Perform an action, and those of bots until it is this side's turn again. A match that is over stays so until it is reset.

        Raises:
            TypeError, ValueError: the action is no integer, or the environment has not been reset.
            IllegalActionError: it is not legal, with ``illegal="raise"``.
        """
        number, refused = action_of(action), None
        if self._illegal == "random":
            number, refused = legal(number, self._legal(), self.np_random)
        batch = self._session.step([number])
        self._mask = batch.action_mask[0].copy()
        info = self._info()
        if refused is not None:
            info["illegal_action"] = refused
        self._show()
        reward = float(batch.reward[0, self._player])
        return self._observation(batch), reward, bool(batch.terminated[0]), bool(batch.truncated[0]), info

    def _legal(self) -> np.ndarray:
        if self._mask is None:
            raise ValueError(NOT_RESET)
        return self._mask

    def action_masks(self) -> np.ndarray:
        """Which actions are legal now: ``[A]`` bool."""
        return self._legal().astype(np.bool_)

    # What is handed out is the caller's to write to.

    def _observation(self, batch: Batch) -> Any:
        seen = batch.observation[0].copy() if self._scales is None else batch.observation[0] * self._scales
        return {"observation": seen, "action_mask": self._legal().astype(np.int8)} if self._masked else seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._legal().astype(np.int8)}

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self._session.render())

    def render(self) -> Any:
        """The match as this side sees it: text with ``ansi``, a picture ``[H, W, 3]`` uint8 of one size with ``rgb_array``, for which the
        extra ``video`` is needed; with ``human`` text is printed after each step.
        """
        if self.render_mode == "rgb_array":
            return self._film.frame(self._session.draw(view=self._player))
        return self._session.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the match. Closing again does nothing."""
        self._session.close()

    def __del__(self) -> None:
        if hasattr(self, "_session"):
            with contextlib.suppress(Exception):
                self.close()


def with_parameters(game: str, parameters: dict[str, Any]) -> str:
    """A game string with further parameters: ``("leduc", {"seats": 3})``."""
    if not parameters:
        return game
    name, _, inside = game.strip().partition("(")
    given = [part for part in inside.removesuffix(")").split(",") if part.strip()]
    text = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in parameters.items()]
    return f"{name}({','.join(given + text)})"


def vector(num_envs: int, game: str, *, illegal: Illegal = "random", **options: Any) -> PrivateerVectorEnv:
    """What ``gymnasium.make_vec`` makes of an id: :func:`privateer.make_vec`, with parameters of the game by name.

    Actions that are not legal are replaced, as in the environment of one match, so that all that Gymnasium makes of an id is alike.
    """
    if options.pop("masked", False):
        raise ValueError('masked=True: the masks of a vector are in infos["action_mask"]; vectorization_mode="sync" has them in the observations')
    named = make_vec.__kwdefaults__ or {}
    parameters = {key: options.pop(key) for key in [key for key in options if key not in named]}
    return make_vec(with_parameters(game, parameters), num_envs, illegal=illegal, **options)


def register() -> None:
    """Tell Gymnasium the ids. Doing it again does nothing."""
    for name, game in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, "privateer.single:PrivateerEnv", vector_entry_point="privateer.single:vector", kwargs={"game": game})
