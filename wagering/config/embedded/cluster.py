"""One embedded PostgreSQL cluster."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import time
from pathlib import Path

from wagering.config.embedded import warden
from wagering.config.embedded.install import run, run_server_tool, safe_folder, server_ids
from wagering.config.embedded.place import PROJECT, state_folder
from wagering.config.embedded.server import Server, ServerDidNotStart, throwaway

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


class ClusterOfAnotherVersion(Exception):
    """The data was written by another major version of PostgreSQL than the installed wheel's."""


class Cluster(Server):
    """A cluster in ``folder``. ``durable`` survives a power cut; without it a cluster is fast and for tests only."""

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        super().__init__(folder)
        self.durable = durable

    def running(self) -> bool:
        if warden.server_pid(self.folder) is None:
            return False
        with contextlib.suppress(FileNotFoundError):
            lines = (self.data / "postmaster.pid").read_text().splitlines()
            return len(lines) > 7 and lines[7].strip() == "ready"
        return False

    def dsn(self, role: str, dbname: str) -> str:
        """Keywords for libpq and psycopg."""
        return f"host={self.socket} port={PORT} user={role} dbname={dbname}"

    def url(self, role: str, dbname: str) -> str:
        """The same as a URL, as DATABASE_URL takes it."""
        return f"postgresql://{role}@/{dbname}?host={self.socket}&port={PORT}"

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
        self._initialise()
        self._make_socket_folder()
        values = {**ALWAYS, **(DURABLE if self.durable else FORGETFUL), "unix_socket_directories": f"'{self.socket}'"}
        self._write_settings("".join(f"{name} = {value}\n" for name, value in values.items()))
        # The number of a killed server may be a zombie's by now, or another program's, and PostgreSQL would refuse to
        # start. That no process of it lives on is checked again by PostgreSQL, on the shared memory of the data folder.
        for mark in self.data / "postmaster.pid", self.socket / f".s.PGSQL.{PORT}.lock":
            mark.unlink(missing_ok=True)
        end = time.monotonic() + START_TIMEOUT_S
        while True:
            before = self._open_log()
            try:
                run_server_tool(
                    "pg_ctl", "start", "-w", "-s", "-t", str(START_TIMEOUT_S), "-D", str(self.data), "-l", str(self.log)
                )
                return
            except subprocess.CalledProcessError as error:
                said = self._said_since(before)
                if "pre-existing shared memory block" in said and time.monotonic() < end:
                    time.sleep(0.1)  # processes of a killed server are still on their way out
                    continue
                raise ServerDidNotStart(f"{error.output}\n{said}".strip()) from error

    def _prepare(self) -> None:
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
    """A new cluster of our own, removed when its last user leaves."""
    return throwaway(lambda folder: Cluster(folder, durable=durable))
