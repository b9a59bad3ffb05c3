"""Which payouts wait for what, and a player's own."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db.models import BooleanField, Exists, Min, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from games.models import Player
from wagering.cashier.payouts import rules, switch
from wagering.cashier.payouts.models import BANK, OPEN, Attempt, Batch, Payout
from wagering.cashier.payouts.services import SCREENED_AGAIN
from wagering.protection.models import FundsLock, Identity

_THEIRS: Final = " || ".join(f'@.rule == "{rule}"' for rule in sorted(rules.WAITS_FOR_THE_PLAYER))
WAITS_FOR_ITS_PLAYER: Final = RawSQL(
    "(jsonb_path_exists(payouts_payout.findings, %s::jsonpath)"
    " AND NOT jsonb_path_exists(payouts_payout.findings, %s::jsonpath))",
    [f'$[*] ? (@.verdict != "ok" && ({_THEIRS}))', f'$[*] ? (@.verdict != "ok" && !({_THEIRS}))'],
    output_field=BooleanField(),
)
"""As ``rules.missing_of_the_player``: what waits for operators is not looked at again and again."""


def theirs(*, player: Player) -> QuerySet[Payout]:
    """A player's own."""
    return Payout.objects.filter(player=player).select_related("method")


def to_screen(*, at: datetime) -> QuerySet[Payout]:
    """Held, or in review with its player alone waited for: for long, or an operator has had a say since.

    None while payouts are stopped.
    """
    if switch.is_stopped():
        return Payout.objects.none()
    since = {"person": OuterRef("player")}
    judged = Exists(Identity.objects.filter(**since, judged_at__gte=OuterRef("screened_at")))
    lifted = Exists(FundsLock.objects.filter(**since, lifted_at__gte=OuterRef("screened_at")))
    waits = Q(WAITS_FOR_ITS_PLAYER, state=Payout.State.REVIEW)
    review = waits & (Q(screened_at__lte=at - SCREENED_AGAIN) | judged | lifted)
    return Payout.objects.filter(Q(state=Payout.State.HELD) | review)


def to_submit(*, at: datetime) -> QuerySet[Batch]:
    """Made, or sent without an answer and due to be looked up."""
    return Batch.objects.filter(Q(state=Batch.State.MADE) | Q(look_at__lte=at))


def to_send() -> QuerySet[Attempt]:
    """Approved, and to be sent through a provider; none while payouts are stopped."""
    if switch.is_stopped():
        return Attempt.objects.none()
    mine = Attempt.objects.filter(payout__state=Payout.State.APPROVED, sent_at=None, released_at=None, paid_at=None)
    return mine.exclude(rail=BANK)


def to_look_at(*, at: datetime) -> QuerySet[Attempt]:
    """Sent through a provider, and due to be asked about."""
    return Attempt.objects.filter(look_at__lte=at)


def to_settle() -> QuerySet[Attempt]:
    """Something was told of them."""
    return Attempt.objects.exclude(verdict=Attempt.Verdict.NONE)


def to_credit() -> QuerySet[Attempt]:
    """What came back and is in suspense."""
    return Attempt.objects.filter(returned_at__isnull=False, credited_at=None)


def in_state(state: Payout.State) -> QuerySet[Payout]:
    return Payout.objects.filter(state=state)


def oldest_waiting() -> dict[str, datetime]:
    """Of every state in which something waits, since when the oldest was asked for."""
    rows = Payout.objects.filter(state__in=OPEN).values_list("state").annotate(since=Min("asked_at")).order_by()
    return dict(rows)
