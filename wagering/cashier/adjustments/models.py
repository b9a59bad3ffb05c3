"""What operators put right by hand, and who said so."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models import Player
from ledger.fields import PlainNumeric
from ledger.money import LIMIT


class Adjustment(models.Model):
    """A correction of a player's wallet, by what it ``refers_to``: a ticket, a letter, a journal; once for each.

    One operator proposes it and nothing moves; another confirms it, and it is posted. Never edited: what was proposed
    wrongly is withdrawn, and proposed anew.
    """

    class Direction(models.TextChoices):
        CREDIT = "credit", "into the wallet"
        DEBIT = "debit", "out of the wallet"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    direction = models.CharField(max_length=6, choices=Direction)
    amount = PlainNumeric()
    currency = models.CharField(max_length=4)
    refers_to = models.CharField(max_length=200, help_text="a ticket, a letter, a journal: one adjustment for each")
    reason = models.CharField(max_length=500)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    done_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-asked_at", "-id")
        constraints = (
            models.UniqueConstraint(
                name="adjustment_stands_once_for_what_it_refers_to",
                fields=("player", "refers_to"),
                condition=Q(withdrawn_at=None),
            ),
            models.CheckConstraint(name="adjustment_goes_in_or_out", condition=Q(direction__in=["credit", "debit"])),
            models.CheckConstraint(name="adjustment_amount_is_an_amount", condition=Q(amount__gt=0, amount__lt=LIMIT)),
            models.CheckConstraint(name="adjustment_says_why", condition=~Q(reason="") & ~Q(refers_to="")),
            models.CheckConstraint(
                name="adjustment_is_confirmed_by_another",
                condition=Q(confirmed_by=None, done_at=None)
                | Q(confirmed_by__isnull=False, done_at__isnull=False) & ~Q(confirmed_by=F("asked_by")),
            ),
            models.CheckConstraint(
                name="adjustment_is_withdrawn_before_it_is_done",
                condition=Q(withdrawn_by=None, withdrawn_at=None)
                | Q(withdrawn_by__isnull=False, withdrawn_at__isnull=False, done_at=None),
            ),
        )

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} {self.get_direction_display()} of {self.player}"
