"""The embedded server: shared, stopped by the last one out, recovered after a kill, never on a stranger's folder."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from wagering.config import embedded
from wagering.config.embedded import install, warden

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not settings.EMBEDDED, reason="another server is in use")

DURABLE = ("fsync", "synchronous_commit", "full_page_writes")

# Joins the users of a cluster, says so, and stays until told to go (or until it is killed).
USER = """
import sys
from pathlib import Path
from wagering.config import embedded
cluster = embedded.Cluster(Path(sys.argv[1]), durable=True).start()
print("in", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def cluster() -> Iterator[embedded.Cluster]:
    with embedded.scratch(durable=True) as cluster:
        yield cluster


def user_of(cluster: embedded.Cluster) -> subprocess.Popen[str]:
    user = subprocess.Popen(
        [sys.executable, "-c", USER, str(cluster.folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert user.stdout is not None
    assert user.stdout.readline() == "in\n"
    return user


def happens(what: Callable[[], bool]) -> bool:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


def test_the_last_one_out_stops_the_server_and_removes_what_was_thrown_away(cluster: embedded.Cluster) -> None:
    with user_of(cluster) as second:
        cluster.leave()
        assert cluster.running()  # the second is still in
        second.communicate("go\n")
    assert not cluster.running()
    assert not cluster.folder.exists()
    assert not cluster.socket.exists()


def test_the_warden_stops_the_server_of_a_killed_process(cluster: embedded.Cluster) -> None:
    with user_of(cluster) as last:
        cluster.leave()
        last.send_signal(signal.SIGKILL)
        last.wait()
    assert happens(lambda: not cluster.folder.exists())
    assert warden.server_pid(cluster.folder) is None


def test_a_killed_server_keeps_what_it_acknowledged(cluster: embedded.Cluster) -> None:
    dsn = cluster.dsn("book_owner", "backgammon")
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(DURABLE)])
        assert dict(rows.fetchall()) == dict.fromkeys(DURABLE, "on")
        connection.execute("CREATE TABLE kept (n int)")
    for number in range(3):
        with psycopg.connect(dsn) as connection:
            connection.execute("INSERT INTO kept VALUES (%s)", [number])
        cluster.kill()
        assert not cluster.running()
        cluster.start()
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT array_agg(n ORDER BY n) FROM kept").fetchone() == ([0, 1, 2],)


def test_a_stopped_server_starts_again_with_its_roles(cluster: embedded.Cluster) -> None:
    cluster.stop()
    assert not cluster.running()
    cluster.start()
    with psycopg.connect(cluster.dsn("app", "backgammon")) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("app",)


def test_the_tools_of_the_wheel_run(cluster: embedded.Cluster) -> None:
    dump = embedded.run("pg_dump", "-d", cluster.dsn("book_owner", "backgammon")).stdout
    assert "PostgreSQL database dump" in dump
    assert embedded.bin("pgbench").exists()


def test_a_folder_that_others_may_write_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(embedded.UnsafeFolder, match="nobody else can write"):
        install.safe_folder(folder=folder, mode=0o700)


@pytest.mark.parametrize("arguments", [["check"], ["help"], ["migrate", "--help"]])
def test_a_command_without_a_connection_starts_nothing(arguments: list[str]) -> None:
    """The project's own cluster may be in use by somebody else: what counts is that this process starts none."""
    program = (
        "import sys, runpy\nfrom wagering.config.embedded import Cluster\n"
        "def start(self): raise SystemExit('started')\nCluster.start = start\n"
        "sys.argv[0] = 'manage.py'\nrunpy.run_path('manage.py', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
