"""Payouts, each attempt to pay one, the batches that went to the bank, and what operators said."""

from __future__ import annotations

import uuid
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models import Player
from ledger.fields import PlainNumeric
from ledger.money import LIMIT
from wagering.cashier.bank.models import BankEntry
from wagering.cashier.methods.models import Method

BANK: Final = "bank"
"""The rail of our own bank; any other is a provider's code."""


class Payout(models.Model):
    """What a player wants paid out, and how that stands. It is held from the start: the wish and the hold are one.

    ``findings`` is what the screening found, rule by rule with its figures, and ``needs`` how many operators have to
    agree. What was APPROVED is in REVIEW again if something has come up before it leaves. UNKNOWN says that it was sent
    and no answer came: it is looked up, and never sent again.
    """

    class State(models.TextChoices):
        HELD = "held", "held, and to be screened"
        REVIEW = "review", "waits for an operator"
        APPROVED = "approved", "goes out with the next batch"
        BATCHED = "batched", "in a batch"
        SUBMITTED = "submitted", "sent"
        UNKNOWN = "unknown", "sent, and no answer came"
        PAID = "paid"
        FAILED = "failed", "failed, and back in the wallet"
        RETURNED = "returned", "paid, and came back"
        REFUSED = "refused", "refused, and back in the wallet"
        CANCELLED = "cancelled", "taken back by the player"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="payouts")
    method = models.ForeignKey(Method, on_delete=models.PROTECT, related_name="payouts")
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    state = models.CharField(max_length=9, choices=State, default=State.HELD)
    findings = models.JSONField(default=list, blank=True)
    needs = models.PositiveSmallIntegerField(null=True, blank=True, help_text="operators who have to agree")
    reason = models.CharField(max_length=500, blank=True, default="", help_text="what the player is told")
    asked_at = models.DateTimeField()
    screened_at = models.DateTimeField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "-id")
        indexes = (
            models.Index(name="payouts_of_a_player", fields=("player", "-asked_at")),
            models.Index(
                name="payouts_that_wait",
                fields=("state", "asked_at"),
                condition=Q(state__in=["held", "review", "approved", "batched", "submitted", "unknown"]),
            ),
        )
        constraints = (
            models.CheckConstraint(name="payout_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(
                name="payout_is_in_a_state",
                condition=Q(state="held", approved_at=None, ended_at=None)
                | Q(state="review", approved_at=None, ended_at=None, screened_at__isnull=False)
                | Q(state__in=["approved", "batched", "submitted", "unknown"], approved_at__isnull=False, ended_at=None)
                | Q(state__in=["paid", "failed", "returned"], approved_at__isnull=False, ended_at__isnull=False)
                | Q(state__in=["refused", "cancelled"], ended_at__isnull=False),
            ),
            models.CheckConstraint(name="payout_needs_two_at_most", condition=Q(needs=None) | Q(needs__lte=2)),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} to {self.method}, {self.state}"


class Batch(models.Model):
    """One order to our bank, as it was made: payer, day, count, control sum and the hash of its file.

    The file itself is written again from these rows and those of its attempts, the same byte for byte.
    """

    class State(models.TextChoices):
        MADE = "made", "to be sent"
        CLAIMED = "claimed", "being sent"
        SUBMITTED = "submitted", "the bank has it"
        UNKNOWN = "unknown", "sent, and no answer came"
        REFUSED = "refused", "the bank does not take it"
        LOST = "lost", "the bank never had it"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    currency = models.CharField(max_length=4)
    day = models.DateField(help_text="when the bank carries it out")
    made_at = models.DateTimeField()
    payer_name = models.CharField(max_length=70)
    payer_iban = models.CharField(max_length=34)
    payer_bic = models.CharField(max_length=11, blank=True, default="")
    count = models.PositiveIntegerField()
    control_sum = PlainNumeric()
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State, default=State.MADE)
    reason = models.CharField(max_length=300, blank=True, default="")
    claimed_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    look_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-id")
        verbose_name_plural = "batches"
        indexes = (models.Index(name="batches_to_look_at", fields=("look_at",), condition=Q(look_at__isnull=False)),)
        constraints = (
            models.CheckConstraint(
                name="batch_is_in_a_state",
                condition=Q(state="made", claimed_at=None)
                | Q(state__in=["claimed", "submitted", "unknown", "refused", "lost"], claimed_at__isnull=False),
            ),
            models.CheckConstraint(name="batch_pays_somebody", condition=Q(count__gte=1, control_sum__gt=0)),
        )

    def __str__(self) -> str:
        return f"batch of {self.count}, {self.control_sum} {self.currency} on {self.day}"

    @property
    def message(self) -> str:
        """Its name at the bank."""
        return f"B{self.id.hex}"


class Attempt(models.Model):
    """One attempt to pay a payout, under a hold and a reference of its own; another one has another number.

    ``verdict`` is what somebody told of it and nothing was done about yet; ``released_at``, ``paid_at``,
    ``returned_at`` and ``credited_at`` are each one posting. It is open until it was released or paid.
    """

    class Verdict(models.TextChoices):
        NONE = "", "nothing new"
        ACCEPTED = "accepted"
        SETTLED = "settled"
        REFUSED = "refused"
        LOST = "lost", "never heard of"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    payout = models.ForeignKey(Payout, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    rail = models.CharField(max_length=20)
    ours = models.CharField(max_length=35, unique=True)
    theirs = models.CharField(max_length=200, blank=True, default="")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, null=True, blank=True, related_name="attempts")
    position = models.PositiveIntegerField(null=True, blank=True)
    verdict = models.CharField(max_length=8, choices=Verdict, blank=True, default=Verdict.NONE)
    reason = models.CharField(max_length=300, blank=True, default="")
    debit = models.OneToOneField(BankEntry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    tried_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="the operator who had it tried once more, after one that failed",
    )
    held_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    returned = PlainNumeric(null=True, blank=True, help_text="what came back")
    returned_at = models.DateTimeField(null=True, blank=True)
    credited_at = models.DateTimeField(null=True, blank=True)
    looks = models.PositiveSmallIntegerField(default=0)
    look_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("payout", "number")
        indexes = (
            models.Index(name="attempts_to_look_at", fields=("look_at",), condition=Q(look_at__isnull=False)),
            models.Index(name="attempts_told_of", fields=("held_at",), condition=~Q(verdict="")),
            models.Index(
                name="attempts_to_credit",
                fields=("returned_at",),
                condition=Q(returned_at__isnull=False, credited_at=None),
            ),
        )
        constraints = (
            models.UniqueConstraint(name="attempt_has_a_number", fields=("payout", "number")),
            models.UniqueConstraint(
                name="one_open_attempt_a_payout", fields=("payout",), condition=Q(released_at=None, paid_at=None)
            ),
            models.UniqueConstraint(name="attempt_has_a_place", fields=("batch", "position")),
            models.CheckConstraint(
                name="attempt_ends_once", condition=Q(released_at=None) | Q(paid_at=None, released_at__isnull=False)
            ),
            models.CheckConstraint(
                name="attempt_comes_back_paid",
                condition=Q(returned_at=None, returned=None, credited_at=None)
                | Q(returned_at__isnull=False, returned__gt=0, paid_at__isnull=False),
            ),
            models.CheckConstraint(
                name="attempt_has_a_verdict",
                condition=Q(verdict__in=["", "accepted", "settled", "refused", "lost"]),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.payout}"

    @property
    def is_open(self) -> bool:
        return self.released_at is None and self.paid_at is None


class Decision(models.Model):
    """An operator's word on an attempt; one an operator. Written once."""

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="decisions")
    approves = models.BooleanField(help_text="no refuses the payout, and its amount is in the wallet again")
    reason = models.TextField(help_text="why; the player does not see it")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)
        constraints = (
            models.UniqueConstraint(name="operator_decides_once", fields=("attempt", "by")),
            models.CheckConstraint(name="decision_has_a_reason", condition=~Q(reason="")),
        )

    def __str__(self) -> str:
        return f"{self.by} {'approves' if self.approves else 'refuses'}"


class Switch(models.Model):
    """Payouts are stopped, or go on again, by an operator's word; the latest counts. Written once."""

    stopped = models.BooleanField(help_text="nothing is screened, approved or sent; what is asked for is held")
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-id",)
        verbose_name_plural = "switch"
        constraints = (models.CheckConstraint(name="switch_has_a_reason", condition=~Q(reason="")),)

    def __str__(self) -> str:
        return "stopped" if self.stopped else "goes on"


WAITING: Final = (Payout.State.HELD, Payout.State.REVIEW)
"""Not approved yet: the player may take it back, if their profile lets them."""
OPEN: Final = (*WAITING, Payout.State.APPROVED, Payout.State.BATCHED, Payout.State.SUBMITTED, Payout.State.UNKNOWN)
"""The amount is held."""
SENT: Final = (Payout.State.SUBMITTED, Payout.State.UNKNOWN)
