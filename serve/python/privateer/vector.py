"""A Gymnasium vector environment over a session."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from privateer.batch import Batch
from privateer.connect import open_session
from privateer.given import actions_of, seeds_of
from privateer.picture import Film
from privateer.policy import Policy, PolicyBot
from privateer.session import Requests, Session
from privateer.zoo import Illegal, known, shown


def shown_in_rows(render_mode: str | None) -> str | None:
    """A way to show matches, or none: of a vector there is text alone, which is returned and not printed."""
    if shown(render_mode) == "human":
        raise ValueError("render_mode 'human': the matches of a vector are not printed: want ansi or rgb_array")
    return shown(render_mode)


class PrivateerVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """N matches, of which this side plays one player, or all of them.

    Observations are ``[N, D]``. As uint8 they are the bytes that the game wrote, not copied; over a network
    they are read-only, unless ``writable``, and so are the masks and the players. All that can be written to is the caller's: nothing that comes later, and no
    judgement of what is legal, depends on it. A trainer moves them to its device and multiplies them there with
    ``session.spec.observation.scales()``. As float32 that has been done, into a new array each time,
    four times as large. Everything else is in ``infos``:

    - ``action_mask`` ``[N, A]`` int8: 1 if an action is legal; all ones at a finished row
    - ``current_player`` ``[N]`` int32: the player to act
    - ``rewards`` ``[N, P]`` float32: each player's earnings
    - ``illegal_action`` ``[N]``: the requested action, if ``illegal="random"`` drew a legal one instead
    - ``action_rows`` ``[N]`` arrays ``[legal actions, R]`` uint8, with ``action_rows=True``: what each legal action does, in ascending order
      of actions; ``session.batch`` has them in one piece, as policies read them (``policy.act(envs.session.batch)``)
    - ``final_obs`` ``[N, D]`` and ``final_info`` of episodes that ended, with SAME_STEP
    - ``episode_return`` ``[N]`` float32, ``episode_length`` ``[N]`` int32 (decisions of this side) and
      ``player_returns`` ``[N, P]`` float32 of episodes that ended

    each with its ``_key``, ``[N]`` bool, of the rows in which it is valid. The reward of a
    row is the earnings of ``player`` since its last decision; if this side plays all players, it is
    those of the player that has just acted. The observation of an end (in ``final_obs`` with
    SAME_STEP, else in its row) is the view of ``player``, or of the player that acted last; in a
    truncated episode it is that of the player to decide next, so that its value stands for the rest of the match.
    """

    def __init__(
        self,
        session: Session,
        *,
        player: int | None = 0,
        dtype: npt.DTypeLike = np.uint8,
        render_mode: str | None = None,
        writable: bool = False,
        illegal: Illegal = "raise",
    ) -> None:
        spec, opened = session.spec, session.opened
        ours = [i for i in range(spec.seats) if not opened.players or opened.players[i] == ""]
        if player is not None and ours != [player]:
            raise ValueError(f"player {player}: this side plays {ours} of the session: give bots to the others, or player=None")
        self.session = session
        self.num_envs = session.num_envs
        self.render_mode = shown_in_rows(render_mode)
        self.player = player
        self._film = Film()
        self._writable = writable
        self._recipe: dict[str, Any] = {"player": player, "dtype": dtype, "render_mode": self.render_mode, "writable": writable}
        self._recipe["illegal"] = self._illegal = known(illegal)
        modes = [AutoresetMode.NEXT_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]
        self._same_step = modes[opened.autoreset_mode] == AutoresetMode.SAME_STEP
        #: as Gymnasium's own vector environments have it, beside ``metadata``
        self.autoreset_mode = modes[opened.autoreset_mode]
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": ["ansi", "rgb_array"], "render_fps": 4}
        maxima = spec.observation.maxima()
        self._scales: np.ndarray | None = None
        if np.dtype(dtype) == np.float32:
            self._scales = spec.observation.scales()
            self.single_observation_space = spaces.Box(np.zeros_like(self._scales), maxima * self._scales, dtype=np.float32)
        elif np.dtype(dtype) == np.uint8:
            self.single_observation_space = spaces.Box(np.zeros_like(maxima), maxima, dtype=np.uint8)
        else:
            raise ValueError(f"dtype {dtype}: want uint8 or float32")
        self.single_action_space: spaces.Discrete = spaces.Discrete(len(spec.actions))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._acting: np.ndarray | None = None
        self._mask: np.ndarray | None = None  # of what is legal now, where that is judged here
        self._kept: Callable[[], Batch | None] = lambda: None  # the batch that they are of
        self._refused: dict[str, np.ndarray] = {}

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin new episodes. One ``seed`` is for the whole vector, and vectors of different seeds have no row in common. With a list, each row
        begins the episode that a vector of one row would begin with its seed. None, for all or in a list, does not reseed.

        ``options["reset_mask"]`` ``[N]`` bool resets these rows only.
        """
        rows = (options or {}).get("reset_mask")
        seeds = seeds_of(seed, self.num_envs)
        if rows is not None and isinstance(seeds, int):
            raise ValueError("reset_mask cannot be combined with a seed of all rows: give a list with a seed for each")
        super().reset(seed=next(each for each in seeds if each is not None) if isinstance(seeds, list) else seeds)
        batch = self.session.reset(seeds, rows)
        self._keep(batch)
        return self._observations(batch), self._infos(batch)

    def _keep(self, batch: Batch) -> None:
        """Keep what the next step depends on: what is handed out is the caller's to write to."""
        self._kept = weakref.ref(batch)
        self._acting = batch.current_player.copy()
        self._mask = batch.action_mask.copy() if self._illegal == "random" else None

    def step(self, actions: npt.ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Perform one action in each row, ``[N]``. An illegal one raises :class:`privateer.IllegalActionError`, unless one is drawn instead."""
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Send the actions; :meth:`step_wait` has the answer."""
        self.session._settle()
        batch = self.session.batch
        if batch is not None and batch is not self._kept():
            self._keep(batch)  # somebody has used the session itself
        self._refused = {}
        self.session.send(actions if self._mask is None else self._legal(actions, self._mask))

    def _legal(self, actions: npt.ArrayLike, mask: np.ndarray) -> npt.ArrayLike:
        """The actions, with others drawn for those that are not legal."""
        asked = actions_of(actions)
        if asked.shape != (self.num_envs,):
            return actions  # which the session refuses for what they are
        there = (asked >= 0) & (asked < mask.shape[1])
        legal = there & (np.take_along_axis(mask, np.where(there, asked, 0).astype(np.intp)[:, None], 1)[:, 0] != 0)
        if legal.all():
            return actions
        self._refused = {"illegal_action": np.where(legal, 0, asked), "_illegal_action": ~legal}
        drawn = asked.copy()
        masks = mask[~legal]
        drawn[~legal] = (masks - self.np_random.random(masks.shape, np.float32)).argmax(1)  # above 0 where it is legal, and nowhere else
        return drawn

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The answer to :meth:`step_async`."""
        batch = self.session.recv()
        if self.player is not None:
            reward = batch.reward[:, self.player].copy()
        else:
            assert self._acting is not None  # the session was reset, or it would have refused
            reward = np.take_along_axis(batch.reward, self._acting[:, None].astype(np.intp), 1)[:, 0]
        self._keep(batch)
        infos = self._infos(batch) | self._refused
        self._add_endings(batch, infos)
        # Copies, so that wrappers of this environment may write into them.
        return self._observations(batch), reward, batch.terminated.copy(), batch.truncated.copy(), infos

    def __reduce__(self) -> tuple[Any, tuple[Session]]:
        # As its recipe, like the session: the copy is to be reset first.
        return functools.partial(PrivateerVectorEnv, **self._recipe), (self.session,)

    def _observations(self, batch: Batch) -> np.ndarray:
        if self._scales is None:
            seen = batch.observation
            return seen.copy() if self._writable and not seen.flags.writeable else seen
        return batch.observation * self._scales

    def _infos(self, batch: Batch) -> dict[str, Any]:
        every = {
            "action_mask": batch.action_mask.view(np.int8),
            "current_player": batch.current_player,
            "rewards": batch.reward,
        }
        infos: dict[str, Any] = every | {"_" + key: np.ones(self.num_envs, np.bool_) for key in every}
        if batch.action_rows is not None and batch.action_offsets is not None:
            # By row, as everything in infos; the arrays are views of the session's.
            rows = np.empty(self.num_envs, np.object_)
            for i in range(self.num_envs):
                rows[i] = batch.action_rows[batch.action_offsets[i] : batch.action_offsets[i + 1]]
            infos |= {"action_rows": rows, "_action_rows": np.ones(self.num_envs, np.bool_)}
        return infos

    def _add_endings(self, batch: Batch, infos: dict[str, Any]) -> None:
        ends = batch.endings
        if ends is None:
            return
        n, rows = self.num_envs, ends.row
        ended = np.zeros(n, np.bool_)
        ended[rows] = True
        who = ends.final_player if self.player is None else np.full(len(rows), self.player)
        k = np.arange(len(rows))
        returns, lengths = np.zeros(n, np.float32), np.zeros(n, np.int32)
        returns[rows], lengths[rows] = ends.episode_return[k, who], ends.length
        all_returns = np.zeros((n, self.session.spec.seats), np.float32)
        all_returns[rows] = ends.episode_return
        # Not "episode": RecordEpisodeStatistics uses that key.
        episode: dict[str, Any] = {"episode_return": returns, "episode_length": lengths, "player_returns": all_returns}
        episode |= {"_" + key: ended.copy() for key in episode}
        infos |= episode
        if self._same_step:
            final = ends.final_observation[k, who]
            final_obs = np.zeros((n, final.shape[1]), self.single_observation_space.dtype)
            final_obs[rows] = final if self._scales is None else final * self._scales
            infos |= {"final_obs": final_obs, "_final_obs": ended.copy()}
            infos |= {"final_info": {key: value.copy() for key, value in episode.items()}, "_final_info": ended}

    def render(self) -> tuple[Any, ...] | None:
        """Every match: as text with ``render_mode="ansi"``, as a picture ``[H, W, 3]`` uint8 with ``rgb_array``, all of one size, for which the extra
        ``video`` is needed.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "ansi":
            return tuple(self.session.render(i) for i in range(self.num_envs))
        return tuple(self._film.frame(self.session.draw(i, self.player)) for i in range(self.num_envs))

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """By row, as Gymnasium's own vectors have it: ``render``, or what :meth:`get_attr` has. The rows are one environment and have no other methods."""
        if name == "render" and not args and not kwargs:
            return self.render() or (None,) * self.num_envs
        value = getattr(self, {"observation_space": "single_observation_space", "action_space": "single_action_space"}.get(name, name))
        if callable(value) or args or kwargs:
            raise AttributeError(f"{name}: the rows are one environment, and render is the only method they have")
        return (value,) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute, the same for all rows; the spaces are those of a row."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        raise AttributeError(f"{name}: the rows are one environment and have no attributes of their own to set")

    def close_extras(self, **_: Any) -> None:
        """End the session, and the program or the client that :func:`make_vec` made for it."""
        self.session.close()


Opponents = str | Policy | PolicyBot | Sequence[str | Policy | PolicyBot]


def make_vec(
    game: str,
    num_envs: int,
    *,
    client: Requests | str | None = None,
    opponents: Opponents | None = "random",
    player: int = 0,
    seed: int | None = None,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    max_decisions: int = 0,
    shuffle_seats: bool = False,
    dtype: npt.DTypeLike = np.uint8,
    writable: bool = False,
    render_mode: str | None = None,
    action_rows: bool = False,
    illegal: Illegal = "raise",
) -> PrivateerVectorEnv:
    """A vector of ``num_envs`` matches of ``game`` (a game string).

    It runs on this machine, in a child of this process, unless ``client`` is a :class:`privateer.Client` or
    the address of a server. ``opponents`` names the
    bot that plays the other players, or one bot for each of them; a policy that was read (:func:`privateer.load_policy`)
    is one too, and the program plays it, or a server that was given the same. None leaves all players to this
    side (self-play): the reward is then that of the seat that has just acted, in that one step, which is not all that the decision
    earns. Learn from ``infos["rewards"]``, with SAME_STEP and :func:`privateer.credit`. ``player`` is this side's player; with
    ``shuffle_seats`` it sits elsewhere in
    each episode, so that learners cannot fit to the order of seats. Without ``seed`` every vector is
    another. ``dtype`` of the observations is uint8 (as they come, least to move) or float32 (scaled).
    ``action_rows`` asks for descriptions of each legal action, for networks that read them.
    ``writable`` observations are copied if they come over a network; those in shared memory are writable anyway.
    ``autoreset_mode`` is one of Gymnasium's or its name: NEXT_STEP, SAME_STEP or DISABLED. ``max_decisions`` truncates episodes in which
    this side would take more; 0 for none. With ``render_mode`` ``ansi`` matches are shown as text, with ``rgb_array`` as pictures.
    ``illegal`` is the treatment of an illegal action: ``raise`` a :class:`privateer.IllegalActionError`, or draw a legal one at
    ``random`` and report it in ``infos["illegal_action"]``, for libraries without masks.
    """
    if np.dtype(dtype) not in (np.uint8, np.float32):
        raise ValueError(f"dtype {np.dtype(dtype)}: want uint8 or float32")
    known(illegal)
    shown_in_rows(render_mode)
    mode = autoreset_mode.name if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode.upper().replace("NEXTSTEP", "NEXT_STEP")

    session = open_session(
        client,
        game,
        num_envs,
        opponents=opponents,
        player=player,
        seed=seed,
        autoreset=mode,
        max_decisions=max_decisions,
        shuffle_seats=shuffle_seats,
        action_rows=action_rows,
    )
    return PrivateerVectorEnv(
        session, player=None if opponents is None else player, dtype=dtype, writable=writable, render_mode=render_mode, illegal=illegal
    )
