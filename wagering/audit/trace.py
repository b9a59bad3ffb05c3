"""One contest on one sheet: what happened, who gained and lost what, the commission and why, both ratings, the book."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from games.models import Game, Player, Table
from ledger import book
from ledger.book import Posted
from ratings.models import RatingChange
from ratings.rules import shown
from wagering.settlement.models import Settlement
from wagering.stakes.models import Stake
from wagering.stakes.rules import exposure


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of the sheet. ``net`` is what the contest brought, negative for a loss; ratings are None if unrated."""

    name: str
    held: Decimal
    back: Decimal
    net: Decimal
    rating_before: Decimal | None
    rating_after: Decimal | None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that became of a table whose contest was settled."""

    table: Table
    stake: Stake
    settlement: Settlement
    games: tuple[Game, ...]
    seats: tuple[Seat, Seat]
    charge: dict[str, Any]
    posted: tuple[Posted, ...]

    @property
    def is_reversed(self) -> bool:
        """Whether something of it was undone in the book since."""
        return any(posted.reversed for posted in self.posted)


def trace(table: Table) -> Sheet:
    """The sheet of ``table``. Raises Settlement.DoesNotExist while it is not settled."""
    settlement = Settlement.objects.select_related("stake__table__room", "stake__tariff").get(stake__table=table)
    stake = settlement.stake
    changes = {change.player_id: change for change in RatingChange.objects.filter(contest=table.pk)}
    held = exposure(stake.terms)
    backs = settlement.back_1, settlement.back_2
    one, two = (
        _seat(player.name, held, back, changes.get(player.pk))
        for player, back in zip(stake.table.seats, backs, strict=True)
    )
    keys = f"stake_held:{stake.pk}", settlement.key
    return Sheet(
        table=stake.table,
        stake=stake,
        settlement=settlement,
        games=tuple(table.games.order_by("number")),
        seats=(one, two),
        charge=settlement.charge,
        posted=tuple(posted for posted in map(book.find, keys) if posted),
    )


def _seat(name: str, held: Decimal, back: Decimal, change: RatingChange | None) -> Seat:
    return Seat(
        name=name,
        held=held,
        back=back,
        net=back - held,
        rating_before=change.rating_before if change else None,
        rating_after=change.rating_after if change else None,
    )


def as_text(sheet: Sheet) -> str:
    """The sheet for people to read."""
    settlement, code = sheet.settlement, sheet.stake.currency
    lines = [heading(sheet)]
    lines += [f"  {line}" for line in played(sheet)]
    for seat in sheet.seats:
        rating = ""
        if seat.rating_before is not None and seat.rating_after is not None:
            rating = f"   rating {shown(seat.rating_before)} → {shown(seat.rating_after)}"
        lines.append(f"  {seat.name:<12} {seat.net:>+9} {code}   held {seat.held}, back {seat.back}{rating}")
    lines.append(f"  commission   {settlement.commission:>9} {code}   of both players, paid by the winner")
    lines += [f"    {step['rule']:<4} {step['sentence']}" for step in sheet.charge.get("trace", ())]
    if sheet.is_reversed:
        lines.append("  the payment was reversed in the book since")
    return "\n".join(lines)


def heading(sheet: Sheet) -> str:
    """What was agreed."""
    terms = sheet.stake.terms
    contest = f"match to {terms.match_length}" if terms.is_series else f"single game, cap {terms.cap}"
    return f"{sheet.table.room} · {contest} · stake {terms.stake} {terms.currency} · tariff {sheet.stake.tariff}"


def outcome_told(told: Game | Settlement, seats: Sequence[Player]) -> str:
    """One sentence: who won what, how, for how much."""
    if told.winner is None:
        return "void, both stakes go back"
    win = f"a {told.win}" if told.win else "the match"
    how = told.ending.replace("_", " ")
    return f"{seats[told.winner - 1]} wins {win}, cube {told.cube}, {_count(told.points, 'point')}, {how}"


def played(sheet: Sheet) -> list[str]:
    """Game by game; a contest that was settled without a record, in one line."""
    seats = sheet.table.seats
    if not sheet.games:
        return [outcome_told(sheet.settlement, seats)]
    return [
        f"game {game.number}: {outcome_told(game, seats)} after {_count(game.plays, 'play')}" for game in sheet.games
    ]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)
