"""The thin client of a server: arrays in, arrays out.

    with privateer.Client("localhost:50051") as client:
        session = client.open("leduc", 1024, seed=7, autoreset="SAME_STEP")
        batch = session.reset()
        while True:
            batch = session.step(policy(batch.observation, batch.action_mask))

A session survives its connection. When the connection is lost, the client attaches again and
resends the command that was not answered; the server performs it once.
"""

from __future__ import annotations

import _thread
import contextlib
import ipaddress
import logging
import os
import queue
import socket
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import grpc
import numpy as np

from privateer import http2
from privateer.batch import Batch, ReceivedBatch, tensor
from privateer.errors import ConnectionLost, PrivateerError, from_rpc, status_details
from privateer.session import _GONE, Requests, Session, _closing
from privateer.v1 import environment_pb2 as pb
from privateer.v1 import environment_pb2_grpc, policy_pb2_grpc
from privateer.wire import array, spans

T = TypeVar("T")

_log = logging.getLogger("privateer")

_STEP = "/privateer.v1.EnvironmentService/Step"
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


# How often a server of this program's own is tried that has ended: another may have its address.
_PLENTY = 3

# Where gRPC looks for a proxy.
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")


def addresses(target: str) -> list[str]:
    """Every server that a name stands for, as ``address:port``, in order: of a headless service of Kubernetes, or any
    name with several addresses. A session lives in one server, so a client is of one of them::

        client = privateer.Client(random.choice(privateer.addresses("privateer-each:50051")))

    Raises:
        ValueError: the target is not ``name:port``.
        ConnectionLost: nobody knows the name.
    """
    name, _, port = target.rpartition(":")
    if not name or not port.isdigit():
        raise ValueError(f"{target!r}: want name:port, such as privateer-each:50051")
    try:
        found = socket.getaddrinfo(name.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError as e:
        message = f"{target}: {e.strerror}: is the name right, and seen from here?"
        raise ConnectionLost(message, grpc.StatusCode.UNAVAILABLE) from e
    hosts = sorted({str(address[0]) for *_, address in found})
    return [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host in hosts]


def _loopback(target: str) -> bool:
    """Whether a target is on the loopback interface, which no proxy is between."""
    host = target.removeprefix("dns:").strip("/").rpartition(":")[0].strip("[]")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _one_server(target: str) -> tuple[str, int] | None:
    """Host and port of a target that is one server, which is reached without proxies; None: another connection might end elsewhere."""
    if not _loopback(target) and any(os.environ.get(name) for name in _PROXIES):
        return None
    try:
        found = addresses(target)
    except (ValueError, ConnectionLost):
        return None  # what gRPC calls a target in other ways
    host, _, port = target.rpartition(":")
    if len(found) > 1 and host != "localhost":
        return None
    return host.strip("[]"), int(port)


class Client(Requests):
    """A connection to a server. It may be used by several threads; a session by one at a time.

    ``token`` is a bearer token. ``tls`` asks for TLS, and so do ``root_certificates`` (PEM bytes), which
    name the authorities to trust instead of the usual authorities, and ``private_key`` and ``certificate_chain``, the
    client's own for mutual TLS.
    ``timeout`` bounds a request in seconds, ``connect`` the time for the first connection, and
    ``reconnect`` the time spent on reaching a lost server again.

    Requests raise :class:`privateer.ConnectionLost` if the server cannot be reached, and :class:`privateer.PrivateerError` if it refuses
    them; its ``field`` names the faulty part.
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
        self._recipe: dict[str, Any] = {
            "target": target,
            "token": token,
            "tls": tls,
            "root_certificates": root_certificates,
            "private_key": private_key,
            "certificate_chain": certificate_chain,
            "timeout": timeout,
            "connect": connect,
            "reconnect": reconnect,
        }
        self._process = os.getpid()
        self.target = target
        self.timeout = timeout
        self.connect = connect
        self._reached = False
        self.reconnect = reconnect
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        options = [*_OPTIONS, ("grpc.enable_http_proxy", 0)] if _loopback(target) else _OPTIONS
        secure = tls or root_certificates is not None or certificate_chain is not None
        if secure:
            credentials = grpc.ssl_channel_credentials(root_certificates, private_key, certificate_chain)
            self._channel = grpc.secure_channel(target, credentials, options=options)
        else:
            self._channel = grpc.insecure_channel(target, options=options)
        # Answers come as bytes, in which a Batch finds its tensors.
        self._step = self._channel.stream_stream(_STEP)
        # Where streams connect by themselves; None: they go through the channel.
        self._direct = None if secure else _one_server(target)
        self._streams: weakref.WeakSet[http2.Stream] = weakref.WeakSet()
        self._roots = (root_certificates or b"") if secure else None  # None: there is no TLS
        self._ended: Callable[[], str] = str  # how the server has ended, where it is this program's own and has
        self._away = 0  # how often the server was not reached, since it was
        self._env = environment_pb2_grpc.EnvironmentServiceStub(self._channel)
        self._policy = policy_pb2_grpc.PolicyServiceStub(self._channel)

    def __reduce__(self) -> tuple[Callable[..., Client], tuple[Any, ...]]:
        # As its recipe, the token included: each copy has its own connection.
        return _connected_again, (self._recipe,)

    def _here(self) -> None:
        """gRPC does not continue in a process that was forked: say so, instead of waiting for ever."""
        if self._process != os.getpid():
            raise ConnectionLost(
                f"this client of {self.target} was made before a fork, in process {self._process}: make one in this process",
                grpc.StatusCode.UNAVAILABLE,
            )

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection. Open sessions live on until their lease ends."""
        self._channel.close()
        self._direct = None
        for stream in list(self._streams):
            stream.end()

    def _try_again(self, error: ConnectionLost, until: float) -> None:
        """Wait a little before the server is asked again, and say once that it is waited for; raises where it is no use."""
        self._away += 1
        if self._away > _PLENTY and (ended := self._ended()):  # and no other has taken its place
            raise ConnectionLost(f"the server at {self.target} has ended: {ended}", error.code)
        left = until - time.monotonic()
        if left <= 0:
            raise error
        if self._away == 1 and not self._ended():
            _log.warning("the server at %s cannot be reached, and is tried for %.0f s more (reconnect=%g): %s", self.target, left, self.reconnect, error)
        time.sleep(0.1)

    def _check_tls(self) -> None:
        """Raise where the server answers in plain, or is none of those that are trusted: gRPC would try again and again, and write of each time."""
        host, _, port = self.target.rpartition(":")
        if self._roots is None or not host or not port.isdigit() or not _loopback(self.target) and any(os.environ.get(name) for name in _PROXIES):
            return
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.set_alpn_protocols(["h2"])
        context.check_hostname = bool(self._roots)
        if self._roots:
            context.load_verify_locations(cadata=self._roots.decode("ascii", "ignore"))
            context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        else:
            context.verify_mode = ssl.CERT_NONE  # gRPC knows other authorities than Python
        name = host.strip("[]")
        try:
            with socket.create_connection((name, int(port)), timeout=self.connect) as plain, context.wrap_socket(plain, server_hostname=name):
                pass
        except ssl.SSLCertVerificationError as e:
            raise ConnectionLost(f"{self.target}: its certificate is none to be trusted: {e.verify_message}", grpc.StatusCode.UNAVAILABLE) from None
        except ssl.SSLError as e:
            if e.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG", "HTTP_REQUEST"):
                raise ConnectionLost(f"{self.target} does not speak TLS: leave out tls and the certificates", grpc.StatusCode.UNAVAILABLE) from None
        except (OSError, ValueError):
            return  # what gRPC has words for

    def _reach(self) -> None:
        """Wait for the first connection. If there is none in time, the next call raises the reason."""
        self._check_tls()
        # Any answer will do. (A thread of grpc.channel_ready_future raises an error when the channel is closed.)
        check = self._channel.unary_unary("/grpc.health.v1.Health/Check")
        try:
            _aside(lambda: check(b"", timeout=self.connect, wait_for_ready=True))
        except grpc.RpcError as e:
            if e.code() in _GONE:
                return
        self._reached = True

    def _call(self, method: Callable[..., T], request: Any, wait: bool = True) -> T:
        """Send a request, and with ``wait`` again if the connection was lost.

        That does no harm: commands and decisions are numbered, and a session that nobody
        confirms is closed.
        """
        self._here()
        if wait and not self._reached:
            self._reach()
        until = time.monotonic() + (self.reconnect if wait else 0)
        while True:
            try:
                answer = _aside(lambda: method(request, timeout=self.timeout, metadata=self._metadata))
                self._away = 0
                return answer
            except grpc.RpcError as e:
                error = from_rpc(e)
            if not isinstance(error, ConnectionLost):
                raise error
            if not self._reached:
                hint = "is there a server (privateer serve), and does it ask for TLS or a certificate?"
                raise ConnectionLost(f"{self.target} cannot be reached: {error}: {hint}", error.code)
            self._try_again(error, until)

    def _open(self, request: pb.OpenRequest) -> RemoteSession:
        opened = self._call(self._env.Open, request)
        # The server soon closes sessions that no client seems to know; this confirms that one does.
        self._call(self._env.Renew, pb.RenewRequest(session_id=opened.session_id))
        return RemoteSession(self, request, opened, 0)

    def _open_stream(self) -> http2.Stream | _Stream:
        if self._direct is None:
            return _Stream(self)
        stream = http2.Stream(*self._direct, _STEP, self._metadata, max(self.connect, 1.0))
        self._streams.add(stream)
        return stream

    def attach(self, session_id: str) -> RemoteSession:
        """Return to a session that was opened before, by this process or another one."""
        r = self._call(self._env.Attach, pb.AttachRequest(session_id=session_id))
        session = RemoteSession(self, r.opened, r.session, r.seq)
        if r.HasField("batch"):
            session.batch = ReceivedBatch(r.batch.SerializeToString(), len(session.spec.actions))
        return session


def _aside(call: Callable[[], T]) -> T:
    """What a call of gRPC returns or raises, made in another thread: Ctrl-C, which the first one gets, would leave gRPC's locks taken."""
    answers: queue.SimpleQueue[tuple[T] | Exception] = queue.SimpleQueue()

    def made() -> None:
        try:
            answers.put((call(),))
        except Exception as error:
            answers.put(error)

    _thread.start_new_thread(made, ())  # in one instruction: that of threading waits, and may be interrupted in that
    answer = answers.get()
    if isinstance(answer, Exception):
        raise answer
    return answer[0]


def _connected_again(recipe: dict[str, Any]) -> Client:
    return Client(**recipe)


class RemoteSession(Session):
    """A vector of matches on a server."""

    client: Client

    def __init__(self, client: Client, opened: pb.OpenRequest, session: pb.OpenResponse, seq: int) -> None:
        super().__init__(client, opened, session)
        self._seq: int | None = seq  # of the last command performed; None if the server must be asked
        # The server remembers only its last answer: if two commands were in flight, losing the connection would lose the first's.
        self._pending: pb.StepRequest | pb.RestoreRequest | None = None
        self._stream: http2.Stream | _Stream | None = None
        self._left = 0  # streams that were left, perhaps before the server had read what was sent on them

    def __del__(self) -> None:
        # The lease of a session runs from the time when it has no open stream.
        if getattr(self, "_stream", None) is not None and self.client._process == os.getpid():
            self.detach()

    def _reset(self, command: pb.ResetCommand) -> Batch:
        self._settle()
        self._send(pb.StepRequest(reset=command))
        return self.recv()

    def _send_actions(self, actions: np.ndarray) -> None:
        self._send(pb.StepRequest(actions=tensor(actions, "actions")))

    def _in_flight(self) -> bool:
        return self._pending is not None

    def _settle(self) -> None:
        self._early = None
        if not self._in_flight():
            return
        self.detach()  # it is not even certain that it was sent
        with contextlib.suppress(PrivateerError):  # then none will come
            self.recv()
        self._seq = None

    def _next_seq(self) -> int:
        if self._seq is None:
            self._seq = self.client._call(self.client._env.Attach, pb.AttachRequest(session_id=self.id)).seq
        return self._seq + 1

    def _send(self, request: pb.StepRequest) -> None:
        self.client._here()
        request.session_id, request.seq = self.id, self._next_seq()
        seed = self._next_draw()
        if seed is not None:
            request.draw_seed = seed
        self._ahead = None
        self._pending = request
        try:
            if self._stream is None:
                self._attach()
            else:
                self._stream.send(request.SerializeToString())
        except BaseException:
            self.detach()  # Ctrl-C: recv sends it on a stream of its own
            raise

    def _attach(self) -> None:
        assert self._pending is not None
        self._stream = self.client._open_stream()
        self._stream.send(self._pending.SerializeToString())

    def _recv(self) -> Batch:
        if self._pending is None:
            raise ValueError("recv without a command: send one first")
        try:
            batch = self._restored(self._pending) if isinstance(self._pending, pb.RestoreRequest) else self._stepped()
            self._drawing = False
            self.batch = batch
            self._seq = self._pending.seq
            self._pending = None  # until here Ctrl-C leaves the answer to be asked for again
            return batch
        except PrivateerError as error:
            # A refused command is not performed. After any other error that is unknown: the next command asks first.
            if error.code != grpc.StatusCode.INVALID_ARGUMENT:
                self._seq = None
            self._pending = None
            raise
        except BaseException:
            # Ctrl-C: gRPC does not continue this stream. Another one asks for the answer again.
            self.detach()
            raise

    def _restored(self, request: pb.RestoreRequest) -> ReceivedBatch:
        answer = self.client._call(self.client._env.Restore, request)
        return ReceivedBatch(answer.batch.SerializeToString(), len(self.spec.actions))

    def _stepped(self) -> ReceivedBatch:
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
                direct, self._stream = isinstance(self._stream, http2.Stream), None
                if direct and error.code == grpc.StatusCode.NOT_FOUND and self.client._direct is not None:
                    # Behind the address are several servers, and the channel is connected to the one that has the session.
                    self.client._direct = None
                    self._attach()
                    continue
                lost = error.reason in ("IDLE", "SLOW_READER")
                if error.reason == "REPLACED" and self._left > 0:  # by one of those, which came later than this one
                    self._left -= 1
                    lost = True
                if isinstance(error, ConnectionLost):
                    self.client._try_again(error, until)
                elif not lost or time.monotonic() > until:
                    raise error from None
                else:
                    time.sleep(0.1)
            self._attach()
        self.client._away = False
        parts = spans(answer)
        batch = ReceivedBatch(answer, len(self.spec.actions), parts[pb.StepResponse.BATCH_FIELD_NUMBER])
        drawn = parts.get(pb.StepResponse.DRAWN_ACTIONS_FIELD_NUMBER)
        self._ahead = array(answer, drawn).copy() if drawn is not None else None
        return batch

    def detach(self) -> str:
        if self._stream is not None:
            self._stream.end()
            self._stream = None
            self._left += 1
        return self.id

    def restore(self, snapshot: bytes) -> Batch:
        self._settle()
        self._ahead = None  # drawn for other rows
        self._pending = pb.RestoreRequest(session_id=self.id, seq=self._next_seq(), snapshot=snapshot)
        return self.recv()

    def _close(self) -> None:
        self.detach()
        with _closing():
            self.client._call(self.client._env.Close, pb.CloseRequest(session_id=self.id), wait=False)


class _Stream:
    """One stream of the Step method over the client's channel.

    It calls gRPC in another thread, as :func:`_aside` does.
    """

    def __init__(self, client: Client) -> None:
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[memoryview | http2.Ended] = queue.SimpleQueue()
        _thread.start_new_thread(_streamed, (client._step, client._metadata, self._requests, self._answers))

    def __del__(self) -> None:
        self.end()  # Ctrl-C, before the session had it: a server has limited room

    def send(self, request: bytes) -> None:
        self._requests.put(request)

    def recv(self) -> memoryview:
        answer = self._answers.get()
        if isinstance(answer, http2.Ended):
            raise answer
        return answer

    def end(self) -> None:
        self._requests.put(None)


def _streamed(
    step: grpc.StreamStreamMultiCallable,
    metadata: Any,
    requests: queue.SimpleQueue[bytes | None],
    answers: queue.SimpleQueue[memoryview | http2.Ended],
) -> None:
    """One call of ``step`` from its beginning to its end, of which nothing is left to the caller's thread."""

    def each() -> Iterator[bytes]:
        while (request := requests.get()) is not None:
            yield request
        begun.wait()
        call.cancel()

    begun = threading.Event()
    # Not wait_for_ready: recv itself counts the time that a server is away.
    call = step(each(), metadata=metadata)
    begun.set()
    try:
        for answer in call:
            answers.put(memoryview(answer))
        answers.put(http2.Ended("the server has ended the stream", grpc.StatusCode.UNAVAILABLE))
    except grpc.RpcError as e:
        answers.put(http2.Ended(e.details(), e.code(), status_details(e)))
