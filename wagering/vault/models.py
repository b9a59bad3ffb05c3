"""The key of each person."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models import Player


class PersonKey(models.Model):
    """What one person's data is sealed with, itself sealed under the service's SECRET_KEY; gone once destroyed."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, primary_key=True, related_name="+")
    wrapped = models.BinaryField(null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    destroyed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                name="person_key_is_there_or_destroyed",
                condition=Q(wrapped__isnull=False, destroyed_at=None)
                | Q(wrapped__isnull=True, destroyed_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"key of {self.player_id}"
