"""Disputes, and what became of what players owe: collected or written off; and what operators covered."""

from __future__ import annotations

import uuid
from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from games.models import Player
from ledger.fields import PlainNumeric
from ledger.money import LIMIT
from wagering.cashier.deposits.models import Deposit


class Dispute(models.Model):
    """What the payer's bank took back of a deposit: ``amount``, of which ``wallet``, ``receivable`` and ``difference``.

    The three are what the book moved: what the wallet had, what it lacked and is owed, and what is beyond the deposit.
    All are zero if nothing was: it was only opened, the deposit was not credited, or it was known to be won before it
    was known to be lost. Once WON, ``back_…`` say how it came back. ``theirs`` is the provider's name of it.
    """

    class State(models.TextChoices):
        OPEN = "open", "opened: nothing is taken yet"
        TAKEN = "taken"
        WON = "won", "won: given back, or dropped"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    deposit = models.ForeignKey(Deposit, on_delete=models.PROTECT, related_name="disputes")
    provider = models.CharField(max_length=20)
    theirs = models.CharField(max_length=200)
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    state = models.CharField(max_length=5, choices=State, default=State.TAKEN)
    wallet = PlainNumeric(default=0)
    receivable = PlainNumeric(default=0)
    difference = PlainNumeric(default=0)
    back_wallet = PlainNumeric(default=0)
    back_receivable = PlainNumeric(default=0)
    opened_at = models.DateTimeField(null=True, blank=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    won_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = (Coalesce("taken_at", "opened_at", "won_at").desc(), "-id")
        constraints = (
            models.UniqueConstraint(name="dispute_comes_in_once", fields=("provider", "theirs")),
            models.CheckConstraint(
                name="dispute_is_in_a_state",
                condition=Q(state="open", opened_at__isnull=False, taken_at=None)
                | Q(state="taken", taken_at__isnull=False)
                | Q(state="won"),
            ),
            models.CheckConstraint(name="dispute_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(
                name="dispute_takes_all_or_nothing",
                condition=Q(wallet__gte=0, receivable__gte=0, difference__gte=0)
                & (
                    Q(taken_at__isnull=False, amount=F("wallet") + F("receivable") + F("difference"))
                    | Q(wallet=0, receivable=0, difference=0)
                ),
            ),
            models.CheckConstraint(
                name="dispute_won_gives_back_what_was_taken",
                condition=Q(state__in=["open", "taken"], won_at=None, back_wallet=0, back_receivable=0)
                | Q(state="won", won_at__isnull=False, back_wallet__gte=0, back_receivable__gte=0)
                & Q(back_wallet=F("wallet") + F("receivable") - F("back_receivable")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} by {self.provider}, {self.state}"

    @property
    def taken(self) -> Decimal:
        """What the book moved."""
        taken: Decimal = self.wallet + self.receivable + self.difference
        return taken


class Collection(models.Model):
    """What a player's wallet paid of what they owe. Written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    collected_at = models.DateTimeField()

    class Meta:
        ordering = ("-collected_at", "-id")
        constraints = (
            models.CheckConstraint(name="collection_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} of {self.player}"


class WriteOff(models.Model):
    """What an operator gives up of what a player owes; beyond a threshold another operator has to approve.

    ``dispute`` is the one that it was owed for, none for a refund or a ruling. If that is won after all, the operator
    has its money back, and ``undone_at`` says when.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    dispute = models.ForeignKey(Dispute, on_delete=models.PROTECT, null=True, blank=True, related_name="write_offs")
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    reason = models.CharField(max_length=500)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    done_at = models.DateTimeField(null=True, blank=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "-id")
        constraints = (
            models.CheckConstraint(name="write_off_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(name="write_off_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="write_off_is_approved_by_another",
                condition=Q(approved_by=None) | Q(done_at__isnull=False) & ~Q(approved_by=F("asked_by")),
            ),
            models.CheckConstraint(
                name="write_off_is_undone_once_done", condition=Q(undone_at=None) | Q(done_at__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} of {self.player}"


class DifferenceCover(models.Model):
    """What the operator paid the players' account for what disputes took beyond deposits (P-4). Written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    reason = models.CharField(max_length=500)
    covered_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    covered_at = models.DateTimeField()

    class Meta:
        ordering = ("-covered_at", "-id")
        constraints = (
            models.CheckConstraint(name="cover_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"
