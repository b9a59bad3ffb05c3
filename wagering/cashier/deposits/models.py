"""Deposits, what goes back of them, and every webhook as it came."""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models import Player
from ledger.fields import PlainNumeric
from ledger.money import LIMIT
from wagering.cashier.methods.models import Method


class Deposit(models.Model):
    """One payment in: what was asked for, what was really paid, and how it stands.

    ``ours`` is our reference at the provider, made of the id; ``theirs`` is the provider's own. ``paid`` and
    ``paid_currency`` are known once it was paid. It is credited then, unless it came in another currency or for who was
    erased meanwhile: such a payment stays PROCESSING, its ``reason`` says so, and an operator gives it back.
    ``look_at`` is when the provider is asked next if nothing comes from it.
    """

    class State(models.TextChoices):
        CREATED = "created"
        PROCESSING = "processing"
        SUCCEEDED = "succeeded"
        FAILED = "failed"
        REFUNDED = "refunded"
        DISPUTED = "disputed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="deposits")
    provider = models.CharField(max_length=20)
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    state = models.CharField(max_length=10, choices=State, default=State.CREATED)
    ours = models.CharField(max_length=40, unique=True)
    theirs = models.CharField(max_length=200, blank=True, default="")
    method = models.ForeignKey(Method, on_delete=models.PROTECT, null=True, blank=True, related_name="deposits")
    paid = PlainNumeric(null=True, blank=True)
    paid_currency = models.CharField(max_length=4, blank=True, default="")
    reason = models.CharField(max_length=500, blank=True, default="")
    return_url = models.CharField(max_length=500, blank=True, default="")
    pay_at = models.CharField(max_length=2000, blank=True, default="", help_text="the provider's page")
    created_at = models.DateTimeField()
    asked_at = models.DateTimeField(null=True, blank=True, help_text="when the provider was last asked for a page")
    succeeded_at = models.DateTimeField(null=True, blank=True)
    looks = models.PositiveSmallIntegerField(default=0)
    look_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(name="deposits_of_a_player", fields=("player", "-created_at")),
            models.Index(name="deposits_to_look_at", fields=("look_at",), condition=Q(look_at__isnull=False)),
        )
        constraints = (
            models.UniqueConstraint(
                name="payment_is_one_deposit", fields=("provider", "theirs"), condition=~Q(theirs="")
            ),
            models.CheckConstraint(
                name="deposit_is_in_a_state",
                condition=Q(state__in=["created", "processing", "succeeded", "failed", "refunded", "disputed"]),
            ),
            models.CheckConstraint(name="deposit_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(
                name="deposit_paid_is_an_amount",
                condition=Q(paid=None, paid_currency="")
                | Q(paid__gte=0, paid__lt=LIMIT, paid_currency__isnull=False) & ~Q(paid_currency=""),
            ),
            models.CheckConstraint(
                name="deposit_is_credited_as_paid",
                condition=Q(state__in=["created", "processing", "failed"], succeeded_at=None)
                | Q(
                    state__in=["succeeded", "refunded", "disputed"],
                    succeeded_at__isnull=False,
                    paid__gt=0,
                    paid_currency=F("currency"),
                ),
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} by {self.provider}, {self.state}"

    @property
    def is_held(self) -> bool:
        """Whether it was paid and could not be credited."""
        return self.paid is not None and self.succeeded_at is None and self.state == self.State.PROCESSING


class Refund(models.Model):
    """What goes back of a deposit, wholly or in part, to where it came from.

    The wallet pays first, then the provider is asked under ``ours``; what it refuses comes back into the wallet. A
    refund that was made at the provider, by nobody of ours, has no ``asked_by`` and is known by ``theirs``; if the
    wallet has less than it took, the rest is ``owed`` (P-3).
    """

    class State(models.TextChoices):
        REQUESTED = "requested"
        SUCCEEDED = "succeeded"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    deposit = models.ForeignKey(Deposit, on_delete=models.PROTECT, related_name="refunds")
    amount = PlainNumeric()
    currency = models.CharField(max_length=4)
    state = models.CharField(max_length=10, choices=State, default=State.REQUESTED)
    ours = models.CharField(max_length=40, unique=True)
    theirs = models.CharField(max_length=200, blank=True, default="")
    owed = PlainNumeric(default=0)
    reason = models.CharField(max_length=500)
    failed_because = models.CharField(max_length=500, blank=True, default="")
    differs = models.CharField(
        max_length=100,
        blank=True,
        default="",
        help_text="what the provider tells of, if it is another amount than ours",
    )
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    looks = models.PositiveSmallIntegerField(default=0)
    look_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "-id")
        indexes = (models.Index(name="refunds_to_look_at", fields=("look_at",), condition=Q(look_at__isnull=False)),)
        constraints = (
            models.CheckConstraint(
                name="refund_is_in_a_state", condition=Q(state__in=["requested", "succeeded", "failed"])
            ),
            models.CheckConstraint(name="refund_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(name="refund_owes_a_part_of_it", condition=Q(owed__gte=0, owed__lte=F("amount"))),
            models.CheckConstraint(
                name="refund_is_done_or_waits",
                condition=Q(state="requested", done_at=None) | ~Q(state="requested") & Q(done_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} back, {self.state}"


class InboxEvent(models.Model):
    """One event of a provider, as it came and verified, once; ``tells`` is what we read in it, null for nothing.

    ``outcome`` is what was done about it, in the transaction that did it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    provider = models.CharField(max_length=20)
    event_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=100)
    body = models.BinaryField()
    tells = models.JSONField(null=True, blank=True)
    received_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ("-received_at", "-id")
        indexes = (models.Index(name="inbox_that_waits", fields=("received_at",), condition=Q(done_at=None)),)
        constraints = (
            models.UniqueConstraint(name="event_comes_in_once", fields=("provider", "event_id")),
            models.CheckConstraint(
                name="event_is_done_with_an_outcome",
                condition=Q(done_at=None, outcome="") | Q(done_at__isnull=False) & ~Q(outcome=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.event_id} of {self.provider}"


OPEN: Final = (Deposit.State.CREATED, Deposit.State.PROCESSING)
CREDITED: Final = (Deposit.State.SUCCEEDED, Deposit.State.REFUNDED, Deposit.State.DISPUTED)
REFUNDABLE: Final = (Deposit.State.SUCCEEDED, Deposit.State.REFUNDED)
"""What the payer's bank has taken back is not given back too."""
