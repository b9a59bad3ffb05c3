"""How much is measured. The command's arguments set two of these; the tests measure less."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """``seconds`` is one measurement's length, of which each round has eleven; ``scale`` is TPC-B's, 15 MB each."""

    seconds: int = 2
    clients: int = 8
    rounds: int = 5
    scale: int = 50
    few_entries: int = 10_000
    many_entries: int = 1_000_000
    reads: int = 200
    positions: int = 150
