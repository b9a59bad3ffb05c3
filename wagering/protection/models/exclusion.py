"""Who does not play, for how long and by whose word; and the registers of those who play nowhere."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q

from wagering.protection.exclusion.rules import Standing
from wagering.protection.models.person import Person


class Exclusion(models.Model):
    """A person deposits nothing and takes no seat from ``begins_at`` on, until ``ends_at``; null is for ever.

    A time-out ends by itself. An exclusion ends only once its term is over, the player has asked (``lift_asked_at``)
    and a day has passed since (``lifts_at``). Written once; only the request to lift it is added, once.

    What was copied from another's account because both told the same name is not this person's if they are two: one
    operator says so (``disowned_by``), another agrees (``released_by``), and it holds no more from then on.
    """

    class Kind(models.TextChoices):
        TIME_OUT = "time_out"
        EXCLUSION = "exclusion"

    class By(models.TextChoices):
        PLAYER = "player"
        OPERATOR = "operator"
        REGISTER = "register"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="exclusions")
    kind = models.CharField(max_length=9, choices=Kind)
    by = models.CharField(max_length=8, choices=By)
    source = models.CharField(max_length=40, blank=True, help_text="the register that named the person")
    operator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True)
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True, help_text="the end of the term; empty for ever")
    lift_asked_at = models.DateTimeField(null=True, blank=True)
    lifts_at = models.DateTimeField(null=True, blank=True)
    disowned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    disowned_reason = models.TextField(blank=True)
    disowned_at = models.DateTimeField(null=True, blank=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-begins_at",)
        constraints = (
            models.CheckConstraint(
                name="exclusion_has_a_term",
                condition=Q(ends_at__isnull=False, ends_at__gt=F("begins_at")) | Q(kind="exclusion", ends_at=None),
            ),
            models.CheckConstraint(name="exclusion_is_of_a_kind", condition=Q(kind__in=["time_out", "exclusion"])),
            models.CheckConstraint(
                name="exclusion_is_by_somebody",
                condition=Q(by="player", source="", operator=None)
                | Q(~Q(reason=""), by="operator", source="", operator__isnull=False)
                | Q(~Q(source=""), by="register", operator=None, kind="exclusion"),
            ),
            models.CheckConstraint(
                name="exclusion_is_released_by_another",
                condition=Q(disowned_by=None, disowned_reason="", disowned_at=None, released_by=None, released_at=None)
                | Q(~Q(disowned_reason=""), disowned_by__isnull=False, disowned_at__isnull=False, released_by=None,
                    released_at=None)
                | Q(~Q(disowned_reason=""), ~Q(released_by=F("disowned_by")), disowned_by__isnull=False,
                    disowned_at__isnull=False, released_by__isnull=False, released_at__isnull=False),
            ),
            models.CheckConstraint(
                name="exclusion_is_lifted_after_its_term",
                condition=Q(lift_asked_at=None, lifts_at=None)
                | Q(Q(by="register") | Q(ends_at__isnull=False, lift_asked_at__gte=F("ends_at")), kind="exclusion",
                    lift_asked_at__isnull=False, lifts_at__isnull=False, lifts_at__gt=F("lift_asked_at")),
            ),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.person}"

    @property
    def standing(self) -> Standing:
        """For the rules."""
        return Standing(
            kind="time_out" if self.kind == self.Kind.TIME_OUT else "exclusion",
            by=self.by,
            source=self.source,
            begins_at=self.begins_at,
            ends_at=self.ends_at,
            lifts_at=self.lifts_at,
            released_at=self.released_at,
        )


class RegisterEntry(models.Model):
    """Somebody in the register ``source``, known by ``digest`` alone, of name and date of birth, and its ``spellings``.

    ``until`` null is until the register drops them, which ``removed_at`` says.
    """

    source = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    spellings = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    until = models.DateTimeField(null=True, blank=True)
    imported_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "register entries"
        indexes = (
            models.Index(name="register_by_digest", fields=("digest",), condition=Q(removed_at=None)),
            GinIndex(name="register_by_spellings", fields=("spellings",)),
        )
        constraints = (models.UniqueConstraint(name="register_names_a_person_once", fields=("source", "digest")),)

    def __str__(self) -> str:
        return f"{self.source} {self.digest[:8]}"

    @property
    def standing(self) -> Standing:
        """As an exclusion, for the rules."""
        return Standing("exclusion", "register", self.source, self.imported_at, self.until, None)
