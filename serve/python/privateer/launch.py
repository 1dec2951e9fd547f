"""A local server, started and stopped by a program that needs one."""

from __future__ import annotations

import atexit
import contextlib
import importlib.metadata
import io
import json
import mmap
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from privateer.client import Client


# Whether a signal asks a process to end. On Windows it would end at once, and leave no session to the next server; there the end of its pipe asks it.
_SIGNALS = os.name != "nt"


class Server:
    """A server process on the loopback interface. It ends with this program at the latest, even if that is killed."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: io.FileIO, addr: str, metrics_addr: str, log: IO[bytes]) -> None:
        self.process = process
        self._stdin = stdin
        self.addr = addr  #: host:port of gRPC
        self.metrics_addr = metrics_addr  #: host:port of /metrics over HTTP
        self._log = log
        self._said = ""  # what it had written when it ended
        atexit.register(self.stop)

    @property
    def log(self) -> str:
        """What the server has written."""
        return self._said if self._log.closed else _text(self._log)

    def client(self, **options: object) -> Client:
        """A client of this server, with the options of :class:`privateer.Client`."""
        client = Client(self.addr, **options)  # type: ignore[arg-type]
        client._ended = self._how
        return client

    def _how(self) -> str:
        """How it has ended; empty while it has not."""
        code = self.process.poll()
        return "" if code is None else how_ended(code)

    def stop(self) -> None:
        """Drain the server and wait for its end. Stopping again does nothing."""
        atexit.unregister(self.stop)
        if self.process.poll() is None:
            if _SIGNALS:
                self.process.send_signal(signal.SIGTERM)
            else:
                self._stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._said = self.log
        self._log.close()
        self._stdin.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def find_binary() -> str:
    """The ``privateer`` program: ``$PRIVATEER``, then this environment's, then PATH, ``bin/privateer`` of a checkout, and where ``go install`` puts it.

    A checkout is one around the working directory, around this file, or the one that this package was installed from.
    """
    given = os.environ.get("PRIVATEER")
    if given:
        found = shutil.which(given)
        if found is None:
            raise FileNotFoundError(f"the variable PRIVATEER is {given!r}, and there is no program there that can be run: name one, or unset it")
        if not _starts_another(found):
            return given
    name = "privateer.exe" if os.name == "nt" else "privateer"
    # As a wheel puts it there; PATH has it only if the environment is activated.
    for scripts in [sysconfig.get_path("scripts"), *os.get_exec_path()]:
        found = shutil.which(name, path=scripts)
        if found and not _starts_another(found):
            return found
    for built in [*(folder / "bin" / name for folder in around()), _gos() / name]:
        if built.is_file() and os.access(built, os.X_OK) and not _starts_another(str(built)):
            return str(built)
    raise FileNotFoundError(
        "no privateer program: this package was installed from its source, without it: run `make build` in the checkout, or "
        "`go install github.com/privateer-rl/privateer/cmd/privateer@latest`, or name one in the variable PRIVATEER"
    )


def around() -> Iterator[Path]:
    """Where a checkout may be: around the working directory, around this file, and around what this package was installed from."""
    yield from _here()
    yield from Path(__file__).resolve().parents
    yield from _source()


def _here() -> Iterator[Path]:
    """The working directory and the folders around it."""
    with contextlib.suppress(FileNotFoundError):  # it has been deleted
        here = Path.cwd()
        yield from (here, *here.parents)


def _gos() -> Path:
    """The folder of what ``go install`` has made, which few have on PATH."""
    paths = os.environ.get("GOPATH", "").split(os.pathsep)
    return Path(os.environ.get("GOBIN") or os.path.join(paths[0] or os.path.expanduser("~/go"), "bin"))


def _starts_another(path: str) -> bool:
    """Whether a file is what pip makes of :func:`main`, in this environment or another one: a script, or on Windows a program with one in a zip."""
    with open(path, "rb") as file:
        return b"privateer.launch" in file.read(4096) if file.read(2) == b"#!" else zipfile.is_zipfile(path)


def _source() -> Iterator[Path]:
    """The folders around the one that pip has installed this package from, if it was one."""
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        said = importlib.metadata.distribution("privateer").read_text("direct_url.json")
        url = urllib.parse.urlsplit(json.loads(said or "{}").get("url", ""))
        if url.scheme == "file":
            yield from Path(urllib.request.url2pathname(url.path)).parents


def main() -> None:
    """``privateer`` on the PATH of an environment that has this package and not the program: the program, wherever it is."""
    try:
        command = [find_binary(), *sys.argv[1:]]
        if os.name != "nt":
            os.execv(command[0], command)
        sys.exit(subprocess.call(command))  # there, a program that takes another's place leaves the shell without one
    except OSError as error:
        sys.exit(f"privateer: {error}")


def launch(binary: str | None = None, *arguments: str, timeout: float = 20.0) -> Server:
    """Start a server on free ports of the loopback interface and wait until it serves.

    ``arguments`` are further flags of ``privateer serve``, such as ``--pprof``; ``binary`` is the program, if not the one that is found, and ``timeout``
    how many seconds it may take to begin. It ends with this program, and Ctrl-C interrupts only this program.

    Raises:
        RuntimeError: it did not begin to serve, and what it said.

        with privateer.launch() as server, server.client() as client:
            envs = privateer.make_vec("leduc", 64, client=client)
    """
    command = [binary or find_binary(), "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--attended", *arguments]
    log = log_file()
    # A session or, as Windows calls it, a process group of its own, so that Ctrl-C interrupts this program and not
    # the server. When this program ends, for whatever reason, so does the pipe, and with it the server.
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    (child, stdin), (stdout, output) = pipe(), pipe()
    with stdout:
        with child, output:
            process = subprocess.Popen(command, stdin=child, stdout=output, stderr=log, env=attended(), start_new_session=True, creationflags=group)
        until = time.monotonic() + timeout
        late = threading.Timer(timeout, process.kill)
        late.daemon = True  # Ctrl-C may come while it starts, and then nobody cancels it
        late.start()
        try:
            said = stdout.readline()
        except BaseException:
            process.kill()  # it may not look at its input yet, and what an error's traceback holds is not closed
            process.wait()
            raise
        finally:
            late.cancel()
    if said.endswith(b"\n"):
        return Server(process, stdin, **json.loads(said), log=log)
    ended = beginning(process) if time.monotonic() < until else NOTHING
    process.kill()
    process.wait()
    stdin.close()
    with log:
        raise RuntimeError(f"{' '.join(command)} did not begin to serve: {_text(log).strip() or ended}")


def pipe() -> tuple[io.FileIO, io.FileIO]:
    """What is written to the second can be read from the first.

    For a child, rather than the pipes that :mod:`subprocess` makes: it keeps those of a child that nobody holds and that has not
    ended. These close with the process that holds them, and so end the child, whenever Ctrl-C comes.
    """
    read, write = map(io.FileIO, os.pipe(), "rw")
    return read, write


#: What to say of a program that has not begun in time.
NOTHING = "it wrote nothing"


def beginning(process: subprocess.Popen[bytes]) -> str:
    """What became of a program that has closed its output, or has written nothing there."""
    try:
        return how_ended(process.wait(1))
    except subprocess.TimeoutExpired:
        return NOTHING


def how_ended(code: int | None) -> str:
    """In words, what :mod:`subprocess` says of the end of a program."""
    return f"signal {-code} ended it" if code is not None and code < 0 else f"it ended with {code}"


def attended() -> dict[str, str]:
    """The variables of a program that is to end with this process, however that ends and whichever process holds the other ends of its pipes."""
    return os.environ | {"PRIVATEER_ATTENDED": str(os.getpid())}


def log_file() -> IO[bytes]:
    """A file without a name for what a child writes: nothing is left of it, however this program ends."""
    try:
        return tempfile.TemporaryFile()
    except FileNotFoundError:  # no file system can be written to, as in some containers
        if not hasattr(os, "memfd_create"):
            raise
        return os.fdopen(os.memfd_create("privateer-log"), "w+b")


def last_words(log: IO[bytes]) -> str:
    """What a program wrote before it ended. Of a long text, the beginning, where a crash gives its reason, and the end."""
    text = _text(log).strip()
    return text if len(text) <= 2000 else f"{text[:1000]} … {text[-1000:]}"


def _text(file: IO[bytes]) -> str:
    """What is in a file that another process may be writing to, whose place in it is this one's too and must stay."""
    with contextlib.suppress(ValueError), mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content[:].decode(errors="replace")
    return ""  # an empty file cannot be mapped
