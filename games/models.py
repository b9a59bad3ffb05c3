"""Who logs in, who sits at a table, and under which brand. Ids that leave the service are UUIDs."""

from __future__ import annotations

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A login, of a player or of an operator. What is played and owned hangs on ``Player``, never on this."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)


class Player(models.Model):
    """Whoever can sit at a table. A player without a login was brought in by a record or by the operator."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60, help_text="as the others at the table see it")
    user = models.OneToOneField(User, on_delete=models.PROTECT, null=True, blank=True, related_name="player")

    class Meta:
        ordering = ("name", "id")
        constraints = (models.CheckConstraint(name="player_has_a_name", condition=~models.Q(name="")),)

    def __str__(self) -> str:
        return self.name


class Room(models.Model):
    """One brand of the operator, with its tariff and house accounts."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=80)

    class Meta:
        ordering = ("slug",)
        constraints = (
            models.CheckConstraint(name="room_has_a_slug", condition=~models.Q(slug="")),
            models.CheckConstraint(name="room_has_a_name", condition=~models.Q(name="")),
        )

    def __str__(self) -> str:
        return self.name
