"""What clients of the jackhammer and of the lock-order mixes post: a card, such as ``deposit:17``, is one event.

Every process makes the same voucher of the same card, so clients compete for one key, a client retries what it does not
know the answer of, and whoever judges afterwards knows what each key was meant to move, without asking the book.
A card that ends in ``!`` has the key of the card without it, and other content.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid5

from games.rules.endings import Ending, Outcome, Win, voided
from games.rules.sides import SIDES, opponent_of
from ledger import book, postings
from ledger.vouchers import Hold, Voucher
from tests.ledger.people import NOON
from wagering.stakes.rules import Terms

NAMES: Final = ("ann", "bob", "cleo", "dan")
NAMESPACE: Final = UUID("3c2f5c0a-9d5e-4c55-8f0e-6a7f2f0a4d21")
ROOM: Final = uuid5(NAMESPACE, "room")
PROVIDER: Final = uuid5(NAMESPACE, "provider")
OPERATOR: Final = uuid5(NAMESPACE, "operator")
PLAYERS: Final = tuple(uuid5(NAMESPACE, name) for name in NAMES)
CENT: Final = Decimal("0.01")


def voucher(card: str) -> Voucher:
    """The event of ``card``: a deposit, an adjustment, a sweep, or a contest's seat, win or stand."""
    kind, number = card.rstrip("!").split(":")  # a number is whatever tells cards apart; a contest's is one
    dice = _dice(card)
    other = CENT if card.endswith("!") else Decimal(0)
    match kind:
        case "deposit":
            amount = Decimal(dice.randint(1, 1500)) / 100 + other
            player = dice.choice(PLAYERS)
            if dice.random() < 0.2:
                return postings.play_money_issued(issue=_id(card), player=player, amount=amount, at=NOON)
            return postings.deposit_confirmed(
                deposit=_id(card), player=player, provider=PROVIDER, amount=amount, currency="USD", at=NOON
            )
        case "adjustment":
            return postings.manual_adjustment(
                adjustment=_id(card),
                player=dice.choice(PLAYERS),
                direction=dice.choice(("credit", "debit", "debit")),
                amount=Decimal(dice.randint(1, 6000)) / 100 + other,
                currency="USD",
                reason="the hammer's",
                operator=OPERATOR,
                at=NOON,
            )
        case "sweep":
            amount = Decimal(dice.randint(1, 50)) / 100 + other
            return postings.commission_swept(sweep=_id(card), room=ROOM, amount=amount, currency="USD", at=NOON)
    contest = _id(f"contest:{number}")
    holds = holds_of(int(number))
    match kind:
        case "seat":
            return postings.stake_held(stake=contest, holds=holds, at=NOON)
        case "stand":
            return postings.stake_released(stake=contest, holds=holds, at=NOON)
        case "win":
            return _won(
                contest, dice.sample(holds, 2), lost_part=dice.randint(1, 4), commission=Decimal("0.49") + other
            )
    raise ValueError(f"no such card: {card}")


def holds_of(number: int) -> list[Hold]:
    """What the two players of a contest set aside: ann and bob, either way round, every other time."""
    dice = _dice(f"contest:{number}")
    pair = dice.sample(PLAYERS[:2] if dice.random() < 0.5 else PLAYERS, 2)
    amount = Decimal(dice.randint(1, 6) * 4)
    return [Hold(_id(f"hold:{number}:{seat}"), player, "USD", amount) for seat, player in enumerate(pair)]


def reversal_of(voucher: Voucher, *, journal: int, holds: dict[UUID, Hold]) -> Voucher:
    """The mirror of ``voucher``, which is in the book as ``journal``; ``holds`` are those that it may have closed."""
    return postings.reversal(
        journal=journal,
        lines=voucher.lines,
        opens=[
            Hold(book.reopened(old.id), old.owner, old.currency, old.amount)
            for old in (holds[hold] for hold in (*voucher.captures, *voucher.releases))
        ],
        reason="the hammer's",
        at=NOON,
    )


@dataclass(frozen=True, slots=True)
class Match:
    """A table that several clients open, sit down at and settle at the same time, through the services.

    ``replayed`` says that its result comes from a real record, which side 1 wins; else ``outcome`` is reported.
    """

    table: UUID
    players: tuple[UUID, UUID]
    terms: Terms
    outcome: Outcome
    replayed: bool


def match(card: str) -> Match:
    """``game:17`` is a single game or a match; ``game:17!`` is the same, reported the other way."""
    dice = _dice(card)
    one, two = dice.sample(PLAYERS[:2] if dice.random() < 0.5 else PLAYERS, 2)
    currency = dice.choice(("USD", "USD", "PLAY"))
    stake = Decimal(dice.randint(100, 300)) / 100
    single = dice.random() < 0.7
    winner = dice.choice(SIDES)
    if card.endswith("!"):
        winner = opponent_of(winner)
    if dice.random() < 0.15:
        outcome = voided()
    elif single:
        outcome = Outcome(winner=winner, win=Win.GAMMON, cube=2, points=4, ending=Ending.BORNE_OFF)
    else:
        outcome = Outcome(winner=winner, win=Win.SINGLE, cube=1, points=1, ending=Ending.DROPPED)
    return Match(
        table=_id(card),
        players=(one, two),
        terms=Terms(currency=currency, stake=stake, match_length=0 if single else 3, cap=3 * stake if single else None),
        outcome=outcome,
        replayed=single and dice.random() < 0.4,
    )


def _won(contest: UUID, seats: Sequence[Hold], *, lost_part: int, commission: Decimal) -> Voucher:
    winner, loser = seats
    lost = loser.amount * lost_part / 4
    return postings.single_settled(
        stake=contest,
        seats=[
            postings.Seat(winner.owner, winner.id, winner.amount, winner.amount + lost - commission),
            postings.Seat(loser.owner, loser.id, loser.amount, loser.amount - lost),
        ],
        room=ROOM,
        commission=commission,
        currency="USD",
        at=NOON,
    )


def _dice(card: str) -> random.Random:
    return random.Random(f"{NAMESPACE} {card.rstrip('!')}")


def _id(card: str) -> UUID:
    return uuid5(NAMESPACE, card.rstrip("!"))
