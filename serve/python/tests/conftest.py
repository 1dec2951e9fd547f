"""One server for all tests, and one way of each kind to reach the games."""

import functools
import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import privateer


# What is ignored, as behind nohup, is ignored by the programs that tests start too, and would not end them; what is caught they do not inherit.
for _ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
    if signal.getsignal(_ignored) == signal.SIG_IGN:
        signal.signal(_ignored, lambda *_: None)


def gone(pid: int, within: float = 300.0) -> bool:
    """Whether a process ends in time. One that nobody has waited for yet has ended too."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def until(holds: Callable[[], object], within: float = 300.0) -> None:
    """Wait for what comes soon; the time only guards against hanging."""
    late = time.monotonic() + within
    while not holds():
        assert time.monotonic() < late, "it has not come"
        time.sleep(0.01)


def first(batch: privateer.Batch) -> np.ndarray:
    """The first legal action of each row."""
    return batch.action_mask.argmax(1)


def opened() -> list[str]:
    """What this process has open, except sockets: gRPC opens and closes those of other tests in its own time, and what is tested here has none."""
    gc.collect()
    found = []
    for file in Path("/proc/self/fd").iterdir():
        try:
            found.append(os.readlink(file))
        except FileNotFoundError:
            pass  # the one that the folder was read with
    return sorted(name for name in found if not name.startswith("socket:"))


@pytest.fixture(scope="session")
def server() -> Iterator[privateer.Server]:
    with privateer.launch() as running:
        yield running


@pytest.fixture
def remote(server: privateer.Server) -> Iterator[privateer.Client]:
    """A client of the server, over the network."""
    with server.client() as c:
        yield c


@pytest.fixture(params=["memory", "inprocess", "network", "channel"])
def client(request: pytest.FixtureRequest) -> Iterator[privateer.Client | privateer.Program]:
    """What most tests are about is the same over shared memory, with a child or in this process, and over the network, with a connection for each stream
    and with one for all."""
    if request.param in ("network", "channel"):
        remote = request.getfixturevalue("remote")
        if request.param == "channel":
            remote._direct = None
        yield remote
        return
    with privateer.Program(inprocess=request.param == "inprocess") as program:
        yield program


@pytest.fixture(params=[False, True], ids=["memory", "inprocess"])
def make(request: pytest.FixtureRequest) -> Callable[..., privateer.Session]:
    """privateer.make, with a child and in this process."""
    return functools.partial(privateer.make, inprocess=request.param)
