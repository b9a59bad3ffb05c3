"""Forgetting a person. Again, the first answer.

In one transaction: the key is destroyed, so what was sealed is noise; the names are replaced, in the records of games
too; nobody can log in; what providers and the API remember word for word is emptied. The book is not touched: there
the player is an id.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Replace
from django.utils.module_loading import import_string

from games import services as games
from games.access import names
from games.access import services as access
from games.access.models import LoginName
from games.models import Player, Record, User
from games.rules.record_reading import read
from games.rules.record_writing import write
from games.rules.replay import replay_text
from ledger import book, money
from wagering.cashier.deposits.models import OPEN, Deposit, InboxEvent, Refund
from wagering.cashier.methods.models import Method
from wagering.play.models import Profile
from wagering.play.wallet.selectors import KINDS
from wagering.privacy.models import Erasure
from wagering.privacy.refusals import NoPlayer, ReasonMissing, StillKept, StillTheirs
from wagering.protection.persons import locked
from wagering.vault import services as vault

REASON_MAX: Final = 500
NAMES: Final = ("player 1", "player 2")
"""The headers of a record that say who played."""


def erase(*, player: Player, by: User, reason: str, at: datetime, forced: bool = False) -> Erasure:
    """Forget who the player is. ``forced`` does not wait for the term; nothing forces what is still theirs away.

    Raises NoPlayer, ReasonMissing, StillTheirs, StillKept.
    """
    if not 1 <= len(reason.strip()) <= REASON_MAX:
        raise ReasonMissing
    with transaction.atomic():
        person = locked(player)
        if earlier := Erasure.objects.filter(player=player).first():
            return earlier
        player = Player.objects.select_related("user").get(pk=player.pk)
        if player.user is None or not player.may_play:
            raise NoPlayer
        if left := _left(player):
            raise StillTheirs(left)
        term = timedelta(days=settings.RETENTION_DAYS)
        if not forced and _was_here(player, person.seen_at, since=at - term):
            raise StillKept(term)
        made = Erasure.objects.create(player=player, by=by, reason=reason.strip(), forced=forced, at=at)
        vault.destroy(player=player, at=at)
        _forget(player, player.user, at)
        return made


def _left(player: Player) -> list[str]:
    """What of money is not over. Play money goes with the player, but for what is at a table."""
    found = [
        f"{amount} {account.currency} in {account.code}"
        for account, amount in book.owned(owner=player.pk, kinds=KINDS).items()
        if amount and (account.code == "escrow" or money.currency(account.currency).zone == "professionals")
    ]
    if Deposit.objects.filter(player=player, state__in=OPEN, asked_at__isnull=False).exists():
        found.append("a deposit under way")
    if Refund.objects.filter(deposit__player=player, state=Refund.State.REQUESTED).exists():
        found.append("a refund under way")
    return found


def _was_here(player: Player, seen_at: datetime | None, *, since: datetime) -> bool:
    assert player.user is not None
    if max(player.user.date_joined, seen_at or player.user.date_joined) > since:
        return True
    currencies = {account.currency for account in book.owned(owner=player.pk, kinds=KINDS)}
    return any(book.movements(owner=player.pk, currency=currency, kinds=KINDS, since=since) for currency in currencies)


def _forget(player: Player, user: User, at: datetime) -> None:
    named, nobody = player.name, f"erased-{player.pk.hex[:8]}"
    for record in Record.objects.filter(Q(table__player_1=player) | Q(table__player_2=player)).select_related("table"):
        _rewrite(record, player)
    access.revoke_all(user=user, at=at)
    LoginName.objects.filter(user=user).delete()
    # The operators' own log names what they looked at.
    of_them = LogEntry.objects.filter(Q(object_repr__contains=named) | Q(change_message__contains=named))
    for field in ("object_repr", "change_message"):
        of_them.filter(**{f"{field}__contains": named}).update(**{field: Replace(field, Value(named), Value(nobody))})
    for path in settings.ERASURE_TAKES:
        import_string(path)(user=user)
    Profile.objects.filter(player=player).update(biography="", changed_at=at)
    _empty_events(player)
    for method in Method.objects.filter(player=player):
        method.token, method.last4, method.blocked_at = f"erased-{method.pk}", "", method.blocked_at or at
        method.holder, method.iban, method.iban_digest = None, None, ""
        method.save()
    player.name, player.key = nobody, names.key(f"erased-{player.pk}")
    player.save(update_fields=["name", "key"])
    user.username, user.first_name, user.last_name, user.email = f"erased-{user.pk}", "", "", ""
    user.is_active, user.last_login = False, None
    user.set_unusable_password()
    user.save()


def _rewrite(record: Record, player: Player) -> None:
    """The same record of nobody: side by side the same games, with another name."""
    side = 1 if record.table.player_1_id == player.pk else 2
    (match,) = read(record.text)
    nobody = f"erased-{side}"
    headers = tuple((key, nobody if key.lower() == NAMES[side - 1] else said) for key, said in match.headers)
    played = tuple(replace(each, names=_renamed(each.names, side, nobody)) for each in match.games)
    text = write(replace(match, headers=headers, games=played))
    assert _outcomes(text) == _outcomes(record.text), f"{record} would say something else"
    record.text, record.sha256 = text, games.sha256_of(text)
    record.save(update_fields=["text", "sha256"])


def _renamed(pair: tuple[str, str], side: int, nobody: str) -> tuple[str, str]:
    return (nobody, pair[1]) if side == 1 else (pair[0], nobody)


def _outcomes(text: str) -> list[object]:
    return [each.outcomes for each in replay_text(text)]


def _empty_events(player: Player) -> None:
    """What providers said of the player's payments, word for word. What we read in it, ids and amounts, stays."""
    for deposit in Deposit.objects.filter(player=player):
        for reference in filter(None, (deposit.ours, deposit.theirs)):
            said = InboxEvent.objects.filter(provider=deposit.provider, done_at__isnull=False)
            said.extra(where=["position(%s::bytea in body) > 0"], params=[reference.encode()]).update(body=b"")
