"""One server for all tests."""

from collections.abc import Iterator

import pytest

import privateer


@pytest.fixture(scope="session")
def server() -> Iterator[privateer.Server]:
    with privateer.launch() as running:
        yield running


@pytest.fixture
def client(server: privateer.Server) -> Iterator[privateer.Client]:
    with server.client() as c:
        yield c
