"""Players who are long away, and what became of their money."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import F, Q

from ledger.fields import PlainNumeric
from wagering.protection.models.limit import LIMIT
from wagering.protection.models.person import Person


class Absence(models.Model):
    """One spell of being away with money in one currency: told, then set apart as unclaimed, then recovered.

    It ends (``ended_at``) when the player is back; what was set apart is then in the wallet again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="absences")
    currency = models.CharField(max_length=4)
    told_at = models.DateTimeField()
    due_at = models.DateTimeField(help_text="when what is left is set apart")
    amount = PlainNumeric(null=True, blank=True, help_text="what was set apart")
    unclaimed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-told_at",)
        indexes = (
            models.Index(name="absences_due", fields=("due_at",), condition=Q(unclaimed_at=None, ended_at=None)),
        )
        constraints = (
            models.CheckConstraint(
                name="absence_sets_an_amount_apart",
                condition=Q(amount=None, unclaimed_at=None)
                | Q(
                    amount__isnull=False, amount__gt=0, amount__lt=LIMIT, unclaimed_at__isnull=False,
                    unclaimed_at__gte=F("due_at"),
                ),
            ),
            models.CheckConstraint(name="absence_is_told_before", condition=Q(due_at__gt=F("told_at"))),
            models.UniqueConstraint(
                name="one_absence_goes_on", fields=("person", "currency"), condition=Q(ended_at=None)
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"absence of {self.person}"
