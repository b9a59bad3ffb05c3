"""The service's settings with one view more and no rates: the load is one machine's."""

from wagering.config.settings import *  # noqa: F403

ROOT_URLCONF = "wagering.config.bench.api.urls"
RATES = {}
