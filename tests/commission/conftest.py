"""The two shipped tariffs, and a way to write a third."""

import pytest

from wagering.commission import schedule
from wagering.commission.tariff import Tariff


@pytest.fixture(scope="session")
def ge() -> Tariff:
    return schedule.shipped_tariff("gammonempire")


@pytest.fixture(scope="session")
def sg() -> Tariff:
    return schedule.shipped_tariff("sgames")
