"""What a bank is to us: orders go there once by their name, files come from there. And the banks there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

KNOWN: Final = {
    "sandbox": "wagering.cashier.bank.sandbox.SandboxBank",
    "folder": "wagering.cashier.bank.folder.FolderBank",
}
"""Every way to a bank that there is code for, and where."""


class BankRefused(Exception):
    """The bank does not take the order, for good: nothing of it is carried out. The message is its own words."""


class BankSilent(Exception):
    """No answer, or one that says nothing: whether the bank has the order is not known. Look it up, never send anew."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file from the bank, under the name by which it is acknowledged."""

    name: str
    body: bytes


class Bank(Protocol):
    """One bank. Nothing here touches our database, so all of it is called outside transactions."""

    def submit(self, *, message: str, file: bytes) -> None:
        """Hand in an order under its name ``message``. Raises BankRefused, BankSilent."""
        ...

    def has(self, *, message: str) -> bool:
        """Whether the bank has the order. Raises BankSilent."""
        ...

    def documents(self) -> Sequence[Document]:
        """Answers to orders and statements that were not acknowledged yet. Raises BankSilent."""
        ...

    def taken(self, *, name: str) -> None:
        """Acknowledge a document: it is kept here, and need not come again. Raises BankSilent."""
        ...


def is_there() -> bool:
    """Whether a bank is worked with here."""
    return bool(settings.BANK)


def bank() -> Bank:
    """The bank that settings.BANK names; there is one, or nothing is asked of it."""
    return _made(settings.BANK)


@cache
def _made(code: str) -> Bank:
    made: Bank = import_string(KNOWN[code])()
    return made
