"""The web process as ``manage.py up`` runs it, on the scratch database, at a port of its own."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final
from urllib.parse import quote

from django.conf import settings
from psycopg.conninfo import conninfo_to_dict

from wagering.config.bench import scratch

PATIENCE_S: Final = 60


class ServerDied(Exception):
    """The web process did not begin to answer; the message is its own."""


@contextmanager
def serving(*, name: str, workers: int) -> Iterator[int]:
    """The port at which the service answers, on the database ``name``, until the block ends."""
    with socket.socket() as listening, tempfile.TemporaryFile() as said:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1024)
        listening.set_inheritable(True)
        port = listening.getsockname()[1]
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("DATABASE_", "CELERY_"))},
            "DJANGO_SETTINGS_MODULE": "wagering.config.bench.api.settings",
            "DATABASE_URL": _url(scratch.dsn(scratch.SERVICE, name)),
            "SECRET_KEY": settings.SECRET_KEY,
        }
        command = [
            *(sys.executable, "-m", "gunicorn", "-c", "python:wagering.config.web", "-w", str(workers)),
            *("-b", f"fd://{listening.fileno()}", "--log-level", "warning", "wagering.config.asgi"),
        ]
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=settings.BASE_DIR,
            pass_fds=(listening.fileno(),),
            stdout=said,
            stderr=said,
        )
        try:
            _wait(process, port, said)
            yield port
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], port: int, said: IO[bytes]) -> None:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if process.poll() is not None:
            said.seek(0)
            raise ServerDied(f"the web process ended: {said.read().decode()[-500:]}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/bare", timeout=5).close()
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
        else:
            return
    raise ServerDied(f"the web process did not answer in {PATIENCE_S} s")


def _url(dsn: str) -> str:
    parts = {key: str(value) for key, value in conninfo_to_dict(dsn).items() if value is not None}
    password = f":{quote(parts['password'], safe='')}" if "password" in parts else ""
    port = f"&port={parts['port']}" if "port" in parts else ""
    host = quote(parts["host"], safe="")
    return f"postgresql://{quote(parts['user'])}{password}@/{quote(parts['dbname'])}?host={host}{port}"
