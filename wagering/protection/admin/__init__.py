"""Protection, for operators, one subject a file."""

from wagering.protection.admin import exclusion, funds, identity, limits, people  # noqa: F401 - Django looks here
