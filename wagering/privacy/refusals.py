"""Why somebody is not erased."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta


class NotErased(Exception):
    """The player stays as they are."""


class StillTheirs(NotErased):
    """There is money of theirs, or on its way, or they owe some: it would be nobody's."""

    def __init__(self, what: Sequence[str]) -> None:
        super().__init__(f"player: there is still {', '.join(what)}")


class StillKept(NotErased):
    """The law has it kept for longer: the player was here, or their money moved, within the term."""

    def __init__(self, term: timedelta) -> None:
        super().__init__(f"player: was here, or had money moved, within the {term.days} days for which all is kept")


class ReasonMissing(NotErased):
    """Whoever erases says why."""

    def __init__(self) -> None:
        super().__init__("reason: is not 1 to 500 characters")


class NoPlayer(NotErased):
    """An operator, or the machine: there is no person to be forgotten."""

    def __init__(self) -> None:
        super().__init__("player: has no log-in of a player")
