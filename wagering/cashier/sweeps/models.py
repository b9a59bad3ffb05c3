"""What was swept, of which room, for which day."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from games.models import Room


class CommissionSweep(models.Model):
    """The commission of ``room`` earned until the end of ``day`` (UTC), swept to the operator. Written once."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+")
    currency = models.CharField(max_length=4)
    day = models.DateField()
    amount = models.DecimalField(max_digits=18, decimal_places=6)
    swept_at = models.DateTimeField()

    class Meta:
        ordering = ("-day", "room", "currency")
        constraints = (
            models.UniqueConstraint(name="commission_is_swept_once_a_day", fields=("room", "currency", "day")),
            models.CheckConstraint(
                name="commission_sweep_moves_something", condition=Q(amount__gt=0) & Q(amount__lt=10**12)
            ),
        )

    def __str__(self) -> str:
        return f"{self.room} {self.day} {self.currency}"
