"""The rounds that rooms' servers played, and every message that counted, as it came."""

from __future__ import annotations

import uuid
from typing import Final

from django.db import models
from django.db.models import Q

from games.models import Player, Room, User
from ledger.fields import PlainNumeric
from ledger.vouchers import Hold
from wagering.commission.models import TariffVersion
from wagering.stakes.models import LIMIT

NAME_MAX: Final = 100
"""Characters of what a room's server calls a round."""
REASON_MAX: Final = 300


class Round(models.Model):
    """One contest at a room's own server: all that is staked in it and paid from it. Closed once.

    ``name`` is what the room's server calls it. ``tariff`` is the version that held when it opened; ``commission`` is
    what closing left to the room, empty before. A round that its room left open is given back by an operator, with a
    reason that its players are told.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=NAME_MAX)
    currency = models.CharField(max_length=4)
    tariff = models.ForeignKey(TariffVersion, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    commission = PlainNumeric(null=True, blank=True)
    given_back_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    given_back_because = models.CharField(max_length=REASON_MAX, blank=True)

    class Meta:
        ordering = ("-opened_at",)
        indexes = (models.Index(name="rounds_left_open", fields=("opened_at",), condition=Q(closed_at=None)),)
        constraints = (
            models.CheckConstraint(
                name="round_is_given_back_with_a_reason_for_nothing",
                condition=Q(given_back_by=None, given_back_because="")
                | ~Q(given_back_because="") & Q(given_back_by__isnull=False, closed_at__isnull=False, commission=0),
            ),
            models.UniqueConstraint(name="round_has_its_name_in_its_room", fields=("room", "name")),
            models.CheckConstraint(name="round_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="round_is_open_or_has_a_commission",
                condition=Q(closed_at=None, commission=None)
                | Q(closed_at__isnull=False, commission__gte=0, commission__lt=LIMIT),
            ),
        )

    def __str__(self) -> str:
        return f"{self.name} at {self.room}"

    @property
    def state(self) -> str:
        """In one word or two."""
        if self.closed_at is None:
            return "open"
        return "given back" if self.given_back_by_id else "closed"


class Message(models.Model):
    """A bet, win, rollback or refund that counted, and its answer. Written once: the database refuses any change.

    ``transaction`` is its transaction_uuid, ``reference`` that of the message which it is about. A rollback of what was
    never said has no round and no player, and ``status`` says so. ``balance`` is the wallet's that was answered.
    """

    class Kind(models.TextChoices):
        BET = "bet"
        WIN = "win"
        ROLLBACK = "rollback"
        REFUND = "refund"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+")
    transaction = models.UUIDField()
    kind = models.CharField(max_length=8, choices=Kind)
    round = models.ForeignKey(Round, on_delete=models.PROTECT, null=True, blank=True, related_name="messages")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    amount = PlainNumeric()
    reference = models.UUIDField(null=True, blank=True)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of what it said")
    status = models.CharField(max_length=40, help_text="the protocol's word that answered it")
    balance = PlainNumeric(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")
        indexes = (models.Index(name="messages_by_reference", fields=("room", "reference")),)
        constraints = (
            models.UniqueConstraint(name="transaction_is_said_once_in_a_room", fields=("room", "transaction")),
            models.CheckConstraint(
                name="message_is_of_a_kind", condition=Q(kind__in=["bet", "win", "rollback", "refund"])
            ),
            models.CheckConstraint(name="message_amount_is_an_amount", condition=Q(amount__gte=0, amount__lt=LIMIT)),
            models.CheckConstraint(
                name="message_is_of_a_round_or_about_nothing",
                condition=Q(round__isnull=False, player__isnull=False)
                | Q(round=None, player=None, kind="rollback", reference__isnull=False),
            ),
            models.CheckConstraint(
                name="bet_refers_to_nothing",
                condition=Q(kind="bet", reference=None, amount__gt=0) | ~Q(kind="bet") & Q(reference__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.transaction}"

    @property
    def hold(self) -> Hold:
        """What a bet set aside. The hold has the message's id."""
        assert self.kind == self.Kind.BET and self.player_id and self.round, f"{self} sets nothing aside"
        return Hold(self.pk, self.player_id, self.round.currency, self.amount)
