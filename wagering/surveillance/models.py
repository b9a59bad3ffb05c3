"""Alerts."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models import Player
from wagering.surveillance.rules import Kind

KINDS = [kind.value for kind in Kind]


class Alert(models.Model):
    """One pattern that was found: money went from ``loser`` to ``winner`` (None for to whomever), by the ``evidence``.

    Written once, and judged once: cleared, or confirmed.
    """

    class State(models.TextChoices):
        OPEN = "open"
        CLEARED = "cleared"
        CONFIRMED = "confirmed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=20, choices=[(kind, kind.replace("_", " ")) for kind in KINDS])
    loser = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    winner = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    currency = models.CharField(max_length=4)
    score = models.PositiveSmallIntegerField(help_text="50 at the threshold, 100 at twice as much")
    evidence = models.JSONField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    opened_at = models.DateTimeField()
    judged_at = models.DateTimeField(null=True, blank=True)
    judged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ("-opened_at", "-id")
        indexes = (
            models.Index(name="alerts_by_winner", fields=("winner", "state")),
            models.Index(name="alerts_by_loser", fields=("loser", "state")),
        )
        constraints = (
            models.CheckConstraint(name="alert_is_of_a_kind", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(name="alert_is_of_two_players", condition=Q(winner=None) | ~Q(winner=F("loser"))),
            models.CheckConstraint(name="alert_has_a_score", condition=Q(score__gte=0, score__lte=100)),
            models.CheckConstraint(
                name="alert_is_open_or_judged",
                condition=Q(state="open", judged_at=None, judged_by=None, reason="")
                | Q(state__in=["cleared", "confirmed"], judged_at__isnull=False, judged_by__isnull=False)
                & ~Q(reason=""),
            ),
            models.UniqueConstraint(
                name="one_alert_is_open_of_a_kind_and_pair",
                fields=("kind", "loser", "winner", "currency"),
                condition=Q(state="open"),
                nulls_distinct=False,
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.id}"
