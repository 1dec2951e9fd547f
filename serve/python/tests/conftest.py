"""One server for all tests, and one way of each kind to reach the games."""

from collections.abc import Iterator

import pytest

import privateer


@pytest.fixture(scope="session")
def server() -> Iterator[privateer.Server]:
    with privateer.launch() as running:
        yield running


@pytest.fixture
def remote(server: privateer.Server) -> Iterator[privateer.Client]:
    """A client of the server, over the network."""
    with server.client() as c:
        yield c


@pytest.fixture(params=["memory", "network", "channel"])
def client(request: pytest.FixtureRequest) -> Iterator[privateer.Client | privateer.Program]:
    """What most tests are about is the same over shared memory and over the network, with a connection for each stream and with one for all."""
    if request.param != "memory":
        remote = request.getfixturevalue("remote")
        if request.param == "channel":
            remote._direct = None
        yield remote
        return
    with privateer.Program() as program:
        yield program
