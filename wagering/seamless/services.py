"""Bets, wins, rollbacks and refunds: each once, whatever comes twice, late, or in another order."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid4

from django.db import connection, transaction

from games.models import Player, Room
from ledger import book, chart, postings
from ledger.postings import Win
from ledger.vouchers import Hold, Voucher
from wagering.commission import selectors as commission
from wagering.commission.rules import CurrencyNotInTariff
from wagering.protection import gate
from wagering.protection.refusals import LimitReached, Protected
from wagering.rest.gains import gained
from wagering.seamless import rules
from wagering.seamless.models import Message, Round
from wagering.seamless.refusals import (
    BeyondLimit,
    NeverSaid,
    OtherRound,
    PlayerDisabled,
    RefundDiffers,
    RolledBack,
    RoundClosed,
    SaidOtherwise,
    StillWinning,
    TokenUnknown,
    WrongCurrency,
)
from wagering.seamless.selectors import OK, said, standing, undone
from wagering.seamless.sessions import session_of

NEVER_SAID: Final = NeverSaid.status
"""How a rollback is answered that is remembered for a bet that has not come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """A player stakes ``amount`` in the round called ``round``. ``user`` is whom the room takes the token to be of."""

    transaction: UUID
    token: str
    user: UUID | None
    round: str
    currency: str
    amount: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """Whoever made the bet ``reference`` is due ``amount``, which may be nothing; ``closes`` ends the round."""

    transaction: UUID
    reference: UUID
    user: UUID | None
    round: str
    currency: str
    amount: Decimal
    closes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The bet, or the win, ``reference`` is taken back. A refund names the bet's whole ``amount`` and its currency."""

    transaction: UUID
    reference: UUID
    closes: bool
    currency: str | None = None
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The protocol's word, and of whom it told which balance; None where there is nobody to tell of."""

    status: str
    user: UUID | None
    currency: str | None
    balance: Decimal | None


def authenticate(*, room: Room, token: str, at: datetime) -> tuple[Player, Answer]:
    """Whose the token is, and what the wallet holds. Raises what ``session_of`` raises."""
    session = session_of(room=room, token=token, at=at)
    held = book.balance(chart.wallet(session.player_id, session.currency))
    return session.player, Answer(OK, session.player_id, session.currency, held)


def bet(*, room: Room, asked: Bet, at: datetime) -> Answer:
    """Set the bet aside, under a hold of its own.

    Raises SaidOtherwise, TokenUnknown, TokenExpired, PlayerDisabled, WrongCurrency, RolledBack (also of a bet whose
    rollback came first), RoomHasNoTariff, UnknownTariff, CurrencyNotInTariff, RoundClosed, RoundTooLarge,
    BeyondLimit, InsufficientFunds.
    """
    told = _fingerprint("bet", asked.round, asked.currency, asked.amount, asked.user)
    with transaction.atomic():
        _wait(room, asked.transaction)
        if earlier := said(room=room.pk, transaction=asked.transaction):
            return _again(earlier, told)
        session = session_of(room=room, token=asked.token, at=at)
        if asked.user not in (None, session.player_id):
            raise TokenUnknown
        if asked.currency != session.currency:
            raise WrongCurrency(named=asked.currency, agreed=session.currency)
        if undone(room=room.pk, transaction=asked.transaction):
            raise RolledBack(asked.transaction)
        round_ = _opened(room, asked.round, asked.currency, at)
        rules.check_bet(holds=standing(round_).holds, amount=asked.amount)
        _check_protected(session.player, asked, at)
        message = _message(room, asked.transaction, Message.Kind.BET, told, round_, session.player_id, at)
        message.amount = asked.amount
        return _posted(message, [postings.wager_held(wager=message.pk, hold=message.hold, at=at)])


def win(*, room: Room, asked: Won, at: datetime) -> Answer:
    """The amount is due to the bettor, and paid when the round closes; no token is asked for.

    Raises SaidOtherwise, RolledBack (the win, or its bet), NeverSaid (a bet that comes later changes that),
    TokenUnknown, OtherRound, WrongCurrency, RoundClosed, RoundHoldsLess, CommissionAboveTariff.
    """
    told = _fingerprint("win", asked.round, asked.currency, asked.amount, asked.user, asked.reference, asked.closes)
    with transaction.atomic():
        _wait(room, asked.transaction, asked.reference)
        if earlier := said(room=room.pk, transaction=asked.transaction):
            return _again(earlier, told)
        if undone(room=room.pk, transaction=asked.transaction):
            raise RolledBack(asked.transaction)
        referred = said(room=room.pk, transaction=asked.reference)
        if referred is None and undone(room=room.pk, transaction=asked.reference):
            raise RolledBack(asked.reference)
        if referred is None or referred.kind != Message.Kind.BET or referred.player_id is None:
            raise NeverSaid(asked.reference)
        if asked.user not in (None, referred.player_id):
            raise TokenUnknown
        round_ = _locked(referred)
        if round_.name != asked.round:
            raise OtherRound(asked.round)
        if round_.currency != asked.currency:
            raise WrongCurrency(named=asked.currency, agreed=round_.currency)
        if undone(room=room.pk, transaction=asked.reference):
            raise RolledBack(asked.reference)
        if round_.closed_at:
            raise RoundClosed(round_.name)
        stands = standing(round_)
        due = [*stands.due, Win(referred.player_id, asked.amount)]
        rules.check_wins(holds=stands.holds, wins=due)
        message = _message(room, asked.transaction, Message.Kind.WIN, told, round_, referred.player_id, at)
        message.amount, message.reference = asked.amount, asked.reference
        return _posted(message, _closing(round_, stands.holds, due, at) if asked.closes else [])


def rollback(*, room: Room, asked: Undo, at: datetime) -> Answer:
    """Take back a bet or a win. Of what never came it is remembered, so that it is refused when it comes late.

    Raises SaidOtherwise, NeverSaid (of what is neither bet nor win), RolledBack (by another message), RoundClosed,
    StillWinning, RoundHoldsLess, CommissionAboveTariff.
    """
    return _undo(room, asked, Message.Kind.ROLLBACK, at)


def refund(*, room: Room, asked: Undo, at: datetime) -> Answer:
    """Give a bet back, whole. What never came is not known, and nothing is remembered of it.

    Raises SaidOtherwise, NeverSaid, WrongCurrency, RefundDiffers, RolledBack, RoundClosed, StillWinning,
    RoundHoldsLess, CommissionAboveTariff.
    """
    return _undo(room, asked, Message.Kind.REFUND, at)


def _undo(room: Room, asked: Undo, kind: Message.Kind, at: datetime) -> Answer:
    told = _fingerprint(kind, asked.reference, asked.currency, asked.amount, asked.closes)
    with transaction.atomic():
        _wait(room, asked.transaction, asked.reference)
        if earlier := said(room=room.pk, transaction=asked.transaction):
            return _again(earlier, told)
        referred = said(room=room.pk, transaction=asked.reference)
        message = _message(room, asked.transaction, kind, told, None, None, at)
        message.reference = asked.reference
        if referred is None and kind == Message.Kind.ROLLBACK:
            message.status = NEVER_SAID
            return _posted(message, [])
        undoable = (Message.Kind.BET, Message.Kind.WIN) if kind == Message.Kind.ROLLBACK else (Message.Kind.BET,)
        if referred is None or referred.kind not in undoable or referred.round is None:
            raise NeverSaid(asked.reference)
        if kind == Message.Kind.REFUND:
            _check_whole(asked, referred, referred.round)
        round_ = _locked(referred)
        if undone(room=room.pk, transaction=asked.reference):
            raise RolledBack(asked.reference)
        if round_.closed_at:
            raise RoundClosed(round_.name)
        stands = standing(round_)
        if any(each.reference == asked.reference for each in stands.wins):
            raise StillWinning(asked.reference)
        message.round, message.player_id, message.amount = round_, referred.player_id, referred.amount
        holds = [hold for hold in stands.holds if hold.id != referred.pk]
        due = [Win(each.player_id, each.amount) for each in stands.wins if each.player_id and each.pk != referred.pk]
        rules.check_wins(holds=holds, wins=due)
        vouchers = []
        if referred.kind == Message.Kind.BET:
            vouchers.append(postings.wager_released(wager=referred.pk, hold=referred.hold, at=at))
        if asked.closes:
            vouchers += _closing(round_, holds, due, at)
        return _posted(message, vouchers)


# --- one round --------------------------------------------------------------------------------------------------------


def _opened(room: Room, name: str, currency: str, at: datetime) -> Round:
    """The open round of that name, locked; made if it is new. Raises WrongCurrency, RoundClosed, and the tariff's."""
    found = Round.objects.select_for_update(of=("self",)).filter(room=room, name=name).first()
    if found is None:
        version = commission.tariff_of_room(room=room, at=at)
        tariff = commission.tariff_of(version)
        if not tariff.serves(currency):
            raise CurrencyNotInTariff(tariff=tariff, currency=currency)
        made = Round(room=room, name=name, currency=currency, tariff=version, opened_at=at)
        # A rival who opens the same round has committed by the time the insert gives way.
        Round.objects.bulk_create([made], ignore_conflicts=True)
        found = Round.objects.select_for_update(of=("self",)).get(room=room, name=name)
    if found.currency != currency:
        raise WrongCurrency(named=currency, agreed=found.currency)
    if found.closed_at:
        raise RoundClosed(name)
    return found


def _locked(referred: Message) -> Round:
    """The round of a message, locked: what happens in it happens one by one."""
    assert referred.round_id
    return Round.objects.select_for_update(of=("self",)).select_related("tariff").get(pk=referred.round_id)


def _closing(round_: Round, holds: Sequence[Hold], due: Sequence[Win], at: datetime) -> list[Voucher]:
    """Close the round: what pays the wins and leaves the rest to the room; nothing where nothing is held.

    Raises RoundHoldsLess, CommissionAboveTariff.
    """
    settled = rules.settle(holds=holds, wins=due, tariff=commission.tariff_of(round_.tariff), currency=round_.currency)
    round_.closed_at, round_.commission = at, settled.commission
    round_.save(update_fields=["closed_at", "commission"])
    if not settled.holds:
        return []
    gained(players=[each.player for each in settled.wins], currency=round_.currency)
    return [
        postings.round_settled(
            round=round_.pk,
            holds=settled.holds,
            wins=settled.wins,
            room=round_.room_id,
            commission=settled.commission,
            currency=round_.currency,
            at=at,
        )
    ]


def _check_protected(player: Player, asked: Bet, at: datetime) -> None:
    """Whether the player may stake so much more. A room is not told why not."""
    try:
        gate.check_stake(player=player, exposure=asked.amount, currency=asked.currency, at=at)
    except LimitReached:
        raise BeyondLimit from None
    except Protected:
        raise PlayerDisabled from None


def _check_whole(asked: Undo, referred: Message, round_: Round) -> None:
    if asked.currency != round_.currency:
        raise WrongCurrency(named=str(asked.currency), agreed=round_.currency)
    if asked.amount != referred.amount:
        raise RefundDiffers(refunded=asked.amount, staked=referred.amount)


# --- once -------------------------------------------------------------------------------------------------------------


def _wait(room: Room, *transactions: UUID) -> None:
    """Until rivals that speak of the same bet, or under the same id, are done. In one order, so nobody deadlocks."""
    keys = sorted(f"seamless\x1f{room.pk}\x1f{each}" for each in set(transactions))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(%s::text[]) AS key", [keys])


def _fingerprint(*told: object) -> str:
    return hashlib.sha256(json.dumps([str(each) for each in told]).encode()).hexdigest()


def _again(earlier: Message, told: str) -> Answer:
    if earlier.fingerprint != told:
        raise SaidOtherwise(earlier.transaction)
    return _answer(earlier)


def _message(
    room: Room,
    transaction_: UUID,
    kind: Message.Kind,
    told: str,
    round_: Round | None,
    player: UUID | None,
    at: datetime,
) -> Message:
    return Message(
        pk=uuid4(),
        room=room,
        transaction=transaction_,
        kind=kind,
        fingerprint=told,
        round=round_,
        player_id=player,
        amount=Decimal(0),
        status=OK,
        at=at,
    )


def _posted(message: Message, vouchers: Sequence[Voucher]) -> Answer:
    """Post, and keep the message with the balance that answers it: only behind the posting is that known."""
    receipts = []
    for answer in book.post_many(vouchers):
        if isinstance(answer, book.Refused):
            raise answer
        receipts.append(answer)
    if message.round and message.player_id:
        wallet = chart.wallet(message.player_id, message.round.currency)
        known = [receipt.balances[wallet] for receipt in receipts if wallet in receipt.balances]
        message.balance = known[-1] if known else book.balance(wallet)
    message.save(force_insert=True)
    return _answer(message)


def _answer(message: Message) -> Answer:
    currency = message.round.currency if message.round else None
    return Answer(message.status, message.player_id, currency, message.balance)
