"""Name, IBAN and words of who is on the other side of a movement: sealed, and under whose key.

Until it is known whose the money is, under the service's own; then under the player's, and erased with it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from games.models import Player
from wagering.cashier.bank.models import BankEntry
from wagering.vault import services as vault

PURPOSE: Final = "bank.entry"


@dataclass(frozen=True, slots=True)
class Told:
    """As the bank has it, empty where it says nothing."""

    name: str
    iban: str
    text: str


def shut(told: Told, *, player: Player | None = None) -> bytes:
    text = json.dumps(asdict(told))
    if player is None:
        return vault.seal_unowned(text, purpose=PURPOSE)
    return vault.seal(text, player=player, purpose=PURPOSE)


def opened(entry: BankEntry) -> Told | None:
    """None if nothing is kept. Raises Erased."""
    if entry.told is None:
        return None
    if entry.player is None:
        return Told(**json.loads(vault.opened_unowned(bytes(entry.told), purpose=PURPOSE)))
    return Told(**json.loads(vault.opened(bytes(entry.told), player=entry.player, purpose=PURPOSE)))
