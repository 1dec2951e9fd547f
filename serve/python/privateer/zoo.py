"""PettingZoo environments: one match, each player an agent ``player_0``, ``player_1``, …"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from privateer.batch import Batch
from privateer.connect import open_session
from privateer.given import action_of, seed_of
from privateer.picture import Film
from privateer.session import NOT_RESET, Requests
from privateer.spec import GameSpec

#: What happens to an action that is not legal: an error that names it, or a legal action drawn
#: instead, of which the info of its agent tells (``illegal_action``: what was asked for).
Illegal = Literal["raise", "random"]


def known(illegal: Illegal) -> Illegal:
    """What happens to an action that is not legal, if there is such a way."""
    if illegal not in ("raise", "random"):
        raise ValueError(f"illegal {illegal!r}: want raise or random")
    return illegal


def legal(asked: int, mask: np.ndarray, rng: np.random.Generator) -> tuple[int, int | None]:
    """The action and None; for one that is not legal another that is drawn, and what was asked for."""
    if 0 <= asked < len(mask) and mask[asked]:
        return asked, None
    return int(rng.choice(np.flatnonzero(mask))), asked


#: What to say where a match is over for everybody.
GONE = "no agent is left: call reset first"

#: How a match can be shown.
RENDER_MODES = ["human", "ansi", "rgb_array"]


def shown(render_mode: str | None) -> str | None:
    """A way to show a match, or none."""
    if render_mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode {render_mode!r}: want {', '.join(RENDER_MODES[:-1])} or {RENDER_MODES[-1]}")
    return render_mode


class _Match:
    """What both kinds of environment have in common: a session of one match."""

    # Not by aec_to_parallel, which wants everybody to act in turn: who acts next depends on the match.
    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 4, "name": "privateer_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        client: Requests | str | None,
        seed: int | None,
        render_mode: str | None,
        illegal: Illegal,
        action_rows: bool,
        masked: bool,
    ) -> None:
        render_mode = shown(render_mode)
        self._illegal = known(illegal)
        if action_rows and not masked:
            raise ValueError("action_rows with masked=False: rows are entries of observations that are dicts")
        self._recipe: dict[str, Any] = {"game": game, "client": client, "seed": seed, "render_mode": render_mode, "illegal": illegal}
        self._recipe |= {"action_rows": action_rows, "masked": masked}
        self._session = open_session(client, game, 1, seed=seed, autoreset="DISABLED", action_rows=action_rows)
        self.spec: GameSpec = self._session.spec
        self.metadata = self.metadata | {"name": f"privateer_{self.spec.name}_v0"}
        self.render_mode = render_mode
        self._film = Film()
        self.possible_agents = [f"player_{i}" for i in range(self.spec.seats)]
        self.agents: list[str] = []
        self._masked = masked
        #: what is drawn here rather than by the game, under the name at which wrappers look for it
        self.np_random = np.random.default_rng(seed)
        self._number = {agent: i for i, agent in enumerate(self.possible_agents)}
        maxima, actions = self.spec.observation.maxima(), len(self.spec.actions)
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(np.zeros_like(maxima), maxima, dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self._rows = action_rows and self.spec.action_row is not None
        if self.spec.action_row is not None and action_rows:
            most = np.tile(self.spec.action_row.maxima(), (actions, 1))
            parts["action_rows"] = spaces.Box(np.zeros_like(most), most, dtype=np.uint8)
        whole: spaces.Space[Any] = spaces.Dict(parts) if masked else parts["observation"]
        self.observation_spaces = {agent: copy.deepcopy(whole) for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Discrete] = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._legal: np.ndarray | None = None  # what is legal now, for the agent that is to act
        self._views: np.ndarray | None = None
        self._closed = False

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        # As its recipe: the copy is a match of its own, which is to be reset first.
        return functools.partial(type(self), **self._recipe), ()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Dict of ``observation`` ``[D]`` uint8 and ``action_mask`` ``[A]`` int8; the same object each time.

        With ``action_rows=True`` also ``action_rows`` ``[A, R]`` uint8: what each legal action does, zeros at the others.
        With ``masked=False`` it is the space of ``observation`` alone.
        """
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Discrete(A); the same object each time."""
        return self.action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        if agent not in self._number:
            raise ValueError(f"agent {agent!r}: want one of {', '.join(self.possible_agents)}")
        return agent

    @property
    def state_space(self) -> spaces.Box:
        """The space of :meth:`state`."""
        maxima = np.tile(self.spec.observation.maxima(), self.spec.seats)
        return spaces.Box(np.zeros_like(maxima), maxima, dtype=np.uint8)

    def state(self) -> np.ndarray:
        """The views of all players, concatenated: ``[P * D]`` uint8, for a central critic."""
        ends = self._current().endings
        return (ends.final_observation[0] if ends is not None else self._session.observe()).flatten()

    def _current(self) -> Batch:
        if self._session.batch is None:
            raise ValueError(NOT_RESET)
        return self._session.batch

    def _begin(self, seed: int | None) -> Batch:
        if seed is not None:
            seed = seed_of(seed)
            self.np_random = np.random.default_rng(seed)
        batch = self._session.reset(seed)
        self.agents = self.possible_agents[:]
        return self._after(batch)

    def _after(self, batch: Batch) -> Batch:
        self._views, self._legal = None, batch.action_mask[0].copy()
        return batch

    def _play(self, action: Any) -> tuple[Batch, int | None]:
        """Perform the action of the agent that is to act; with it, what was asked for if that was illegal."""
        number, refused = action_of(action), None
        if self._illegal == "random":
            assert self._legal is not None
            number, refused = legal(number, self._legal, self.np_random)
        return self._after(self._session.step([number])), refused

    # What is handed out is the caller's to write to: arrays are made anew each time.

    def _mask(self, batch: Batch, agent: str) -> np.ndarray:
        """Of an agent that is not to act all ones: any action does nothing."""
        assert self._legal is not None
        acts = batch.current_player[0] == self._number[agent]
        return self._legal.astype(np.int8) if acts else np.ones(len(self._legal), np.int8)

    def _see(self, player: int) -> Any:
        seen = self._view(player)
        return seen if self._masked else seen["observation"]

    def _view(self, player: int) -> dict[str, np.ndarray]:
        batch, actions = self._current(), len(self.spec.actions)
        assert self._legal is not None
        acts = batch.current_player[0] == player and not (batch.terminated[0] or batch.truncated[0])
        if not acts and self._views is None:
            ends = batch.endings
            self._views = ends.final_observation[0] if ends is not None else self._session.observe()
        seen = {
            "observation": batch.observation[0].copy() if self._views is None or acts else self._views[player].copy(),
            "action_mask": self._legal.astype(np.int8) if acts else np.ones(actions, np.int8),
        }
        if self._rows and self.spec.action_row is not None:
            seen["action_rows"] = np.zeros((actions, self.spec.action_row.size), np.uint8)
            if acts:
                seen["action_rows"][self._legal != 0] = batch.action_rows
        return seen

    def render(self) -> str | np.ndarray | None:
        """The match as the agent that is to act sees it: text, returned with ``ansi`` and printed with ``human``, or with ``rgb_array`` a
        picture ``[H, W, 3]`` uint8, for which the extra ``video`` is needed.
        """
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return self._film.frame(self._session.draw())
        text = self._session.render()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """End the match. Closing again does nothing."""
        if not self._closed:
            self._closed = True
            self._session.close()

    def __del__(self) -> None:
        # As in Gymnasium's vector environments: a match that is forgotten leaves nothing on the server.
        if hasattr(self, "_closed"):
            with contextlib.suppress(Exception):
                self.close()

    def __str__(self) -> str:
        return str(self.metadata["name"])


class PrivateerAECEnv(_Match, AECEnv[str, Any, Any]):
    """One match by PettingZoo's agent-environment cycle.

    ``observe`` gives ``{"observation": [D] uint8, "action_mask": [A] int8}``; the mask is in
    ``infos[agent]["action_mask"]`` too. It is never all zero: for an agent that is not to act it
    means that any action does nothing. ``max_cycles`` truncates the match when an agent has acted this often.

    With ``masked=False`` observations are ``[D]`` uint8 alone and masks are in the infos only, for wrappers
    without support for dicts, such as most of SuperSuit's.

    ``game`` is a game string, and ``client`` a :class:`privateer.Client`, a :class:`privateer.Program` or the address of a server, instead of a
    program of its own. Without ``seed`` every environment is another. ``illegal`` is the treatment of an illegal action: ``raise`` a
    :class:`privateer.IllegalActionError`, or draw a legal one at ``random`` and report it in ``infos[agent]["illegal_action"]``.
    ``action_rows`` adds
    descriptions of each legal action to the observations. ``render_mode`` is ``human``, ``ansi`` or ``rgb_array``.
    """

    def __init__(
        self,
        game: str,
        *,
        client: Requests | str | None = None,
        seed: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        illegal: Illegal = "raise",
        action_rows: bool = False,
        masked: bool = True,
    ) -> None:
        AECEnv.__init__(self)
        _Match.__init__(self, game, client, seed, render_mode, illegal, action_rows, masked)
        self._max_cycles = max_cycles
        self._recipe["max_cycles"] = max_cycles

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match. Without a seed it is the next of the same series."""
        batch = self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._taken = dict.fromkeys(self.agents, 0)
        self._show(batch)

    def _show(self, batch: Batch) -> None:
        self.agent_selection = self.possible_agents[batch.current_player[0]]
        infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._mask(batch, agent)} for agent in self.agents}
        self.infos = infos

    def step(self, action: Any) -> None:
        """Perform the action of ``agent_selection``; None if its match is over."""
        self._current()
        if not self.agents:
            raise ValueError(GONE)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch, refused = self._play(action)
        self._cumulative_rewards[agent] = 0.0
        self._taken[agent] += 1
        self.rewards = {a: float(batch.reward[0, self._number[a]]) for a in self.agents}
        over = bool(batch.terminated[0])
        cut = bool(batch.truncated[0]) or (not over and self._max_cycles is not None and max(self._taken.values()) >= self._max_cycles)
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, cut)
        self._accumulate_rewards()
        self._show(batch)
        if refused is not None:
            self.infos[agent]["illegal_action"] = refused
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The observation of ``agent_selection``, its reward since it last acted, whether its match is over, and its info."""
        batch = self._current()
        if not self.agents:
            raise ValueError(GONE)
        self.infos[self.agent_selection]["action_mask"] = self._mask(batch, self.agent_selection)  # the last one may have been written to
        return super().last(observe)

    def observe(self, agent: str) -> Any:
        """An agent's current observation, also if another is to act."""
        return self._see(self._number[self._known(agent)])


class PrivateerParallelEnv(_Match, ParallelEnv[str, Any, Any]):
    """One match by PettingZoo's parallel API.

    All agents act in each step, and only the action of the agent to act
    counts, which has ``infos[agent]["acts"]``. The others' actions do nothing and may be left out.

    An agent that waits sees a step for each decision of another. Their number can reveal what cards are
    held, as in Jolly Roger: a policy that remembers more than its observation should be trained
    with :class:`PrivateerAECEnv`, in which an agent has only its own decisions. Options are those of that class; ``max_cycles`` counts
    the steps of all.
    """

    def __init__(
        self,
        game: str,
        *,
        client: Requests | str | None = None,
        seed: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        illegal: Illegal = "raise",
        action_rows: bool = False,
        masked: bool = True,
    ) -> None:
        _Match.__init__(self, game, client, seed, render_mode, illegal, action_rows, masked)
        self.max_cycles = max_cycles
        self._recipe["max_cycles"] = max_cycles

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Deal a new match. Without a seed it is the next of the same series."""
        batch = self._begin(seed)
        self._cycles = 0
        return self._observations(), self._infos(batch)

    def _observations(self) -> dict[str, Any]:
        return {agent: self._see(self._number[agent]) for agent in self.agents}

    def _infos(self, batch: Batch) -> dict[str, dict[str, Any]]:
        infos: dict[str, dict[str, Any]] = {}
        for agent in self.agents:
            acts = bool(batch.current_player[0] == self._number[agent])
            infos[agent] = {"acts": acts}
            # Once: TorchRL takes a mask in the observation for all there is.
            if not self._masked:
                infos[agent]["action_mask"] = self._mask(batch, agent)
        return infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Perform the action of the agent that is to act."""
        before = self._current()
        if not self.agents:
            raise ValueError(GONE)
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions {actions!r}: want a dict of them by agent")
        acting = self.possible_agents[before.current_player[0]]
        if acting not in actions:
            raise ValueError(f"actions of {', '.join(map(str, actions)) or 'nobody'}: {acting} is to act")
        batch, refused = self._play(actions[acting])
        self._cycles += 1
        over = bool(batch.terminated[0])
        cut = bool(batch.truncated[0]) or (not over and self.max_cycles is not None and self._cycles >= self.max_cycles)
        rewards = {agent: float(batch.reward[0, self._number[agent]]) for agent in self.agents}
        infos = self._infos(batch)
        if refused is not None:
            infos[acting]["illegal_action"] = refused
        answer = self._observations(), rewards, dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut), infos
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return answer


def aec_env(game: str, **options: Any) -> PrivateerAECEnv:
    """A PettingZoo AEC environment of one match; see :class:`PrivateerAECEnv` for the options."""
    return PrivateerAECEnv(game, **options)


def parallel_env(game: str, **options: Any) -> PrivateerParallelEnv:
    """A PettingZoo parallel environment of one match; see :class:`PrivateerParallelEnv` for the options."""
    return PrivateerParallelEnv(game, **options)
