"""One contest on one sheet: what happened, who gained and lost what, the commission and why, both ratings, the book."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from games.models import Game, Table
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
    stake, settlement = sheet.stake, sheet.settlement
    code = stake.currency
    terms = stake.terms
    played = f"match to {terms.match_length}" if terms.is_series else f"single game, cap {terms.cap}"
    lines = [f"{sheet.table.room} · {played} · stake {terms.stake} {code} · tariff {stake.tariff}"]
    lines += [f"  {line}" for line in _games(sheet)]
    for seat in sheet.seats:
        rating = ""
        if seat.rating_before is not None and seat.rating_after is not None:
            rating = f"   rating {shown(seat.rating_before)} → {shown(seat.rating_after)}"
        lines.append(f"  {seat.name:<12} {seat.net:>+9} {code}   held {seat.held}, back {seat.back}{rating}")
    lines.append(f"  commission   {settlement.commission:>9} {code}   of both players, paid by the winner")
    lines += [f"    {step['rule']:<4} {step['sentence']}" for step in sheet.charge.get("trace", ())]
    return "\n".join(lines)


def _games(sheet: Sheet) -> list[str]:
    names = [player.name for player in sheet.table.seats]
    told = []
    for game in sheet.games:
        win = game.win or "the match"
        how = game.ending.replace("_", " ")
        told.append(
            f"game {game.number}: {names[game.winner - 1]} wins a {win}, cube {game.cube}, "
            f"{game.points} point{'s' * (game.points > 1)}, {how} after {game.plays} plays"
        )
    return told
