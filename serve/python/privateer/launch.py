"""A local server, started and stopped by a program that needs one."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

from privateer.client import Client


class Server:
    """A server process on the loopback interface. It ends with this program at the latest, even if that is killed."""

    def __init__(self, process: subprocess.Popen[bytes], addr: str, metrics_addr: str, log: Path) -> None:
        self.process = process
        self.addr = addr  #: host:port of gRPC
        self.metrics_addr = metrics_addr  #: host:port of /metrics over HTTP
        self.log = log  #: what the server has written
        atexit.register(self.stop)

    def client(self, **options: object) -> Client:
        """A client of this server, with the options of :class:`privateer.Client`."""
        return Client(self.addr, **options)  # type: ignore[arg-type]

    def stop(self) -> None:
        """Drain the server and wait for its end. Stopping again does nothing."""
        atexit.unregister(self.stop)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        shutil.rmtree(self.log.parent, ignore_errors=True)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def find_binary() -> str:
    """The ``privateer`` program: ``$PRIVATEER``, then this environment's, then PATH, then ``bin/privateer`` of a checkout."""
    given = os.environ.get("PRIVATEER")
    if given:
        return given
    # As a wheel puts it there; PATH has it only if the environment is activated.
    installed = Path(sysconfig.get_path("scripts")) / ("privateer.exe" if os.name == "nt" else "privateer")
    if installed.is_file():
        return str(installed)
    found = shutil.which("privateer")
    if found:
        return found
    for folder in [Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents]:
        built = folder / "bin" / "privateer"
        if built.is_file() and os.access(built, os.X_OK):
            return str(built)
    raise FileNotFoundError(
        "no privateer program: this package was installed from its source, without it: run `make build` in the checkout, or "
        "`go install github.com/privateer-rl/privateer/cmd/privateer@latest`, or name one in the variable PRIVATEER"
    )


def launch(binary: str | None = None, *arguments: str, timeout: float = 20.0) -> Server:
    """Start a server on free ports of the loopback interface and wait until it serves.

    ``arguments`` are further flags of ``privateer serve``, such as ``--pprof``. It ends with this
    program, and Ctrl-C interrupts only this program.

        with privateer.launch() as server, server.client() as client:
            envs = privateer.make_vec("leduc", 64, client=client)
    """
    folder = Path(tempfile.mkdtemp(prefix="privateer-"))
    log, where = folder / "log", folder / "where"
    command = [binary or find_binary(), "serve", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--attended", *arguments]
    try:
        with log.open("wb") as err, where.open("wb") as out:
            # A session of its own, so that Ctrl-C interrupts this program and not the server. When
            # this program ends, for whatever reason, so does the pipe, and with it the server.
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=err, start_new_session=True)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        if (said := where.read_text()).endswith("\n"):
            return Server(process, **json.loads(said), log=log)
        if process.poll() is not None:
            break
        time.sleep(0.02)
    process.kill()
    process.communicate()
    text = log.read_text().strip()
    shutil.rmtree(folder, ignore_errors=True)
    raise RuntimeError(f"{' '.join(command)} did not begin to serve: {text or 'it wrote nothing'}")
