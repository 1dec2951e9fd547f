"""The program in this process: the library for C (serve/library), which performs commands where they are sent."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from privateer.errors import PrivateerError
from privateer.launch import around
from privateer.link import ANSWER, COMMAND, LEFT, Memory, links
from privateer.session import ONE_THREAD, check_version

_NAME = "libprivateer.dylib" if sys.platform == "darwin" else "libprivateer.so"

# How many milliseconds Ctrl-C may have to wait while a bot thinks.
_PATIENCE = 50

FORKED = (
    "privateer was loaded into the process that this one was forked from, and does not survive a fork: let multiprocessing start its processes by "
    "\"spawn\" or \"forkserver\", open the first session with inprocess=True after the fork, or do without it"
)


def find_library() -> str:
    """``libprivateer``: ``$PRIVATEER_LIBRARY``, a wheel's, then ``.build/library`` of a checkout, as :func:`privateer.launch` looks for ``bin/privateer``."""
    given = os.environ.get("PRIVATEER_LIBRARY")
    if given:
        if not os.path.isfile(given):
            raise FileNotFoundError(f"the variable PRIVATEER_LIBRARY is {given!r}, and there is no file: name libprivateer, or unset it")
        return given
    for built in [Path(__file__).with_name(_NAME), *(folder / ".build" / "library" / _NAME for folder in around())]:
        if built.is_file():
            return str(built)
    raise FileNotFoundError(
        f"inprocess=True needs {_NAME}, which was not found: only the wheels for Linux with glibc contain it. Run `make library` in a checkout of privateer "
        "(it needs a C compiler); if the package was not installed from there, set PRIVATEER_LIBRARY to the file"
    )


@functools.cache
def _loaded(path: str) -> ctypes.CDLL:
    """The library. It stays for as long as the process does."""
    try:
        library = ctypes.CDLL(path)
        library.privateer_error.restype = ctypes.c_char_p
        for name, arguments in {
            "session": [ctypes.c_char_p, ctypes.c_int32, ctypes.c_int32],
            "perform": [ctypes.c_int64, ctypes.c_int32],
            "free": [ctypes.c_int64],
        }.items():
            function = getattr(library, f"privateer_{name}")
            function.argtypes, function.restype = arguments, ctypes.c_int64
    except (OSError, AttributeError) as error:
        raise RuntimeError(f"{path} is no libprivateer of this machine and of this version: {error}: run `make library` there again") from error
    return library


class Library(Memory):
    """A server in this process. It has no child, so that a process that was forked has nothing of it."""

    def __init__(self, policies: str = "") -> None:
        super().__init__()
        path = find_library()
        library = _loaded(path)
        self.pid = os.getpid()
        self._handle = 0
        self._free: Callable[[int], int] = library.privateer_free
        self._perform: Callable[[int, int], int] = library.privateer_perform
        self._error: Callable[[], bytes] = library.privateer_error
        self._files = self._map()
        # The library closes its own.
        self._handle = library.privateer_session(os.fsencode(policies), os.dup(self.mailbox), os.dup(self.batches))
        if self._handle < 0:
            said = self._said()
            self._close()
            raise RuntimeError(f"{path} did not begin to serve: {said}")
        self.gone = None
        links.add(self)
        try:
            check_version(self._serving()[1], path)
        except PrivateerError:
            self.end()
            raise

    def _said(self) -> str:
        return self._error().decode()

    def _close(self) -> None:
        for file in self._files or ():
            file.close()
        self._files = None

    def end(self) -> None:
        if self._files is None:
            return
        if self.gone is None:
            self.gone = "it has been closed"
        links.discard(self)
        if self._handle > 0:
            self._free(self._handle)
        self._close()

    def forked(self) -> None:
        self.gone = FORKED
        super().forked()

    def _wake(self, number: int) -> None:
        # What one row takes is over when this returns; all else continues.
        if self._perform(self._handle, 0) < 0:
            self._lost()

    def _lost(self) -> None:
        self.gone = self.gone or self._said()
        self.check()

    def wait(self) -> None:
        words = self.words
        number = words[COMMAND]
        if words[ANSWER] == number:
            return
        this = threading.get_ident()
        if self.waiter.setdefault("thread", this) != this:  # one instruction, so that of two threads one is the first
            raise RuntimeError(ONE_THREAD)
        try:
            if words[LEFT] == number:
                words[LEFT] = 0
            while words[ANSWER] != number:  # between two calls Ctrl-C may come
                if words[COMMAND] != number:
                    raise RuntimeError(ONE_THREAD)
                if self._perform(self._handle, _PATIENCE) < 0:
                    self._lost()
        except BaseException:
            words[LEFT] = number  # bots think on when somebody waits for it again
            raise
        finally:
            self.waiter.clear()
