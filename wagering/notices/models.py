"""Notices, the endpoints they are sent to, and each sending."""

from __future__ import annotations

import secrets
import uuid
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.models import Player

URL: Final = r"^(https://[^/?#@\s]+|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?)([/?][^#\s]*)?$"
"""Where a notice may go: https, or this machine; no user, no password, no fragment."""


def new_salt() -> bytes:
    """32 random bytes."""
    return secrets.token_bytes(32)


class Notice(models.Model):
    """One thing that happened, as ``kinds`` says it: to ``player``, or for None to operators alone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="notices")
    kind = models.CharField(max_length=40)
    data = models.JSONField()
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (
            models.Index(name="notices_of_a_player", fields=("player", "-at", "-id")),
            models.Index(name="notices_by_time", fields=("at", "id")),
        )
        constraints = (
            models.CheckConstraint(name="notice_has_a_kind", condition=~Q(kind="")),
            models.CheckConstraint(
                name="notice_is_read_by_a_player", condition=Q(read_at=None) | Q(player__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Endpoint(models.Model):
    """Where an operator is told notices of some ``kinds``, of all if none is named.

    Its secret is kept nowhere: ``signing`` derives it from the salt. ``failing_since`` is the first failure after the
    latest success, ``quiet_until`` when it is tried again; ``disabled_at`` ends that.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60, help_text="what it is, for operators")
    url = models.CharField(max_length=500, help_text="https; on this machine http will do for an embedded installation")
    kinds = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    salt = models.BinaryField(max_length=32, default=new_salt)
    salt_before = models.BinaryField(max_length=32, null=True, blank=True)
    rotated_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    failing_since = models.DateTimeField(null=True, blank=True)
    quiet_until = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_because = models.CharField(max_length=100, blank=True, default="")

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.CheckConstraint(name="endpoint_is_somewhere_safe", condition=Q(url__regex=URL)),
            models.CheckConstraint(
                name="endpoint_is_rotated_from_a_secret",
                condition=Q(salt_before=None, rotated_at=None) | Q(salt_before__isnull=False, rotated_at__isnull=False),
            ),
            models.CheckConstraint(
                name="endpoint_is_disabled_for_a_reason",
                condition=Q(disabled_at=None, disabled_because="")
                | Q(disabled_at__isnull=False) & ~Q(disabled_because=""),
            ),
        )

    def __str__(self) -> str:
        return self.name


class Delivery(models.Model):
    """One notice to one endpoint: due, then delivered, or given up after the last try.

    Of an answer its status is kept and nothing else; none means that there was no answer.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        GIVEN_UP = "given_up", "given up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    notice = models.ForeignKey(Notice, on_delete=models.PROTECT, related_name="deliveries")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="deliveries")
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True, help_text="of the latest answer")
    delivered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-due_at", "-id")
        verbose_name_plural = "deliveries"
        indexes = (
            models.Index(name="deliveries_due", fields=("endpoint", "due_at", "id"), condition=Q(state="waiting")),
        )
        constraints = (
            models.UniqueConstraint(name="notice_goes_to_an_endpoint_once", fields=("notice", "endpoint")),
            models.CheckConstraint(
                name="delivery_is_in_a_state", condition=Q(state__in=["waiting", "delivered", "given_up"])
            ),
            models.CheckConstraint(
                name="delivery_is_delivered_at_a_time",
                condition=Q(~Q(state="delivered"), delivered_at=None)
                | Q(state="delivered", delivered_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.notice} to {self.endpoint}"
