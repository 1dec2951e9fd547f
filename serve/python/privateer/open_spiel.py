"""Our games as games of OpenSpiel, so that its algorithms run on them.

    import privateer.open_spiel

    game = privateer.open_spiel.load("leduc")
    solver = open_spiel.python.algorithms.cfr.CFRSolver(game)

:func:`register` makes them known to pyspiel, as ``privateer_kuhn``, ``privateer_doubloons(seats=4)`` and so on. All
chance is explicit, returns are in the game's own unit (chips), and matches are copied by keeping a value.

The information-state string of a player is in words, as a language model gets them by :meth:`privateer.Match.prompt`: all events that it
has seen since the beginning, its own choices included, and its current view: perfect recall, even if the game's own view forgets.
The observation string is its current
view as JSON, by the schema of positions (``privateer spec GAME``): the same as ``to_observation_struct``, which adds
``observing_player``. Tensors have its current view, as the networks of this package get it; in Kuhn and Leduc that forgets
nothing.

``to_struct``, ``to_json`` and ``to_dict`` are the whole position, which ``game.new_initial_state`` reads; an action struct is ``{"action": NAME}``.

``resample_from_infostate`` redeals information hidden from a player, so
that information-set search (``open_spiel.python.algorithms.ismcts``) plays all of the games. Such a state's history begins there, and
other players have no past in it, because it is unknown. ``serialize`` has everything that is hidden; ``state.serialize_for(player)`` is
such a state, which may be sent to that player.
"""

from __future__ import annotations

import functools
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
GAMES = ("kuhn", "leduc", "liars_dice", "doubloons", "jolly_roger")

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
    """A match at one moment, and how it was reached. It never changes."""

    __slots__ = ("match", "start", "past", "actions", "recalled", "__weakref__")

    def __init__(self, match: Match, start: Match, past: tuple[str, ...], actions: tuple[int, ...] = ()) -> None:
        self.match = match
        self.start = start
        self.past = past  # what each player remembers of what was before start, in words
        self.actions = actions  # since start, as our engine numbers them
        self.recalled: dict[int, tuple[str, str, Match]] = {}

    def __deepcopy__(self, memo: Any) -> _Node:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Node, (self.match, self.start, self.past, self.actions)

    def after(self, action: int) -> _Node:
        return _Node(self.match.apply(action), self.start, self.past, (*self.actions, action))

    def recall(self, player: int) -> tuple[str, str, Match]:
        """What a player has seen happen, what it sees, and the match as it saw it last."""
        found = self.recalled.get(player)
        if found is None:
            engine = self.match.engine
            answer = engine._ask("recall", state=self.start._answer["state"], actions=self.actions, view=player)
            happened = self.past[player] + "".join(f"{line}\n" for line in answer["happened"])
            found = self.recalled[player] = happened, answer["position"], Match(engine, answer["seen"])
        return found

    def seen(self, player: int) -> Match:
        """The match as a player may be shown it: that of a moment before if this one is hidden from it."""
        return self.recall(player)[2] if player in self.match._answer.get("veiled", ()) else self.match


class _Game(pyspiel.Game):
    def __init__(self, kind: Any, name: str, defaults: dict[str, Any], parameters: dict[str, Any]) -> None:
        given = {key: value for key, value in parameters.items() if value != defaults.get(key)}
        self.engine = engine = Engine(f"{name}({','.join(f'{key}={_spelled(value)}' for key, value in given.items())})" if given else name)
        start = engine.new()
        self.root = _Node(start, start, ("",) * engine.seats)
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

    def new_initial_state(self, position: Any = None) -> _State:
        """A state at the beginning, or at a position: what ``to_dict`` or ``to_json`` of a state gives, edited or not."""
        state = _State(self)
        if position is not None:
            state._begin(self.engine.read(position), ("",) * self.engine.seats)
        return state

    def action_struct_spec(self) -> tuple[str, str]:
        """What an action struct has, and an example."""
        return "action (str): the name of the action", json.dumps({"action": self.engine.actions[0]})

    def ActionStruct(self, text: str) -> Any:
        """An action struct from its JSON, for ``state.apply_action_struct``; which actions are legal is asked there."""
        struct = json.loads(text)
        names = self.engine.actions + self.engine.outcomes
        if not isinstance(struct, dict) or struct.get("action") not in names:
            raise ValueError(f"action struct {text}: {self.engine.config} has no such action; a struct is like {self.action_struct_spec()[1]}")
        number = names.index(struct["action"])
        first = len(self.engine.actions)
        return self.new_initial_state().action_to_struct(*((0, number) if number < first else (pyspiel.PlayerId.CHANCE, number - first)))

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
        """The node that follows; kept, because algorithms reach most nodes again and again."""
        found = self.nodes.get(history)
        if found is None:
            found = node.after(action + len(self.engine.actions) if node.match.seat == CHANCE else action)
            if len(self.nodes) >= self._most:
                self.nodes.clear()
            self.nodes[history] = found
        return found


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


class _State(pyspiel.State):
    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self._node = game.root
        self._way: tuple[Any, ...] = ()  # how it was reached

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

    def _to_struct(self) -> dict[str, Any]:
        return self._node.match.position()

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return {"observing_player": player, **self._node.seen(player).position(player)}

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: Any) -> list[int]:
        engine, name = self.get_game().engine, struct.get("action")
        names = engine.outcomes if self.is_chance_node() else engine.actions
        if name not in names:
            raise ValueError(f"action struct {struct}: {engine.config} has no such action here; a struct is like {json.dumps({'action': names[0]})}")
        return [names.index(name)]

    def resample_from_infostate(self, player: int, sampler: Any) -> _State:
        """A state that the player cannot tell from this one: what is hidden from it is dealt anew.

        Its history begins there: the one before has what others did and what chance brought in the match as it truly is.
        """
        match = self._node.seen(player).redeal(player, int(sampler() * (1 << 53)))
        own = self._node.recall(player)[0]
        other: _State = self.get_game().new_initial_state()
        other._begin(match, tuple(own if seat == player else "" for seat in range(self.num_players())))
        return other

    def serialize_for(self, player: int) -> str:
        """This state as text for one player, to be read by ``pyspiel.deserialize_game_and_state``: what it remembers and sees, and what is hidden from it dealt anew."""
        return pyspiel.serialize_game_and_state(self.get_game(), self.resample_from_infostate(player, lambda: 0.0))

    def hides_state_from_agents(self) -> bool:
        """Asked by kaggle-environments, which otherwise hands every agent ``serialize``, with all that is hidden from it."""
        return True

    def _begin(self, match: Match, past: tuple[str, ...]) -> None:
        self._node = _Node(match, match, past)
        self._way = ((match._answer["state"], past),)

    def __str__(self) -> str:
        return self._node.match.render()


class _Observer:
    def __init__(self, kind: Any, engine: Engine) -> None:
        self._recalls = kind.perfect_recall
        self._engine = engine
        self.tensor = np.zeros(engine.observation_size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        np.multiply(state._node.seen(player).observation(player), self._engine.scales, out=self.tensor)

    def string_from(self, state: _State, player: int) -> str:
        if not self._recalls:
            return json.dumps(state._to_observation_struct(player), separators=(",", ":"))
        happened, position, _ = state._node.recall(player)
        return f"You are player {player}.\n\n# What has happened\n\n{happened}\n# What you see\n\n{position}"
