"""Contests whose last game was not played to its end: left by a side, lost by the clock, or stopped by the service's
fault (A, B-15).

``left``, ``timed_out`` and ``stopped`` say at once what is certain, and else write down that the game waits.
``analyse`` asks an engine, outside any transaction, and keeps the record. ``settle`` pays from that record and from
nothing else, once.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction

from games.analysis import engines, sage
from games.analysis.engines import ATTEMPTS_MAX, PATIENCE
from games.analysis.evaluator import NotCovered, NotToBeAnalysed
from games.models import Table
from games.rules import prospects, scoring
from games.rules.board import OPENING, Position
from games.rules.endings import Ending, Outcome, Win
from games.rules.ids import MatchState, read_xgid, write_xgid
from games.rules.series import Series
from games.rules.sides import SIDES, Side, opponent_of
from ledger import book, postings
from wagering.commission import selectors as commission
from wagering.settlement import services as settlement
from wagering.settlement.abandonment.rules.split import Penalty, Split, split
from wagering.settlement.abandonment.rules.time_out import lost_by_time
from wagering.settlement.abandonment.rules.valuation import Valuation, again, value_between_games, value_game
from wagering.settlement.models import Adjudication, Settlement
from wagering.stakes import services as stakes
from wagering.stakes.models import Stake
from wagering.stakes.rules import Abandonment

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game as it was left: ``position`` and ``state`` as the side ``on_roll`` sees them (A-2)."""

    position: Position
    state: MatchState
    on_roll: Side


class NotAnalysed(ValueError):
    """There is no record to settle from yet."""

    def __init__(self, adjudication: Adjudication) -> None:
        super().__init__(f"adjudication: table {adjudication.stake.table_id} is {adjudication.get_state_display()}")
        self.adjudication = adjudication


# --- When it ends -----------------------------------------------------------------------------------------------------


def left(
    *, table: Table, absent: Collection[Side], game: Unfinished, needs: tuple[int, int], at: datetime
) -> Settlement | Adjudication:
    """``absent`` left the contest for good: void, lost or split, as was agreed (A-9); again, the first answer.

    Left by both it is split, whatever was to be forfeited, and without a penalty (A-8). ``needs`` are the points that
    each side still needed of a match. Raises Stake.DoesNotExist, StakeClosed.
    """
    with transaction.atomic():
        stake = stakes.locked(table=table)
        if answered := _answered(stake):
            return answered
        policy = stake.terms.abandonment
        if policy is Abandonment.VOID:
            return settlement.void(table=table, at=at)
        if policy is Abandonment.FORFEIT and len(absent) == 1:
            (loser,) = absent
            outcome = _forfeited(game, loser=loser, needs=needs, is_match=stake.terms.is_series)
            return _lost(stake, Adjudication.Cause.FORFEITED, outcome, game, absent, at)
        return _wait(stake, Adjudication.Cause.ABANDONED, None, game, absent, at)


def timed_out(*, table: Table, outcome: Outcome, game: Unfinished | None, at: datetime) -> Settlement | Adjudication:
    """A side's time ran out (B-15). A single game costs what it is worth, if that is more and an engine is there;
    a match, whose game was priced before, and a game whose ``game`` is None since an offer was pending, what
    ``outcome`` says.

    Again, the first answer. Raises Stake.DoesNotExist, StakeClosed.
    """
    with transaction.atomic():
        stake = stakes.locked(table=table)
        if answered := _answered(stake):
            return answered
        if game is None:
            return settlement.settle(table=table, outcome=outcome, at=at)
        return _lost(stake, Adjudication.Cause.TIMED_OUT, outcome, game, (), at)


def stopped(*, table: Table, series: Series, at: datetime) -> Settlement | Adjudication:
    """The contest cannot go on, by the service's fault: void; a match that a game of was finished is split by what the
    table says at that score, free of commission (A-8). Again, the first answer. Raises Stake.DoesNotExist, StakeClosed.
    """
    with transaction.atomic():
        stake = stakes.locked(table=table)
        if answered := _answered(stake):
            return answered
        if not stake.terms.is_series or not any(series.score):
            return settlement.void(table=table, at=at)
        mine, theirs = series.score
        state = MatchState(
            turn=1,
            cube=1,
            cube_owner=0,
            match_length=series.length,
            score=mine,
            opponent_score=theirs,
            crawford=series.is_crawford_game,
        )
        next_game = Unfinished(position=OPENING, state=state, on_roll=1)
        return _wait(stake, Adjudication.Cause.SERVICE, None, next_game, (), at)


def _lost(
    stake: Stake,
    cause: Adjudication.Cause,
    outcome: Outcome,
    game: Unfinished,
    absent: Collection[Side],
    at: datetime,
) -> Settlement | Adjudication:
    if stake.terms.is_series or not sage.is_installed():
        return settlement.settle(table=stake.table, outcome=outcome, at=at)
    return _wait(stake, cause, outcome, game, absent, at)


def _forfeited(game: Unfinished, *, loser: Side, needs: tuple[int, int], is_match: bool) -> Outcome:
    """The game lost by the side that left, as by the clock: an offer pending against it is a pass; a match whole."""
    winner, state = opponent_of(loser), game.state
    if is_match:
        return Outcome(winner=winner, win=Win.SINGLE, cube=1, points=needs[winner - 1], ending=Ending.ABANDONED)
    win, cube = Win.SINGLE, state.cube
    if state.offer == "beaver" and game.on_roll == loser:
        cube = 2 * cube
    elif state.offer is None:
        seen = game.position if game.on_roll == loser else game.position.swapped()
        win = prospects.at_least(seen, to_move=game.on_roll == loser)
    points = scoring.points_won(win=win, cube=cube, cube_turned=state.cube_owner != 0, jacoby=state.jacoby)
    return Outcome(winner=winner, win=win, cube=cube, points=points, ending=Ending.ABANDONED)


def _wait(
    stake: Stake,
    cause: Adjudication.Cause,
    outcome: Outcome | None,
    game: Unfinished,
    absent: Collection[Side],
    at: datetime,
) -> Adjudication:
    return Adjudication.objects.create(
        stake=stake,
        cause=cause,
        xgid=write_xgid(game.position, game.state),
        on_roll=game.on_roll,
        absent_1=1 in absent,
        absent_2=2 in absent,
        winner=outcome.winner if outcome else None,
        win=(outcome.win or "") if outcome else "",
        cube=outcome.cube if outcome else game.state.cube,
        points=outcome.points if outcome else 0,
        left_at=at,
    )


def _answered(stake: Stake) -> Settlement | Adjudication | None:
    if stake.state == Stake.State.RELEASED:
        raise stakes.StakeClosed(stake)
    if stake.state == Stake.State.SETTLED:
        return stake.settlement
    return Adjudication.objects.filter(stake=stake).first()


# --- The analysis, outside any transaction ----------------------------------------------------------------------------


def analyse(*, stake: UUID, at: datetime) -> Adjudication:
    """Ask the engine at hand about a game that waits, and keep all of its answer (A-7). Takes up to some seconds.

    What nobody can say waits for an operator, who may ask again; but a game that is lost is settled without it (B-15).
    So does a game about which an engine was asked so often and never answered: a native one takes its process with it.
    Raises Adjudication.DoesNotExist.
    """
    found, is_asked = _begun(stake, at)
    if not is_asked:
        return found
    record, reason = None, ""
    try:
        record = _valued(found).as_dict()
    except (NotCovered, NotToBeAnalysed) as unknown:
        reason = str(unknown)
    except Exception as broken:  # an engine's fault, whatever it is: the stakes must not wait for it for ever
        log.exception("an engine failed", stake=str(stake), xgid=found.xgid)
        reason = f"the engine failed: {type(broken).__name__}"
    with transaction.atomic():
        kept = Adjudication.objects.select_for_update().get(pk=stake)
        if kept.state in (Adjudication.State.WAITING, Adjudication.State.OPERATOR):  # else a rival's record counts
            _keep(kept, record, reason, at)
        return kept


def _valued(found: Adjudication) -> Valuation:
    """Raises NotCovered, NotToBeAnalysed, and whatever an engine's fault is."""
    terms = found.stake.terms
    position, state = read_xgid(found.xgid)
    if found.cause != Adjudication.Cause.SERVICE:
        return value_game(analysis=engines.analyse(position=position, state=state), terms=terms)
    chance, engine = engines.chance_between_games(
        mine=state.match_length - state.score,
        theirs=state.match_length - state.opponent_score,
        crawford_played=not state.crawford,
    )
    return value_between_games(chance=chance, engine=engine.name, version=engine.version, terms=terms)


def _begun(stake: UUID, at: datetime) -> tuple[Adjudication, bool]:
    """The adjudication, and whether to ask an engine about it now; if so, that is counted, whatever comes of it."""
    with transaction.atomic(durable=True):
        found = Adjudication.objects.select_related("stake__table").select_for_update(of=("self",)).get(pk=stake)
        is_being_asked = found.asked_at is not None and at < found.asked_at + PATIENCE
        if found.state != Adjudication.State.WAITING or is_being_asked:
            return found, False
        if found.attempts >= ATTEMPTS_MAX:
            log.error("an engine never answered", stake=str(stake), xgid=found.xgid, attempts=found.attempts)
            _keep(found, None, f"the engine was asked {found.attempts} times and never answered", at)
            return found, False
        found.attempts, found.asked_at = found.attempts + 1, at
        found.save(update_fields=["attempts", "asked_at"])
        return found, True


def _keep(kept: Adjudication, record: dict[str, Any] | None, reason: str, at: datetime) -> None:
    kept.reason = reason
    if record is None and kept.is_split:
        kept.state = Adjudication.State.OPERATOR
    else:
        kept.state, kept.record, kept.analysed_at = Adjudication.State.ANALYSED, record, at
    kept.save(update_fields=["state", "record", "reason", "analysed_at"])


# --- The payment, from the record alone -------------------------------------------------------------------------------


def settle(*, stake: UUID, at: datetime) -> Settlement:
    """Pay what the record of the adjudication says; again, the first answer. A settled split is never recomputed (A-7).

    Raises Adjudication.DoesNotExist, NotAnalysed, StakeClosed.
    """
    with transaction.atomic():
        found = Adjudication.objects.select_related("stake__table").get(pk=stake)
        held = stakes.locked(table=found.stake.table)
        found = Adjudication.objects.select_for_update().get(pk=stake)
        if held.state == Stake.State.SETTLED:
            return held.settlement
        if held.state != Stake.State.HELD:
            raise stakes.StakeClosed(held)
        if found.state != Adjudication.State.ANALYSED:
            raise NotAnalysed(found)
        found.state = Adjudication.State.SETTLED
        found.save(update_fields=["state"])
        if not found.is_split:
            return settlement.settle(table=held.table, outcome=found.outcome, lost=lost_of(found, held), at=at)
        return pay(stake=held, found=found, shares=split_of(found, held), at=at)


def lost_of(found: Adjudication, stake: Stake) -> Decimal:
    """What a game costs that was lost by the clock or forfeited, by its record."""
    valuation = None if found.record is None else again(found.record)
    return lost_by_time(outcome=found.outcome, terms=stake.terms, valuation=valuation, on_roll=on_roll_of(found))


def split_of(found: Adjudication, stake: Stake) -> Split:
    """What a contest that was left moves, by its record: the transfer, its commission, and the penalty agreed (A-6)."""
    assert found.record is not None, f"{found} has no record"
    terms, absent = stake.terms, found.absent
    return split(
        valuation=again(found.record),
        on_roll=on_roll_of(found),
        terms=terms,
        # The service's fault: no commission.
        tariff=None if found.cause == Adjudication.Cause.SERVICE else commission.tariff_of(stake.tariff),
        standings=stake.standings,
        # Both gone: analysed the same, no penalty.
        penalty=Penalty(share=terms.penalty, left=absent[0]) if terms.penalty and len(absent) == 1 else None,
    )


def on_roll_of(found: Adjudication) -> Side:
    """The side that was on roll."""
    return 1 if found.on_roll == 1 else 2


def pay(*, stake: Stake, found: Adjudication, shares: Split, at: datetime) -> Settlement:
    """Close ``stake``, which the caller has locked, by ``shares`` of a contest that was left.

    It is rated as the absent side's loss if it went against that side, else not at all (R).
    """
    voucher = postings.abandonment_settled(
        stake=stake.pk,
        seats=[
            postings.Seat(hold.owner, hold.id, hold.amount, shares.back_to(side))
            for side, hold in zip(SIDES, stake.holds, strict=True)
        ],
        room=stake.table.room_id,
        commission=shares.commission,
        currency=stake.currency,
        at=at,
    )
    told = {
        "winner": shares.receiver,
        "win": "",
        "cube": found.cube,
        "points": 0,
        "ending": Ending.ABANDONED,
        "lost": shares.transfer,
    }
    made = settlement.write(stake=stake, told=told, paid=shares, key=voucher.key, at=at)
    if shares.receiver is not None and found.absent == (opponent_of(shares.receiver),):
        settlement.rate(stake=stake, winner=shares.receiver, at=at)
    book.post(voucher)
    return made
