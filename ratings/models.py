"""How strong each player is in each zone, and every change of it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from ratings.rules import FIRST, Zone, shown

_ZONE_NAMES = [zone.value for zone in Zone]
ZONES = [(name, name) for name in _ZONE_NAMES]
_LIMIT = 10_000  # numeric accepts NaN, which is above every number: an upper bound refuses it


class Rating(models.Model):
    """A player's standing in a zone. Who has none yet stands at 1500 with no experience (R)."""

    player = models.ForeignKey("games.Player", on_delete=models.PROTECT, related_name="ratings")
    zone = models.CharField(max_length=13, choices=ZONES)
    rating = models.DecimalField(max_digits=10, decimal_places=6, default=FIRST.rating)
    experience = models.PositiveIntegerField(default=FIRST.experience)

    class Meta:
        indexes = (models.Index(name="rating_ladder", fields=("zone", "-rating", "player")),)
        constraints = (
            models.UniqueConstraint(name="player_has_one_rating_a_zone", fields=("player", "zone")),
            models.CheckConstraint(name="rating_is_in_a_zone", condition=Q(zone__in=_ZONE_NAMES)),
            models.CheckConstraint(name="rating_is_a_number", condition=Q(rating__gt=-_LIMIT, rating__lt=_LIMIT)),
        )

    def __str__(self) -> str:
        return f"{self.player} {shown(self.rating)} ({self.zone})"


class RatingChange(models.Model):
    """What one contest did to one player's rating. Never changed or deleted: the database refuses it by name.

    ``contest`` is the id of the game or match; it has exactly one winner and one loser.
    """

    contest = models.UUIDField()
    player = models.ForeignKey("games.Player", on_delete=models.PROTECT, related_name="rating_changes")
    zone = models.CharField(max_length=13, choices=ZONES)
    won = models.BooleanField()
    length = models.PositiveSmallIntegerField(help_text="of the match; a money game counts as 1")
    rating_before = models.DecimalField(max_digits=10, decimal_places=6)
    rating_after = models.DecimalField(max_digits=10, decimal_places=6)
    experience_before = models.PositiveIntegerField()
    experience_after = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("at", "id")
        constraints = (
            models.UniqueConstraint(name="contest_is_rated_once_a_player", fields=("player", "contest")),
            models.UniqueConstraint(name="contest_has_one_winner_and_one_loser", fields=("contest", "won")),
            models.CheckConstraint(name="rating_change_is_in_a_zone", condition=Q(zone__in=_ZONE_NAMES)),
            models.CheckConstraint(name="rating_change_has_a_length", condition=Q(length__gte=1)),
            models.CheckConstraint(
                name="rating_change_is_a_number",
                condition=Q(
                    rating_before__gt=-_LIMIT,
                    rating_before__lt=_LIMIT,
                    rating_after__gt=-_LIMIT,
                    rating_after__lt=_LIMIT,
                ),
            ),
            models.CheckConstraint(
                name="rating_rises_by_a_win_and_falls_by_a_loss",
                condition=Q(won=True, rating_after__gte=F("rating_before"))
                | Q(won=False, rating_after__lte=F("rating_before")),
            ),
            models.CheckConstraint(
                name="experience_grows_by_the_length",
                condition=Q(experience_after=F("experience_before") + F("length")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.player} {shown(self.rating_before)} > {shown(self.rating_after)}"
