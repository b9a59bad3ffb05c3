"""The fact that a contest was paid, and how. Written once: the database refuses any change by name."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from ledger.fields import PlainNumeric
from wagering.stakes.models import LIMIT, Stake


class Settlement(models.Model):
    """What became of a table's stakes: the outcome, the shares it was priced to, the charge and its trace.

    ``winner`` is side 1 or 2, null when the contest was void. ``key`` is the journal's in the book.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    stake = models.OneToOneField(Stake, on_delete=models.PROTECT, related_name="settlement")
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    win = models.CharField(max_length=10, blank=True)
    cube = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    ending = models.CharField(max_length=10)
    lost = PlainNumeric()
    commission = PlainNumeric()
    back_1 = PlainNumeric(help_text="out of escrow, to side 1")
    back_2 = PlainNumeric(help_text="out of escrow, to side 2")
    charge = models.JSONField(help_text="tariff, base, tier, rate and every step of the commission; empty when void")
    key = models.CharField(max_length=80, unique=True)
    settled_at = models.DateTimeField()

    class Meta:
        ordering = ("-settled_at",)
        constraints = (
            models.CheckConstraint(
                name="settlement_has_a_winner_or_is_void", condition=Q(winner__in=[1, 2]) | Q(winner=None)
            ),
            models.CheckConstraint(
                name="settlement_amounts_are_amounts",
                condition=Q(
                    lost__gte=0, lost__lt=LIMIT, commission__gte=0, commission__lte=models.F("lost"), back_1__gte=0,
                    back_1__lt=2 * LIMIT, back_2__gte=0, back_2__lt=2 * LIMIT,
                ),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"settlement of {self.stake}"
