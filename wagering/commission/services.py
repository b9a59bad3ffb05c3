"""Publishing a tariff."""

import hashlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.db import connection, transaction

from wagering.commission import schedule
from wagering.commission.cliffs import Cliff, cliffs
from wagering.commission.models import TariffVersion
from wagering.commission.tariff import Tariff

log = logging.getLogger(__name__)


class TariffVersionChanged(ValueError):
    """That version was published with another text, and tables were made under it: a change is a new version."""

    def __init__(self, published: TariffVersion) -> None:
        super().__init__(
            f"version: {published} was published on {published.published_at:%Y-%m-%d} with another text; "
            f"give the change version {published.version + 1} and a later valid_from"
        )
        self.published = published


class TariffVersionNotNext(ValueError):
    """A new version counts on from the last and begins later than it."""

    def __init__(self, *, field: str, tariff: Tariff, latest: TariffVersion) -> None:
        if field == "version":
            message = f"{tariff.version} does not follow {latest}; the next is {latest.version + 1}"
        else:
            message = f"{tariff.valid_from} is not later than {latest}'s {latest.valid_from:%Y-%m-%d}"
        super().__init__(f"{field}: {message}")
        self.field, self.latest = field, latest


@dataclass(frozen=True, slots=True)
class Publication:
    """A published version; ``is_new`` is false when the same text had been published before. All its cliffs (C-3)."""

    version: TariffVersion
    is_new: bool
    cliffs: tuple[Cliff, ...]


def publish(*, text: str, at: datetime, source: str = "tariff") -> Publication:
    """Make ``text``, a tariff in TOML, known from its ``valid_from`` on; the same text again changes nothing.

    ``source`` names the file in refusals: InvalidTariff, TariffVersionChanged, TariffVersionNotNext.
    """
    tariff = schedule.load(text, source=source)
    found = tuple(cliffs(tariff))
    with transaction.atomic():
        version, is_new = _publish(tariff, text=text, at=at)
    if is_new:
        for cliff in found:
            log.info("tariff %s has a cliff: %s", version, cliff)
    return Publication(version=version, is_new=is_new, cliffs=found)


def publish_shipped(*, at: datetime) -> list[Publication]:
    """Publish every tariff of the package."""
    return [publish(text=text, at=at, source=f"{name}.toml") for name, text in schedule.shipped().items()]


def _publish(tariff: Tariff, *, text: str, at: datetime) -> tuple[TariffVersion, bool]:
    # One publisher of a name at a time: the rules below compare with the latest, which a rival may be inserting.
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"tariff {tariff.name}"])
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    versions = TariffVersion.objects.filter(name=tariff.name)
    if same := versions.filter(version=tariff.version).first():
        if same.sha256 != sha256:
            raise TariffVersionChanged(same)
        return same, False
    if latest := versions.order_by("-version").first():
        if tariff.version != latest.version + 1:
            raise TariffVersionNotNext(field="version", tariff=tariff, latest=latest)
        if _begins(tariff) <= latest.valid_from:
            raise TariffVersionNotNext(field="valid_from", tariff=tariff, latest=latest)
    return TariffVersion.objects.create(
        name=tariff.name,
        version=tariff.version,
        valid_from=_begins(tariff),
        text=text,
        sha256=sha256,
        published_at=at,
    ), True


def _begins(tariff: Tariff) -> datetime:
    return datetime.combine(tariff.valid_from, time(), tzinfo=UTC)
