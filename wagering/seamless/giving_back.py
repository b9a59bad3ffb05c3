"""An operator gives back what stands in a round that its room does not end."""

import hashlib
from datetime import datetime
from decimal import Decimal
from uuid import UUID, uuid4

from django.db import transaction

from games.models import User
from ledger import book, money, postings
from wagering.seamless.models import Message, Round
from wagering.seamless.refusals import RoundClosed
from wagering.seamless.selectors import OK, standing


def give_back(*, round: UUID, by: User, reason: str, at: datetime) -> Round:  # noqa: A002 - what the protocol calls it
    """Every bet that stands goes back whole, no win is due any more, and the round is closed for nothing.

    It is as if the room had rolled all of it back: whatever it says of the round afterwards is refused by RolledBack
    or RoundClosed. Raises RoundClosed.
    """
    with transaction.atomic():
        found = Round.objects.select_for_update(of=("self",)).select_related("room").get(pk=round)
        if found.closed_at:
            raise RoundClosed(found.name)
        stands = standing(found)
        found.closed_at, found.commission = at, money.exact(Decimal(0), found.currency)
        found.given_back_by, found.given_back_because = by, reason
        found.save(update_fields=["closed_at", "commission", "given_back_by", "given_back_because"])
        Message.objects.bulk_create(_taken_back(message, by, at) for message in (*stands.wins, *stands.bets))
        for answer in book.post_many(
            postings.wager_released(wager=bet.pk, hold=bet.hold, at=at) for bet in stands.bets
        ):
            if isinstance(answer, book.Refused):
                raise answer
    return found


def _taken_back(message: Message, by: User, at: datetime) -> Message:
    """A rollback that no room's server sent; nobody was answered, so there is no balance."""
    return Message(
        room_id=message.room_id,
        transaction=uuid4(),
        kind=Message.Kind.ROLLBACK,
        round_id=message.round_id,
        player_id=message.player_id,
        amount=message.amount,
        reference=message.transaction,
        fingerprint=hashlib.sha256(f"given back by {by.pk}".encode()).hexdigest(),
        status=OK,
        at=at,
    )
