"""What stands in a round: bets that were not taken back, and wins that are due; and which rounds were left open."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from games.models import Player
from ledger.postings import Win
from ledger.vouchers import Hold
from wagering.seamless.models import Message, Round

OK = "RS_OK"


@dataclass(frozen=True, slots=True)
class Standing:
    """The bets and wins of a round that count, in the order in which they came."""

    bets: tuple[Message, ...]
    wins: tuple[Message, ...]

    @property
    def holds(self) -> list[Hold]:
        """What the bets have set aside."""
        return [bet.hold for bet in self.bets]

    @property
    def due(self) -> list[Win]:
        """What the wins come to, a line each."""
        return [Win(win.player_id, win.amount) for win in self.wins if win.player_id]


def standing(round: Round) -> Standing:  # noqa: A002 - what the protocol calls it
    """What counts in the round now."""
    return standing_of(round.messages.select_related("round").order_by("at", "id"))


def standing_of(messages: Iterable[Message]) -> Standing:
    """What counts among all the messages of one round."""
    said = list(messages)
    undone = {message.reference for message in said if message.kind in UNDOING}
    counting = [message for message in said if message.transaction not in undone]
    return Standing(
        bets=tuple(message for message in counting if message.kind == Message.Kind.BET),
        wins=tuple(message for message in counting if message.kind == Message.Kind.WIN),
    )


def said(*, room: UUID, transaction: UUID) -> Message | None:
    """The message that came to the room under that transaction_uuid, if it counted."""
    return Message.objects.select_related("round").filter(room=room, transaction=transaction).first()


def undone(*, room: UUID, transaction: UUID) -> bool:
    """Whether that was rolled back or refunded, be it before it came."""
    return Message.objects.filter(room=room, reference=transaction, kind__in=UNDOING).exists()


def left_open(*, at: datetime) -> QuerySet[Round]:
    """The rounds that have been open for longer than any game takes (ROUNDS_LEFT_AFTER_S), the oldest first."""
    opened = at - timedelta(seconds=settings.ROUNDS_LEFT_AFTER_S)
    return Round.objects.filter(closed_at=None, opened_at__lte=opened).order_by("opened_at")


def rounds_of(*, player: Player) -> QuerySet[Round]:
    """Those in which the player has staked, the latest first, with all that was said in each."""
    bets = Message.objects.filter(round=OuterRef("pk"), player=player, kind=Message.Kind.BET)
    said = Prefetch("messages", Message.objects.order_by("at", "id"))
    found = Round.objects.filter(Exists(bets)).select_related("room").prefetch_related(said)
    return found.order_by("-opened_at", "id")


UNDOING = (Message.Kind.ROLLBACK, Message.Kind.REFUND)
