"""Games played elsewhere: a room's own server opens a table here, and says what came of it. Nothing is believed.

Both stakes are held before the room plays. What it reports is replayed by the rules, with its dice if it can prove
them; the money follows from that. Tables that are played here are none of a room's server's business.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.db import transaction

from games import services as games
from games.analysis.evaluator import NotToBeAnalysed, checked, checked_state
from games.live import selectors as lives
from games.live.rules.stand import Agreed
from games.models import Player, Room, Table
from games.rules import cube, record_reading
from games.rules.ids import MatchState, read_xgid
from games.rules.record import MatchRecord
from games.rules.sides import Side
from ledger import book, money
from wagering.play.lobby.seats import MayNotStake, may_stake
from wagering.play.rooms_dice import check_same, proved
from wagering.settlement import services as settlement
from wagering.settlement.abandonment import services as abandonment
from wagering.settlement.abandonment.services import Unfinished
from wagering.settlement.models import Adjudication, Settlement
from wagering.stakes import services as stakes
from wagering.stakes.consent import check_let_in
from wagering.stakes.models import Stake
from wagering.stakes.rules import Terms

LINES_MAX: Final = 20_000
"""Lines of a record that are replayed: a match of 49 games, all of them long, has a third of that."""

_LINE_END: Final = re.compile(r"\r\n?")
_GAME: Final = re.compile(r"^[ \t]*game[ \t]+[0-9]", re.IGNORECASE | re.MULTILINE)


class NoSuchPlayer(ValueError):
    """A seat is for two of the operator's players who may play: one is none, or the same twice, or may not."""

    field = "players"

    def __init__(self, why: str) -> None:
        super().__init__(f"players: {why}")


class PlayedHere(ValueError):
    """The table is played on this service, which is its referee: nothing is reported of it from elsewhere."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"table: {table.pk} is played here, and settled by what is played")


class LeftUnfinished(ValueError):
    """The room has said that the contest was left; it is settled by what its position is worth."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"table: {table.pk} was reported as left, and waits for its analysis or an operator")


class RecordTooLong(ValueError):
    """No contest at this table has so many lines or games; it is not even read."""

    field = "record"

    def __init__(self, *, what: str, found: int, most: int) -> None:
        super().__init__(f"record: {found} {what} are more than the {most} that a contest here can have")


class RecordOfOthers(ValueError):
    """The record names other players than those at the table, or has them on the other sides."""

    field = "record"

    def __init__(self, *, side: Side, recorded: str) -> None:
        super().__init__(f"record: side {side} is {recorded!r} there, which is not the player of that side")


class ResultDoesNotFollow(ValueError):
    """The record was replayed, and comes to another result than the room says."""

    def __init__(self, *, field: str, said: object, replayed: object) -> None:
        super().__init__(f"{field}: {said} is said, the record comes to {replayed}")
        self.field = field


class PositionDiffers(ValueError):
    """The position is not one of this table's contest: another length, other options, or none of a game under way."""

    field = "xgid"

    def __init__(self, why: str) -> None:
        super().__init__(f"xgid: {why}")


class NotSettled(ValueError):
    """Nothing was paid at the table, so there is nothing to undo."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"table: {table.pk} is not settled")


class SplitTakesTwo(ValueError):
    """A split of a contest that was left is overturned by two operators (A-10), not by a key."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"table: {table.pk} was split; two operators overturn that (A-10)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What is played, besides what the terms say: the length of the match, and whether there is a cube."""

    crawford: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the room says came of it, to be held against the record; None where it says nothing."""

    winner: UUID | None = None
    points: int | None = None


def table_id(*, room: Room, reference: str) -> UUID:
    """The id here of the table that ``room`` calls ``reference``: always the same, and no other room's."""
    return uuid5(room.pk, reference)


def open_table(
    *, room: Room, reference: str, players: tuple[UUID, UUID], terms: Terms, played: Options, at: datetime
) -> Stake:
    """A table for two, side 1 first, and both stakes held, or neither (S-4). The same again, the same stake.

    Real money is staked for players who let the room in. Raises NoSuchPlayer, RoomNotLetIn, MoneyPlayOnly,
    CubeNeeded, OpenedOtherwise, and what ``sit_down`` raises; then there is no table either.
    """
    pk = table_id(room=room, reference=reference)
    with transaction.atomic():
        one, two = _players(players, terms)
        if not Stake.objects.filter(table=pk).exists():  # what is held needs no permission any more
            check_let_in(room=room, players=(one, two), terms=terms, at=at)
        Agreed(match_length=terms.match_length, cube=terms.cube, **asdict(played))  # refuses what does not go together
        table = games.open_table(
            room=room,
            zone=money.currency(terms.currency).zone,
            players=(one, two),
            match_length=terms.match_length,
            cube=terms.cube,
            **asdict(played),
            table=pk,
            at=at,
        )
        return stakes.sit_down(table=table, terms=terms, at=at)


def report(*, table: Table, text: str, dice: Mapping[str, Any] | None, said: Said, at: datetime) -> Settlement:
    """Replay the whole record of the contest, and pay what follows from it; the same again, the first answer.

    Raises RecordTooLong, PlayedHere, LeftUnfinished, TranscriptMalformed, DiceNotProved, what ``games.report`` raises,
    RecordOfOthers, DiceDiffer, ResultDoesNotFollow, and what ``settle`` raises; then nothing is kept of the record
    either.
    """
    _check_size(table, text)
    with transaction.atomic():
        _check_elsewhere(table)
        transcript = proved(dice) if dice is not None else None
        outcome = games.report(table=table, text=text, at=at)
        record = _read(text)
        _check_names(table, record)
        if transcript is not None:
            check_same(transcript=transcript, record=record)
        winner = table.seats[0 if outcome.winner == 1 else 1]
        if said.winner not in (None, winner.pk):
            raise ResultDoesNotFollow(field="winner", said=said.winner, replayed=winner.pk)
        if said.points not in (None, outcome.points):
            raise ResultDoesNotFollow(field="points", said=said.points, replayed=outcome.points)
        return settlement.settle(table=table, outcome=outcome, at=at)


def void(*, table: Table, at: datetime) -> Settlement:
    """The contest does not count: stakes back, no commission (A-8); before its record no score is known here.

    Raises PlayedHere, LeftUnfinished, and settle's.
    """
    with transaction.atomic():
        _check_elsewhere(table)
        return settlement.void(table=table, at=at)


def abandon(*, table: Table, xgid: str, absent: Collection[Side], at: datetime) -> Settlement | Adjudication:
    """The contest was left at a position: it is void, lost, or split by its analysis, as the terms say (A-9).

    ``xgid`` has side 1 as the bottom player. Again, the first answer, whatever position is named then.
    Raises PlayedHere, BadXgid, PositionDiffers, StakeClosed.
    """
    with transaction.atomic():
        _check_played_elsewhere(table)
        game = _unfinished(table, xgid)
        mine, theirs = game.state.score, game.state.opponent_score
        one, two = (mine, theirs) if game.on_roll == 1 else (theirs, mine)
        length = table.match_length
        needs = (length - one, length - two) if length else (0, 0)
        return abandonment.left(table=table, absent=absent, game=game, needs=needs, at=at)


def reverse(*, table: Table, reason: str, at: datetime) -> Settlement:
    """Undo what was paid: the money waits in escrow again, for what two operators rule. Once, whoever asks twice.

    Raises NotSettled, SplitTakesTwo, InsufficientFunds if the winner has spent it. Ratings stay.
    """
    with transaction.atomic():
        stakes.locked(table=table)
        settled = Settlement.objects.filter(stake__table=table).first()
        if settled is None:
            raise NotSettled(table)
        if settled.is_split:
            raise SplitTakesTwo(table)
        book.reverse(key=settled.key, reason=reason, at=at)
        return settled


def _players(ids: tuple[UUID, UUID], terms: Terms) -> tuple[Player, Player]:
    if ids[0] == ids[1]:
        raise NoSuchPlayer("the same player cannot take both seats")
    found = {player.pk: player for player in Player.objects.select_related("user").filter(pk__in=ids)}
    for one in ids:
        if one not in found:
            raise NoSuchPlayer(f"there is no player {one}")
        try:
            may_stake(player=found[one], terms=terms)
        except MayNotStake:
            raise NoSuchPlayer(f"the player {one} may not play") from None
    return found[ids[0]], found[ids[1]]


def _check_elsewhere(table: Table) -> None:
    _check_played_elsewhere(table)
    Table.objects.select_for_update().get(pk=table.pk)
    stakes.locked(table=table)  # a rival who says that it was left has said so by now, or says it later
    waits = Adjudication.objects.filter(stake__table=table).exclude(state=Adjudication.State.SETTLED)
    if waits.exists():
        raise LeftUnfinished(table)


def _check_played_elsewhere(table: Table) -> None:
    if lives.is_live(table=table.pk):
        raise PlayedHere(table)


def _check_size(table: Table, text: str) -> None:
    """Replaying takes time, and locks are held meanwhile: what cannot be a contest of this table is not begun."""
    text = _LINE_END.sub("\n", text)  # as the reader splits it
    if (lines := text.count("\n")) > LINES_MAX:
        raise RecordTooLong(what="lines", found=lines, most=LINES_MAX)
    most = max(1, 2 * table.match_length - 1)
    if (found := sum(1 for _ in _GAME.finditer(text))) > most:
        raise RecordTooLong(what="games", found=found, most=most)


def _read(text: str) -> MatchRecord:
    """The one match of a record that was replayed."""
    (record,) = record_reading.read(text)
    return record


def _check_names(table: Table, record: MatchRecord) -> None:
    """The players of the record are the table's, by name or by id. Raises RecordOfOthers."""
    sides: tuple[Side, Side] = (1, 2)
    for side, player, recorded in zip(sides, table.seats, record.games[0].names, strict=True):
        if _plain(recorded) not in (_plain(player.name), str(player.pk)):
            raise RecordOfOthers(side=side, recorded=recorded)


def _plain(name: str) -> str:
    """Records write names with underscores, and in letters of another size."""
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFKC", name)).strip().casefold()


def _unfinished(table: Table, xgid: str) -> Unfinished:
    position, state = read_xgid(xgid)
    for field, named, agreed in (
        ("match length", state.match_length, table.match_length),
        ("Jacoby", state.jacoby, table.jacoby),
        ("beavers", state.beavers, table.beavers),
    ):
        if named != agreed:
            raise PositionDiffers(f"{field} is {named}, the table's is {agreed}")
    if state.crawford and not table.crawford:
        raise PositionDiffers("the table is played without Crawford (B-12)")
    ours: MatchState = replace(state, cube_limit=cube.limit(cube=table.cube))
    if not table.cube and (state.cube > 1 or state.offer):
        raise PositionDiffers("the table is played without a cube")
    try:
        checked(position)
        checked_state(ours)
    except NotToBeAnalysed as refused:
        raise PositionDiffers(str(refused)) from None
    return Unfinished(position=position, state=ours, on_roll=1 if state.turn == 1 else 2)
