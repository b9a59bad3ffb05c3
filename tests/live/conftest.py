"""One server for all tests of a module that follow streams, and clients of it for each test."""

from collections.abc import Iterator

import pytest

from tests.live.following import Crowd, Server, served


@pytest.fixture(scope="module")
def server(child_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(child_environment, tmp_path_factory.mktemp("server") / "log") as running:
        yield running


@pytest.fixture
def crowd(server: Server) -> Iterator[Crowd]:
    clients = Crowd(server.address)
    yield clients
    clients.close()
