"""Honest transcripts, for tests to prove or to spoil."""

from itertools import islice

from games.rules.dice import Seeds, hash_of, opening_throws, throw
from games.rules.dice_transcript import (
    ClientHash,
    ClientSeed,
    Commitment,
    Event,
    ServerSeed,
    Throw,
    ThrowKind,
    Transcript,
)
from tests.games import sha256_by_hand

SEEDS = Seeds(
    server=sha256_by_hand.sha256(b"server"),
    clients=(sha256_by_hand.sha256(b"ann"), sha256_by_hand.sha256(b"bob")),
)


def thrown(seeds: Seeds, *, rolls: int, counter: int = 0) -> list[Throw]:
    """One game's throws: its opening, as often as it takes, and ``rolls`` more."""
    throws = [Throw(n, ThrowKind.OPENING, dice) for n, dice in islice(opening_throws(seeds, counter=counter), 100)]
    after = throws[-1].counter + 1
    return throws + [Throw(n, ThrowKind.ROLL, throw(seeds, counter=n)) for n in range(after, after + rolls)]


def exchange(seeds: Seeds) -> list[Event]:
    """Commitment, hashes and seeds: events 0 to 4."""
    first, second = seeds.clients
    return [
        Commitment(hash_of(seed=seeds.server)),
        ClientHash(1, hash_of(seed=first)),
        ClientHash(2, hash_of(seed=second)),
        ClientSeed(1, first),
        ClientSeed(2, second),
    ]


def honest(seeds: Seeds = SEEDS, *, rolls: int = 20) -> Transcript:
    """A contest of one game, to its end. With ``SEEDS`` the opening is event 5, and rolls follow from event 6."""
    return Transcript((*exchange(seeds), *thrown(seeds, rolls=rolls), ServerSeed(seeds.server)))
