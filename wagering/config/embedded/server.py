"""One embedded server in one folder, shared by every process that uses the folder: what PostgreSQL and Valkey share.

Each process holds a shared lock on ``lease.lock`` while it uses the server. The last one out stops the server; when
that one died without a word, the warden does (``warden.py``). Whoever comes meanwhile uses the server that answers.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Self, TypeVar

from wagering.config.embedded import warden
from wagering.config.embedded.install import locked, safe_folder, server_ids
from wagering.config.embedded.place import socket_folder, state_folder

AnyServer = TypeVar("AnyServer", bound="Server")


class ServerDidNotStart(Exception):
    """The server would not start; the end of its log is in the message."""


class Server(ABC):
    """A server in ``folder``; its socket lies in the folder ``socket``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self.socket = socket_folder(folder=folder)
        self._mutex = threading.Lock()
        self._lease: int | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.leave()

    @abstractmethod
    def running(self) -> bool:
        """Whether the server runs and takes connections."""

    @abstractmethod
    def _launch(self) -> None:
        """Start the server, and return when it takes connections. Raises ServerDidNotStart."""

    def _prepare(self) -> None:  # noqa: B027 - most need nothing
        """What a running server needs before it is used; asked at every start, so cheap once it is done."""

    def start(self) -> Self:
        """Join the users of the server, starting it if it does not run. Cheap when this process already has."""
        with self._mutex:
            if self._lease is None:
                self._enter()
            elif self.running():
                return self
            with locked(file=self.folder / "start.lock"):
                if not self.running():
                    self._launch()
                    self._post_warden()
                self._prepare()
        return self

    def leave(self) -> None:
        """Stop using the server; the last one out stops it, and removes one that was to be thrown away."""
        with self._mutex:
            if self._lease is None:
                return
            os.close(self._lease)
            self._lease = None
            atexit.unregister(self.leave)
            try:
                lease = self._open_lease()
            except FileNotFoundError:
                return  # the warden was quicker, and has removed a throw-away server
            try:
                fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
                warden.close(self.folder)
            except BlockingIOError:
                fcntl.flock(lease, fcntl.LOCK_SH)  # at once while others use it; else the warden is closing: wait
            finally:
                os.close(lease)

    def stop(self) -> None:
        """Shut the server down cleanly, whoever uses it."""
        with locked(file=self.folder / "start.lock"):
            warden.stop(self.folder)

    def kill(self) -> None:
        """Kill -9 the server and all its processes, as a power cut would. ``start()`` recovers it."""
        pid = warden.server_pid(self.folder)
        if pid is None:
            return
        doomed = [pid, *_children(pid=pid)]
        for process in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(_alive(pid=process) for process in doomed):
            time.sleep(0.01)

    def _enter(self) -> None:
        safe_folder(folder=self.folder, mode=0o755 if server_ids()[0] != os.geteuid() else 0o700)
        self._lease = self._open_lease(create=True)
        fcntl.flock(self._lease, fcntl.LOCK_SH)
        atexit.register(self.leave)

    def _open_lease(self, *, create: bool = False) -> int:
        return os.open(self.folder / "lease.lock", os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0), 0o600)

    def _make_socket_folder(self) -> None:
        safe_folder(folder=self.socket, mode=0o700, owner=server_ids()[0])
        link = self.folder / "socket"
        link.unlink(missing_ok=True)
        link.symlink_to(self.socket)

    def _write_settings(self, text: str) -> Path:
        settings = self.folder / "server.conf"
        settings.write_text(text)
        settings.chmod(0o644)
        return settings

    def _open_log(self) -> int:
        """Hand the log to the user of the server; how long it is by now."""
        self.log.touch(mode=0o600)
        os.chown(self.log, *server_ids())
        return self.log.stat().st_size

    def _said_since(self, before: int) -> str:
        """What the server has logged since the log was ``before`` bytes long, the end of it."""
        return self.log.read_bytes()[before:].decode(errors="replace")[-2000:]

    def _post_warden(self) -> None:
        subprocess.run(
            [sys.executable, "-I", "-S", warden.__file__, str(self.folder)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=True,
        )  # fmt: skip


def throwaway(make: Callable[[Path], AnyServer]) -> AnyServer:
    """``make`` one in a new folder, removed when its last user leaves. Those that killed processes left are swept."""
    state = state_folder()
    with locked(file=state / "scratch.lock"):
        for folder in state.glob("scratch-*"):
            _sweep(folder=folder)
        folder = Path(tempfile.mkdtemp(prefix="scratch-", dir=state))
        folder.chmod(0o755 if server_ids()[0] != os.geteuid() else 0o700)
        (folder / "throwaway").touch()
        server = make(folder)
        server._enter()
    return server


def _sweep(*, folder: Path) -> None:
    """Close a throw-away server that nobody uses. Its lease is never made anew: a warden may be removing it now."""
    try:
        lease = os.open(folder / "lease.lock", os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        shutil.rmtree(folder, ignore_errors=True)
        return
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        warden.close(folder)
    os.close(lease)


def _children(*, pid: int) -> list[int]:
    if not Path("/proc/self").exists():
        listing = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
        return [int(child) for child in listing.stdout.split()]
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            _state, parent, *_ = stat.read_text().rpartition(")")[2].split()
            if int(parent) == pid:
                found.append(int(stat.parent.name))
    return found


def _alive(*, pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc/self").exists()
