"""Bank accounts that players are paid to: the number and the holder sealed, four digits shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction

from games.models import Player
from wagering.cashier.bank.rules import iban as ibans
from wagering.cashier.bank.rules import names
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts.models import BANK
from wagering.protection import aml, gate
from wagering.protection.identity import selectors as identities
from wagering.vault import services as vault

IBAN: Final = "method.iban"
HOLDER: Final = "method.holder"
"""What each is sealed for."""


class OursToPayFrom(ValueError):
    """The account is the one that players are paid from."""

    field = "iban"

    def __init__(self) -> None:
        super().__init__("iban: this is our own account, and not yours")


@dataclass(frozen=True, slots=True)
class Account:
    """In clear: to be written into an order, and nowhere else."""

    iban: str
    holder: str


def add(*, player: Player, iban: str, holder: str, at: datetime) -> Method:
    """The account, to be paid out to; the same again is the same. Under another name it takes the first one's place.

    Who proves to have the account that another player has is linked to them: here by a verified name that both gave it,
    otherwise once money went there (``share``). Raises BadIban, OursToPayFrom, BadHolder, Erased.
    """
    number, name = ibans.read(iban), names.written(holder)
    if settings.BANK_IBAN and number == ibans.read(settings.BANK_IBAN):
        raise OursToPayFrom
    digest = vault.digest(number, purpose="iban")
    token = vault.digest(f"{number} {name.casefold()}", purpose="account")
    with transaction.atomic():
        gate.locked(player)
        mine = Method.objects.filter(player=player, provider=BANK)
        mine.filter(iban_digest=digest, blocked_at=None).exclude(token=token).update(blocked_at=at, replaced=True)
        found = mine.filter(token=token).first()
        if found is None:
            found = Method.objects.create(
                player=player,
                provider=BANK,
                token=token,
                brand=f"account in {number[:2]}",
                last4=number[-4:],
                can_receive=True,
                holder=vault.seal(name, player=player, purpose=HOLDER),
                iban=vault.seal(number, player=player, purpose=IBAN),
                iban_digest=digest,
                added_at=at,
            )
        elif found.replaced:
            found.blocked_at, found.replaced = None, False
            found.save(update_fields=["blocked_at", "replaced"])
        verified = identities.verified_name_of(player)
        if verified is not None and names.are_one(verified, name):
            _link(found, [each for each in _others(found) if _is_of(each, verified)], at)
        return found


def share(method: Method, *, at: datetime) -> None:
    """Money went to the account: its player has it, and whoever else gave it acts with them."""
    _link(method, _others(method), at)


def _others(method: Method) -> Iterable[Method]:
    """The same account, of other players."""
    if not method.iban_digest:
        return []
    same = Method.objects.filter(iban_digest=method.iban_digest).exclude(player=method.player_id)
    return same.select_related("player")


def _is_of(method: Method, name: str) -> bool:
    return not vault.is_erased(player=method.player) and names.are_one(name, opened(method).holder)


def _link(method: Method, others: Iterable[Method], at: datetime) -> None:
    for other in {each.player for each in others}:
        aml.link(one=method.player, other=other, why="the same bank account", at=at)


def opened(method: Method) -> Account:
    """The account in clear. Raises Erased."""
    assert method.iban is not None and method.holder is not None, f"{method} is no account"
    return Account(
        iban=vault.opened(bytes(method.iban), player=method.player, purpose=IBAN),
        holder=vault.opened(bytes(method.holder), player=method.player, purpose=HOLDER),
    )
