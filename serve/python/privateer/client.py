"""The thin client: arrays in, arrays out.

    with privateer.Client("localhost:50051") as client:
        session = client.open("leduc", 1024, seed=7, autoreset="SAME_STEP")
        batch = session.reset()
        while True:
            batch = session.step(policy(batch.observation, batch.action_mask))

A session survives its connection. When the connection is lost, the client attaches again and
resends the command that was not answered; the server performs it once.
"""

from __future__ import annotations

import contextlib
import datetime
import queue
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
import numpy as np
import numpy.typing as npt

from privateer.batch import Batch, array, tensor
from privateer.errors import ConnectionLost, PrivateerError, from_rpc
from privateer.spec import GameSpec, spec_of
from privateer.v1 import environment_pb2 as pb
from privateer.v1 import environment_pb2_grpc, policy_pb2, policy_pb2_grpc
from privateer.wire import spans

T = TypeVar("T")

AUTORESET = {
    "NEXT_STEP": pb.AUTORESET_MODE_NEXT_STEP,
    "SAME_STEP": pb.AUTORESET_MODE_SAME_STEP,
    "DISABLED": pb.AUTORESET_MODE_DISABLED,
}

_OPTIONS = [
    ("grpc.max_receive_message_length", 1 << 30),
    ("grpc.max_send_message_length", 1 << 30),
    ("grpc.http2.lookahead_bytes", 4 << 20),
    ("grpc.http2.max_frame_size", 1 << 20),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.enable_retries", 1),
]


#: How a request to a server that cannot be reached ends.
_GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED)


class Client:
    """A connection to a server. It may be used by several threads; a session by one at a time.

    ``token`` is a bearer token. ``tls`` asks for TLS, and so do ``root_certificates`` (PEM bytes), which
    say whom to trust instead of the usual authorities, and ``private_key`` and ``certificate_chain``, the
    client's own for mutual TLS.
    ``timeout`` bounds a request in seconds, ``connect`` the time for the first connection, and
    ``reconnect`` the time spent on reaching a lost server again.
    """

    def __init__(
        self,
        target: str = "127.0.0.1:50051",
        *,
        token: str | None = None,
        tls: bool = False,
        root_certificates: bytes | None = None,
        private_key: bytes | None = None,
        certificate_chain: bytes | None = None,
        timeout: float = 60.0,
        connect: float = 3.0,
        reconnect: float = 30.0,
    ) -> None:
        self.target = target
        self.timeout = timeout
        self.connect = connect
        self._reached = False
        self.reconnect = reconnect
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        if tls or root_certificates is not None or certificate_chain is not None:
            credentials = grpc.ssl_channel_credentials(root_certificates, private_key, certificate_chain)
            self._channel = grpc.secure_channel(target, credentials, options=_OPTIONS)
        else:
            self._channel = grpc.insecure_channel(target, options=_OPTIONS)
        # Answers come as bytes, in which a Batch finds its tensors.
        self._step = self._channel.stream_stream(
            "/privateer.v1.EnvironmentService/Step", request_serializer=pb.StepRequest.SerializeToString
        )
        self._env = environment_pb2_grpc.EnvironmentServiceStub(self._channel)
        self._policy = policy_pb2_grpc.PolicyServiceStub(self._channel)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Open sessions live on until their lease ends."""
        self._channel.close()

    def _reach(self) -> None:
        """Wait for the first connection. If there is none in time, the next call raises the reason."""
        # Any answer will do. (A thread of grpc.channel_ready_future raises an error when the channel is closed.)
        check = self._channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            check(b"", timeout=self.connect, wait_for_ready=True)
        except grpc.RpcError as e:
            if e.code() in _GONE:
                return
        self._reached = True

    def _call(self, method: Callable[..., T], request: Any, wait: bool = True) -> T:
        """Send a request, and with ``wait`` again if the connection was lost.

        That does no harm: commands and decisions are numbered, and a session that nobody
        confirms is closed.
        """
        if wait and not self._reached:
            self._reach()
        until = time.monotonic() + (self.reconnect if wait else 0)
        while True:
            try:
                return method(request, timeout=self.timeout, metadata=self._metadata)
            except grpc.RpcError as e:
                error = from_rpc(e)
            if not isinstance(error, ConnectionLost):
                raise error
            if not self._reached:
                hint = "is there a server (privateer serve), and does it ask for TLS or a certificate?"
                raise ConnectionLost(f"{self.target} cannot be reached: {error}: {hint}", error.code)
            if time.monotonic() >= until:
                raise error
            time.sleep(0.1)

    def games(self) -> list[GameSpec]:
        """The games that the server has, each with its default parameters."""
        return [spec_of(g) for g in self._call(self._env.Describe, pb.DescribeRequest()).games]

    def describe(self, game: str) -> GameSpec:
        """The spec of a game string, such as ``doubloons(seats=4)``."""
        return spec_of(self._call(self._env.Describe, pb.DescribeRequest(game=game)).games[0])

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
        players: Sequence[str] = (),
        lease: float = 0.0,
    ) -> Session:
        """Open a session: a vector of ``num_envs`` matches. Reset it before the first step.

        Row i is seeded with seed+i; without a ``seed`` the server draws one, which is then the session's.
        ``autoreset`` is a name of Gymnasium's: NEXT_STEP, SAME_STEP or DISABLED. ``max_decisions``
        truncates episodes in which this client would take more; the decisions of bots do not count. ``players`` says by player who plays,
        ``""`` for this client or the name of a bot; empty for this client alone. ``lease`` is how many
        seconds the session lives while no client is attached; 0 for what the server allows.
        """
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset {autoreset!r}: want one of {', '.join(AUTORESET)}")
        request = pb.OpenRequest(
            game=game,
            num_envs=num_envs,
            seed=seed,
            autoreset_mode=AUTORESET[autoreset],
            max_decisions=max_decisions,
            full_view=full_view,
            shuffle_seats=shuffle_seats,
            players=players,
            lease=datetime.timedelta(seconds=lease),
        )
        opened = self._call(self._env.Open, request)
        # The server soon closes sessions that no client seems to know; this confirms that one does.
        self._call(self._env.Renew, pb.RenewRequest(session_id=opened.session_id))
        return Session(self, request, opened, 0)

    def attach(self, session_id: str) -> Session:
        """Come back to a session that was opened before, by this process or another one."""
        r = self._call(self._env.Attach, pb.AttachRequest(session_id=session_id))
        session = Session(self, r.opened, r.session, r.seq)
        if r.HasField("batch"):
            session.batch = Batch(r.batch.SerializeToString(), len(session.spec.actions))
        return session

    def bots(self, game: str) -> dict[str, bool]:
        """The bots of a game, and whether :meth:`act` takes them with tensors."""
        r = self._call(self._policy.ListBots, policy_pb2.ListBotsRequest(game=game))
        return {b.name: b.acts_on_tensors for b in r.bots}

    def act(
        self, game: str, bot: str, packed_mask: np.ndarray, observation: np.ndarray | None = None, *, seed: int = 0
    ) -> np.ndarray:
        """Let a bot choose for masks ``[N, ceil(A/8)]`` and observations ``[N, D]``: ``[N]`` int32."""
        decisions = policy_pb2.TensorDecisions(game=game, action_mask=tensor(packed_mask))
        if observation is not None:
            decisions.observation.CopyFrom(tensor(observation))
        request = policy_pb2.ActRequest(bot=bot, seed=seed, tensors=decisions)
        return array(self._call(self._policy.Act, request).actions)

    def host(self, game: str, seats: Sequence[str], *, seed: int = 0) -> Table:
        """Open a table: one match with bots in the seats that name one, clients in the others (``""``).

        The server mixes a secret into the seed, so that nobody can deal the match again before it is over.
        Close the table when nobody will play on.
        """
        # Sent again if the connection was lost, it is still one table.
        request = policy_pb2.HostRequest(game=game, seed=seed, seats=seats, request_id=secrets.token_hex(16))
        r = self._call(self._policy.Host, request)
        return Table(self, r.table_id, tuple(r.seat_keys), len(self.describe(game).actions), r.host_key)


class Session:
    """A vector of matches on the server."""

    def __init__(self, client: Client, opened: pb.OpenRequest, session: pb.OpenResponse, seq: int) -> None:
        self.client = client
        self.id = session.session_id  #: gives access: keep it secret
        self.spec = spec_of(session.game)
        self.num_envs: int = opened.num_envs
        self.seed: int = session.seed  #: given or drawn; the last reset may have used another
        self.opened = opened
        self.lease: float = session.lease.ToTimedelta().total_seconds()
        self.batch: Batch | None = None  #: the last answer
        self._seq: int | None = seq  # of the last command sent; None if the server must be asked
        # The server remembers only its last answer: if two commands were in flight, losing the connection would lose the first's.
        self._pending: pb.StepRequest | None = None
        self._stream: _Stream | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # The lease of a session runs from the time when it has no open stream.
        if getattr(self, "_stream", None) is not None:
            self.detach()

    def reset(self, seed: int | None = None, rows: npt.ArrayLike | None = None) -> Batch:
        """Begin new episodes: in all rows, or in those of ``rows`` ``[N]`` bool.

        With a seed row i begins episode 0 of seed+i; without, the episodes count on.
        """
        command = pb.ResetCommand(seed=seed)
        if rows is not None:
            command.rows.CopyFrom(tensor(np.asarray(rows, np.bool_)))
        self._settle()
        self._send(pb.StepRequest(reset=command))
        return self.recv()

    def step(self, actions: npt.ArrayLike) -> Batch:
        """Perform one action in each row, ``[N]`` of any integer type."""
        self._settle()
        self.send(actions)
        return self.recv()

    def send(self, actions: npt.ArrayLike) -> None:
        """The first half of :meth:`step`: this process can do other work before :meth:`recv`.

        Only one command can be in flight: :meth:`recv` its answer before the next one.
        """
        if self._pending is not None:
            raise ValueError("send before the last command's answer was received: recv it first (step and reset drop it)")
        self._send(pb.StepRequest(actions=tensor(actions)))

    def _settle(self) -> None:
        """Drop the outstanding answer: that of a program that was interrupted."""
        if self._pending is None:
            return
        self.detach()  # it is not even certain that it was sent
        with contextlib.suppress(PrivateerError):  # then none will come
            self.recv()
        self._seq = None

    def _seq_after(self, commands: int) -> int:
        if self._seq is None:
            self._seq = self.client._call(self.client._env.Attach, pb.AttachRequest(session_id=self.id)).seq
        return self._seq + commands

    def _send(self, request: pb.StepRequest) -> None:
        request.session_id, request.seq = self.id, self._seq_after(1)
        self._pending = request
        self._seq = request.seq
        try:
            if self._stream is None:
                self._attach()
            else:
                self._stream.send(request)
        except BaseException:
            self.detach()  # Ctrl-C: recv sends it on a stream of its own
            raise

    def _attach(self) -> None:
        assert self._pending is not None
        self._stream = _Stream(self.client)
        self._stream.send(self._pending)

    def recv(self) -> Batch:
        """The answer to the command sent. If it was refused, the session is as before it."""
        if self._pending is None:
            raise ValueError("recv without a command: send one first")
        if self._stream is None:
            self._attach()
        until = time.monotonic() + self.client.reconnect
        while True:
            assert self._stream is not None
            try:
                answer = self._stream.recv()
                break
            except grpc.RpcError as e:
                error = from_rpc(e)
                self._stream = None
                lost = isinstance(error, ConnectionLost) or error.reason in ("IDLE", "SLOW_READER")
                if not lost or time.monotonic() > until:
                    # A refused command is not performed. After any other error that is unknown: the
                    # next command asks first.
                    refused = error.code == grpc.StatusCode.INVALID_ARGUMENT
                    self._seq = self._seq_after(-1) if refused else None
                    self._pending = None
                    raise error from None
            except BaseException:
                # Ctrl-C: gRPC does not continue this stream. Another one asks for the answer again.
                self.detach()
                raise
            time.sleep(0.1)
            self._attach()
        self._pending = None
        self.batch = Batch(answer, len(self.spec.actions), spans(answer)[pb.StepResponse.BATCH_FIELD_NUMBER])
        return self.batch

    def detach(self) -> str:
        """Leave the session open and return its id, for :meth:`Client.attach`."""
        if self._stream is not None:
            self._stream.end()
            self._stream = None
        return self.id

    def observe(self, row: int = 0) -> np.ndarray:
        """What every player sees of a match: ``[P, D]`` uint8, by player; zeros for players of bots without ``full_view``."""
        request = pb.ObserveRequest(session_id=self.id, row=row)
        return array(self.client._call(self.client._env.Observe, request).observation)

    def render(self, row: int = 0) -> str:
        """Draw a match as ``current_player`` sees it, or whole when it is over and no bots play in it."""
        request = pb.RenderRequest(session_id=self.id, row=row)
        return self.client._call(self.client._env.Render, request).text

    def snapshot(self) -> bytes:
        """The whole session as bytes, for a server of the same version. They contain everything hidden in its matches."""
        return self.client._call(self.client._env.Snapshot, pb.SnapshotRequest(session_id=self.id)).snapshot

    def restore(self, snapshot: bytes) -> Batch:
        """Put back what :meth:`snapshot` returned, of this session or one opened alike."""
        self._settle()
        self._seq = self._seq_after(1)
        request = pb.RestoreRequest(session_id=self.id, seq=self._seq, snapshot=snapshot)
        try:
            answer = self.client._call(self.client._env.Restore, request)
        except PrivateerError:
            self._seq = None
            raise
        self.batch = Batch(answer.batch.SerializeToString(), len(self.spec.actions))
        return self.batch

    def ask(self, bot: str, *, seed: int = 0) -> np.ndarray:
        """What a bot would do in each row: ``[N]`` int32. The session is not changed."""
        request = policy_pb2.ActRequest(bot=bot, seed=seed, session_id=self.id)
        return array(self.client._call(self.client._policy.Act, request).actions)

    def close(self) -> None:
        """End the session. Closing again does nothing; if the server has gone, the lease ends it."""
        if not self.id:
            return
        self.detach()
        request, self.id = pb.CloseRequest(session_id=self.id), ""
        with _closing():
            self.client._call(self.client._env.Close, request, wait=False)


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


class _Stream:
    """One stream of the Step method."""

    def __init__(self, client: Client) -> None:
        self._requests: queue.SimpleQueue[pb.StepRequest | None] = queue.SimpleQueue()
        # Not wait_for_ready: recv itself counts the time that a server is away.
        self._answers = client._step(self._each(), metadata=client._metadata)

    def _each(self) -> Iterator[pb.StepRequest]:
        while (request := self._requests.get()) is not None:
            yield request

    def send(self, request: pb.StepRequest) -> None:
        self._requests.put(request)

    def recv(self) -> bytes:
        return next(self._answers)

    def end(self) -> None:
        self._requests.put(None)
        self._answers.cancel()


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


@dataclass(frozen=True)
class Table:
    """One hosted match. The holder of a seat's key plays the seat."""

    client: Client
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

    def play(self, seat_key: str, turn: Turn | None = None, action: int | None = None) -> Turn:
        """Answer a turn with an action, and wait for the seat's next turn; without, only wait.

        A lost connection is restored, and the action is then sent again.
        """
        request = policy_pb2.PlayRequest(table_id=self.id, seat_key=seat_key, action=action)
        if turn is not None:
            request.decision = turn.decision
        r = self.client._call(self.client._policy.Play, request)
        mask = array(r.action_mask) if r.HasField("action_mask") else None
        seed = r.seed if r.HasField("seed") else None
        return Turn(r.decision, r.seat, array(r.observation), mask, r.text, r.over, array(r.episode_return), seed)
