"""One embedded Valkey, the broker of tasks when CELERY_BROKER_URL is unset: ``broker.current().start()``.

It keeps what it took: every command goes to its append-only file, and nothing is evicted when memory is short.
"""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path
from typing import Final

from wagering.config.embedded import warden
from wagering.config.embedded.install import run_as_server, safe_folder, server_ids, valkey_server
from wagering.config.embedded.place import state_folder
from wagering.config.embedded.server import Server, ServerDidNotStart, throwaway

START_TIMEOUT_S: Final = 60
ANSWER_TIMEOUT_S: Final = 5

SETTINGS: Final = {
    "port": "0",  # the socket and nothing else
    "unixsocketperm": "700",
    "daemonize": "yes",
    "appendonly": "yes",
    "appendfsync": "everysec",  # a message is a hint: the last second's may be lost with the machine's power
    "save": '""',
    "maxmemory": "256mb",
    "maxmemory-policy": "noeviction",
    "proc-title-template": '"{title} {config-file}"',  # the warden knows it by its folder
}


class Broker(Server):
    """A Valkey in ``folder``."""

    @property
    def address(self) -> Path:
        return self.socket / "valkey.sock"

    @property
    def url(self) -> str:
        """As CELERY_BROKER_URL takes it."""
        return f"redis+socket://{self.address}"

    def running(self) -> bool:
        return warden.server_pid(self.folder) is not None and self._answers()

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(ANSWER_TIMEOUT_S)
            try:
                asking.connect(str(self.address))
                asking.sendall(b"PING\r\n")
                return asking.recv(16).startswith(b"+PONG")  # an error while it is still reading its file
            except OSError:
                return False

    def _launch(self) -> None:
        safe_folder(folder=self.data, mode=0o700, owner=server_ids()[0])
        self._make_socket_folder()
        places = {
            "unixsocket": self.address, "dir": self.data, "logfile": self.log, "pidfile": self.data / "valkey.pid",
        }  # fmt: skip
        values = {**SETTINGS, **{name: f'"{place}"' for name, place in places.items()}}
        settings = self._write_settings("".join(f"{name} {value}\n" for name, value in values.items()))
        before = self._open_log()
        try:
            run_as_server(valkey_server(), str(settings))
        except subprocess.CalledProcessError as error:
            raise ServerDidNotStart(f"{error.output}\n{self._said_since(before)}".strip()) from error
        end = time.monotonic() + START_TIMEOUT_S
        while not self.running():
            if time.monotonic() > end:
                raise ServerDidNotStart(self._said_since(before))
            time.sleep(0.005)


def default() -> Broker:
    """The project's own: what waits in its queues waits from run to run."""
    return Broker(state_folder() / "valkey")


def scratch() -> Broker:
    """A new one of our own, removed when its last user leaves."""
    return throwaway(Broker)


_current: Broker | None = None


def current() -> Broker:
    """The one this process sends to when CELERY_BROKER_URL is unset; not started by asking."""
    global _current  # noqa: PLW0603 - one a process, as the connections are
    if _current is None:
        _current = default()
    return _current


def use(broker: Broker) -> None:
    """Make ``broker`` the one this process sends to, before its first message."""
    global _current  # noqa: PLW0603
    _current = broker
