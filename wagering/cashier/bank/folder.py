"""A bank that is reached by files in a folder, carried there and back by another program.

``out/`` has orders that are to be handed in; who carries one to the bank moves it to ``sent/``. What comes from
the bank is put into ``in/`` whole (written elsewhere and renamed), and goes to ``done/`` once it was read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from wagering.cashier.bank.connection import BankSilent, Document


class FolderBank:
    """The folder is settings.BANK_FOLDER; its four parts are made when they are needed."""

    def submit(self, *, message: str, file: bytes) -> None:
        self._put(self._part("out") / f"{message}.xml", file)

    def has(self, *, message: str) -> bool:
        return any((self._part(part) / f"{message}.xml").exists() for part in ("out", "sent"))

    def documents(self) -> Sequence[Document]:
        files = sorted(self._part("in").glob("*.xml"))
        return [Document(file.name, file.read_bytes()) for file in files]

    def taken(self, *, name: str) -> None:
        came = self._part("in") / Path(name).name
        if came.exists():
            came.rename(self._part("done") / came.name)

    def _put(self, path: Path, body: bytes) -> None:
        """All of it is there, or nothing."""
        half = path.with_suffix(".part")
        try:
            with half.open("wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            half.rename(path)
        except OSError as error:
            raise BankSilent(f"{path.parent}: {error.strerror}") from error

    def _part(self, name: str) -> Path:
        folder = Path(settings.BANK_FOLDER) / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BankSilent(f"{folder}: {error.strerror}") from error
        return folder
