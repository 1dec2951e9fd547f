"""Single matches with explicit chance: copied, played, edited, shown and measured.

    engine = privateer.Engine("leduc")
    match = engine.new()
    while not match.over:
        match = match.apply(match.actions[0])  # a new match: the old one is unchanged
    engine.exploitability(lambda observations, masks: masks / masks.sum(1, keepdims=True)).nash_conv

    match = privateer.Engine("doubloons(seats=4,chance=sampled)").new(seed=1)
    match.think("captain").choice  # an action; any bot or policy, at any position

A match is a value. Use it for search, analysis, game trees, and frontends that deal their own matches; use sessions to step many
matches fast. The rules run in the ``privateer`` program, which is started once for this process and keeps nothing but
games and players between questions, so that Ctrl-C at any moment does no harm.
"""

from __future__ import annotations

import base64
import contextlib
import json
import operator
import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import grpc
import numpy as np
import numpy.typing as npt

from privateer.errors import ConnectionLost, PrivateerError
from privateer.given import action_of, seed_of
from privateer.launch import attended, find_binary, last_words, log_file, pipe
from privateer.picture import Picture
from privateer.session import Thought, check_version
from privateer.texts import decoded, unmarked

#: Who acts when no seat does.
CHANCE, OVER = -1, -2


class _Child:
    """The program that answers questions. It ends with this process, whose end closes its standard input."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._files: list[IO[bytes]] = []  # to ask, for answers, and what else it writes
        self._binary = ""

    def _forked(self) -> None:
        """Called in a process that was forked: it must not talk with its parent's program, nor hold its pipes."""
        process, files = self._process, self._files
        self._forget()
        if process is not None:
            process.returncode = 0  # not this process's child: nothing to wait for
        for file in files:
            file.close()

    def ask(self, question: Mapping[str, Any]) -> Any:
        written = _written(question)
        with self._lock:
            if self._process is None:
                self._start()
            ask, answers, _ = self._files
            left = memoryview(written + b"\n")
            parts: list[bytes] = []
            try:
                with contextlib.suppress(BrokenPipeError):
                    while left:
                        left = left[ask.write(left) :]
                    while not parts or (parts[-1] and not parts[-1].endswith(b"\n")):
                        parts.append(answers.read(1 << 20))
            except BaseException:
                self._end()  # an answer that nobody has read would be taken for the next one's
                raise
            if not parts or not parts[-1]:
                raise self._lost()
        answer = json.loads(b"".join(parts))
        if isinstance(answer, dict) and "error" in answer:
            raise PrivateerError(answer["error"], grpc.StatusCode.INVALID_ARGUMENT, answer.get("field", ""), answer["code"].upper())
        return answer

    def _start(self) -> None:
        self._binary = find_binary()
        (child, ask), (answers, output) = pipe(), pipe()
        with child, output:
            self._files = [ask, answers, log_file()]
            self._process = subprocess.Popen(
                [self._binary, "engine", "--attended"],
                stdin=child,
                stdout=output,
                stderr=self._files[2],
                env=attended(),
                start_new_session=True,  # Ctrl-C interrupts this process and not the program
            )

    def _end(self) -> None:
        process, files = self._process, self._files
        self._process, self._files = None, []
        if process is not None:
            process.kill()
            process.wait()
        for file in files:
            file.close()

    def _lost(self) -> ConnectionLost:
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._process.kill()
        code, words = self._process.wait(), last_words(self._files[2])
        self._end()
        return ConnectionLost(f"the program {self._binary} ended with {code} and said: {words or 'nothing'}", grpc.StatusCode.UNAVAILABLE)


def _written(question: Mapping[str, Any]) -> bytes:
    """A question as JSON. Its own errors do not say which entry is of no type that can be asked about; these do."""

    def text(value: Any) -> str:
        return json.dumps(value, allow_nan=False, default=lambda v: _exact(operator.index(v)))  # NumPy's numbers as Python's

    try:
        return text({name: _exact(value) for name, value in question.items()}).encode()
    except (TypeError, ValueError):
        for name, value in question.items():
            try:
                text(value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{name} {value!r}: {error}") from None
        raise


def _exact(value: Any) -> Any:
    """A whole number, such as a seed, as text where the program would take it for one that a reader of doubles has changed."""
    return str(value) if isinstance(value, int) and value >= 1 << 53 else value


_child = _Child()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_child._forked)


@dataclass(frozen=True)
class InformationSet:
    """A seat's knowledge at a decision: all states that it cannot tell apart."""

    key: str
    seat: int
    actions: tuple[int, ...]  #: legal ones
    observation: np.ndarray  #: ``[D]`` uint8


@dataclass(frozen=True)
class Exploitability:
    """A policy's distance from an equilibrium, in the game's own unit."""

    nash_conv: float  #: what all seats together would gain by best responses
    exploitability: float  #: the same divided by the number of seats
    values: tuple[float, ...]  #: what each seat expects when all follow the policy
    best_response: tuple[float, ...]  #: what it expects when it alone answers as best it can


class Engine:
    """The rules of one game, as a game string names it. Chance is explicit unless the string says ``chance=sampled``."""

    def __init__(self, game: str) -> None:
        about = _child.ask({"op": "game", "game": game})
        check_version(about.get("version", ""), _child._binary)
        self.game = game  #: as it was given
        self.config: str = about["config"]  #: canonical game string
        self.name: str = about["game"]
        self.title: str = about["title"]
        self.seats: int = about["seats"]
        self.actions: tuple[str, ...] = tuple(about["actions"])
        self.outcomes: tuple[str, ...] = tuple(about["outcomes"] or ())  #: of chance; the first is action ``len(actions)``
        self.return_scale: float = about["return_scale"]  #: the most that a seat can win or lose
        self.max_decisions: int = about["max_decisions"]
        self.observation_size: int = about["observation"]
        self.row_size: int = about["row"]  #: bytes of what describes one action, F; 0 if nothing does
        self.players: tuple[str, ...] = tuple(about["players"])  #: who can think, besides ``policy:FILE``
        self.scales = np.array(about["scales"], np.float32)  #: ``[D]``, read-only: a byte of an observation times this is its value
        self.scales.flags.writeable = False
        self.parameters: dict[str, str] = {p["name"]: p["default"] for p in about["params"]}
        self._sets: tuple[InformationSet, ...] | None = None

    def __repr__(self) -> str:
        return f"privateer.Engine({self.game!r})"

    def __reduce__(self) -> tuple[type[Engine], tuple[str]]:
        return Engine, (self.game,)

    def __deepcopy__(self, memo: Any) -> Engine:
        return self

    def _ask(self, op: str, **entries: Any) -> Any:
        return _child.ask({"op": op, "game": self.game, **entries})

    def new(self, seed: int = 0) -> Match:
        """A fresh match. The seed determines chance if the game string says ``chance=sampled``."""
        return Match(self, self._ask("match", seed=seed_of(seed)))

    def read(self, position: Mapping[str, Any] | str) -> Match:
        """A match at a position: the result of :meth:`Match.position`, edited or not, or the text of a position file."""
        if isinstance(position, str):
            try:
                position = json.loads(unmarked(position))
            except ValueError as error:
                raise ValueError(f"the text of a position is no JSON: {error}") from None
        if not isinstance(position, Mapping):
            raise TypeError(f"position {position!r}: want what Match.position gives, or the text of a position file")
        return Match(self, self._ask("match", position=dict(position)))

    def transcript(self, actions: Sequence[int | str], seed: int = 0) -> str:
        """A match from its beginning as text, which :meth:`replay` reads, and :func:`privateer.replay` from a file.

        Raises:
            PrivateerError: an action is unknown, or not legal at its place.
        """
        return self._ask("transcript", seed=seed_of(seed), actions=_plain(actions))

    @staticmethod
    def replay(transcript: str | os.PathLike[str] | Mapping[str, Any]) -> list[Match]:
        """The match that a transcript has, before each of its steps and after the last; ``transcript`` is the text, of some lines or JSON, a path of a file, or
        a dict that JSON was read into.

        The engine of these matches is that of the transcript, in which chance is drawn unless the transcript has its results.

        Raises:
            PrivateerError: it is no transcript, or the rules contradict it.
        """
        if isinstance(transcript, Mapping):
            transcript = json.dumps(transcript)
        given = isinstance(transcript, str) and ("\n" in transcript or not transcript or transcript.lstrip().startswith("{"))
        text = unmarked(str(transcript)) if given else decoded(Path(transcript).read_bytes(), str(transcript))
        answer = _child.ask({"op": "replay", "transcript": text})
        engine = Engine(answer["game"])
        return [Match(engine, match) for match in answer["matches"]]

    def name_of(self, action: int) -> str:
        """The name of an action or an outcome of chance."""
        names = self.actions + self.outcomes
        if not 0 <= action < len(names):
            raise IndexError(f"action {action}: {self.config} has 0 to {len(names) - 1}")
        return names[action]

    def information_sets(self) -> tuple[InformationSet, ...]:
        """All information sets, if the game is small enough: Kuhn, Leduc and endgames at a position (``start=FILE``).

        Raises:
            PrivateerError: its tree has more than 100,000 nodes.
        """
        if self._sets is None:
            self._sets = tuple(
                InformationSet(s["key"], s["seat"], tuple(s["legal"]), np.frombuffer(base64.b64decode(s["observation"]), np.uint8))
                for s in self._ask("sets")
            )
        return self._sets

    def exploitability(self, policy: Callable[[np.ndarray, np.ndarray], Any] | npt.ArrayLike) -> Exploitability:
        """A policy's exact distance from an equilibrium.

        ``policy`` is a function of observations ``[N, D]`` uint8 and masks ``[N, A]`` uint8 that returns probabilities
        ``[N, A]`` (of NumPy or PyTorch; they are asked for once, for all information sets), or these probabilities in the order of
        :meth:`information_sets`.
        """
        sets = self.information_sets()
        if callable(policy):
            masks = np.zeros((len(sets), len(self.actions)), np.uint8)
            for i, s in enumerate(sets):
                masks[i, list(s.actions)] = 1
            policy = policy(np.stack([s.observation for s in sets]), masks)
        detach = getattr(policy, "detach", None)  # of a tensor that has a gradient
        probabilities = np.asarray(detach() if detach is not None else policy, np.float64)
        if probabilities.shape != (len(sets), len(self.actions)):
            raise ValueError(f"probabilities {probabilities.shape}: want {(len(sets), len(self.actions))}, a row for each information set")
        if not np.isfinite(probabilities).all():
            raise ValueError(f"probabilities of information set {int(np.isfinite(probabilities).all(1).argmin())} are not all numbers")
        r = self._ask("nash_conv", policy=probabilities.tolist())
        return Exploitability(r["NashConv"], r["Exploitability"], tuple(r["Values"]), tuple(r["BestResponse"]))

    def rules(self, tokens: int = 1030) -> str:
        """The rules in brief, each line a clause with its id, in at most ``tokens`` tokens: the part of :meth:`Match.prompt` that never changes."""
        return self._ask("rules", rules=tokens)

    def read_answer(self, text: str, among: Sequence[int | str]) -> int:
        """Which of the actions ``among``, by number or name, an answer in free words chooses: :meth:`Match.read_answer` without a match.

        Raises:
            PrivateerError: it may mean several of them, or none, which the error lists.
        """
        return self._ask("answer", actions=_plain(among), text=text)

    def solve(self, steps: int = 200) -> np.ndarray:
        """A policy close to an equilibrium, by CFR+ in at most a million steps: probabilities in the order of :meth:`information_sets`."""
        if steps < 1:
            raise ValueError(f"steps {steps}: want at least 1")
        return np.array(self._ask("solve", steps=steps))


def _plain(actions: Sequence[int | str]) -> list[int | str]:
    """Names as they are, and NumPy's numbers as Python's."""
    return [a if isinstance(a, str) else action_of(a) for a in actions]


class Match:
    """One match at one moment. It never changes: what is played leads to another one."""

    __slots__ = ("engine", "_answer", "_observations")

    def __init__(self, engine: Engine, answer: dict[str, Any]) -> None:
        self.engine = engine
        self._answer = answer
        self._observations: dict[int, np.ndarray] = {}

    def __deepcopy__(self, memo: Any) -> Match:
        return self

    def __reduce__(self) -> tuple[type[Match], tuple[Engine, dict[str, Any]]]:
        return Match, (self.engine, self._answer)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and (self.engine.config, self._answer["state"]) == (other.engine.config, other._answer["state"])

    def __hash__(self) -> int:
        return hash(self._answer["state"])

    def __repr__(self) -> str:
        return f"<{self.engine.config}: {self.decision}>"

    @property
    def seat(self) -> int:
        """The seat to decide, :data:`CHANCE` or :data:`OVER`."""
        return self._answer["seat"]

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or by a limit of the game string (:attr:`truncated`)."""
        return self._answer["seat"] == OVER

    @property
    def truncated(self) -> str:
        """The limit that has ended the match before its rules did; empty for any other."""
        return self._answer.get("truncated", "")

    @property
    def decision(self) -> str:
        """The decision in words."""
        return self._answer["decision"]

    @property
    def actions(self) -> list[int]:
        """The legal actions, or the outcomes of chance."""
        return list(self._answer["legal"])

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [self.engine.name_of(a) for a in self.actions]

    @property
    def probabilities(self) -> list[float]:
        """Of :attr:`actions`, if it is chance's to act; else empty."""
        return list(self._answer.get("probabilities", ()))

    @property
    def returns(self) -> list[float]:
        """By seat, in the game's own unit: final when the match is over."""
        return list(self._answer["returns"])

    def observation(self, seat: int) -> np.ndarray:
        """A seat's view, also if another is to act: ``[D]`` uint8."""
        if not 0 <= seat < self.engine.seats:  # as CHANCE and OVER are not
            raise IndexError(f"seat {seat}: want one from 0 to {self.engine.seats - 1}")
        seen = self._observations.get(seat)
        if seen is None:
            seen = self._observations[seat] = self._bytes("observation", seat)
        return seen

    @property
    def action_mask(self) -> np.ndarray:
        """Which actions are legal: ``[A]`` uint8, all 0 where no seat is to act."""
        mask = np.zeros(len(self.engine.actions), np.uint8)
        if self.seat >= 0:
            mask[self._answer["legal"]] = 1
        return mask

    @property
    def action_rows(self) -> np.ndarray:
        """The effects of each legal action, as the seat to act may know them: ``[legal, F]`` uint8, in the order of
        :attr:`actions`. Policies read it."""
        return self._bytes("rows").reshape(-1, self.engine.row_size) if self.engine.row_size else np.zeros((len(self.actions), 0), np.uint8)

    def think(self, player: str, seed: int = 0) -> Thought:
        """A player's choice and account of the decision: a bot by name, such as ``heuristic`` or ``search(rollouts=100)``, a bundled
        policy, ``captain``, or one in a file, ``policy:FILE``. It sees only what the seat to act may know. All its chance comes from the seed.

        Raises:
            PrivateerError: no seat is to act, or there is no such player of this game.
        """
        answer = self.engine._ask("think", state=self._answer["state"], player=player, seed=seed_of(seed), **{"with": ["account"]})
        probabilities = np.zeros(len(self.engine.actions))
        probabilities[answer["legal"]] = answer["probabilities"]
        values = np.array(answer.get("value") or [None] * self.engine.seats, np.float64)
        return Thought(answer["account"]["bot"], answer["action"], answer["name"], probabilities, values, answer.get("unit", ""), answer["account"])

    def apply(self, *actions: int | str) -> Match:
        """The match after actions, and outcomes of chance, by number or name."""
        return Match(self.engine, self.engine._ask("match", state=self._answer["state"], actions=_plain(actions)))

    def sample(self, rng: np.random.Generator) -> Match:
        """The match after a drawn outcome of chance, or a random legal action."""
        if self.over:
            raise ValueError("the match is over: nothing can be drawn")
        return self.apply(int(rng.choice(self.actions, p=self.probabilities or None)))

    def redeal(self, seat: int, seed: int) -> Match:
        """A match that a seat cannot tell from this one: hidden information is dealt anew."""
        return Match(self.engine, self.engine._ask("redeal", state=self._answer["state"], view=seat, seed=seed_of(seed)))

    def position(self, view: int | None = None) -> dict[str, Any]:
        """The match as a position, whole or as a seat sees it. :meth:`Engine.read` reads a whole one."""
        return self._show("position", view)

    def render(self, view: int | None = None) -> str:
        """The match as text, whole or as a seat sees it."""
        return self._show("render", view)

    def prompt(self, *actions: int | str, rules: int = 1030, refused: str = "") -> str:
        """The decision after ``actions`` in words, for a language model: the rules in brief in at most ``rules`` tokens (0 for none), the
        seat's view, the events of the actions, and its choices. So call it on the match at that seat's previous decision.
        ``refused`` says why its last answer was not taken: the message of :meth:`read_answer`'s error."""
        return self.engine._ask("prompt", state=self._answer["state"], actions=_plain(actions), rules=rules, refused=refused)

    def read_answer(self, text: str) -> int:
        """The action that an answer in free words chooses: by number, name or words, in any spelling.

        Raises:
            PrivateerError: it may mean several actions, or none, which the error lists.
        """
        return self.engine._ask("answer", state=self._answer["state"], text=text)

    def draw(self, view: int | None = None) -> Picture:
        """A picture, whole or as a seat sees it; a notebook shows it."""
        return Picture(self._show("svg", view))

    def _show(self, what: str, view: int | None) -> Any:
        return self.engine._ask("match", state=self._answer["state"], view=-1 if view is None else view, **{"with": [what]})[what]

    def _bytes(self, what: str, view: int = -1) -> np.ndarray:
        return np.frombuffer(base64.b64decode(self._show(what, view)), np.uint8)

    def _repr_svg_(self) -> str:
        return self.draw()


