"""Stops an embedded server, of either sort, when the last process that used it is gone, however that process went.

Run as a program by ``server.py``, with the folder of the server. Standard library only, imports nothing of ours,
so that it starts in a few milliseconds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

STOP_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Sort:
    """How the server of a folder is known and stopped."""

    program: bytes
    pid_file: str
    sockets: str
    shutdown: signal.Signals


SORTS = (
    Sort(b"postgres", "data/postmaster.pid", ".s.PGSQL.*", signal.SIGINT),  # a fast shutdown
    Sort(b"valkey-server", "data/valkey.pid", "valkey.sock", signal.SIGTERM),  # writes what it has, then goes
)


def server_pid(folder: Path) -> int | None:
    """The process id of the server of ``folder``; None when none runs."""
    found = _found(folder)
    return found[1] if found else None


def _found(folder: Path) -> tuple[Sort, int] | None:
    for sort in SORTS:
        try:
            pid = int((folder / sort.pid_file).read_text().splitlines()[0])
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError, PermissionError, ValueError, IndexError):
            continue
        if is_server_of(pid=pid, folder=folder, program=sort.program):
            return sort, pid
    return None


def is_server_of(*, pid: int, folder: Path, program: bytes) -> bool:
    """Whether ``pid`` is a server of ``folder``: after a crash the number may have gone to somebody else."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # no /proc on this system: believe the file
    return program in command and os.fsencode(folder) + b"/" in command


def stop(folder: Path) -> None:
    """Ask the server for a clean shutdown, and wait until it is gone."""
    found = _found(folder)
    if found is None:
        return
    sort, pid = found
    os.kill(pid, sort.shutdown)
    end = time.monotonic() + STOP_TIMEOUT_S
    while time.monotonic() < end and server_pid(folder) is not None:
        time.sleep(0.01)


def close(folder: Path) -> None:
    """What the last one out does, holding the lease alone: stop the server, remove what was thrown away."""
    stop(folder)
    with contextlib.suppress(OSError):
        sockets = (folder / "socket").readlink()
        for sort in SORTS:
            for left_by_a_killed_server in sockets.glob(sort.sockets):
                left_by_a_killed_server.unlink()
        sockets.rmdir()
    if (folder / "throwaway").exists():
        shutil.rmtree(folder, ignore_errors=True)


def main(folder: Path) -> None:
    if os.fork():
        os._exit(0)
    os.setsid()
    watch = os.open(folder / "warden.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(watch, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return  # another warden is at the door
    lease = os.open(folder / "lease.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    fcntl.flock(lease, fcntl.LOCK_EX)  # waits for the last user
    close(folder)
    os.close(watch)  # before the lease: whoever gets the lease next must find no warden, and start one
    os.close(lease)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
