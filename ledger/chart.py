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

_BOTH: Final[tuple[Zone, ...]] = ("professionals", "amateurs")
_REAL: Final[tuple[Zone, ...]] = ("professionals",)


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of account.

    ``grows_on`` is the side that makes its balance larger. A ``guarded`` account never falls below zero. A
    ``hot`` one belongs to the house and is touched by so many events that it takes no lock: its entries are
    only appended and its balance is summed. No account is both. ``zones`` are where it may exist. ``customers`` is its
    part in P-4: 1 is where the players' money lies, -1 what of it is owed to whom, 0 the operator's own.
    """

    code: str
    grows_on: Side
    owned_by: str
    meaning: str
    guarded: bool = False
    hot: bool = False
    customers: Literal[-1, 0, 1] = 0
    zones: tuple[Zone, ...] = _BOTH


def _of_player(code: str, meaning: str, *, grows_on: Side = "CR", zones: tuple[Zone, ...] = _REAL) -> Kind:
    """What a player owns or owes: never below zero, and part of the players' money."""
    customers: Literal[-1, 1] = -1 if grows_on == "CR" else 1
    return Kind(code, grows_on, "player", meaning, guarded=True, customers=customers, zones=zones)


def _of_house(
    code: str, grows_on: Side, meaning: str, *, guarded: bool = False, customers: Literal[-1, 0, 1] = 0
) -> Kind:
    """What the operator has once, in real money."""
    return Kind(code, grows_on, "house", meaning, guarded=guarded, customers=customers, zones=_REAL)


_KINDS = (
    # What players own, and owe.
    _of_player("wallet", "money a player may stake or withdraw", zones=_BOTH),
    _of_player("escrow", "money set aside at sit-down, held until the contest ends", zones=_BOTH),
    _of_player("payouts_pending", "money a player has asked for and is not yet paid (P-2)"),
    _of_player("bonus", "a bonus that the player may not dispose of yet"),
    _of_player("unclaimed", "money of a player who is long away, recoverable for ever"),
    _of_player("receivable", "what a chargeback took and the wallet lacked (P-3)", grows_on="DR"),
    # What the house earns and gives.
    Kind("commission", "CR", "room", "commission earned by a room and not yet swept", hot=True, customers=-1),
    _of_house("revenue", "CR", "commission swept to the operator"),
    _of_house("adjustments", "DR", "corrections by hand, at the operator's expense"),
    _of_house("promotions", "DR", "bonuses given, at the operator's expense"),
    _of_house("processing_costs", "DR", "what payment providers keep for their work"),
    # Where the money is.
    Kind("clearing", "DR", "provider", "money a payment provider owes us", hot=True, customers=1, zones=_REAL),
    _of_house("bank_customers", "DR", "the bank account kept apart for players (P-4)", customers=1),
    _of_house("bank_operating", "DR", "the operator's own bank account"),
    _of_house("suspense", "CR", "money at the bank that is not known to be anybody's", guarded=True, customers=-1),
    _of_house("dispute_differences", "DR", "what disputes took beyond deposits, not yet covered", customers=1),
    Kind("play_issued", "DR", "house", "play money ever given out, free", hot=True, customers=1, zones=("amateurs",)),
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


def players(code: str, player: UUID, currency_code: str) -> AccountRef:
    """What else a player may have: ``payouts_pending``, ``bonus``, ``unclaimed``, ``receivable``."""
    return account(code, player, currency_code)


def commission(room: UUID, currency_code: str) -> AccountRef:
    return account("commission", room, currency_code)


def clearing(provider: UUID, currency_code: str) -> AccountRef:
    return account("clearing", provider, currency_code)


def house(code: str, currency_code: str) -> AccountRef:
    """An account that the operator has once: ``revenue``, ``suspense``, the banks, ``play_issued`` and the like."""
    return account(code, HOUSE, currency_code)
