"""What is kept to protect players, one subject a file."""

from wagering.protection.models.absence import Absence
from wagering.protection.models.exclusion import Exclusion, RegisterEntry
from wagering.protection.models.funds import FundsLock, Link
from wagering.protection.models.identity import Identity, Review
from wagering.protection.models.limit import Limit
from wagering.protection.models.person import Person

__all__ = [
    "Absence", "Exclusion", "FundsLock", "Identity", "Limit", "Link", "Person", "RegisterEntry", "Review",
]  # fmt: skip
