"""The SECRET_KEY of an installation that was given none: made once, kept beside the embedded server's data."""

import os
import secrets

from wagering.config.embedded.install import locked
from wagering.config.embedded.place import state_folder


def kept_secret() -> str:
    """The same for every process and every start: operators stay logged in, and rooms' keys keep signing."""
    folder = state_folder()
    file = folder / "secret_key"
    with locked(file=folder / "secret_key.lock"):
        if not file.exists():
            # Whole or not at all, and never readable by anyone else: written aside, then named.
            aside = folder / f"secret_key.{os.getpid()}"
            descriptor = os.open(aside, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w") as out:
                out.write(secrets.token_urlsafe(50))
            aside.replace(file)
        return file.read_text()
