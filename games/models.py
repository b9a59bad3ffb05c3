"""Who logs in, who sits at a table, under which brand, and what was played. Ids that leave the service are UUIDs."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from games.access import names


class User(AbstractUser):
    """A login, of a player or of an operator. What is played and owned hangs on ``Player``, never on this."""

    PLAYS: ClassVar[dict[str, Any]] = {"is_active": True, "is_staff": False, "is_superuser": False}
    """Of the logins in use all but the operators', who never play (F); as a filter, or asked of one: ``may_play``."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    @property
    def may_play(self) -> bool:
        """Whether whoever logs in by this may play."""
        return all(getattr(self, field) == needed for field, needed in self.PLAYS.items())


class Player(models.Model):
    """Whoever can sit at a table. A player without a login was brought in by a record or by the operator.

    No two have names that look alike, with or without a login: ``key`` is what ``names.key`` makes of the name.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=60, help_text="as the others at the table see it")
    key = models.TextField(editable=False, help_text="what all names that look alike have in common")
    user = models.OneToOneField(User, on_delete=models.PROTECT, null=True, blank=True, related_name="player")

    class Meta:
        ordering = ("name", "id")
        constraints = (
            models.CheckConstraint(name="player_has_a_name", condition=~models.Q(name="")),
            models.CheckConstraint(name="player_has_a_key", condition=~models.Q(key="")),
            models.UniqueConstraint(name="player_has_a_name_alone", fields=("key",)),
        )

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new player's key is that of the name, unless it is given."""
        if self._state.adding and not self.key:
            self.key = names.key(self.name)
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """What an operator calls a player is nobody else's name."""
        self.key = names.key(self.name)
        if Player.objects.filter(key=self.key).exclude(pk=self.pk).exists():
            raise ValidationError({"name": "is another player's, or looks like it"})

    @property
    def may_play(self) -> bool:
        """Whether there is a login for this player, and by it somebody may play."""
        return self.user is not None and self.user.may_play


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


class Table(models.Model):
    """Two seats and what is played between them: one game, or one match. Its options are fixed when it is made.

    ``match_length`` 0 is a single game for money (real or play). Without a ``cube`` nobody doubles (S-1).
    ``automatic_doubles`` is how often equal opening dice may turn it, 0 for never (B-13).
    """

    class Zone(models.TextChoices):
        PROFESSIONALS = "professionals"
        AMATEURS = "amateurs"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="tables")
    zone = models.CharField(max_length=13, choices=Zone)
    player_1 = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    player_2 = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    match_length = models.PositiveSmallIntegerField()
    crawford = models.BooleanField(default=True)
    jacoby = models.BooleanField(default=False)
    beavers = models.BooleanField(default=False)
    automatic_doubles = models.PositiveSmallIntegerField(default=0)
    cube = models.BooleanField(default=True)
    opened_at = models.DateTimeField()

    class Meta:
        ordering = ("-opened_at",)
        constraints = (
            models.CheckConstraint(name="table_is_in_a_zone", condition=Q(zone__in=["professionals", "amateurs"])),
            models.CheckConstraint(name="table_seats_two_players", condition=~Q(player_1=F("player_2"))),
            models.CheckConstraint(name="table_plays_to_25_at_most", condition=Q(match_length__lte=25)),
            models.CheckConstraint(
                name="table_has_money_options_in_money_play",
                condition=Q(match_length=0) | Q(jacoby=False, beavers=False, automatic_doubles=0),
            ),
            models.CheckConstraint(
                name="table_has_a_cube_to_turn", condition=Q(cube=True) | Q(beavers=False, automatic_doubles=0)
            ),
        )

    def __str__(self) -> str:
        return f"{self.player_1} against {self.player_2}"

    @property
    def seats(self) -> tuple[Player, Player]:
        """Side 1 and side 2."""
        return self.player_1, self.player_2


class Game(models.Model):
    """One game that was played at a table to its end, and what came of it. Written once.

    ``winner`` is side 1 or 2; ``points`` are cube times value with Jacoby applied, not clipped to the match (B-14).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveSmallIntegerField()
    winner = models.PositiveSmallIntegerField()
    win = models.CharField(max_length=10, blank=True)
    cube = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    ending = models.CharField(max_length=10)
    plays = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("table", "number")
        constraints = (
            models.UniqueConstraint(name="game_of_a_table_has_its_number", fields=("table", "number")),
            models.CheckConstraint(name="game_has_a_winner", condition=Q(winner__in=[1, 2])),
            models.CheckConstraint(name="game_has_points", condition=Q(points__gte=1, cube__gte=1)),
        )

    def __str__(self) -> str:
        return f"game {self.number}"


class Record(models.Model):
    """The record of everything played at a table, as it was reported: what the games are replayed from."""

    table = models.OneToOneField(Table, on_delete=models.PROTECT, primary_key=True, related_name="record")
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    reported_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"record of {self.table}"
