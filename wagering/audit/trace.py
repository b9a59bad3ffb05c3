"""One contest on one sheet: what happened, who gained and lost what, the commission and why, both ratings, the book."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from games.live import selectors as lives
from games.models import Game, Player, Table
from ledger import book
from ledger.book import Posted
from ratings.models import RatingChange
from ratings.rules import shown
from wagering.settlement import rulings
from wagering.settlement.models import Adjudication, Ruling, Settlement
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
    """Everything that became of a table whose contest was settled.

    ``prices`` are of games of a match that were lost by the clock, by number. ``adjudication`` is of a game that was
    not played to its end, ``ruling`` what operators ruled; then ``commission``, ``charge`` and what the seats got back
    are by the ruling.
    """

    table: Table
    stake: Stake
    settlement: Settlement
    games: tuple[Game, ...]
    prices: Mapping[int, Mapping[str, Any]]
    seats: tuple[Seat, Seat]
    commission: Decimal
    charge: dict[str, Any]
    adjudication: Adjudication | None
    ruling: Ruling | None
    posted: tuple[Posted, ...]

    @property
    def is_reversed(self) -> bool:
        """Whether it was undone in the book since, and nothing else paid in its place."""
        return bool(self.posted) and self.posted[-1].reversed

    @property
    def arithmetic(self) -> list[dict[str, str]]:
        """What the unfinished game was worth, step by step, if an engine said (A-7)."""
        record = self.adjudication.record if self.adjudication else None
        return list(record["arithmetic"]) if record else []


def trace(table: Table) -> Sheet:
    """The sheet of ``table``. Raises Settlement.DoesNotExist while it is not settled."""
    settlement = Settlement.objects.select_related("stake__table__room", "stake__tariff").get(stake__table=table)
    stake = settlement.stake
    changes = {change.player_id: change for change in RatingChange.objects.filter(contest=table.pk)}
    held = exposure(stake.terms)
    ruling = Ruling.objects.filter(stake=stake, approved_at__isnull=False).select_related("asked_by", "approved_by")
    ruled = ruling.first()
    backs, commission, charge = (settlement.back_1, settlement.back_2), settlement.commission, settlement.charge
    if ruled is not None:
        assert ruled.back_1 is not None and ruled.back_2 is not None and ruled.commission is not None
        backs, commission, charge = (ruled.back_1, ruled.back_2), ruled.commission, ruled.charge
    one, two = (
        _seat(player.name, held, back, changes.get(player.pk))
        for player, back in zip(stake.table.seats, backs, strict=True)
    )
    keys = [f"stake_held:{stake.pk}", settlement.key]
    if ruled is not None and ruled.key != settlement.key:
        keys += [rulings.shortfall(ruled).key] if ruled.owed_1 or ruled.owed_2 else []
        keys.append(ruled.key)
    return Sheet(
        table=stake.table,
        stake=stake,
        settlement=settlement,
        games=tuple(table.games.order_by("number")),
        prices=lives.prices(table=table.pk),
        seats=(one, two),
        commission=commission,
        charge=charge,
        adjudication=Adjudication.objects.filter(stake=stake).first(),
        ruling=ruled,
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
    code = sheet.stake.currency
    lines = [heading(sheet)]
    lines += [f"  {line}" for line in played(sheet)]
    lines += [f"    {step['rule']:<4} {step['sentence']}" for step in sheet.arithmetic]
    for seat in sheet.seats:
        rating = ""
        if seat.rating_before is not None and seat.rating_after is not None:
            rating = f"   rating {shown(seat.rating_before)} → {shown(seat.rating_after)}"
        lines.append(f"  {seat.name:<12} {seat.net:>+9} {code}   held {seat.held}, back {seat.back}{rating}")
    lines.append(f"  commission   {sheet.commission:>9} {code}   of both players, paid by the winner")
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
    if isinstance(told, Settlement) and told.is_split:
        moves = f"{told.lost} {told.stake.currency} go to {seats[told.winner - 1]}" if told.winner else "nothing moves"
        return f"left before its end and split by what it was worth: {moves}"
    if told.winner is None:
        return "void, both stakes go back"
    win = f"a {told.win}" if told.win else "the match"
    how = told.ending.replace("_", " ")
    return f"{seats[told.winner - 1]} wins {win}, cube {told.cube}, {_count(told.points, 'point')}, {how}"


def played(sheet: Sheet) -> list[str]:
    """Game by game; a contest that was settled without a record, in one line."""
    seats = sheet.table.seats
    told = []
    for game in sheet.games:
        told.append(f"game {game.number}: {outcome_told(game, seats)} after {_count(game.plays, 'play')}")
        if game.number in sheet.prices:
            told += _judged(sheet.prices[game.number]["record"])
    if not sheet.games:
        told = [outcome_told(sheet.settlement, seats)]
    if sheet.adjudication is not None:
        told += _unfinished(sheet.adjudication, seats)
    if sheet.ruling is not None:
        told += _ruled(sheet.ruling, sheet.stake.currency, seats)
    return told


def _unfinished(adjudication: Adjudication, seats: Sequence[Player]) -> Iterator[str]:
    """How the game was left, and who said what it was worth."""
    away = " and ".join(str(seats[side - 1]) for side in adjudication.absent)
    yield f"{adjudication.cause.replace('_', ' ')}{f' by {away}' if away else ''}: {adjudication.xgid}"
    yield from _judged(adjudication.record, adjudication.reason)


def _judged(record: Mapping[str, Any] | None, reason: str = "") -> Iterator[str]:
    """Who said what a game was worth; of one that was priced in a match (B-15), also at what board."""
    if record is None:
        yield reason or "not analysed"
        return
    inputs = record["inputs"]
    at = f"lost by the clock at {inputs['xgid']}," if record["rule"] == "B-15" else ""
    yield " ".join(filter(None, (at, "by", inputs["engine"], inputs["version"], inputs["level"])))


def _ruled(ruling: Ruling, code: str, seats: Sequence[Player]) -> Iterator[str]:
    """Who decided what, and what the sides owe since it had gone on (A-10)."""
    to = f"{ruling.transfer} {code} go to {seats[ruling.receiver - 1]}" if ruling.receiver else "both stakes go back"
    yield f"ruled by {ruling.asked_by} and {ruling.approved_by}: {to}, since {ruling.reason}"
    for player, owed in zip(seats, (ruling.owed_1, ruling.owed_2), strict=True):
        if owed:
            yield f"{player} had {owed} {code} too little for that to be taken back, and owes it"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)
