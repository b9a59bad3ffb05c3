"""Names to log in by, players' tokens, failures to log in, and the keys of rooms' servers.

Of a person there is the name, and nothing else.
"""

from __future__ import annotations

import secrets
import uuid
from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from knox.models import AbstractAuthToken

from games.models import Room, User


class LoginName(models.Model):
    """The name a player logs in by, as ``names.key`` writes it; ``Player.name`` is how it is shown.

    It stands here and not only on ``Player``: an operator who plays under another login has no name to log in by here.
    """

    user = models.OneToOneField(User, on_delete=models.PROTECT, primary_key=True, related_name="login_name")
    key = models.CharField(max_length=80, unique=True, help_text="what all names that look alike have in common")

    class Meta:
        constraints = (models.CheckConstraint(name="login_name_is_not_empty", condition=~Q(key="")),)

    def __str__(self) -> str:
        return self.user.username


class PlayerToken(AbstractAuthToken):
    """Lets one client of a player in until it expires or is revoked, which deletes it. Only its SHA-512 is kept."""

    id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    label = models.CharField(max_length=60, help_text="what the player calls the client")

    class Meta:
        ordering = ("-created", "id")

    def __str__(self) -> str:
        return self.label


class Failures(models.Model):
    """How often logging in has failed of late, by a name or from an address.

    ``subject`` is a keyed hash, so that neither addresses nor the names somebody tried are kept.
    """

    subject = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()
    locked_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "failures"
        indexes = (models.Index(name="failures_by_age", fields=("last_at",)),)

    def __str__(self) -> str:
        return f"{self.count} failures"


class Scope(models.TextChoices):
    """What a room's key may be used for."""

    TABLES = "tables", "open and close tables of the room"
    RESULTS = "results", "report what was played at them"
    WALLET = "wallet", "move players' money at them"
    REVERSE = "reverse", "undo what was paid: for the operator's own servers"


def new_salt() -> bytes:
    """32 random bytes."""
    return secrets.token_bytes(32)


class RoomKey(models.Model):
    """What a room's own server signs with. Its secret is kept nowhere: ``room_keys.secret_of`` derives it.

    Everything but the ends of its life is written once, and the database sees to it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="keys")
    scopes = ArrayField(models.CharField(max_length=7, choices=Scope))
    salt = models.BinaryField(max_length=32, default=new_salt)
    created_at = models.DateTimeField()
    not_before = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True, help_text="last seen in use, to the hour")

    class Meta:
        ordering = ("room", "-created_at")
        constraints = (
            models.CheckConstraint(
                name="room_key_has_known_scopes",
                condition=Q(scopes__contained_by=[*Scope.values], scopes__len__gte=1),
            ),
            models.CheckConstraint(
                name="room_key_expires_after_it_begins", condition=Q(expires_at__gt=F("not_before"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.room.slug} {self.id}"

    def is_in_force(self, *, at: datetime) -> bool:
        """Whether it lets anybody in at that time."""
        return self.revoked_at is None and self.not_before <= at < self.expires_at


class UsedNonce(models.Model):
    """A signature that was accepted, remembered for as long as its ``at`` would let it be accepted again."""

    key = models.ForeignKey(RoomKey, on_delete=models.PROTECT, related_name="+")
    nonce = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(name="nonce_is_used_once", fields=("key", "nonce")),)
        indexes = (models.Index(name="used_nonces_by_age", fields=("at",)),)

    def __str__(self) -> str:
        return self.nonce
