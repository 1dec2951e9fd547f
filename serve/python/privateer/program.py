"""The program as a child of this process, and sessions over memory that both have mapped.

    session = privateer.make("leduc", 1024, seed=7, autoreset="SAME_STEP")
    batch = session.reset()
    while True:
        batch = session.step(policy(batch.observation, batch.action_mask))

There is no server to start and no port. The other side is serve/shared.go, which says how the two understand
each other. What counts is in the mapped memory: a command is sent when its number has been stored there, by
one instruction, and everything before can be done again. So this side may be interrupted anywhere, and the next
command finds out what has become of the last one.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import os
import select
import struct
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

import grpc
import numpy as np

from privateer.batch import Batch, Endings, tensor
from privateer.client import Client
from privateer.errors import ConnectionLost, PrivateerError, from_status
from privateer.launch import attended, beginning, find_binary, how_ended, last_words, launch, log_file, pipe
from privateer.policy import Policy, policy_of, written
from privateer.session import ONE_THREAD, Requests, Session, _closing, check_version
from privateer.v1 import environment_pb2 as pb
from privateer.v1 import environment_pb2_grpc, policy_pb2_grpc
from privateer.wire import DTYPES

with contextlib.suppress(ImportError):  # Windows has none, and shares no memory
    import fcntl

#: Whether this system has what it takes.
SUPPORTED = hasattr(os, "register_at_fork") and sys.platform != "cygwin"

# serve/shared.go has the same numbers.
_PROTOCOL = 2
_PAGE, _MAGIC = 4096, b"PRIVATEE"
_SERVER, _CLIENT, _CLIENT_IN_ORDER = 1, 2, 3
_COMMAND, _KIND, _SIZE, _SLOT, _DTYPE, _DRAW, _DRAW_SEED, _LEFT = range(8, 16)
_ANSWER, _REFUSED, _ANSWER_SIZE, _ENDED, _MEMORY = range(16, 21)
_VERSION = slice(256, 384)
_CALL, _COMMAND_KIND, _RESTORE, _ACTIONS, _DRAWING = range(1, 6)
_RINGS = tuple(bytes((k,)) for k in range(256))
_LIST, _ENTRY = 64, struct.Struct("<32sII4IQ")

# How often the answer is looked for at once, and then between two looks at the clock, and how many bytes that say
# that there is one are left unread in the pipe, which has room for many more.
_LOOKS, _LOOKS_AGAIN, _MOST_UNREAD = 40, 8, 4096

# Who sleeps takes some 60 µs to wake up, and then goes on more slowly; who looks for longer keeps others from the core, perhaps
# the program itself. So both are tried: for so many answers each now and then, and the better way for the many between. Nobody
# looks for longer than this, in seconds, or where it saves less than a tenth.
_TRIAL, _TERM, _PATIENCE, _WORTH = 128, 2048, 500e-6, 0.9

#: Lets other threads and programs run, if there are any that want this core.
_give_way: Callable[[], object] = getattr(os, "sched_yield", lambda: time.sleep(0))

# Whether this machine's loads and stores happen in the order in which they are written here. On an ARM, which does not see to that,
# the program waits for the ring of a command, and here a system call comes between the sight of an answer and what
# is read of it: loads do not move across one.
_IN_ORDER = SUPPORTED and os.uname().machine in ("x86_64", "amd64", "i386", "i686")

_programs: weakref.WeakSet[Program] = weakref.WeakSet()


class Program(Requests):
    """The ``privateer`` program as a child of this process: what a :class:`privateer.Client` is to a server.

    It ends with this process at the latest, however that ends. It has one session, so that :meth:`open` starts
    another one from the second session on. ``arguments`` are flags of ``privateer serve``, such as
    ``"--policies", "pirate.bundle"`` or ``"--workers", "1"``; ``policies`` are further ones, as they were read, that may be players.

    A process that has been forked does not have the programs of its parent; what it finds of them says so. A
    program and what belongs to it is pickled and copied as its recipe: the copy starts another program.
    """

    def __init__(self, *arguments: str, binary: str | None = None, timeout: float = 20.0, policies: Sequence[Policy] = ()) -> None:
        if not SUPPORTED:
            raise RuntimeError("shared memory is not to be had on this system: use privateer.launch and a Client")
        self._arguments, self._binary, self._timeout, self._policies = arguments, binary, timeout, tuple(policies)
        self._gone: str | None = "it has not been started"
        self._files: list[io.FileIO] | None = None
        self._said = ""  # what the program had written when it ended
        self._used = False  # it has a session, or had one
        self._session: weakref.ref[SharedSession] | None = None
        self._unread = 0  # answers that were found without their byte in the pipe
        self._looking = True  # for answers; else it sleeps until they are there
        self._cost = [0.0, 0.0]  # seconds that an answer took when it slept, and when it looked
        self._trying = False
        self._term = _TRIAL  # how many answers are waited for in the same way
        self._waits, self._spent = 0, 0.0  # those of them that have come, and the seconds until they had
        self._waiter: dict[str, int] = {}  # the thread that waits for an answer
        self._rung = 0  # number of the last command that the program was woken for
        self._taken = 0  # number of the last command whose answer was taken
        self._env = environment_pb2_grpc.EnvironmentServiceStub(_Methods(self))
        self._policy = policy_pb2_grpc.PolicyServiceStub(_Methods(self))
        with written(self._policies) as folder:  # it has read them when it greets
            self._start(("--policies", str(folder)) if folder else ())

    def _start(self, policies: tuple[str, ...]) -> None:
        binary = self._binary or find_binary()
        (ring, to), (from_, answers) = pipe(), pipe()
        with ring, answers:
            self._log: IO[bytes] = log_file()
            self._files = [_file("mailbox"), _file("batches"), to, from_]
            self._mailbox, self._batches, self._ring, self._answers = (file.fileno() for file in self._files)
            os.ftruncate(self._mailbox, _PAGE)
            self._page = mmap.mmap(self._mailbox, _PAGE)
            self._page[: len(_MAGIC)] = _MAGIC
            self._words = memoryview(self._page).cast("Q")
            self._words[_CLIENT] = _PROTOCOL
            self._words[_CLIENT_IN_ORDER] = _IN_ORDER
            shared = f"{self._mailbox},{self._batches}"
            command = [binary, "serve", "--log-level", "warn", *self._arguments, *policies, "--shared-memory", shared]
            # A session of its own, so that Ctrl-C interrupts this process and not the program.
            self._process = subprocess.Popen(
                command,
                stdin=ring,
                stdout=answers,
                stderr=self._log,
                env=attended(),
                pass_fds=(self._mailbox, self._batches),
                start_new_session=True,
            )
        self._gone = None
        _programs.add(self)
        self._greet(command)

    def _greet(self, command: Sequence[str]) -> None:
        """Wait until the program is there, and check that it is of this version."""
        said = b""
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        if waiting.poll(1000 * self._timeout):
            said = os.read(self._answers, 1)
        server, version = self._words[_SERVER], bytes(self._page[_VERSION]).rstrip(b"\0").decode()
        if not said:
            ended = beginning(self._process)
            self._end(kill=True)
            wrong = f"{' '.join(command)} did not begin to serve: {self._said or ended}"
            if server not in (0, _PROTOCOL):
                wrong = f"the program is privateer {version} (protocol {server}), and this package has protocol {_PROTOCOL}: install the same version of both"
            raise RuntimeError(wrong)
        try:
            check_version(version, command[0])
        except PrivateerError:
            self._end(kill=True)
            raise

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return _started_again, (self._arguments, self._binary, self._timeout, self._policies)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def close(self) -> None:
        """End the program, and with it its session. Closing again does nothing, or what Ctrl-C has left to do."""
        self._end()

    def _end(self, kill: bool = False) -> None:
        files = self._files
        if files is None:
            return
        if self._gone is None:
            self._gone = "it has been closed"
        _programs.discard(self)
        for file in files:
            file.close()
        process: subprocess.Popen[bytes] | None = getattr(self, "_process", None)
        if process is not None:
            # The end of the pipe is the end of the program, unless a bot is thinking.
            if kill:
                process.kill()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if not self._log.closed:
            self._said = last_words(self._log)
            self._log.close()
        self._files = None

    def _forked(self) -> None:
        """Called in a process that was forked: it must not talk with the program, nor hold its pipes."""
        self._gone = f"it belongs to the process that this one was forked from: make one in this process (os.getpid() is {os.getpid()})"
        if self._files is not None:
            for file in self._files:
                with contextlib.suppress(OSError):
                    file.close()
            self._files = None
        self._log.close()
        self._process.returncode = 0  # not this process's child: nothing to wait for

    def _check(self) -> None:
        """Raise where the program is not there any more."""
        if self._gone is not None:
            raise ConnectionLost(f"the program behind this environment is gone: {self._gone}", grpc.StatusCode.UNAVAILABLE)

    def _lost(self) -> ConnectionLost:
        """What to raise when a pipe has ended."""
        if self._gone is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            code = self._process.returncode
            how = how_ended(code)
            self._gone = f"{how}; make another environment"
            self._end(kill=True)
            self._gone = how + (f" and said: {self._said}" if self._said else "") + "; make another environment"
        return ConnectionLost(f"the program behind this environment is gone: {self._gone}", grpc.StatusCode.UNAVAILABLE)

    # The life of a command. Between any two instructions Ctrl-C may come.

    def _send(self, kind: int, request: bytes = b"") -> None:
        """Send a command that has its request in the mailbox. What else it needs has been stored."""
        if self._words[_COMMAND] != self._words[_ANSWER]:
            self._wait()
        at = 0
        while at < len(request):
            at += os.pwrite(self._mailbox, memoryview(request)[at:], _PAGE + at)
        self._words[_SIZE] = len(request)
        self._issue(kind)

    def _issue(self, kind: int) -> None:
        words = self._words
        number = words[_COMMAND] + 1
        words[_KIND] = kind
        words[_COMMAND] = number  # from here on it is sent
        self._wake(number)

    def _wake(self, number: int) -> None:
        try:
            os.write(self._ring, _RINGS[number & 255])
        except OSError:
            raise self._lost() from None
        self._rung = number

    def _wait(self) -> None:
        """Wait for the answer to the last command."""
        words = self._words
        number = words[_COMMAND]
        if self._rung != number and words[_ANSWER] != number:
            self._wake(number)  # it was interrupted before
        if self._unread < _MOST_UNREAD:
            # What one row takes is over at once.
            for _ in range(_LOOKS):
                if words[_ANSWER] == number:
                    self._unread += 1
                    if not _IN_ORDER:
                        _give_way()
                    return
        this = threading.get_ident()
        if self._waiter.setdefault("thread", this) != this:  # one instruction, so that of two threads one is the first
            raise RuntimeError(ONE_THREAD)
        began = time.perf_counter()
        try:
            if words[_LEFT] == number:
                words[_LEFT] = 0
                self._wake(number)
            if self._unread < _MOST_UNREAD and self._looking and self._look(number, began):
                self._unread += 1
            else:
                self._sleep(number)
        except BaseException:
            words[_LEFT] = number  # Ctrl-C: bots think on when somebody waits for it again
            raise
        finally:
            self._waiter.clear()
        if not _IN_ORDER:
            _give_way()
        self._spent += time.perf_counter() - began
        self._waits += 1
        if self._waits == self._term:
            self._choose()

    def _choose(self) -> None:
        """Decide how to wait for the next answers: in the other way for a trial, or after one in the better way."""
        cost, before = self._spent / self._waits, self._cost[self._looking]
        self._cost[self._looking] = (cost + before) / 2 if before else cost  # one trial may have been disturbed
        self._trying = not self._trying
        self._looking = not self._looking if self._trying else self._cost[True] < _WORTH * self._cost[False]
        self._term, self._waits, self._spent = _TRIAL if self._trying else _TERM, 0, 0.0

    def _look(self, number: int, began: float) -> bool:
        """Look for an answer without sleeping, as long as there is patience; whether it has come."""
        words = self._words
        while time.perf_counter() - began < _PATIENCE:
            _give_way()
            for _ in range(_LOOKS_AGAIN):
                if words[_ANSWER] == number:
                    return True
        return False

    def _sleep(self, number: int) -> None:
        """Wait for an answer, until the program rings."""
        words = self._words
        while words[_ANSWER] != number or self._unread >= _MOST_UNREAD:
            if words[_COMMAND] != number:
                raise RuntimeError(ONE_THREAD)  # this number has gone by: waiting for it might have no end
            self._unread = 0  # before they are read, so that Ctrl-C does not have them awaited again
            try:
                said = os.read(self._answers, _PAGE)
            except OSError:
                said = b""
            if not said:
                raise self._lost()

    def _take(self) -> bytes:
        """The rest of the answer that has come; raises where the command was refused."""
        words = self._words
        self._taken = words[_COMMAND]
        size = words[_ANSWER_SIZE]
        answer = b""
        while len(answer) < size:
            part = os.pread(self._mailbox, size - len(answer), _PAGE + len(answer))
            answer = part if not answer else answer + part
        if words[_REFUSED]:
            raise from_status(answer)
        return answer

    def _ask(self, method: str, request: bytes) -> bytes:
        """One of the services' methods."""
        self._check()
        session = self._session() if self._session is not None else None
        if session is not None:
            session._put_by()
        name = method.encode()
        self._send(_CALL, struct.pack("<H", len(name)) + name + request)
        self._wait()
        return self._take()

    def _call(self, method: Callable[..., Any], request: Any, wait: bool = True) -> Any:
        return method(request)

    def open(self, game: str, num_envs: int, **options: Any) -> Session:
        """:meth:`privateer.Client.open`; policies among the players that this program was not given are given to another one."""
        known = {policy.digest for policy in self._policies}
        lacking = [policy for policy in map(policy_of, options.get("players", ())) if policy is not None and policy.digest not in known]
        if not lacking:
            return super().open(game, num_envs, **options)
        other = _started_again(self._arguments, self._binary, self._timeout, (*self._policies, *lacking))
        try:
            session = other.open(game, num_envs, **options)
        except BaseException:
            other.close()
            raise
        session._owned = other
        return session

    def _open(self, request: pb.OpenRequest) -> SharedSession:
        if self._used:
            other = _started_again(self._arguments, self._binary, self._timeout, self._policies)
            session = other._open(request)
            session._owned = other
            return session
        opened = self._env.Open(request)
        self._used = True
        session = SharedSession(self, request, opened)
        self._session = weakref.ref(session)
        return session


def _started_again(arguments: tuple[str, ...], binary: str | None, timeout: float, policies: Sequence[Policy]) -> Program:
    return Program(*arguments, binary=binary, timeout=timeout, policies=policies)


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


def _file(name: str) -> io.FileIO:
    """A file in memory that has no name, so that it ends with those who have it open.

    Its number is none of the three that are something else in the program, even where this process has those closed.
    Where the system can see to it, nobody can make it shorter: whoever has mapped it would be ended by a signal.
    """
    named = f"privateer-{name}"
    sealed = hasattr(os, "memfd_create")
    with os.fdopen(os.memfd_create(named, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)) if sealed else tempfile.TemporaryFile(prefix=named) as file:
        if sealed:
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        return io.FileIO(fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 3), "r+")


def _after_fork() -> None:
    for program in list(_programs):
        program._forked()
    _programs.clear()


if SUPPORTED:
    os.register_at_fork(after_in_child=_after_fork)

# Arrays that are not copied: they are wide, and whoever keeps one keeps its whole slot.
_WIDE = frozenset({"observation", "full_observation", "action_mask", "action_rows", "packed_mask", "final_observation", "final_full_observation"})
_ENDS = ("row", "final_player", "episode_return", "length", "score", "final_observation", "final_full_observation")


class _Slot:
    """Where a batch can be shown."""

    def __init__(self, memory: mmap.mmap, at: int, size: int, arrays: Sequence[tuple[str, np.dtype, tuple[int, ...], int]]) -> None:
        # NumPy's views of views belong to the first of them. So whoever reads the slot holds this one.
        self.base = np.frombuffer(memory, np.uint8, size, at)
        self.arrays: dict[str, np.ndarray] = {}
        for name, dtype, shape, offset in arrays:
            size = int(np.prod(shape)) * dtype.itemsize
            self.arrays[name] = self.base[offset : offset + size].view(dtype).reshape(shape)
        self.readers = 0
        self.readers = self.held()

    def held(self) -> int:
        """How many arrays and batches there are of it, beyond those of the slot itself."""
        return sys.getrefcount(self.base) - self.readers


class SharedBatch(Batch):
    """A batch in mapped memory. Its arrays may be written to."""

    def __init__(self, slot: _Slot, actions: int, ended: int, copied: bool) -> None:
        self.actions = actions
        self._ended = ended
        self._arrays = slot.arrays
        if "action_rows" in slot.arrays:
            # As many as there are, of those that there is room for.
            total = int(slot.arrays["action_offsets"][-1])
            self._arrays = slot.arrays | {"action_rows": slot.arrays["action_rows"][:total]}
        self._hold: np.ndarray | None = slot.base
        if copied:
            # The next batch may be shown in the same place.
            ends = {name: slot.arrays[name][:ended].copy() for name in _ENDS if name in slot.arrays and ended}
            self._arrays = {name: a.copy() for name, a in self._arrays.items() if name not in _ENDS} | ends
            self._hold = None

    def _optional(self, name: str) -> np.ndarray | None:
        found = self._arrays.get(name)
        if found is None:
            return None
        return found[...] if name in _WIDE else found.copy()

    def _endings(self) -> Endings | None:
        ended = self._ended
        if ended == 0:
            return None

        def optional(name: str) -> np.ndarray | None:
            found = self._arrays.get(name)
            if found is None:
                return None
            return found[:ended] if name in _WIDE else found[:ended].copy()

        return Endings(optional)


class SharedSession(Session):
    """A vector of matches in a program that is a child of this process.

    A batch's arrays lie where the engine has written them. The session keeps count of who reads them: their memory
    is used again when nobody has them any more, and while too many are kept the arrays are copies.
    """

    client: Program

    def __init__(self, program: Program, opened: pb.OpenRequest, session: pb.OpenResponse) -> None:
        super().__init__(program, opened, session)
        words = program._words
        memory = mmap.mmap(program._batches, words[_MEMORY])
        slots, stride, first, at, count = struct.unpack_from("<5Q", memory)
        arrays = []
        for k in range(count):
            name, dtype, axes, *shape, offset = _ENTRY.unpack_from(memory, _LIST + k * _ENTRY.size)
            arrays.append((name.rstrip(b"\0").decode(), DTYPES[dtype], tuple(shape[:axes]), offset))
        self._shape = (self.num_envs,)
        self._actions = len(self.spec.actions)
        # The last one is for batches that are copied.
        *self._slots, self._spare = (_Slot(memory, first + k * stride, stride, arrays) for k in range(slots))
        n = self.num_envs
        self._room: dict[np.dtype, tuple[int, np.ndarray]] = {
            dtype: (code, np.frombuffer(memory, dtype, n, at)) for code, dtype in DTYPES.items() if dtype.kind != "f"
        }
        self._shown = 0  # slot of the present batch

    def _in_flight(self) -> bool:
        words = self.client._words
        return words[_COMMAND] != self.client._taken and words[_KIND] in (_COMMAND_KIND, _RESTORE, _ACTIONS)

    def _put_by(self) -> None:
        super()._put_by()
        self.client._check()

    def _settle(self) -> None:
        program = self.client
        if program._gone is None and program._words[_COMMAND] == program._taken and self._early is None:
            return
        program._check()
        self._early = None
        if self._in_flight():
            with contextlib.suppress(PrivateerError):
                self.recv()
        elif self.client._words[_COMMAND] != self.client._taken:
            self.client._wait()  # a request that was interrupted
            self.client._taken = self.client._words[_COMMAND]

    def _aim(self) -> None:
        """Say where the next batch is to be shown, and what actions are to be drawn for it, not for the present one."""
        words = self.client._words
        self._ahead = None
        k = 0
        for slot in self._slots:
            if slot.held() == 0:
                break
            k += 1
        words[_SLOT] = k
        seed = self._next_draw()
        words[_DRAW] = seed is not None
        if seed is not None:
            words[_DRAW_SEED] = seed

    def _command(self, kind: int, request: bytes) -> None:
        self._settle()
        self._aim()
        self.client._send(kind, request)

    def _reset(self, command: pb.ResetCommand) -> Batch:
        self._command(_COMMAND_KIND, pb.StepRequest(reset=command).SerializeToString())
        return self.recv()

    def _send_actions(self, a: np.ndarray) -> None:
        program = self.client
        program._check()
        if program._words[_COMMAND] != program._taken:
            self._settle()
        room = self._room.get(a.dtype)
        if room is None or a.shape != self._shape:
            # Rare types, and what is to be refused.
            self._command(_COMMAND_KIND, pb.StepRequest(actions=tensor(a, "actions")).SerializeToString())
            return
        code, to = room
        to[:] = a
        self._aim()
        program._words[_DTYPE] = code
        program._words[_SIZE] = 0
        program._issue(_ACTIONS)

    def _recv(self) -> Batch:
        program = self.client
        program._check()
        if not self._in_flight():
            raise ValueError("recv without a command: send one first")
        program._wait()
        words = program._words
        k = words[_SLOT]
        if words[_REFUSED] or words[_ANSWER_SIZE]:
            program._take()
        spare = k == len(self._slots)
        slot = self._spare if spare else self._slots[k]
        batch = SharedBatch(slot, self._actions, words[_ENDED], spare)
        self._ahead = slot.arrays["drawn_actions"].copy() if words[_DRAW] else None
        self._drawing = False
        self._shown = k
        self.batch = batch
        program._taken = words[_COMMAND]  # until here Ctrl-C leaves all to be done again
        return batch

    def _drawn(self, seed: int) -> np.ndarray:
        program = self.client
        program._check()
        self._put_by()
        program._words[_DRAW_SEED] = seed
        program._send(_DRAWING)
        program._wait()
        program._take()
        slot = self._slots[self._shown] if self._shown < len(self._slots) else self._spare
        return slot.arrays["drawn_actions"].copy()

    def restore(self, snapshot: bytes) -> Batch:
        self._command(_RESTORE, pb.RestoreRequest(snapshot=snapshot).SerializeToString())
        return self.recv()

    def detach(self) -> str:
        raise ValueError("a session over shared memory ends with its program: take a snapshot, or open it on a server")

    def _close(self) -> None:
        if self._owned is None:
            with _closing():
                self.client._call(self.client._env.Close, pb.CloseRequest(session_id=self.id))


class LaunchedClient(Client):
    """A server of its own on this machine, which has policies, for systems on which memory cannot be shared, and its client."""

    def __init__(self, *policies: Policy) -> None:
        self._policies = policies
        with written(policies) as folder:
            self._server = launch(None, *(("--policies", str(folder)) if folder else ()))
        super().__init__(self._server.addr)
        self._ended = self._server._how

    def __reduce__(self) -> tuple[Callable[..., Client], tuple[Any, ...]]:
        return LaunchedClient, self._policies

    def close(self) -> None:
        """Close the connection and end the server."""
        super().close()
        self._server.stop()


def connect(client: Requests | str | None, players: Iterable[Any] = ()) -> tuple[Requests, bool]:
    """A client: the one given, one of the server at an address, or a program of its own; and whether it was made here.

    A program of its own is given the policies among the players; a server must have them already.
    """
    if isinstance(client, Requests):
        return client, False
    if client is not None:
        return Client(client), True
    policies = [policy for policy in map(policy_of, players) if policy is not None]
    return (Program(policies=policies) if SUPPORTED else LaunchedClient(*policies)), True


def open_session(
    client: Requests | str | None,
    game: str,
    num_envs: int,
    *,
    opponents: Any = None,
    player: int = 0,
    **options: Any,
) -> Session:
    """A session, which closes its client with itself if that was made for it.

    ``opponents``, if given, are who plays instead of the option ``players`` where this side plays one ``player``: one of them for all, or one for each.
    """
    alone = isinstance(opponents, str) or policy_of(opponents) is not None
    bots = options.get("players", ()) if opponents is None else [opponents] if alone else list(opponents)
    connection, made = connect(client, bots)
    try:
        if opponents is not None:
            seats = connection.describe(game).seats
            others = bots * (seats - 1) if alone else bots
            if len(others) != seats - 1 or not 0 <= player < seats:
                raise ValueError(f"{len(others)} opponents of player {player}: {game} has players 0 to {seats - 1}")
            options["players"] = others[:player] + [""] + others[player:]
        session = connection.open(game, num_envs, **options)
    except BaseException:
        if made:
            connection.close()
        raise
    if made:
        session._owned = connection
    return session


def make(game: str, num_envs: int = 1, **options: Any) -> Session:
    """Open a session of ``num_envs`` matches of ``game`` on this machine: no server is needed.

    The game runs in a child of this process, which ends with the session, and shows its batches in memory that
    both have mapped. ``options`` are those of :meth:`privateer.Client.open`.
    """
    return open_session(None, game, num_envs, **options)
