"""The ledger's fixtures beside those of all tests."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests.ledger import small_book


@pytest.fixture(scope="module")
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker, owner_dsn: str) -> Iterator[dict[str, Any]]:
    """The small book, committed once for all tests of a file, which roll back whatever they do to it."""
    with django_db_blocker.unblock():
        yield small_book.write()
        small_book.empty(owner_dsn)
