"""Published tariffs. A version, once published, is never changed or deleted: the database refuses it by name."""

from __future__ import annotations

import uuid

from django.db import models

from games.models import Room


class TariffVersion(models.Model):
    """One version of a tariff, kept as the very text that was published.

    A table keeps the version with which it was made. ``selectors.tariff_of`` reads the text into a ``Tariff``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    valid_from = models.DateTimeField(help_text="midnight UTC of the day in the text")
    text = models.TextField(help_text="the TOML, as published")
    sha256 = models.CharField(max_length=64, help_text="of the text in UTF-8; the database checks it")
    published_at = models.DateTimeField()

    class Meta:
        ordering = ("name", "version")
        constraints = (
            models.UniqueConstraint(name="tariff_version_is_published_once", fields=("name", "version")),
            models.UniqueConstraint(name="tariff_has_one_version_a_date", fields=("name", "valid_from")),
            models.CheckConstraint(name="tariff_versions_count_from_1", condition=models.Q(version__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class RoomTariff(models.Model):
    """The tariff a room's tables are made with. A version in force when a table is made stays that table's."""

    room = models.OneToOneField(Room, on_delete=models.PROTECT, primary_key=True, related_name="tariff")
    tariff = models.CharField(max_length=40, help_text="the name of a published tariff")

    def __str__(self) -> str:
        return f"{self.room}: {self.tariff}"
