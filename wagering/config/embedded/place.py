"""Where embedded servers keep their data: beside the project when we may write there, else in the user's state."""

from __future__ import annotations

import hashlib
import os
import secrets
from pathlib import Path

from wagering.config.embedded.install import ROOT_STATE, is_root, locked, safe_folder

PROJECT = Path(__file__).resolve().parents[3]


def state_folder() -> Path:
    """The folder that holds this project's clusters.

    For a plain user ``var/`` of the project, or ~/.local/state when the project is not his to write.
    For root a folder under /var/tmp: the server runs as nobody, who cannot enter root's home. It is found through a
    random name kept in ``var/``, so that a new clone at an old path starts empty instead of on the old clone's book.
    """
    if is_root():
        return safe_folder(folder=safe_folder(folder=ROOT_STATE, mode=0o755) / _name_of_clone(), mode=0o755)
    var = PROJECT / "var"
    if os.access(var if var.exists() else PROJECT, os.W_OK):
        return safe_folder(folder=var, mode=0o700)
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    mark = hashlib.sha256(os.fsencode(PROJECT)).hexdigest()[:12]
    return safe_folder(folder=home / "backgammon-room" / mark, mode=0o700)


def _name_of_clone() -> str:
    var = PROJECT / "var"
    var.mkdir(exist_ok=True)
    with locked(file=var / "clone.lock"):
        file = var / "clone"
        if not file.exists():
            file.write_text(secrets.token_hex(6))
        return file.read_text()


def socket_folder(*, folder: Path) -> Path:
    """Where the server of ``folder`` listens: a short name, since a socket's path is limited to about 100 bytes."""
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:10]
    return Path(f"/tmp/backgammon-room-{os.geteuid()}-{mark}")
