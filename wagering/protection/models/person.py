"""The one row a player whose lock stands before everything that protects them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models import Player

REALITY_CHECK_MIN: int = 15
REALITY_CHECK_MAX: int = 240


class Person(models.Model):
    """Who plays as ``player``; made on first use.

    ``seen_at`` is the latest log-in, ``session_began_at`` that of the session whose length and result a client shows
    every ``reality_check`` minutes; ``checked_at`` is when the player last saw them.
    """

    player = models.OneToOneField(Player, on_delete=models.PROTECT, primary_key=True, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)
    reality_check = models.PositiveSmallIntegerField(default=60, help_text="minutes between two reality checks")
    session_began_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "persons"
        constraints = (
            models.CheckConstraint(
                name="reality_check_comes_often_enough",
                condition=Q(reality_check__gte=REALITY_CHECK_MIN, reality_check__lte=REALITY_CHECK_MAX),
            ),
        )

    def __str__(self) -> str:
        return str(self.player)
