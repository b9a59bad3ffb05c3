"""The outside world, for whoever has paid in."""

from tests.cashier.conftest import world

__all__ = ["world"]
