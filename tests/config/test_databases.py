"""DATABASE_URL is understood whole or refused by name, without its password."""

import pytest

from wagering.config.databases import BadDatabaseUrl, parse


def test_a_url_of_a_host_is_read() -> None:
    assert parse(variable="DATABASE_URL", url="postgresql://app:p%40ss@db.example:5433/book?sslmode=require") == {
        "NAME": "book",
        "USER": "app",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_a_url_of_a_socket_folder_is_read() -> None:
    read = parse(variable="DATABASE_URL", url="postgresql://app@/book?host=%2Ftmp%2Froom&port=5433")
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == ("/tmp/room", "5433", {})


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://app@host/book", "the scheme must be postgresql"),
        ("postgresql://app:hush@host/", "name is missing"),
        ("postgresql://host/book", "user is missing"),
        ("postgresql://app:hush@/book", "host is missing"),
        ("postgresql://app:hush@host:port/book", "Port"),
        ("postgresql://app:hush@host/book?pool=1", "unknown parameter 'pool'"),
        ("postgresql://app:hush@host/book?sslmode", "bad query field"),
    ],
)
def test_a_url_that_is_not_understood_is_refused(url: str, said: str) -> None:
    with pytest.raises(BadDatabaseUrl, match=said) as refusal:
        parse(variable="DATABASE_OWNER_URL", url=url)
    assert str(refusal.value).startswith("DATABASE_OWNER_URL: ")
    assert "hush" not in str(refusal.value)
