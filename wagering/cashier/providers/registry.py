"""The providers that this installation works with, by their codes: settings.PROVIDERS says which."""

from __future__ import annotations

from functools import cache
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from wagering.cashier.providers.protocol import Provider, account_of

KNOWN: Final = {
    "sandbox": "wagering.cashier.providers.sandbox.SandboxProvider",
    "stripe": "wagering.cashier.providers.stripe.StripeProvider",
}
"""Every provider that there is code for, and where."""


class UnknownProvider(Exception):
    """No payment provider of this name is worked with here."""

    def __init__(self, code: str) -> None:
        super().__init__(f"provider: {code!r} is none of {', '.join(settings.PROVIDERS) or 'those there are: none'}")
        self.field = "provider"


def enabled() -> list[Provider]:
    """Those that players may pay through, in the order of the setting."""
    return [provider(code) for code in settings.PROVIDERS]


def first() -> str:
    """The code of the provider that players pay through who name none. Raises UnknownProvider if there is none."""
    if not settings.PROVIDERS:
        raise UnknownProvider("")
    return str(settings.PROVIDERS[0])


def provider(code: str) -> Provider:
    """The provider named ``code``. Raises UnknownProvider."""
    if code not in settings.PROVIDERS:
        raise UnknownProvider(code)
    return _made(code)


def accounts() -> frozenset[UUID]:
    """The owners of the clearing accounts of every provider there is code for, worked with or not."""
    return frozenset(map(account_of, KNOWN))


@cache
def _made(code: str) -> Provider:
    made: Provider = import_string(KNOWN[code])()
    return made
