"""Commands and answers over memory, and the program as a child of this process that has it mapped too.

The other side is serve/shared.go, which says how the two understand each other. What counts is in the mapped
memory: a command is sent when its number has been stored there, by one instruction, and everything before can be done
again. So this side may be interrupted anywhere, and the next command finds out what has become of the last one.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from typing import IO

import grpc

from privateer.errors import ConnectionLost, PrivateerError, from_status
from privateer.launch import attended, beginning, how_ended, last_words, log_file, pipe
from privateer.session import ONE_THREAD, check_version

with contextlib.suppress(ImportError):  # Windows has none, and shares no memory
    import fcntl

#: Whether this system has what it takes.
SUPPORTED = hasattr(os, "register_at_fork") and sys.platform != "cygwin"

# serve/shared.go has the same numbers.
_PROTOCOL = 2
_PAGE, _MAGIC = 4096, b"PRIVATEE"
_SERVER, _CLIENT, _CLIENT_IN_ORDER = 1, 2, 3
COMMAND, KIND, SIZE, SLOT, DTYPE, DRAW, DRAW_SEED, LEFT = range(8, 16)
ANSWER, REFUSED, ANSWER_SIZE, ENDED, MEMORY = range(16, 21)
_VERSION = slice(256, 384)
CALL, COMMAND_KIND, RESTORE, ACTIONS, DRAWING = range(1, 6)
_RINGS = tuple(bytes((k,)) for k in range(256))

# How often the answer is looked for at once, and then between two looks at the clock, and how many bytes that say
# that there is one are left unread in the pipe, which has room for many more.
_LOOKS, _LOOKS_AGAIN, _MOST_UNREAD = 40, 8, 4096

# A sleeper takes about 60 µs to wake up, and then continues more slowly; polling keeps others from the core, perhaps the program itself.
# So both are tried now and then for a few answers, and the better one is used for the many in between. Polling never
# lasts longer than this, in seconds, and is not used if it saves less than a tenth.
_TRIAL, _TERM, _PATIENCE, _WORTH = 128, 2048, 500e-6, 0.9

#: Lets other threads and programs run, if there are any that want this core.
_give_way: Callable[[], object] = getattr(os, "sched_yield", lambda: time.sleep(0))

# Whether this machine's loads and stores happen in the order in which they are written here. On an ARM, which does not see to that,
# the program waits for the ring of a command, and here a system call comes between the sight of an answer and what
# is read of it: loads do not move across one.
_IN_ORDER = SUPPORTED and os.uname().machine in ("x86_64", "amd64", "i386", "i686")

links: weakref.WeakSet[Memory] = weakref.WeakSet()


class Memory:
    """The memory through which commands go to the engine and answers come back.

    A process that has been forked does not have the links of its parent; what it finds of them says so.
    """

    pid: int  #: of the process that performs the commands
    mailbox: int  #: the numbers of the two files
    batches: int

    def __init__(self) -> None:
        self.gone: str | None = "it has not been started"
        self._files: list[io.FileIO] | None = None
        self.waiter: dict[str, int] = {}  # the thread that waits for an answer
        self.taken = 0  # number of the last command whose answer was taken

    def _map(self) -> list[io.FileIO]:
        """Make the memory, and return its files."""
        files = [_file("mailbox"), _file("batches")]
        self.mailbox, self.batches = (file.fileno() for file in files)
        os.ftruncate(self.mailbox, _PAGE)
        self._page = mmap.mmap(self.mailbox, _PAGE)
        self._page[: len(_MAGIC)] = _MAGIC
        self.words = memoryview(self._page).cast("Q")
        self.words[_CLIENT] = _PROTOCOL
        self.words[_CLIENT_IN_ORDER] = _IN_ORDER
        return files

    def _serving(self) -> tuple[int, str]:
        """The protocol and the version of what serves."""
        return self.words[_SERVER], bytes(self._page[_VERSION]).rstrip(b"\0").decode()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.end()

    def end(self) -> None:
        """End what serves. Ending it again does nothing."""
        raise NotImplementedError

    def forked(self) -> None:
        """Called in a process that was forked: it must not talk with what serves, nor hold its files."""
        if self._files is not None:
            for file in self._files:
                with contextlib.suppress(OSError):
                    file.close()
            self._files = None

    def check(self) -> None:
        """Raise where the program is not there any more."""
        if self.gone is not None:
            raise ConnectionLost(f"the program behind this environment is gone: {self.gone}", grpc.StatusCode.UNAVAILABLE)

    # The life of a command. Between any two instructions Ctrl-C may come.

    def send(self, kind: int, request: bytes = b"") -> None:
        """Send a command that has its request in the mailbox. What else it needs has been stored."""
        if self.words[COMMAND] != self.words[ANSWER]:
            self.wait()
        at = 0
        while at < len(request):
            at += os.pwrite(self.mailbox, memoryview(request)[at:], _PAGE + at)
        self.words[SIZE] = len(request)
        self.issue(kind)

    def issue(self, kind: int) -> None:
        words = self.words
        number = words[COMMAND] + 1
        words[KIND] = kind
        words[COMMAND] = number  # from here on it is sent
        self._wake(number)

    def _wake(self, number: int) -> None:
        """See to it that a command is performed."""
        raise NotImplementedError

    def wait(self) -> None:
        """Wait for the answer to the last command."""
        raise NotImplementedError

    def take(self) -> bytes:
        """The rest of the answer that has come; raises where the command was refused."""
        words = self.words
        self.taken = words[COMMAND]
        size = words[ANSWER_SIZE]
        answer = b""
        while len(answer) < size:
            part = os.pread(self.mailbox, size - len(answer), _PAGE + len(answer))
            answer = part if not answer else answer + part
        if words[REFUSED]:
            raise from_status(answer)
        return answer


class Link(Memory):
    """``privateer serve`` as a child of this process, and its pipes. It ends with this process at the latest, however that ends."""

    def __init__(self, binary: str, arguments: Sequence[str], timeout: float) -> None:
        super().__init__()
        self._said = ""  # what the program had written when it ended
        self._unread = 0  # answers that were found without their byte in the pipe
        self._looking = True  # for answers; else it sleeps until they are there
        self._cost = [0.0, 0.0]  # seconds that an answer took when it slept, and when it looked
        self._trying = False
        self._term = _TRIAL  # how many answers are waited for in the same way
        self._waits, self._spent = 0, 0.0  # those of them that have come, and the seconds until they had
        self._rung = 0  # number of the last command that the program was woken for
        (ring, to), (from_, answers) = pipe(), pipe()
        with ring, answers:
            self._log: IO[bytes] = log_file()
            self._ring, self._answers = to.fileno(), from_.fileno()
            self._files = [*self._map(), to, from_]
            shared = f"{self.mailbox},{self.batches}"
            command = [binary, "serve", "--log-level", "warn", *arguments, "--shared-memory", shared]
            # A session of its own, so that Ctrl-C interrupts this process and not the program.
            self.process = subprocess.Popen(
                command,
                stdin=ring,
                stdout=answers,
                stderr=self._log,
                env=attended(),
                pass_fds=(self.mailbox, self.batches),
                start_new_session=True,
            )
        self.pid = self.process.pid
        self.gone = None
        links.add(self)
        self._greet(command, timeout)

    def _greet(self, command: Sequence[str], timeout: float) -> None:
        """Wait until the program is there, and check that it is of this version."""
        said = b""
        waiting = select.poll()
        waiting.register(self._answers, select.POLLIN)
        if waiting.poll(1000 * timeout):
            said = os.read(self._answers, 1)
        server, version = self._serving()
        if not said:
            ended = beginning(self.process)
            self.end(kill=True)
            wrong = f"{' '.join(command)} did not begin to serve: {self._said or ended}"
            if server not in (0, _PROTOCOL):
                wrong = f"the program is privateer {version} (protocol {server}), and this package has protocol {_PROTOCOL}: install the same version of both"
            raise RuntimeError(wrong)
        try:
            check_version(version, command[0])
        except PrivateerError:
            self.end(kill=True)
            raise

    def end(self, kill: bool = False) -> None:
        files = self._files
        if files is None:
            return
        if self.gone is None:
            self.gone = "it has been closed"
        links.discard(self)
        for file in files:
            file.close()
        process: subprocess.Popen[bytes] | None = getattr(self, "process", None)
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

    def forked(self) -> None:
        self.gone = f"it belongs to the process that this one was forked from: make one in this process (os.getpid() is {os.getpid()})"
        super().forked()
        self._log.close()
        self.process.returncode = 0  # not this process's child: nothing to wait for

    def _lost(self) -> ConnectionLost:
        """What to raise when a pipe has ended."""
        if self.gone is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
            code = self.process.returncode
            how = how_ended(code)
            self.gone = f"{how}; make another environment"
            self.end(kill=True)
            self.gone = how + (f" and said: {self._said}" if self._said else "") + "; make another environment"
        return ConnectionLost(f"the program behind this environment is gone: {self.gone}", grpc.StatusCode.UNAVAILABLE)

    def _wake(self, number: int) -> None:
        try:
            os.write(self._ring, _RINGS[number & 255])
        except OSError:
            raise self._lost() from None
        self._rung = number

    def wait(self) -> None:
        words = self.words
        number = words[COMMAND]
        if self._rung != number and words[ANSWER] != number:
            self._wake(number)  # it was interrupted before
        if self._unread < _MOST_UNREAD:
            # What one row takes is over at once.
            for _ in range(_LOOKS):
                if words[ANSWER] == number:
                    self._unread += 1
                    if not _IN_ORDER:
                        _give_way()
                    return
        this = threading.get_ident()
        if self.waiter.setdefault("thread", this) != this:  # one instruction, so that of two threads one is the first
            raise RuntimeError(ONE_THREAD)
        began = time.perf_counter()
        try:
            if words[LEFT] == number:
                words[LEFT] = 0
                self._wake(number)
            if self._unread < _MOST_UNREAD and self._looking and self._look(number, began):
                self._unread += 1
            else:
                self._sleep(number)
        except BaseException:
            words[LEFT] = number  # Ctrl-C: bots think on when somebody waits for it again
            raise
        finally:
            self.waiter.clear()
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
        words = self.words
        while time.perf_counter() - began < _PATIENCE:
            _give_way()
            for _ in range(_LOOKS_AGAIN):
                if words[ANSWER] == number:
                    return True
        return False

    def _sleep(self, number: int) -> None:
        """Wait for an answer, until the program rings."""
        words = self.words
        while words[ANSWER] != number or self._unread >= _MOST_UNREAD:
            if words[COMMAND] != number:
                raise RuntimeError(ONE_THREAD)  # this number has gone by: waiting for it might have no end
            self._unread = 0  # before they are read, so that Ctrl-C does not have them awaited again
            try:
                said = os.read(self._answers, _PAGE)
            except OSError:
                said = b""
            if not said:
                raise self._lost()


def _file(name: str) -> io.FileIO:
    """A file in memory that has no name, so that it ends with those who have it open.

    Its number is none of the three that are something else in the program, even where this process has those closed.
    Where the system can see to it, nobody can make it shorter: a program that has mapped it would be ended by a signal.
    """
    named = f"privateer-{name}"
    sealed = hasattr(os, "memfd_create")
    with os.fdopen(os.memfd_create(named, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)) if sealed else tempfile.TemporaryFile(prefix=named) as file:
        if sealed:
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        return io.FileIO(fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 3), "r+")


def _after_fork() -> None:
    for link in list(links):
        link.forked()
    links.clear()


if SUPPORTED:
    os.register_at_fork(after_in_child=_after_fork)
