"""What the bank sent, every movement on the players' account, and what was found out about it."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models import Player
from ledger.fields import PlainNumeric
from ledger.money import LIMIT


class TransferReference(models.Model):
    """What a player writes on transfers to us in one currency; it stays theirs."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=4)
    made_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(name="one_reference_a_currency", fields=("player", "currency")),)

    def __str__(self) -> str:
        return f"reference {self.pk} in {self.currency}"


class Statement(models.Model):
    """A file that the bank sent, known by its hash, so that it comes in once. Not the file: it names people.

    What was ``fetched`` from the bank acts at once. What an operator brought is the bank's only by that one's word, and
    acts when another has brought the same file.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    sha256 = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=8, help_text="camt.053, camt.054 or pain.002")
    name = models.CharField(max_length=200, help_text="what the bank, or whoever brought it, calls the file")
    entries = models.PositiveIntegerField(help_text="movements, or transfers that it speaks of")
    new = models.PositiveIntegerField(help_text="movements that were not known before")
    received_at = models.DateTimeField()
    fetched = models.BooleanField(help_text="the connection to the bank had it")
    brought_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    done_at = models.DateTimeField(null=True, blank=True, help_text="when it acted")

    class Meta:
        ordering = ("-received_at", "-id")
        constraints = (
            models.CheckConstraint(
                name="statement_is_the_banks_or_confirmed_by_another",
                condition=Q(done_at=None, confirmed_by=None, fetched=False, brought_by__isnull=False)
                | Q(done_at__isnull=False, confirmed_by=None, fetched=True)
                | Q(done_at__isnull=False, confirmed_by__isnull=False, fetched=False, brought_by__isnull=False)
                & ~Q(confirmed_by=F("brought_by")),
            ),
            models.CheckConstraint(
                name="statement_is_of_a_kind", condition=Q(kind__in=["camt.053", "camt.054", "pain.002"])
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class ClosingBalance(models.Model):
    """What the bank says there was on the players' account at the end of ``day``, as its statement closes.

    ``booked`` is what the book had then, null until all is done that the bank has told; it is written once.
    """

    statement = models.ForeignKey(Statement, on_delete=models.PROTECT, related_name="closings")
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    day = models.DateField()
    booked = PlainNumeric(null=True, blank=True)

    class Meta:
        ordering = ("-day", "-id")
        indexes = (models.Index(name="closings_to_compare", fields=("id",), condition=Q(booked=None)),)
        constraints = (
            models.CheckConstraint(name="closing_is_an_amount", condition=Q(amount__gt=-LIMIT, amount__lt=LIMIT)),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} at the end of {self.day}"


class BankEntry(models.Model):
    """Money that came to the players' account, or left it, once, however many files tell of it.

    ``reference`` is the bank's own, and ``whole`` that of the entry of which it is all or a part; if the bank gave none
    that is empty, and ``reference`` a place in a file. ``told`` is the other side's name, IBAN and words, sealed: under
    the ``player``'s key once it is known whose it is; of a payout, whose row knows, none is kept. ``note`` is why it
    waits.
    """

    class State(models.TextChoices):
        NEW = "new", "not looked at yet"
        PAYOUT = "payout", "a payout left"
        RETURN = "return", "a payout came back"
        RECEIVED = "received", "a player's, and in the wallet"
        SUSPENSE = "suspense", "came, and whose it is is not known"
        ASSIGNED = "assigned", "given to a player by an operator"
        SETTLED = "settled", "a provider's, who settled what it owes"
        SENT_BACK = "sent_back", "sent back by an operator"
        UNEXPLAINED = "unexplained", "left, and why is not known"
        EXPLAINED = "explained", "explained by an operator"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    statement = models.ForeignKey(Statement, on_delete=models.PROTECT, related_name="movements")
    account = models.CharField(max_length=34, help_text="ours")
    reference = models.CharField(max_length=100)
    whole = models.CharField(max_length=100, blank=True, default="")
    currency = models.CharField(max_length=4)
    amount = PlainNumeric()
    is_credit = models.BooleanField()
    day = models.DateField()
    end_to_end = models.CharField(max_length=35, blank=True, default="")
    returned = models.BooleanField(default=False)
    reason = models.CharField(max_length=100, blank=True, default="")
    told = models.BinaryField(null=True, blank=True)
    state = models.CharField(max_length=11, choices=State, default=State.NEW)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    note = models.CharField(max_length=300, blank=True, default="")
    came_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-came_at", "-id")
        verbose_name_plural = "bank entries"
        indexes = (
            models.Index(name="bank_entries_to_look_at", fields=("came_at",), condition=Q(state="new")),
            models.Index(name="bank_entry_by_whole", fields=("account", "whole"), condition=~Q(whole="")),
            models.Index(name="bank_entry_by_end_to_end", fields=("end_to_end",), condition=~Q(end_to_end="")),
        )
        constraints = (
            models.UniqueConstraint(name="bank_entry_is_once", fields=("account", "reference")),
            models.CheckConstraint(name="bank_entry_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(
                name="bank_entry_is_in_a_state",
                condition=Q(state="new", done_at=None)
                | Q(state__in=["payout", "unexplained", "explained"], done_at__isnull=False, is_credit=False)
                | Q(state__in=["return", "suspense", "settled", "sent_back"], done_at__isnull=False, is_credit=True)
                | Q(
                    state__in=["received", "assigned"], done_at__isnull=False, is_credit=True, player__isnull=False
                ),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} {'in' if self.is_credit else 'out'} on {self.day}"


class Word(models.Model):
    """What an operator says of an entry that nobody could place: money in suspense is a player's, or a provider's that
    settles what it owes less its ``fee``, or goes back; money that left is explained.
    """

    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="whose wallet it goes to; without player and provider it goes back, or is explained",
    )
    provider = models.CharField(max_length=20, blank=True, default="", help_text="which settles with it what it owes")
    fee = PlainNumeric(null=True, blank=True, help_text="what the provider kept for its work, by its own report")
    reason = models.TextField(help_text="how that is known")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        abstract = True
        ordering = ("-at",)
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(name="%(class)s_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="%(class)s_is_of_a_player_or_a_provider",
                condition=Q(provider="", fee=None) | ~Q(provider="") & Q(player=None, fee__gte=0, fee__lt=LIMIT),
            ),
        )


class Proposal(Word):
    """A word on more than one operator says alone: it is done when another says the same. Written once, and no more
    binding than that: others may say otherwise.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entry = models.ForeignKey(BankEntry, on_delete=models.PROTECT, related_name="proposals")

    def __str__(self) -> str:
        whose = f"to {self.player}" if self.player_id else self.provider or "back, or explained"
        return f"{self.entry}: {whose}"


class Clearance(Word):
    """A word that was done; ``confirmed_by`` another operator, if ``by`` does not say so much alone. Written once."""

    entry = models.OneToOneField(BankEntry, on_delete=models.PROTECT, primary_key=True, related_name="clearance")
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta(Word.Meta):
        constraints = (
            *Word.Meta.constraints,
            models.CheckConstraint(
                name="clearance_is_confirmed_by_another", condition=Q(confirmed_by=None) | ~Q(confirmed_by=F("by"))
            ),
        )

    def __str__(self) -> str:
        return f"clearance of {self.entry}"
