"""Stops an embedded server when the last process that used it is gone, however that process went.

Run as a program by ``cluster.py``, with the folder of the cluster. Standard library only, imports nothing of ours,
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
from pathlib import Path

STOP_TIMEOUT_S = 60


def postmaster_pid(data: Path) -> int | None:
    """The process id of the server on ``data``; None when none runs."""
    try:
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ProcessLookupError, ValueError, IndexError):
        return None
    except PermissionError:
        return None
    return pid if is_server_of(pid=pid, data=data) else None


def is_server_of(*, pid: int, data: Path) -> bool:
    """Whether ``pid`` is a server on ``data``: after a crash the number may have gone to somebody else."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # no /proc on this system: believe the file
    return b"postgres" in command and os.fsencode(data) in command


def stop(data: Path) -> None:
    """Ask the server for a fast and clean shutdown, and wait until it is gone."""
    pid = postmaster_pid(data)
    if pid is None:
        return
    os.kill(pid, signal.SIGINT)
    end = time.monotonic() + STOP_TIMEOUT_S
    while time.monotonic() < end and postmaster_pid(data) is not None:
        time.sleep(0.01)


def close(folder: Path) -> None:
    """What the last one out does, holding the lease alone: stop the server, remove what was thrown away."""
    stop(folder / "data")
    with contextlib.suppress(OSError):
        sockets = (folder / "socket").readlink()
        for left_by_a_killed_server in sockets.glob(".s.PGSQL.*"):
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
