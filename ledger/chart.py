"""The chart of accounts: every sort of account the book knows, on one page.

An account is named by three things: its kind (below), its owner and its currency. The owner is an opaque
UUID: a player, a room, a payment provider, or HOUSE for what the operator has once. An account comes into
being when a voucher first names it; its kind decides for ever how it behaves.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple
from uuid import UUID

from ledger.money import Zone, currency

Side = Literal["DR", "CR"]
HOUSE: Final = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of account.

    ``grows_on`` is the side that makes its balance larger. A ``guarded`` account never falls below zero. A
    ``hot`` one belongs to the house and is touched by so many events that it takes no lock: its entries are
    only appended and its balance is summed. No account is both. ``zones`` are where it may exist.
    """

    code: str
    grows_on: Side
    owned_by: str
    meaning: str
    guarded: bool = False
    hot: bool = False
    zones: tuple[Zone, ...] = ("professionals", "amateurs")


_KINDS = (
    # What players own: never below zero.
    Kind("wallet", "CR", "player", "money a player may stake or withdraw", guarded=True),
    Kind("escrow", "CR", "player", "money set aside at sit-down, held until the contest ends", guarded=True),
    # What the house earns and gives.
    Kind("commission", "CR", "room", "commission earned by a room and not yet swept", hot=True),
    Kind("revenue", "CR", "house", "commission swept to the operator", zones=("professionals",)),
    Kind("adjustments", "DR", "house", "corrections by hand, at the operator's expense", zones=("professionals",)),
    # Where the money is.
    Kind("clearing", "DR", "provider", "money a payment provider owes us", hot=True, zones=("professionals",)),
    Kind("bank_customers", "DR", "house", "the bank account kept apart for players (P-4)", zones=("professionals",)),
    Kind("bank_operating", "DR", "house", "the operator's own bank account", zones=("professionals",)),
    Kind("play_issued", "DR", "house", "play money ever given out, free of charge", hot=True, zones=("amateurs",)),
)
KINDS: Final = {kind.code: kind for kind in _KINDS}


class AccountRef(NamedTuple):
    """The name of an account: kind, owner, currency. Built by the functions below, checked by the book."""

    code: str
    owner: UUID
    currency: str

    def __str__(self) -> str:
        return f"{self.code}:{'house' if self.owner == HOUSE else self.owner}:{self.currency}"


class UnknownAccount(ValueError):
    """No such kind of account, or not in that currency's zone."""


def account(code: str, owner: UUID, currency_code: str) -> AccountRef:
    """The account of kind ``code``. Raises UnknownAccount for a kind that is not on this page or not in the zone."""
    kind = KINDS.get(code)
    if kind is None:
        raise UnknownAccount(f"account: {code!r} is no kind of account; the chart has {', '.join(KINDS)}")
    zone = currency(currency_code).zone
    if zone not in kind.zones:
        raise UnknownAccount(f"account: {code} does not exist in {currency_code}, which belongs to the {zone}")
    return AccountRef(code, owner, currency_code)


def wallet(player: UUID, currency_code: str) -> AccountRef:
    return account("wallet", player, currency_code)


def escrow(player: UUID, currency_code: str) -> AccountRef:
    return account("escrow", player, currency_code)


def commission(room: UUID, currency_code: str) -> AccountRef:
    return account("commission", room, currency_code)


def clearing(provider: UUID, currency_code: str) -> AccountRef:
    return account("clearing", provider, currency_code)


def house(code: str, currency_code: str) -> AccountRef:
    """An account that the operator has once: ``revenue``, ``adjustments``, the banks, ``play_issued``."""
    return account(code, HOUSE, currency_code)
