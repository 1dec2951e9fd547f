"""Our games as games of OpenSpiel, so that its algorithms run on them.

    import privateer.open_spiel

    game = privateer.open_spiel.load("leduc")
    solver = open_spiel.python.algorithms.cfr.CFRSolver(game)

:func:`register` makes them known to pyspiel, as ``privateer_kuhn``, ``privateer_doubloons(seats=4)`` and so on. All
chance is explicit, returns are in the game's own unit (chips), and matches are copied by keeping a value.

The information-state string of a player has what it sees now, and at each of its own decisions before what it saw and
did: perfect recall, whatever the game's own view forgets. Tensors have what it sees now, as the networks of this package
get it; in Kuhn and Leduc that forgets nothing. ``resample_from_infostate`` deals anew what a player cannot know, so
that information-set search (``open_spiel.python.algorithms.ismcts``) plays all of the games. Such a state has no history but what
follows, and in it other players have no past, for theirs is not known.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
import threading
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel

from privateer.commands import command
from privateer.engine import CHANCE, Engine, Match
from privateer.given import action_of

#: The games in the order in which they are registered.
GAMES = ("kuhn", "leduc", "doubloons", "jolly_roger")

_PREFIX = "privateer_"
_CACHE = 64 << 20  # bytes of nodes that a game keeps
# Those that only say what this module decides itself.
_FIXED = frozenset({"chance"})


def load(game: str) -> Any:
    """A pyspiel game, by one of our game strings, such as ``"doubloons(seats=4)"``."""
    register()
    engine = Engine(game)
    _, _, inside = game.strip().partition("(")
    given = [part.partition("=") for part in inside.removesuffix(")").split(",") if part.strip()]
    parameters = {key.strip(): value.strip() for key, _, value in given}
    if parameters.pop("chance", "explicit") != "explicit":
        raise ValueError(f"game string {game!r}: chance=sampled: here all chance is explicit, so leave it out")
    return pyspiel.load_game(_PREFIX + engine.name, {key: _read(value) for key, value in parameters.items()})


_registered = threading.Lock()


def register() -> None:
    """Make our games known to pyspiel. Doing it again does nothing."""
    with _registered:
        known = set(pyspiel.registered_names())
        for name in GAMES:
            if _PREFIX + name not in known:
                _register(Engine(name))


def _register(engine: Engine) -> None:
    defaults = {key: _read(value) for key, value in engine.parameters.items() if key not in _FIXED}
    seats = [p for p in json.loads(command("spec", engine.name, only="params")) if p["name"] == "seats"]
    kind = functools.partial(
        pyspiel.GameType,
        short_name=_PREFIX + engine.name,
        long_name=engine.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10 if seats else engine.seats,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )

    class Game(_Game):
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            super().__init__(kind, engine.name, defaults, parameters or {})

    pyspiel.register_game(kind(utility=pyspiel.GameType.Utility.ZERO_SUM), Game)


class _Node:
    """A match at one moment, and what each player remembers of its own decisions. It never changes."""

    __slots__ = ("match", "past", "__weakref__")

    def __init__(self, match: Match, past: tuple[tuple[str, ...], ...]) -> None:
        self.match = match
        self.past = past

    def __deepcopy__(self, memo: Any) -> _Node:
        return self


class _Game(pyspiel.Game):
    def __init__(self, kind: Any, name: str, defaults: dict[str, Any], parameters: dict[str, Any]) -> None:
        given = {key: value for key, value in parameters.items() if value != defaults.get(key)}
        self.engine = engine = Engine(f"{name}({','.join(f'{key}={_spelled(value)}' for key, value in given.items())})" if given else name)
        none: tuple[tuple[str, ...], ...] = ((),) * engine.seats
        self.root = _Node(engine.new(), none)
        self.nodes: dict[tuple[int, ...], _Node] = {}
        self._most = max(1000, _CACHE // (len(self.root.match._answer["state"]) + 2 * engine.seats * engine.observation_size + 1000))
        zero_sum = "objective=margin" not in engine.config
        about = pyspiel.GameInfo(
            num_distinct_actions=len(engine.actions),
            max_chance_outcomes=len(engine.outcomes),
            num_players=engine.seats,
            min_utility=-engine.return_scale,
            max_utility=engine.return_scale,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=engine.max_decisions,
        )
        utility = pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM
        super().__init__(kind(utility=utility), about, given)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        # By name: the class is made where the game is registered, which another process has not done yet.
        return _loaded, (str(self),)

    def new_initial_state(self) -> _State:
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer | None:
        if params:
            raise ValueError(f"observation parameters {params}: there are none")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        # What all see and what one sees are together in an observation: there are no halves of it.
        whole = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        return _Observer(kind, self.engine) if whole else None

    def max_chance_nodes_in_history(self) -> int:
        return 64 * self.engine.max_decisions + 64

    def after(self, node: _Node, history: tuple[int, ...], action: int) -> _Node:
        """The node that follows; kept, because algorithms come to most nodes again and again."""
        found = self.nodes.get(history)
        if found is None:
            found = self._after(node, action)
            if len(self.nodes) >= self._most:
                self.nodes.clear()
            self.nodes[history] = found
        return found

    def _after(self, node: _Node, action: int) -> _Node:
        match = node.match
        if match.seat == CHANCE:
            return _Node(match.apply(action + len(self.engine.actions)), node.past)
        past = list(node.past)
        past[match.seat] += (f"{_brief(match.observation(match.seat))} {self.engine.actions[action]}",)
        return _Node(match.apply(action), tuple(past))


def _loaded(text: str) -> Any:
    register()
    return pyspiel.load_game(text)


def _restored(text: str) -> Any:
    register()
    return pyspiel.deserialize_game_and_state(text)[1]


def _read(value: str) -> Any:
    """A value as pyspiel would read it from a string: numbers as numbers."""
    return int(value) if re.fullmatch(r"-?\d+", value) else value


def _spelled(value: Any) -> str:
    """A value as our game strings write it; pyspiel reads those of its own as numbers and truth values."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _brief(observation: np.ndarray) -> str:
    """Bytes as text, and of many bytes a digest."""
    data = observation.tobytes()
    return data.hex() if len(data) <= 48 else hashlib.blake2b(data, digest_size=16).hexdigest()


class _State(pyspiel.State):
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self._node = game.root
        self._way: tuple[Any, ...] = ()  # how it was come to

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _restored, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def current_player(self) -> int:
        match = self._node.match
        if match.seat == CHANCE:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if match.over else match.seat

    def is_terminal(self) -> bool:
        return self._node.match.over

    def _legal_actions(self, player: int) -> list[int]:
        return self._node.match.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        match, first = self._node.match, self._first()
        return sorted((action - first, p) for action, p in zip(match.actions, match.probabilities, strict=True))

    def _apply_action(self, action: int) -> None:
        number, legal = action_of(action), [a - self._first() for a in self._node.match.actions]
        if number not in legal:
            raise ValueError(f"action {number}: legal are {', '.join(map(str, legal))}" if legal else f"action {number}: the match is over")
        self._way += (number,)
        self._node = self.get_game().after(self._node, self._way, number)

    def _first(self) -> int:
        """The number of the first outcome where chance is to act, for there they are counted from 0."""
        match = self._node.match
        return len(match.engine.actions) if match.seat == CHANCE else 0

    def _action_to_string(self, player: int, action: int) -> str:
        engine = self.get_game().engine
        names = engine.outcomes if player == pyspiel.PlayerId.CHANCE else engine.actions
        if not 0 <= action < len(names):
            raise ValueError(f"action {action}: want one from 0 to {len(names) - 1}")
        return names[action]

    def returns(self) -> list[float]:
        match = self._node.match
        if not match.over:
            return [0.0] * self.num_players()
        # The program reckons returns as float32, and what it rounds away would not sum to zero.
        return [float(Fraction(r).limit_denominator(10_000)) for r in match.returns]

    def resample_from_infostate(self, player: int, sampler: Any) -> _State:
        """A state that the player cannot tell from this one: what is hidden from it is dealt anew.

        Its history begins there: the one before has what others did and what chance brought in the match as it truly is.
        """
        match = self._node.match.redeal(player, int(sampler() * (1 << 53)))
        past = tuple(own if seat == player else () for seat, own in enumerate(self._node.past))
        other: _State = self.get_game().new_initial_state()
        other._node = _Node(match, past)
        other._way = ((match._answer["state"], past),)
        return other

    def __str__(self) -> str:
        return self._node.match.render()


class _Observer:
    def __init__(self, kind: Any, engine: Engine) -> None:
        self._recalls = kind.perfect_recall
        self._engine = engine
        self.tensor = np.zeros(engine.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        np.multiply(state._node.match.observation(player), self._engine.scales, out=self.tensor)

    def string_from(self, state: _State, player: int) -> str:
        node = state._node
        now = f"player {player}: {_brief(node.match.observation(player))}"
        return "; ".join((now, *node.past[player])) if self._recalls else now
