"""Tables played here: how each stands, everything that happened at it, its secret seed, and who is connected."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q

from games.live.rules.stand import Status
from games.models import Table

_STATUSES: Final = [(status.value, status.value) for status in Status]


class Live(models.Model):
    """A table that is played here, move by move, as it stands now. Everyone who changes it locks this row first.

    ``snapshot`` is what replaying the actions gives (games/live/rules/snapshot.py); the columns beside it are taken
    from it for those who look for tables. ``version`` counts what the players and the referee did to the game, and
    an action names it; ``sequence`` is that of the last row in the table's actions, presence included. ``due_at`` is
    the instant at which a time runs out if nobody does anything, None at the end.
    """

    table = models.OneToOneField(Table, on_delete=models.PROTECT, primary_key=True, related_name="live")
    move_s = models.PositiveIntegerField(default=0, help_text="seconds for each move, before the reserve is touched")
    reserve_s = models.PositiveIntegerField(default=0, help_text="seconds of reserve a side has in each game")
    days = models.PositiveSmallIntegerField(null=True, help_text="days a move at a turn-based table, else empty")
    status = models.CharField(max_length=9, choices=_STATUSES)
    version = models.PositiveIntegerField(default=0)
    sequence = models.PositiveIntegerField(default=0)
    to_act = models.PositiveSmallIntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    snapshot = models.JSONField()
    recent = models.JSONField(default=list, help_text="the last actions, as the state document tells them")
    started_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        indexes = (
            models.Index(name="live_due", fields=("due_at",), condition=Q(due_at__isnull=False)),
            models.Index(name="live_waits_for_its_price", fields=("started_at",), condition=Q(status="pricing")),
        )
        constraints = (
            models.CheckConstraint(
                name="live_is_in_a_status", condition=Q(status__in=[status for status, _ in _STATUSES])
            ),
            models.CheckConstraint(
                name="live_has_one_pace",
                condition=Q(days__isnull=True, move_s__gte=1)
                | Q(days__isnull=True, reserve_s__gte=1)
                | Q(days__gte=1, move_s=0, reserve_s=0),
            ),
            models.CheckConstraint(name="live_side_acts", condition=Q(to_act__isnull=True) | Q(to_act__in=[1, 2])),
            models.CheckConstraint(
                name="live_has_nothing_due_at_its_end",
                condition=Q(status__in=["seeds", "playing"]) | Q(due_at__isnull=True, to_act__isnull=True),
            ),
        )

    def __str__(self) -> str:
        return f"{self.table_id}: {self.status}"


class Action(models.Model):
    """One thing that happened at a table, as games/live/rules/events.py tells it. Written once.

    ``version`` is the table's after it. ``asked`` is what a side asked for, word for word; empty for the referee.
    """

    id = models.BigAutoField(primary_key=True)
    live = models.ForeignKey(Live, on_delete=models.PROTECT, related_name="actions")
    sequence = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    game = models.PositiveSmallIntegerField()
    side = models.PositiveSmallIntegerField(null=True)
    kind = models.CharField(max_length=20)
    payload = models.JSONField(default=dict)
    asked = models.CharField(max_length=90, blank=True, default="")
    at = models.DateTimeField()
    heard_at = models.DateTimeField()

    class Meta:
        ordering = ("live", "sequence")
        constraints = (
            models.UniqueConstraint(name="action_has_its_sequence", fields=("live", "sequence")),
            models.CheckConstraint(name="action_is_a_sides", condition=Q(side__isnull=True) | Q(side__in=[1, 2])),
        )

    def __str__(self) -> str:
        return f"{self.sequence}: {self.kind}"


class Pricing(models.Model):
    """A game of a match that was lost by the clock, and how often an engine was asked what that costs (B-15).

    That it waits the live row says, and what it cost an action. ``xgid`` is the game as it was left. ``attempts`` are
    counted each time before an engine is asked, since it may take its process with it. Where none could say, ``reason``
    tells why.
    """

    id = models.BigAutoField(primary_key=True)
    live = models.ForeignKey(Live, on_delete=models.PROTECT, related_name="pricings")
    game = models.PositiveSmallIntegerField()
    xgid = models.CharField(max_length=80)
    attempts = models.PositiveSmallIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(name="game_is_priced_once", fields=("live", "game")),
            models.CheckConstraint(
                name="pricing_counts_when_it_is_asked",
                condition=Q(attempts=0, asked_at__isnull=True) | Q(attempts__gte=1, asked_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"game {self.game} of {self.live_id}"


class Secret(models.Model):
    """The server's seed of a contest, to which it bound itself before anything else (F). Written once."""

    live = models.OneToOneField(Live, on_delete=models.PROTECT, primary_key=True, related_name="secret")
    seed = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"seed of {self.live_id}"


class Connection(models.Model):
    """One stream, or one client that says now and then that it is there. A side is away when its last one is gone."""

    id = models.BigAutoField(primary_key=True)
    live = models.ForeignKey(Live, on_delete=models.CASCADE, related_name="connections")
    side = models.PositiveSmallIntegerField()
    client = models.UUIDField(help_text="the connection's own name, from the stream or the client that keeps it")
    seen_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(name="connection_seen", fields=("seen_at",)),)
        constraints = (
            models.UniqueConstraint(name="connection_is_one", fields=("live", "side", "client")),
            models.CheckConstraint(name="connection_is_a_sides", condition=Q(side__in=[1, 2])),
        )

    def __str__(self) -> str:
        return f"side {self.side} of {self.live_id}"


class Pulse(models.Model):
    """The service's own heartbeat, one row: how long it was away itself is found by this (A-1)."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    beat_at = models.DateTimeField()

    class Meta:
        constraints = (models.CheckConstraint(name="pulse_is_one", condition=Q(id=1)),)

    def __str__(self) -> str:
        return str(self.beat_at)
