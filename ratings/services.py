"""Rating a contest that has been decided."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from games.models import Player
from ratings import rules
from ratings.models import Rating, RatingChange
from ratings.rules import Standing, Zone


class RatedAgainstOneself(ValueError):
    """A contest has two players."""

    def __init__(self, *, contest: UUID) -> None:
        super().__init__(f"loser: contest {contest} has the same player as its winner")
        self.contest = contest


class RatedOtherwise(ValueError):
    """The contest was rated before with another winner, loser, zone or length."""

    def __init__(self, *, contest: UUID) -> None:
        super().__init__(f"contest: {contest} was rated before with another result")
        self.contest = contest


@dataclass(frozen=True, slots=True)
class RatedContest:
    """Both changes that a contest made."""

    winner: RatingChange
    loser: RatingChange


def record(*, contest: UUID, zone: Zone, winner: Player, loser: Player, length: int, at: datetime) -> RatedContest:
    """Change both ratings for ``contest``, a match to ``length`` points or a money game (1); again, the first answer.

    Who calls settles in the same transaction. An abandoned contest is rated only when its split goes against the
    absent side, a void one never (R): that is the caller's to know.
    Raises RatedAgainstOneself, RatedOtherwise.
    """
    if winner.pk == loser.pk:
        raise RatedAgainstOneself(contest=contest)
    with transaction.atomic():
        rows = _locked(zone, winner, loser)
        # Looked for under the lock: a rival with the same contest has committed, or waits for us.
        if earlier := _earlier(contest):
            return _same(earlier, contest=contest, zone=zone, winner=winner, loser=loser, length=length)
        before = [_standing(rows[player.pk]) for player in (winner, loser)]
        after = rules.rated(winner=before[0], loser=before[1], length=length)
        changes = []
        for player, won, was, becomes in zip((winner, loser), (True, False), before, after, strict=True):
            row = rows[player.pk]
            row.rating, row.experience = becomes.rating, becomes.experience
            row.save(update_fields=["rating", "experience"])
            changes.append(
                RatingChange(
                    contest=contest,
                    player=player,
                    zone=zone,
                    won=won,
                    length=length,
                    rating_before=was.rating,
                    rating_after=becomes.rating,
                    experience_before=was.experience,
                    experience_after=becomes.experience,
                    at=at,
                )
            )
        RatingChange.objects.bulk_create(changes)
        return RatedContest(winner=changes[0], loser=changes[1])


def _locked(zone: Zone, *players: Player) -> dict[UUID, Rating]:
    """The players' ratings, made where there are none, locked in the order of the players' ids.

    One order for everybody, so that two contests between the same players wait and never deadlock.
    """
    ids = sorted(player.pk for player in players)
    Rating.objects.bulk_create([Rating(player_id=pk, zone=zone) for pk in ids], ignore_conflicts=True)
    rows = Rating.objects.select_for_update().filter(player_id__in=ids, zone=zone).order_by("player_id")
    return {row.player_id: row for row in rows}


def _standing(row: Rating) -> Standing:
    return Standing(rating=row.rating, experience=row.experience)


def _earlier(contest: UUID) -> list[RatingChange]:
    return list(RatingChange.objects.filter(contest=contest).order_by("-won"))


def _same(
    earlier: list[RatingChange], *, contest: UUID, zone: Zone, winner: Player, loser: Player, length: int
) -> RatedContest:
    won, lost = earlier
    found = won.player_id, lost.player_id, won.zone, won.length
    if found != (winner.pk, loser.pk, zone, length):
        raise RatedOtherwise(contest=contest)
    return RatedContest(winner=won, loser=lost)
