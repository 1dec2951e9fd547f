"""The program on this machine, as a child of this process, without a server or a port.

    with privateer.Program() as program:
        session = program.open("leduc", 1024, seed=7, autoreset="SAME_STEP")
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from privateer.launch import find_binary
from privateer.library import Library
from privateer.link import CALL, SUPPORTED, Link, Memory
from privateer.policy import Policy, policy_of, written
from privateer.session import Requests, Session
from privateer.shared import SharedSession
from privateer.v1 import environment_pb2 as pb
from privateer.v1 import environment_pb2_grpc, policy_pb2_grpc


class Program(Requests):
    """The ``privateer`` program as a child of this process, with the interface of :class:`privateer.Client`.

    It ends with this process at the latest, however that ends. It has one session, so that :meth:`open` starts
    another one from the second session on. ``arguments`` are flags of ``privateer serve``, such as
    ``"--policies", "pirate.bundle"`` or ``"--workers", "1"``; ``policies`` are further ones, as they were read, that may be players.

    A forked process does not have the programs of its parent: they raise an error there. A
    program and what belongs to it is pickled and copied as its recipe: the copy starts another program.

    With ``inprocess`` there is no child: the C library answers, ``libprivateer`` (``make library``, or the variable ``PRIVATEER_LIBRARY``), in
    this process, so that a step of one match takes no switch between processes. It has no flags. After a fork it
    raises an error in the child.

    Raises:
        FileNotFoundError: there is no program, or no library; how to come by one.
        RuntimeError: it does not begin to serve (with its output), or this system has no shared memory.
    """

    def __init__(
        self, *arguments: str, binary: str | None = None, timeout: float = 20.0, policies: Sequence[Policy] = (), inprocess: bool = False
    ) -> None:
        if not SUPPORTED:
            raise RuntimeError("this system has no shared memory that sessions can use: use privateer.launch and a Client")
        if inprocess and (arguments or binary):
            raise ValueError(f"inprocess=True with {binary or arguments}: there is no program that has flags: give policies as policies=")
        self._recipe = arguments, binary, timeout, tuple(policies), inprocess
        self._policies = tuple(policies)
        self._used = False  # it has a session, or had one
        self._session: weakref.ref[SharedSession] | None = None
        self._env = environment_pb2_grpc.EnvironmentServiceStub(_Methods(self))
        self._policy = policy_pb2_grpc.PolicyServiceStub(_Methods(self))
        with written(self._policies) as folder:  # it has read them when it greets
            if inprocess:
                self._link: Memory = Library(str(folder or ""))
            else:
                read = ("--policies", str(folder)) if folder else ()
                self._link = Link(binary or find_binary(), (*arguments, *read), timeout)

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return _started_again, self._recipe

    @property
    def pid(self) -> int:
        """The number of the process that has the games."""
        return self._link.pid

    def close(self) -> None:
        """End the program, and with it its session. Closing again does nothing, or what Ctrl-C has left to do."""
        self._link.end()

    def _ask(self, method: str, request: bytes) -> bytes:
        """One of the services' methods."""
        self._link.check()
        session = self._session() if self._session is not None else None
        if session is not None:
            session._put_by()
        name = method.encode()
        self._link.send(CALL, struct.pack("<H", len(name)) + name + request)
        self._link.wait()
        return self._link.take()

    def _call(self, method: Callable[..., Any], request: Any, wait: bool = True) -> Any:
        return method(request)

    def open(self, game: str, num_envs: int, **options: Any) -> Session:
        """:meth:`privateer.Client.open`; policies among the players that this program was not given are given to another one."""
        known = {policy.digest for policy in self._policies}
        lacking = [policy for policy in map(policy_of, options.get("players", ())) if policy is not None and policy.digest not in known]
        if not lacking:
            return super().open(game, num_envs, **options)
        arguments, binary, timeout, policies, inprocess = self._recipe
        other = _started_again(arguments, binary, timeout, (*policies, *lacking), inprocess)
        try:
            session = other.open(game, num_envs, **options)
        except BaseException:
            other.close()
            raise
        session._owned = other
        return session

    def _open(self, request: pb.OpenRequest) -> SharedSession:
        if self._used:
            other = _started_again(*self._recipe)
            session = other._open(request)
            session._owned = other
            return session
        opened = self._env.Open(request)
        self._used = True
        session = SharedSession(self, self._link, request, opened)
        self._session = weakref.ref(session)
        return session


def _started_again(arguments: tuple[str, ...], binary: str | None, timeout: float, policies: Sequence[Policy], inprocess: bool) -> Program:
    return Program(*arguments, binary=binary, timeout=timeout, policies=policies, inprocess=inprocess)


class _Methods:
    """A channel, as the generated stubs expect one."""

    def __init__(self, program: Program) -> None:
        self._program = weakref.ref(program)

    def unary_unary(
        self, method: str, request_serializer: Callable[[Any], bytes], response_deserializer: Callable[[bytes], Any], **_: Any
    ) -> Callable[..., Any]:
        def call(request: Any) -> Any:
            program = self._program()
            assert program is not None  # it has the stub that this belongs to
            return response_deserializer(program._ask(method, request_serializer(request)))

        return call

    def stream_stream(self, method: str, **_: Any) -> None:
        """Step is no call here: SharedSession."""
