"""All that is kept of one player, in one document.

Not in it: what others are protected by, alerts and what operators wrote to each other; and what is somebody else's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from games.access.models import PlayerToken
from games.models import Player
from ratings.rules import Zone
from wagering.cashier.deposits import selectors as deposits
from wagering.cashier.deposits import serializers as deposits_told
from wagering.cashier.methods.models import Method
from wagering.cashier.payouts import accounts
from wagering.cashier.payouts import selectors as payouts
from wagering.cashier.payouts import serializers as payouts_told
from wagering.notices import selectors as notices
from wagering.play.people import selectors as people
from wagering.play.people.serializers import my_table
from wagering.play.wallet import selectors as wallets
from wagering.play.wallet import serializers as wallets_told
from wagering.protection.identity import selectors as identities
from wagering.protection.limits import selectors as limits
from wagering.protection.models import Exclusion
from wagering.rest.money_field import Money
from wagering.seamless import selectors as seamless
from wagering.seamless.serializers import round_told

PAGE: Final = 1000


def everything(*, player: Player, at: datetime) -> dict[str, Any]:
    """For ``PersonsDataSerializer``."""
    user = player.user
    assert user is not None, "who asks has a log-in"
    said = people.profile(player=player)
    return {
        "exported_at": at,
        "id": player.pk,
        "name": player.name,
        "registered_at": user.date_joined,
        "biography": "" if said is None else said.biography,
        "clients": PlayerToken.objects.filter(user=user).order_by("created"),
        "identity": _identity(player),
        "limits": list(_limits(player)),
        "exclusions": Exclusion.objects.filter(person=player.pk).order_by("begins_at"),
        "payment_methods": [_method(method) for method in Method.objects.filter(player=player)],
        "wallets": [_wallet(wallet, player) for wallet in wallets.wallets(player=player)],
        "deposits": [deposits_told.told(each) for each in deposits.theirs(player=player).order_by("created_at")],
        "payouts": [payouts_told.told(each) for each in payouts.theirs(player=player).order_by("asked_at")],
        "tables": [my_table(table, player) for table in people.tables_of(player=player).order_by("opened_at")],
        "rounds": [round_told(each, player) for each in seamless.rounds_of(player=player).order_by("opened_at")],
        "ratings": [change for zone in Zone for change in people.history(player=player, zone=zone).order_by("at")],
        "notices": notices.theirs(player=player).order_by("at"),
    }


def _identity(player: Player) -> Mapping[str, Any] | None:
    found = identities.identity_of(player)
    if found is None:
        return None
    told = identities.opened(found, player=player)
    return {**told, "country": found.country, "state": found.state, "told_at": found.told_at}


def _limits(player: Player) -> Iterator[Mapping[str, Any]]:
    for each in limits.said(player=player):
        sort = each.sort
        amount = None if each.amount is None else Money(each.amount, sort.currency)
        yield {"kind": sort.kind, "window": sort.window, "currency": sort.currency, "by": each.by, "amount": amount}


def _method(method: Method) -> Mapping[str, Any]:
    fields = ("id", "provider", "brand", "last4", "can_receive", "added_at", "used_at")
    account = None if method.iban is None else accounts.opened(method)
    told = {"holder": account and account.holder, "iban": account and account.iban}
    return {field: getattr(method, field) for field in fields} | told


def _wallet(wallet: wallets.Wallet, player: Player) -> Mapping[str, Any]:
    return wallets_told.told(wallet) | {"statement": list(_statement(player, wallet.currency))}


def _statement(player: Player, currency: str) -> Iterator[Mapping[str, Any]]:
    after: int | None = 0
    while after is not None:
        page, entries = wallets.statement(player=player, currency=currency, after=after, limit=PAGE)
        yield from (wallets_told.told_entry(entry, currency) for entry in entries)
        after = page.cursor
