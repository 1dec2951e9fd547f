"""The common parts of clients: requests, and sessions of matches."""

from __future__ import annotations

import contextlib
import datetime
import functools
import html
import json
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

import grpc
import numpy as np
import numpy.typing as npt

from privateer.batch import Batch, array, tensor
from privateer.errors import IllegalActionError, PrivateerError
from privateer.given import action_of, actions_of, seed_of, seeds_of
from privateer.picture import Picture
from privateer.policy import named
from privateer.spec import GameSpec, spec_of
from privateer.v1 import environment_pb2 as pb
from privateer.v1 import policy_pb2
from privateer.version import __version__

M = TypeVar("M")
P = ParamSpec("P")
T = TypeVar("T")

AUTORESET = {
    "NEXT_STEP": pb.AUTORESET_MODE_NEXT_STEP,
    "SAME_STEP": pb.AUTORESET_MODE_SAME_STEP,
    "DISABLED": pb.AUTORESET_MODE_DISABLED,
}

NOT_RESET = "the environment has not been reset: call reset first"

#: How a request to a server that cannot be reached ends.
_GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


def check_version(program: str, path: str = "") -> None:
    """Refuse a program of another release. One that was built from a checkout has none. ``path`` says where the program is, if it is here."""
    if not program:
        raise PrivateerError(
            f"{path or 'the server'} does not say its version, so it is older than this package, {__version__}: install the same version of both",
            grpc.StatusCode.FAILED_PRECONDITION,
        )
    if re.fullmatch(r"v?\d+\.\d+\.\d+", program) and program.removeprefix("v") != __version__:
        raise PrivateerError(
            f"{path or 'the program'} is privateer {program} and this package {__version__}: install the same version of both",
            grpc.StatusCode.FAILED_PRECONDITION,
        )


def message(kind: Callable[..., M], **entries: Any) -> M:
    """A message of the protocol. Its own errors do not say which entry does not fit; these do."""
    try:
        return kind(**entries)
    except (TypeError, ValueError):
        for name, value in entries.items():
            try:
                kind(**{name: value})
            except ValueError as error:
                raise ValueError(f"{name} {value!r}: {error}") from None
            except TypeError as error:
                raise TypeError(f"{name} {value!r}: {error}") from None
        raise


class Requests:
    """The requests of a client, for all kinds of connection."""

    _env: Any
    _policy: Any

    def _call(self, method: Callable[..., Any], request: Any, wait: bool = True) -> Any:
        """Send a request, and with ``wait`` again where the connection was lost."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def games(self) -> list[GameSpec]:
        """The games that the server has, each with its default parameters."""
        return [spec_of(g) for g in self._describe(pb.DescribeRequest()).games]

    def describe(self, game: str) -> GameSpec:
        """The spec of a game string, such as ``doubloons(seats=4)``."""
        return spec_of(self._describe(pb.DescribeRequest(game=game)).games[0])

    def _describe(self, request: pb.DescribeRequest) -> pb.DescribeResponse:
        answer = self._call(self._env.Describe, request)
        check_version(answer.version)
        return answer

    def open(
        self,
        game: str,
        num_envs: int,
        *,
        seed: int | None = None,
        autoreset: str = "NEXT_STEP",
        max_decisions: int = 0,
        full_view: bool = False,
        shuffle_seats: bool = False,
        players: Sequence[Any] = (),
        lease: float = 0.0,
        action_rows: bool = False,
    ) -> Session:
        """Open a session: a vector of ``num_envs`` matches. Reset it before the first step.

        No two seeds have a row in common; without a ``seed`` the server draws one, which is then the session's.
        ``autoreset`` is a name of Gymnasium's: NEXT_STEP, SAME_STEP or DISABLED. ``max_decisions``
        truncates episodes in which this client would take more; the decisions of bots do not count. ``players`` has an entry for each player:
        ``""`` for this client, the name of a bot, or a policy (:func:`privateer.load_policy`) that a server must have, too; empty
        for this client alone. ``lease`` is how many
        seconds the session lives while no client is attached; 0 for the server's limit. ``action_rows`` asks for
        rows that describe each legal action, for policies that read them.

        Raises:
            TypeError, ValueError: ``autoreset`` is none of these, or an option is of another type or range, which the error names.
            PrivateerError: the game, a bot or a number is refused (``field`` names it), or the server is of another version.
            ConnectionLost: the server cannot be reached.
        """
        if isinstance(players, str):
            raise TypeError(f'players {players!r}: want a list with an entry for each player, "" for this client or the name of a bot')
        for player in players:
            if isinstance(player, str) and player.endswith(".bundle"):
                raise ValueError(
                    f"players has {player!r}, a file: read it with privateer.load_policy and give that, or name one that the program has, as in policy:NAME"
                )
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset {autoreset!r}: want one of {', '.join(AUTORESET)}")
        request = message(
            pb.OpenRequest,
            game=game,
            num_envs=num_envs,
            seed=None if seed is None else seed_of(seed),
            autoreset_mode=AUTORESET[autoreset],
            max_decisions=max_decisions,
            full_view=full_view,
            shuffle_seats=shuffle_seats,
            players=[named(player) for player in players],
            lease=datetime.timedelta(seconds=lease),
            action_rows=action_rows,
        )
        return self._open(request)

    def _open(self, request: pb.OpenRequest) -> Session:
        raise NotImplementedError

    def bots(self, game: str) -> dict[str, bool]:
        """The bots of a game, and whether :meth:`act` takes them with tensors."""
        r = self._call(self._policy.ListBots, policy_pb2.ListBotsRequest(game=game))
        return {b.name: b.acts_on_tensors for b in r.bots}

    def act(
        self,
        game: str,
        bot: Any,
        packed_mask: np.ndarray,
        observation: np.ndarray | None = None,
        action_rows: np.ndarray | None = None,
        *,
        seed: int = 0,
    ) -> np.ndarray:
        """Let a bot choose for masks ``[N, ceil(A/8)]``, observations ``[N, D]`` and, if it reads them, the rows of the legal actions, decision
        after decision, ``[T, F]``: ``[N]`` int32."""
        tensors = _decisions(game, packed_mask, observation, action_rows)
        request = message(policy_pb2.ActRequest, bot=named(bot), seed=seed_of(seed), tensors=tensors)
        return array(self._call(self._policy.Act, request).actions)

    def probabilities(
        self, game: str, bot: Any, packed_mask: np.ndarray, observation: np.ndarray, action_rows: np.ndarray | None = None
    ) -> np.ndarray:
        """How likely a policy's network holds each action to be right, for the same arrays as :meth:`act` takes: ``[N, A]`` float32, 0 where an
        action is not legal.

        Raises:
            PrivateerError: the bot has no network.
        """
        tensors = _decisions(game, packed_mask, observation, action_rows)
        request = message(policy_pb2.ActRequest, bot=named(bot), tensors=tensors, probabilities=True)
        return array(self._call(self._policy.Act, request).probabilities)

    def think(self, position: Mapping[str, Any] | str, bot: Any, *, game: str = "", seed: int = 0) -> Thought:
        """What a bot thinks of a position, whole or in part, as :meth:`privateer.Match.position` has it; ``game`` if it does not name one.

        The probabilities of a policy are those of its network, of which it takes the likeliest.
        """
        text = position if isinstance(position, str) else json.dumps(position)
        player = named(bot)
        r = self._call(self._policy.Think, message(policy_pb2.ThinkRequest, game=game, position=text, bot=player, seed=seed_of(seed)))
        spec = self.describe(game or json.loads(text)["game"])
        probabilities = np.zeros(len(spec.actions))
        for c in r.actions:
            probabilities[c.action] = c.probability
        considered = [
            {
                "action": c.name,
                "visits": c.visits,
                "mean": c.mean if c.HasField("mean") else None,
                "standard_error": c.standard_error if c.HasField("standard_error") else None,
                "probability": c.probability,
            }
            for c in r.actions
        ]
        name = spec.actions[r.action]
        account = {"game": spec.config, "bot": player, "seat": r.seat, "decision": r.question, "choice": name, "unit": r.unit, "actions": considered}
        return Thought(player, r.action, name, probabilities, np.array(r.values or [np.nan] * spec.seats), r.unit, {**account, "notes": list(r.notes)})

    def host(self, game: str, seats: Sequence[Any], *, seed: int = 0) -> Table:
        """Open a table: one match with bots in the seats that name one, or have a policy, clients in the others (``""``).

        The server mixes a secret into the seed, so that nobody can deal the match again before it is over.
        Close the table when play has ended.
        """
        # Sent again if the connection was lost, it is still one table.
        request = message(policy_pb2.HostRequest, game=game, seed=seed_of(seed), seats=[named(seat) for seat in seats], request_id=secrets.token_hex(16))
        r = self._call(self._policy.Host, request)
        return Table(self, r.table_id, tuple(r.seat_keys), len(self.describe(game).actions), r.host_key)


def _decisions(game: str, packed_mask: np.ndarray, observation: np.ndarray | None, action_rows: np.ndarray | None) -> policy_pb2.TensorDecisions:
    """Decisions as a policy sees them."""
    decisions = policy_pb2.TensorDecisions(game=game, action_mask=tensor(packed_mask))
    if observation is not None:
        decisions.observation.CopyFrom(tensor(observation))
    if action_rows is not None:
        decisions.action_rows.CopyFrom(tensor(action_rows))
    return decisions


ONE_THREAD = "another thread is using this environment: it is for one thread at a time, so make one for each"


def _alone(method: Callable[Concatenate[Session, P], T]) -> Callable[Concatenate[Session, P], T]:
    """A method of a session that refuses a second thread while one is in any such method."""

    @functools.wraps(method)
    def alone(self: Session, *args: P.args, **kwargs: P.kwargs) -> T:
        this, user = threading.get_ident(), self._user
        if user.get("thread") == this:
            return method(self, *args, **kwargs)  # called by another one
        if user.setdefault("thread", this) != this:  # one instruction, so that of two threads one is the first
            self._check_there()
            raise RuntimeError(ONE_THREAD)
        try:
            return method(self, *args, **kwargs)
        finally:
            user.clear()

    return alone


class Session:
    """A vector of matches. One thread at a time may use it; another one that tries meanwhile gets a RuntimeError."""

    def __init__(self, client: Requests, opened: pb.OpenRequest, session: pb.OpenResponse) -> None:
        check_version(session.version)
        self.client = client
        self.id = session.session_id  #: gives access: keep it secret
        self.spec = spec_of(session.game)
        self.num_envs: int = opened.num_envs
        self.seed: int = session.seed  #: given or drawn; the last reset may have used another
        self.opened = opened
        self.lease: float = session.lease.ToTimedelta().total_seconds()
        self.batch: Batch | None = None  #: the last answer
        self._draw_seed, self._draws = self.seed, 0
        self._drawing = False  # actions are drawn with each batch, as the last ones were wanted
        self._ahead: np.ndarray | None = None  # the ones that came with the present batch, until another command is sent
        self._early: Batch | PrivateerError | None = None  # an answer that was taken before it was asked for
        self._owned: Requests | None = None  # a client that ends with the session
        self._user: dict[str, int] = {}  # the thread that is in one of the methods
        self._answers = 0  # that were taken
        self._seen: dict[int, int] = {}  # by thread: how many when it last looked
        self._crossed = False  # the sender of the last command had not seen the last answer, which was another thread's

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., Session], tuple[Requests, bytes, bool]]:
        # As its recipe: each copy has its own session, which is to be reset first.
        return _opened_again, (self.client, self.opened.SerializeToString(), self._owned is not None)

    @_alone
    def reset(self, seed: int | Sequence[int | None] | None = None, rows: npt.ArrayLike | None = None) -> Batch:
        """Begin new episodes: in all rows, or in those of ``rows`` ``[N]`` bool.

        With a seed every row begins episode 0, as in a session that was opened with it; without, the episodes count on. Of a list, with a seed for each
        row, a row begins what a session of one row begins with its seed; None leaves the row's series alone.

        Raises:
            TypeError, ValueError: a seed is no integer from 0 to 2**64 - 1, or their number is not that of the rows.
        """
        seeds = seeds_of(seed, self.num_envs)
        chosen = None if rows is None else np.asarray(rows, np.bool_)
        if not isinstance(seeds, list):
            batch = self._reset(_resetting(chosen, seed=seeds))
        else:
            seeded = np.array([each is not None for each in seeds])
            if chosen is not None and chosen.shape == seeded.shape:
                seeded &= chosen
            if not seeded.all() and self.batch is None:
                self._reset(pb.ResetCommand())
            elif not seeded.all():  # first those whose series continue
                self._reset(_resetting(~seeded if chosen is None else chosen & ~seeded))
            command = _resetting(None if seeded.all() else seeded, seeds=[each or 0 for each in seeds])
            batch = self._reset(command)
            seeds = functools.reduce(_mixed, [each or 0 for each in seeds])
        if seeds is not None:
            self._draw_seed, self._draws = seeds, 0
            self._ahead = None  # drawn by the seed before
        return batch

    @_alone
    def step(self, actions: npt.ArrayLike, *, out: Mapping[str, Any] | None = None) -> Batch:
        """Perform one action in each row, ``[N]`` of any integer type; ``out`` as in :meth:`recv`."""
        self._settle()
        self._perform(actions)
        return self._received(out)

    @_alone
    def send(self, actions: npt.ArrayLike) -> None:
        """The first half of :meth:`step`: this process can do other work before :meth:`recv`.

        Only one command can be in flight: :meth:`recv` its answer before the next one.

        Raises:
            TypeError: they are no integers.
            ValueError: the session has not been reset, or the last answer is still to be received.
        """
        if self._early is not None or self._in_flight():
            raise ValueError("send before the last command's answer was received: recv it first (step and reset drop it)")
        self._perform(actions)

    def _perform(self, actions: npt.ArrayLike) -> None:
        """Send a step, where no answer is outstanding."""
        self._check_begun()
        self._send_actions(actions_of(actions))
        self._crossed = self._seen.get(threading.get_ident(), self._answers) != self._answers

    def _send_actions(self, actions: np.ndarray) -> None:
        raise NotImplementedError

    def _check_there(self) -> None:
        """Raise in a process that was forked while a thread was in a method: that thread is not there."""

    def _check_begun(self) -> None:
        if self.batch is None:
            raise ValueError(NOT_RESET)

    @_alone
    def recv(self, *, out: Mapping[str, Any] | None = None) -> Batch:
        """The answer to the command sent. If it was refused, the session is as before it.

        ``out`` has arrays of the caller's by their names in a batch, such as a row of a rollout,
        ``{"observation": observations[t]}``: NumPy arrays, or tensors of PyTorch on the processor. They are filled,
        and the batch then has them instead of arrays of its own. They have its shapes, and types that hold its values:
        masks may be bool. If one does not fit, the error names it; the step has been performed, and :attr:`batch` has it.

        Raises:
            IllegalActionError: an action was not legal, and nothing was performed.
            TypeError, ValueError: an array of ``out`` does not fit.
        """
        return self._received(out)

    def _received(self, out: Mapping[str, Any] | None = None) -> Batch:
        early, self._early = self._early, None
        try:
            if isinstance(early, PrivateerError):
                raise early
            batch = self.batch = self._recv() if early is None else early
        except IllegalActionError as error:
            if self._crossed:  # it may have been legal when this thread chose it
                raise RuntimeError(f"another thread has stepped this environment since this one saw it, and it is for one thread at a time, so make one for each: {error}") from error
            raise
        self._answers += 1
        self._seen[threading.get_ident()] = self._answers
        for name, target in out.items() if out else ():
            setattr(batch, name, _filled(name, target, getattr(batch, name, None)))
        return batch

    def _reset(self, command: pb.ResetCommand) -> Batch:
        raise NotImplementedError

    def _recv(self) -> Batch:
        raise NotImplementedError

    def _in_flight(self) -> bool:
        """Whether a batch is still to be taken: the answer to a command that was sent."""
        raise NotImplementedError

    def _put_by(self) -> None:
        """Take the answer to a command that was sent, because a request is to be sent before the caller takes it."""
        if self._early is None and self._in_flight():
            try:
                self._early = self._recv()
            except PrivateerError as error:
                self._early = error

    def _asked(self, method: Callable[[Any], Any], request: Any) -> Any:
        """The answer to a request about the matches as the last command leaves them."""
        if not self._in_flight():
            self._check_begun()
        self._put_by()
        return self.client._call(method, request)

    def _settle(self) -> None:
        """Drop the outstanding answer: that of a program that was interrupted."""
        raise NotImplementedError

    def detach(self) -> str:
        """Leave the session open and return its id, for :meth:`privateer.Client.attach`."""
        raise NotImplementedError

    def restore(self, snapshot: bytes) -> Batch:
        """Restore a snapshot of this session or of one opened alike."""
        raise NotImplementedError

    @_alone
    def observe(self, row: int = 0) -> np.ndarray:
        """Every player's view of a match: ``[P, D]`` uint8, by player; zeros for players of bots without ``full_view``."""
        request = message(pb.ObserveRequest, session_id=self.id, row=row)
        return array(self._asked(self.client._env.Observe, request).observation)

    @_alone
    def render(self, row: int = 0) -> str:
        """Draw a match as ``current_player`` sees it, or whole when it is over and no bots play in it."""
        request = message(pb.RenderRequest, session_id=self.id, row=row)
        return self._asked(self.client._env.Render, request).text

    @_alone
    def draw(self, row: int = 0, view: int | None = None) -> Picture:
        """A picture of a match, as ``current_player`` sees it, or as the player ``view`` does; a notebook shows it.

        ``view`` may be a player of this client's, or any with ``full_view``; ``-1`` is the whole match, with ``full_view`` or when it is
        over and no bots play in it.
        """
        request = message(pb.DrawRequest, session_id=self.id, row=row, view=view)
        return Picture(self._asked(self.client._env.Draw, request).svg)

    def _repr_html_(self) -> str | None:
        if not self.id or self.batch is None:
            return None  # there is nothing to see yet, or any more
        return f"<p>{html.escape(self.spec.config)}, row 0 of {self.num_envs}</p>{self.draw()}"

    @_alone
    def snapshot(self) -> bytes:
        """The whole session as bytes, for a server of the same version. They contain everything hidden in its matches."""
        return self._asked(self.client._env.Snapshot, pb.SnapshotRequest(session_id=self.id)).snapshot

    @_alone
    def ask(self, bot: Any, *, seed: int = 0) -> np.ndarray:
        """The choice of a bot, by name, or of a policy that the program or server has, in each row: ``[N]`` int32. The session is not changed."""
        request = message(policy_pb2.ActRequest, bot=named(bot), seed=seed_of(seed), session_id=self.id)
        return array(self._asked(self.client._policy.Act, request).actions)

    @_alone
    def sample_actions(self) -> np.ndarray:
        """A legal action for each row, all with the same chance: ``[N]`` int32; 0 at a finished row.

        The engine draws them, in a fraction of NumPy's time. They depend on the seed of the last reset that had one, or else
        of the session, and on the number of calls since.
        """
        if not self._in_flight():
            self._check_begun()
        ahead, self._ahead = self._ahead, None
        self._draws += 1
        actions = self._drawn(_mixed(self._draw_seed, self._draws)) if ahead is None else ahead
        self._drawing = True
        self._seen[threading.get_ident()] = self._answers
        return actions

    def _drawn(self, seed: int) -> np.ndarray:
        return self.ask("random", seed=seed)

    def _next_draw(self) -> int | None:
        """The seed of the actions to be drawn with the next batch; None if they are probably not wanted."""
        return _mixed(self._draw_seed, self._draws + 1) if self._drawing else None

    def close(self) -> None:
        """End the session. Closing again does nothing; if the server has gone, the lease ends it."""
        try:
            if self.id:
                self._close()
        finally:
            self.id = ""
            if self._owned is not None:
                self._owned.close()  # again, if Ctrl-C came

    def _close(self) -> None:
        raise NotImplementedError


def _opened_again(client: Requests, opened: bytes, owned: bool) -> Session:
    session = client._open(pb.OpenRequest.FromString(opened))
    if owned:
        session._owned = client
    return session


def _resetting(rows: np.ndarray | None, **entries: Any) -> pb.ResetCommand:
    command = pb.ResetCommand(**entries)
    if rows is not None:
        command.rows.CopyFrom(tensor(rows))
    return command


def _mixed(seed: int, number: int) -> int:
    """A seed of its own for each number: the splitmix64 generator."""
    most = (1 << 64) - 1
    z = (seed + number * 0x9E3779B97F4A7C15) & most
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & most
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & most
    return z ^ (z >> 31)


def _filled(name: str, target: Any, found: Any) -> np.ndarray:
    """An array of the caller's, or the memory of a tensor, with what a batch has."""
    if not isinstance(found, np.ndarray):
        raise ValueError(f"out has {name!r}: this batch has no such array")
    if not hasattr(target, "__array__"):
        raise TypeError(f"out[{name!r}] is a {type(target).__name__}: want a NumPy array or a tensor, whose memory can be filled")
    try:
        into = np.asarray(target)
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"out[{name!r}]: want a NumPy array, or a tensor on the processor that has no gradient: {error}") from error
    if into.shape != found.shape:
        raise ValueError(f"out[{name!r}] {into.shape}: want {found.shape}")
    if not into.flags.writeable:
        raise ValueError(f"out[{name!r}] is read-only: want an array that can be filled")
    as_bytes = name == "action_mask" and into.dtype == np.bool_
    if not as_bytes and not np.can_cast(found.dtype, into.dtype, "same_kind"):
        raise TypeError(f"out[{name!r}] of {into.dtype}: want {found.dtype}, or a type that holds it")
    np.copyto(into.view(np.uint8) if as_bytes else into, found, "same_kind")
    return into


@contextlib.contextmanager
def _closing() -> Iterator[None]:
    """What no longer exists counts as closed."""
    try:
        yield
    except PrivateerError as e:
        if e.code != grpc.StatusCode.NOT_FOUND and e.code not in _GONE:
            raise
    except ValueError:
        pass  # how gRPC reports that the client has been closed


@dataclass(frozen=True)
class Turn:
    """What a seat at a table sees when it is to act, or at the end."""

    decision: int  #: number of the decision to take, of this seat
    seat: int
    observation: np.ndarray  #: ``[D]`` uint8
    packed_mask: np.ndarray | None  #: ``[ceil(A/8)]`` uint8; None when the match is over
    text: str  #: what is to be decided, for a person
    over: bool
    episode_return: np.ndarray  #: ``[P]`` float32: each seat's return so far
    seed: int | None = None  #: of the match, when it is over: with it the match can be played again
    legal: tuple[tuple[int, str, str], ...] = ()  #: the actions that may be chosen: number, name and words
    log: tuple[str, ...] = ()  #: what the seat has seen happen since its last decision, in words
    events: tuple[dict[str, Any], ...] = ()  #: the same, event by event
    position: dict[str, Any] | None = None  #: what the seat may know of the match, if it was asked for
    picture: Picture | None = None  #: the same as a picture


@dataclass(frozen=True, eq=False)
class Thought:
    """What a player thinks of a decision."""

    player: str  #: its name
    choice: int  #: the action that it takes
    name: str  #: the action's name
    probabilities: np.ndarray  #: ``[A]`` float64: those by which it chooses, 0 where an action is not legal
    values: np.ndarray  #: ``[seats]`` float64: what each may expect, NaN where the player has no opinion
    unit: str  #: of the values: ``return`` or ``chance to win``; empty if there are none
    account: dict[str, Any]  #: what it tried and what speaks for each action, as ``privateer position think --json`` prints it


@dataclass(frozen=True)
class Table:
    """One hosted match. The holder of a seat's key plays the seat."""

    client: Requests
    id: str
    seat_keys: tuple[str, ...]  #: by seat; ``""`` for a bot's
    actions: int  #: A
    host_key: str = ""  #: closes the table: keep it secret

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the table for all who sit there. Closing again does nothing; if the server has gone, the lease ends it."""
        request = policy_pb2.CloseTableRequest(table_id=self.id, host_key=self.host_key)
        with _closing():
            self.client._call(self.client._policy.CloseTable, request, wait=False)

    def play(self, seat_key: str, turn: Turn | None = None, action: int | None = None, *, view: bool = False) -> Turn:
        """Answer a turn with an action, and wait for the seat's next turn; without, only wait. ``view`` asks for its position and picture.

        A lost connection is restored, and the action is then sent again.

        Raises:
            TypeError: ``seat_key`` is none of :attr:`seat_keys`, such as the number of a seat, or an argument is of another type.
        """
        if not isinstance(seat_key, str):
            raise TypeError(f"seat_key {seat_key!r}: want the key of a seat that a client has, such as table.seat_keys[0]")
        if turn is not None and not isinstance(turn, Turn):
            raise TypeError(f"turn {turn!r}: want what play has returned, whose decision is answered")
        number = None if action is None else action_of(action)
        request = message(policy_pb2.PlayRequest, table_id=self.id, seat_key=seat_key, action=number, view=view)
        if turn is not None:
            request.decision = turn.decision
        r = self.client._call(self.client._policy.Play, request)
        mask = array(r.action_mask) if r.HasField("action_mask") else None
        seed = r.seed if r.HasField("seed") else None
        legal = tuple((c.action, c.name, c.words) for c in r.legal)
        events = tuple(map(json.loads, r.events))
        seen = json.loads(r.position) if r.position else None
        picture = Picture(r.picture) if r.picture else None
        return Turn(r.decision, r.seat, array(r.observation), mask, r.text, r.over, array(r.episode_return), seed, legal, tuple(r.log), events, seen, picture)
