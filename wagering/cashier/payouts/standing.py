"""What stands against players, and whether it came up after a payout was approved: looked at again before it leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from wagering.cashier.disputes import selectors as disputes
from wagering.cashier.payouts import alerts, rules
from wagering.cashier.payouts.models import Payout
from wagering.cashier.payouts.rules import Standing
from wagering.cashier.payouts.told import tell


def of(players: Collection[UUID]) -> dict[UUID, Standing]:
    """Of each their debts, disputes and alerts, and when the latest of the last two came up; in a few queries."""
    owed = disputes.owed_by(players)
    theirs: dict[UUID, list[str]] = {player: [] for player in players}
    opened: dict[UUID, list[str]] = {player: [] for player in players}
    since: dict[UUID, datetime] = {}
    for dispute in disputes.standing(*players):
        player, came = dispute.deposit.player_id, dispute.taken_at or dispute.opened_at
        assert came is not None, f"{dispute} stands"
        theirs[player].append(f"{dispute.amount} {dispute.currency} {dispute.state}")
        since[player] = max(came, since.get(player, came))
    for alert in alerts.standing(players):
        found = alert.judged_at or alert.opened_at
        for side in opened.keys() & {alert.loser_id, alert.winner_id}:
            opened[side].append(alerts.told(alert))
            since[side] = max(found, since.get(side, found))
    return {each: Standing(owed.get(each, {}), theirs[each], opened[each], since.get(each)) for each in players}


def came_up(payouts: Iterable[Payout]) -> dict[UUID, Standing]:
    """What stands against those of ``payouts``, all approved, against which something has come up since; by payout."""
    found = list(payouts)
    standing = of({payout.player_id for payout in found})
    against = {}
    for payout in found:
        assert payout.approved_at is not None, f"{payout} is not approved"
        stands = standing[payout.player_id]
        if rules.has_come_up(stands, findings=payout.findings, approved_at=payout.approved_at):
            against[payout.pk] = stands
    return against


def may_leave(payouts: Iterable[Payout], *, at: datetime) -> list[Payout]:
    """Those of ``payouts``, approved and locked, against which nothing has come up since; the others are in review.

    They stay held, and the word of an operator who knows of it lets them go.
    """
    found = list(payouts)
    against = came_up(found)
    for payout in found:
        if stands := against.get(payout.pk):
            payout.state, payout.needs = Payout.State.REVIEW, max(payout.needs or 0, 1)
            payout.findings = rules.renewed(payout.findings, stands)
            payout.approved_at, payout.screened_at = None, at
            payout.save()
            tell(payout, "payout_in_review", at=at)
    return [payout for payout in found if payout.pk not in against]
