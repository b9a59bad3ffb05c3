"""References for transfers to us: a player's own in each currency, and whose one is."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from games.models import Player
from wagering.cashier.bank import connection
from wagering.cashier.bank.models import TransferReference
from wagering.cashier.bank.rules import references
from wagering.vault import services as vault


class NoTransfers(Exception):
    """Nothing can be transferred to us in this currency: there is no bank account for it."""

    def __init__(self, currency: str) -> None:
        super().__init__(f"currency: nothing can be transferred in {currency}")
        self.field = "currency"


def of(*, player: Player, currency: str, at: datetime) -> str:
    """What the player writes on transfers in ``currency``; always the same. Raises NoTransfers."""
    if not connection.is_there() or currency not in settings.BANK_CURRENCIES:
        raise NoTransfers(currency)
    row, _ = TransferReference.objects.get_or_create(player=player, currency=currency, defaults={"made_at": at})
    return references.made(row.pk)


def owner(text: str, *, currency: str) -> tuple[Player | None, str]:
    """Whose reference stands in ``text``; or nobody, and why."""
    found = references.found(text)
    numbers = [int(each[4:]) for each in found]
    rows = TransferReference.objects.filter(pk__in=numbers).select_related("player")
    if not found:
        return None, "no reference of ours stands on it"
    if len(rows) != 1:
        return None, f"{len(rows) or 'no'} players are meant by what stands on it"
    if rows[0].currency != currency:
        return None, f"the reference is for {rows[0].currency}"
    if vault.is_erased(player=rows[0].player):
        return None, "who is meant was erased"
    return rows[0].player, ""
