"""Fair dice: seeds in, dice out, and anyone can compute them again (F).

Nobody can choose these dice. The order in which the seeds become known makes it so:

1. When the table is made, the server gives the SHA-256 of its seed: its commitment.
2. Each side gives the SHA-256 of its own seed.
3. Only when both hashes are in are the two seeds given. They match their hashes or are refused.
4. Throws are made, each with its own counter: 0, 1, 2, …, none left out and none twice.
5. When the contest is over, the server's seed is given. Each throw can now be computed by anyone.

Whoever gave a hash first could not know the others' seeds, and could not change its own afterwards.

**The construction**, byte by byte. A seed is 32 bytes, a hash the 32 bytes of SHA-256 over them and nothing else.
In JSON both are 64 lower-case hexadecimal digits, but they are hashed as bytes. The throw of a counter is

    digest  = HMAC-SHA-256(key = server's seed, message)
    message = tag ‖ seed of side 1 ‖ seed of side 2 ‖ counter ‖ block                            98 bytes
    tag     = the 22 ASCII bytes of "backgammon-room/dice/1", no zero at the end
    counter = 8 bytes, unsigned, most significant first
    block   = 4 bytes, unsigned, most significant first: 0

The digest is read from its first byte on. A byte of 252 or more is dropped, since 252 = 42 x 6 is as far as every
face comes equally often. The first byte that is left gives the first die, the next the second: byte mod 6, plus 1.
The rest is not used. A digest with fewer than two such bytes is continued by that of block 1, 2, … as one string of
bytes: a die found before the end of a block is kept. The tag keeps these digests apart from any other use of the
seeds.

    { printf backgammon-room/dice/1; printf '%s%s%016x%08x' $SEED_1 $SEED_2 $COUNTER 0 | xxd -r -p; } |
        openssl dgst -sha256 -mac HMAC -macopt hexkey:$SERVER_SEED

**An opening throw** (B-2) is one throw: its first die is side 1's, its second side 2's. Equal dice are thrown again
by the next counter, and each such throw is in the transcript (B-13 counts them). A contest of several games has one
set of seeds and counts on through all of them; revealing the server's seed between two games would tell the dice of
the next.

**What the operator could do.** It has the server's seed, and with it *knows* every throw as soon as both sides'
seeds are in. It cannot choose them, but it could tell a player what comes; therefore staff cannot play. And it
could, with the side that gives its seed last, give up a table whose dice it does not like, before the first throw:
such tables show, and are worth counting. A side alone can do neither, for it never has the server's seed.

A client that wants to be sure makes a new seed for each table from its system's source of randomness, keeps the
commitment, both hashes and each throw as they come, and compares them with the transcript at the end.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

TAG: Final = b"backgammon-room/dice/1"
"""Names the construction and its version, in every message and in every transcript."""

SEED_BYTES: Final = 32

COUNTER_MAX: Final = 2**53 - 1
"""The highest whole number that every reader of JSON reads exactly."""

FACES: Final = bytes(byte % 6 + 1 for byte in range(256))
"""The die of each byte."""

DROPPED: Final = bytes(range(252, 256))
"""The bytes that would bring the faces 1 to 4 more often than 5 and 6."""

Dice = tuple[int, int]


class Malformed(ValueError):
    """Something that is no part of any transcript. ``field``, ``value`` and ``rule`` say what is wrong with it.

    The value of a seed is never told, only its length: it may be one that is still secret.
    """

    def __init__(self, *, field: str, value: object, rule: str) -> None:
        told = repr(value)
        super().__init__(f"{field}: {told if len(told) <= 80 else told[:80] + '…'} {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True)
class Seeds:
    """The three seeds of a contest: the server's, and side 1's and side 2's in ``clients``. Raises Malformed.

    The server's seed is kept out of ``repr``, and so out of logs.
    """

    server: bytes = field(repr=False)
    clients: tuple[bytes, bytes]
    _mac: hmac.HMAC = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_bytes(self.server, field="server seed")
        for side, seed in enumerate(self.clients, start=1):
            check_bytes(seed, field=f"seed of side {side}")
        # All throws begin alike: what they share is hashed once.
        object.__setattr__(self, "_mac", hmac.new(self.server, TAG + b"".join(self.clients), "sha256"))

    def digest(self, *, counter: int, block: int) -> bytes:
        """The 32 bytes of one block of a throw."""
        mac = self._mac.copy()
        mac.update((counter << 32 | block).to_bytes(12, "big"))
        return mac.digest()


def hash_of(*, seed: bytes) -> bytes:
    """The commitment to ``seed``, the server's or a side's: its SHA-256. Raises Malformed."""
    check_bytes(seed, field="seed")
    return hashlib.sha256(seed).digest()


def throw(seeds: Seeds, *, counter: int) -> Dice:
    """The two dice of ``counter``, in the order in which they fall. Raises Malformed."""
    check_counter(counter)
    return dice_from(seeds.digest(counter=counter, block=block) for block in count())


def opening_throws(seeds: Seeds, *, counter: int) -> Iterator[tuple[int, Dice]]:
    """The opening throws from ``counter`` on, each with its counter: the last one alone has unequal dice (B-2)."""
    dice = (0, 0)
    while dice[0] == dice[1]:
        dice = throw(seeds, counter=counter)
        yield counter, dice
        counter += 1


def dice_from(digests: Iterable[bytes]) -> Dice:
    """The first two dice in ``digests``, read as one string of bytes. Raises Malformed if they end too soon."""
    fallen = b""
    for digest in digests:
        fallen += digest.translate(FACES, DROPPED)
        if len(fallen) >= 2:
            return fallen[0], fallen[1]
    raise Malformed(field="digests", value=len(fallen), rule="dice are not two")


def check_bytes(value: bytes, *, field: str) -> None:
    """Nothing, if ``value`` can be a seed or a hash: 32 bytes. Raises Malformed."""
    if type(value) is not bytes:
        raise Malformed(field=field, value=type(value).__name__, rule="is not bytes")
    if len(value) != SEED_BYTES:
        raise Malformed(field=field, value=len(value), rule=f"bytes are not {SEED_BYTES}")


def check_counter(value: int) -> None:
    """Nothing, if ``value`` can be a counter. Raises Malformed."""
    if type(value) is not int or not 0 <= value <= COUNTER_MAX:
        raise Malformed(field="counter", value=value, rule="is no whole number from 0 to 2^53 - 1")
