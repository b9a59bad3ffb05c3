"""``publish_tariffs``: make the package's tariffs known; doing it again changes nothing."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from wagering.commission import schedule, services

REFUSED = 2


class Command(BaseCommand):
    help = "Publish the tariffs in the package as immutable versions, and list each cliff of a new one."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            publications = services.publish_shipped(at=timezone.now())
        except (schedule.InvalidTariff, services.TariffVersionChanged, services.TariffVersionNotNext) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from None
        for publication in publications:
            version = publication.version
            done = "published" if publication.is_new else "had been published"
            count = len(publication.cliffs)
            self.stdout.write(f"{version}: {done}, valid from {version.valid_from:%Y-%m-%d}; cliffs: {count}")
            for cliff in publication.cliffs if publication.is_new else ():
                self.stdout.write(f"  {cliff}")
