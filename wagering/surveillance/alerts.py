"""Looking at a player, and judging what was found.

What an operator has judged is not found again: of the same kind and pair only what came after that alert counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from games.models import Player, User
from wagering.notices import services as notices
from wagering.surveillance import rules, selectors, thresholds
from wagering.surveillance.models import Alert
from wagering.surveillance.rules import Contest, Finding, Kind
from wagering.surveillance.selectors import open_for

__all__ = ["AlreadyJudged", "ReasonMissing", "judge", "look_at", "open_for"]

REASON_MAX = 500


class AlreadyJudged(Exception):
    """The alert was cleared or confirmed before."""

    def __init__(self, alert: Alert) -> None:
        super().__init__(f"alert: {alert.pk} is {alert.state} already")


class ReasonMissing(ValueError):
    """Whoever judges says why."""

    def __init__(self) -> None:
        super().__init__(f"reason: is not 1 to {REASON_MAX} characters")


@transaction.atomic
def look_at(*, player: Player, at: datetime) -> list[Alert]:
    """Open the alerts that the player's contests of the last weeks ask for, on either side; those that are new."""
    opened = []
    for finding in _findings(player, at):
        alert, is_new = Alert.objects.get_or_create(
            kind=finding.kind,
            loser_id=finding.loser,
            winner_id=finding.winner,
            currency=finding.currency,
            state=Alert.State.OPEN,
            defaults={"score": finding.score, "evidence": finding.evidence, "opened_at": at},
        )
        if is_new:
            opened.append(alert)
            notices.tell(kind="alert_opened", data={"alert": alert.pk, "alert_kind": finding.kind.value}, at=at)
    return opened


@transaction.atomic
def judge(*, alert: UUID, confirmed: bool, reason: str, by: User, at: datetime) -> Alert:
    """An operator's word on an alert, once. Raises AlreadyJudged, ReasonMissing."""
    reason = reason.strip()
    if not 1 <= len(reason) <= REASON_MAX:
        raise ReasonMissing
    found = Alert.objects.select_for_update().get(pk=alert)
    if found.state != Alert.State.OPEN:
        raise AlreadyJudged(found)
    found.state = Alert.State.CONFIRMED if confirmed else Alert.State.CLEARED
    found.reason, found.judged_by, found.judged_at = reason, by, at
    found.save()
    return found


def _findings(player: Player, at: datetime) -> Iterator[Finding]:
    by = thresholds.shipped()
    contests: dict[tuple[UUID, UUID, str], list[Contest]] = defaultdict(list)
    losses: dict[str, list[Contest]] = defaultdict(list)
    for contest in selectors.contests_of(player=player, since=at - by.look_back, until=at):
        contests[contest.loser, contest.winner, contest.currency].append(contest)
        if contest.loser == player.pk:
            losses[contest.currency].append(contest)
    judged = _judged(player)
    for (loser, winner, currency), there in contests.items():
        account = selectors.account_of(player=loser, currency=currency, since=at - by.look_back - rules.DAY)
        back = contests.get((winner, loser, currency), [])
        for kind, rule in rules.OF_A_PAIR.items():
            seen = judged.get((kind, loser, winner, currency))
            if finding := rule(_after(there, seen), _after(back, seen), account, by):
                yield finding
    for currency, lost in losses.items():
        won = [contest for (_, winner, code), each in contests.items() if (winner, code) == (player.pk, currency)
               for contest in each]  # fmt: skip
        account = selectors.account_of(player=player.pk, currency=currency, since=at - by.look_back - rules.DAY)
        seen = judged.get((Kind.LOSS_SPEED, player.pk, None, currency))
        if finding := rules.loss_speed(_after(lost, seen), _after(won, seen), account, by):
            yield finding


def _judged(player: Player) -> dict[tuple[Kind, UUID, UUID | None, str], datetime]:
    """Up to when each pattern was judged: to the opening of the latest alert of it."""
    of_theirs = Alert.objects.filter(loser=player) | Alert.objects.filter(winner=player)
    rows = (
        of_theirs.exclude(state=Alert.State.OPEN)
        .values("kind", "loser", "winner", "currency")
        .annotate(Max("opened_at"))
    )
    return {
        (Kind(row["kind"]), row["loser"], row["winner"], row["currency"]): row["opened_at__max"]
        for row in rows.order_by()
    }


def _after(contests: Sequence[Contest], seen: datetime | None) -> Sequence[Contest]:
    return [contest for contest in contests if seen is None or contest.at > seen]
