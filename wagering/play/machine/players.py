"""Who the machine is: one player for each strength, by an id of its own. Nobody can log in as it."""

from typing import Final
from uuid import UUID, uuid5

from games.access import names
from games.analysis.strategy import STRENGTHS, Strength
from games.models import Player

NAMESPACE: Final = UUID("5d0f3c0e-6b1c-4f5f-9a55-2c1b7f0e9d27")

IDS: Final = {uuid5(NAMESPACE, name): strength for name, strength in STRENGTHS.items()}
"""The machine's players, by their ids."""


def is_machine(player: UUID) -> bool:
    """Whether that player is the machine."""
    return player in IDS


def strength_of(player: UUID) -> Strength:
    """How strong the machine plays as that player."""
    return IDS[player]


def player_of(strength: Strength) -> Player:
    """The machine's player of that strength, made on first use."""
    name = f"Machine, {strength.name}"
    found = Player(pk=uuid5(NAMESPACE, strength.name), name=name, key=names.key(name))
    Player.objects.bulk_create([found], ignore_conflicts=True)
    return found
