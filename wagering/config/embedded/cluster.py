"""One embedded PostgreSQL cluster, shared by every process that uses its folder.

Each process holds a shared lock on ``lease.lock`` while it uses the server. The last one out stops the server; when
that one died without a word, the warden does (``warden.py``). Whoever comes meanwhile uses the server that answers.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Self

from wagering.config.embedded import warden
from wagering.config.embedded.install import (
    locked,
    run,
    run_server_tool,
    safe_folder,
    server_ids,
)
from wagering.config.embedded.place import PROJECT, socket_folder, state_folder

SUPERUSER = "postgres"
PORT = 5432
START_TIMEOUT_S = 300
ROLES = PROJECT / "docker" / "postgres" / "roles.sql"

ALWAYS = {
    "listen_addresses": "''",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "log_destination": "'stderr'",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}


class ServerDidNotStart(Exception):
    """The server would not start; the end of its log is in the message."""


class ClusterOfAnotherVersion(Exception):
    """The data was written by another major version of PostgreSQL than the installed wheel's."""


class Cluster:
    """A cluster in ``folder``. ``durable`` survives a power cut; without it a cluster is fast and for tests only."""

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        self.data = folder / "data"
        self.log = folder / "log"
        self.socket = socket_folder(folder=folder)
        self._mutex = threading.Lock()
        self._lease: int | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.leave()

    def start(self) -> Self:
        """Join the users of the server, starting it if it does not run. Cheap when this process already has."""
        with self._mutex:
            if self._lease is None:
                self._enter()
            elif self.running():
                return self
            with locked(file=self.folder / "start.lock"):
                if not self.running():
                    self._initialise()
                    self._launch()
                self._apply_roles()
        return self

    def running(self) -> bool:
        """Whether the server runs and takes connections."""
        if warden.postmaster_pid(self.data) is None:
            return False
        with contextlib.suppress(FileNotFoundError):
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return len(lines) > 7 and lines[7].strip() == "ready"
        return False

    def leave(self) -> None:
        """Stop using the server; the last one out stops it, and removes a throw-away cluster."""
        with self._mutex:
            if self._lease is None:
                return
            os.close(self._lease)
            self._lease = None
            atexit.unregister(self.leave)
            try:
                lease = self._open_lease()
            except FileNotFoundError:
                return  # the warden was quicker, and has removed a throw-away cluster
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
            warden.stop(self.data)

    def kill(self) -> None:
        """Kill -9 the server and all its processes, as a power cut would. ``start()`` recovers it."""
        pid = warden.postmaster_pid(self.data)
        if pid is None:
            return
        doomed = [pid, *_children(pid=pid)]
        for process in doomed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(_alive(pid=process) for process in doomed):
            time.sleep(0.01)

    def dsn(self, role: str, dbname: str) -> str:
        """Keywords for libpq and psycopg."""
        return f"host={self.socket} port={PORT} user={role} dbname={dbname}"

    def url(self, role: str, dbname: str) -> str:
        """The same as a URL, as DATABASE_URL takes it."""
        return f"postgresql://{role}@/{dbname}?host={self.socket}&port={PORT}"

    def _enter(self) -> None:
        safe_folder(folder=self.folder, mode=0o755 if server_ids()[0] != os.geteuid() else 0o700)
        self._lease = self._open_lease(create=True)
        fcntl.flock(self._lease, fcntl.LOCK_SH)
        atexit.register(self.leave)

    def _open_lease(self, *, create: bool = False) -> int:
        return os.open(self.folder / "lease.lock", os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if create else 0), 0o600)

    def _initialise(self) -> None:
        """Make the data folder under another name and rename it, so that a half-made one is never started."""
        if self.data.exists():
            self._check_version()
            return
        half = self.folder / "half"
        shutil.rmtree(half, ignore_errors=True)
        safe_folder(folder=half, mode=0o700, owner=server_ids()[0])
        run_server_tool(
            "initdb", "-D", str(half), "-U", SUPERUSER, "-A", "trust", "--locale=C", "-E", "UTF8",
            *(["--no-sync"] if (self.folder / "throwaway").exists() else []),
        )  # fmt: skip
        with (half / "postgresql.conf").open("a") as configuration:
            configuration.write(f"\ninclude = '{self.folder / 'server.conf'}'\n")
        half.rename(self.data)

    def _check_version(self) -> None:
        written = (self.data / "PG_VERSION").read_text().strip()
        installed = run("postgres", "--version").stdout.split()[-1].split(".")[0]
        if written != installed:
            raise ClusterOfAnotherVersion(
                f"{self.data} was written by PostgreSQL {written}, the installed wheel is {installed}: dump it with "
                "the old wheel and restore it with the new one, or move the folder away to start empty"
            )

    def _launch(self) -> None:
        user, group = server_ids()
        safe_folder(folder=self.socket, mode=0o700, owner=user)
        link = self.folder / "socket"
        link.unlink(missing_ok=True)
        link.symlink_to(self.socket)
        values = {**ALWAYS, **(DURABLE if self.durable else FORGETFUL), "unix_socket_directories": f"'{self.socket}'"}
        settings = self.folder / "server.conf"
        settings.write_text("".join(f"{name} = {value}\n" for name, value in values.items()))
        settings.chmod(0o644)
        self.log.touch(mode=0o600)
        os.chown(self.log, user, group)
        # The number of a killed server may be a zombie's by now, or another program's, and PostgreSQL would refuse to
        # start. That no process of it lives on is checked again by PostgreSQL, on the shared memory of the data folder.
        for mark in self.data / "postmaster.pid", self.socket / f".s.PGSQL.{PORT}.lock":
            mark.unlink(missing_ok=True)
        end = time.monotonic() + START_TIMEOUT_S
        while True:
            before = self.log.stat().st_size
            try:
                run_server_tool(
                    "pg_ctl", "start", "-w", "-s", "-t", str(START_TIMEOUT_S), "-D", str(self.data), "-l", str(self.log)
                )
            except subprocess.CalledProcessError as error:
                said = self.log.read_text(errors="replace")[before:]
                if "pre-existing shared memory block" in said and time.monotonic() < end:
                    time.sleep(0.1)  # processes of a killed server are still on their way out
                    continue
                raise ServerDidNotStart(f"{error.output}\n{said[-2000:]}".strip()) from error
            break
        self._post_warden()

    def _post_warden(self) -> None:
        subprocess.run(
            [sys.executable, "-I", "-S", warden.__file__, str(self.folder)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=True,
        )  # fmt: skip

    def _apply_roles(self) -> None:
        """Run ``roles.sql`` as the superuser once, and again whenever the file has changed."""
        mark = hashlib.sha256(ROLES.read_bytes()).hexdigest()
        stamp = self.folder / "roles.sha256"
        if stamp.exists() and stamp.read_text() == mark:
            return
        run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", self.dsn(SUPERUSER, "postgres"), "-f", str(ROLES))
        stamp.write_text(mark)


def default() -> Cluster:
    """The project's own cluster: durable, its data is kept from run to run."""
    return Cluster(state_folder() / "postgres", durable=True)


def scratch(*, durable: bool) -> Cluster:
    """A new cluster of our own, removed when its last user leaves. Those that killed processes left are swept."""
    state = state_folder()
    with locked(file=state / "scratch.lock"):
        for folder in state.glob("scratch-*"):
            _sweep(folder=folder)
        folder = Path(tempfile.mkdtemp(prefix="scratch-", dir=state))
        folder.chmod(0o755 if server_ids()[0] != os.geteuid() else 0o700)
        (folder / "throwaway").touch()
        cluster = Cluster(folder, durable=durable)
        cluster._enter()
    return cluster


def _sweep(*, folder: Path) -> None:
    """Close a throw-away cluster that nobody uses. Its lease is never made anew: a warden may be removing it now."""
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
