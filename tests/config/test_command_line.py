"""What stops a command is one line on standard error and its own status, never a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from psycopg.conninfo import conninfo_to_dict

ROOT = Path(settings.BASE_DIR)
RECORD = "games/records/match-to-13.txt"


def started(*words: str, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    # What a plain shell starts in the background ignores interruptions, and so would what that starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupted_command_says_so() -> None:
    command = started("replay", *[RECORD] * 2000, "--json")
    assert command.stdout is not None
    command.stdout.readline()  # it is at work
    command.send_signal(signal.SIGINT)
    _, said = command.communicate(timeout=60)
    assert (command.returncode, "Traceback" in said) == (130, False)
    assert "interrupted" in said


def test_a_reader_who_leaves_ends_it_quietly() -> None:
    done = subprocess.run(
        f"{sys.executable} manage.py replay {' '.join([RECORD] * 40)} --json | head -n 1",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith('{"file"')


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("garbage", "settings: DATABASE_URL: "),
        ("postgresql://app@127.0.0.1:1/nowhere?connect_timeout=1", "database: it does not answer"),
    ],
)
def test_a_database_that_is_not_there(url: str, says: str) -> None:
    environment = {"DATABASE_URL": url, "DATABASE_POOL_WAIT_S": "1", "SECRET_KEY": "only-here"}
    command = started("prove_book", environment=environment)
    _, said = command.communicate(timeout=120)
    assert (command.returncode, "Traceback" in said) == (2, False)
    assert says in said


def test_a_database_that_is_not_set_up(superuser_dsn: str) -> None:
    parts = {key: quote(str(value), safe="") for key, value in conninfo_to_dict(superuser_dsn).items()}
    login = parts["user"] + (":" + parts["password"] if "password" in parts else "")
    where = "&".join(f"{key}={parts[key]}" for key in ("host", "port") if key in parts)
    empty = {"DATABASE_URL": f"postgresql://{login}@/template1?{where}", "SECRET_KEY": "only-here"}
    command = started("prove_book", environment=empty)
    _, said = command.communicate(timeout=60)
    assert (command.returncode, "Traceback" in said) == (2, False)
    assert "run manage.py migrate" in said
