"""Who was erased."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models import Player


class Erasure(models.Model):
    """A player is nobody any more: when, by which operator, and why. ``forced`` was before the term was over."""

    player = models.OneToOneField(Player, on_delete=models.PROTECT, primary_key=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500, help_text="why; no name of the person")
    forced = models.BooleanField(default=False, help_text="before the term is over, because the law asks for it")
    at = models.DateTimeField()

    class Meta:
        ordering = ("-at",)
        constraints = (models.CheckConstraint(name="erasure_has_a_reason", condition=~Q(reason="")),)

    def __str__(self) -> str:
        return f"erasure of {self.player_id}"
